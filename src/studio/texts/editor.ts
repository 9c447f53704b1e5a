// The texts of the editor in the language of the interface.

import { editor } from './en/editor.ts';
import { room } from './room.ts';

export const texts = room('editor', editor);
