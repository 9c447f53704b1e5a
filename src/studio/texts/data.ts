// The texts of the Data tab and of sheets of rows, in the language of the interface.

import { data } from './en/data.ts';
import { room } from './room.ts';

export const dataTexts = room('data', data);
