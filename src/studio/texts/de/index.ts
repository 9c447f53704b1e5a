// The interface in German.

import { editor } from './editor.ts';
import { shell } from './shell.ts';

export const german = { editor, shell };
