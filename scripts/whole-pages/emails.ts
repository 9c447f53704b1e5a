// E-mails and pages of the web.

import type { PageList } from './page-list.ts';

export const EMAILS: PageList = {
  width: 800,
  pages: {
    'leemunroe/responsive-html-email-template': { 'email.html': 'same', 'email-inlined.html': 'same' },
  },
};
