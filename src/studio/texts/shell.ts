// The texts of the frame, of signing in and of the parts of pages, in the language of the interface.

import { shell } from './en/shell.ts';
import { room } from './room.ts';

export const texts = room('shell', shell);
