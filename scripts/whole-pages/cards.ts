// Pictures for links to pages, and pages of the web.

import type { PageList } from './page-list.ts';

export const CARDS: PageList = {
  width: 1200,
  pages: {
    'Citizen-Infra/nsrt': { 'og-image.html': 'same', 'index.html': 'same' },
    'iliquifysnacks/hastheaibubblepoppedyet': { 'og-image.html': 'same', 'impressum.html': 'same' },
    'mitchleonard/2025-Christmas-Baking-Day': { 'og-image.html': 'same', 'index.html': 'same' },
    'OdinMB/claude-recess': { 'social-card.html': 'same' },
    'kruschdev/hivemind_memory_mcp': { 'social-card.html': 'same' },
    'mikedijkstra/PassMaster': { 'social-card.html': 'same', 'index.html': 'same' },
    'Containarr/containarr.com': { 'index.html': 'same' },
    'ARahim3/Lekho': { 'docs/index.html': 'same' },
    'FossickAI/FossickAI.github.io': {
      'index.html': 'different: the size of a fixed drawing without one of its own; 64ch, which is named',
    },
    'mralx44/pictpath-homepage': { 'hiking.html': 'same' },
  },
};
