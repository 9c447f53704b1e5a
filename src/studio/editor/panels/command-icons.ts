// The icons of commands, by the names that the table of commands has for them.

import type { IconShapes } from '../../parts/icon.tsx';
import {
  circle,
  download,
  frame,
  hand,
  image,
  keyboard,
  minus,
  mousePointer2,
  plus,
  qrCode,
  redo2,
  search,
  square,
  table2,
  type,
  undo2,
} from '../../parts/icons.ts';
import type { CommandIcon } from '../core/state/commands.ts';
import {
  barcode,
  bold,
  chartColumn,
  hexagon,
  italic,
  lineIcon,
  listIcon,
  listOrdered,
  star,
  underline,
} from '../icons.ts';

export const commandIcons: Readonly<Record<CommandIcon, IconShapes>> = {
  ...{ circle, download, frame, hand, image, keyboard, minus, mousePointer2, plus, qrCode, redo2, search, square },
  ...{ table2, type, undo2, barcode, bold, chartColumn, hexagon, star, italic, lineIcon, listOrdered, underline },
  list: listIcon,
};
