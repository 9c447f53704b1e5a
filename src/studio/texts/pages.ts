// The texts of the pages in the language of the interface.

import { pages } from './en/pages.ts';
import { room } from './room.ts';

export const texts = room('pages', pages);
