// The interface in German.

import { editor } from './editor.ts';
import { pages } from './pages.ts';
import { shell } from './shell.ts';

export const german = { editor, pages, shell };
