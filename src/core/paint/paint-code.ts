// Paints the background, dark modules and caption of a barcode or QR code.
//
// All dark modules are one path: drawn one by one, neighbours would leave hairlines that scanners misread.

import type { Rect } from '../geometry.ts';
import type { CodeBox } from '../layout/box.ts';
import type { PathData } from '../path.ts';
import type { Resources } from '../resources.ts';
import type { FontSet } from '../text/font-set.ts';
import type { PaintOp } from './display-list.ts';
import { brushFor, isOpaqueBrush } from './gradient.ts';
import { rectPath, SHARP } from './outline.ts';
import type { PaintResult } from './paint-result.ts';
import { paintLines } from './paint-text.ts';
import type { View } from './view.ts';

export function paintCode(box: CodeBox, fonts: FontSet, view: View): PaintResult {
  const { node, rect, area, captions } = box;
  if (rect.width <= 0 || rect.height <= 0) return { ops: [], caster: null };
  const ops: PaintOp[] = [];
  const background = node.background && brushFor(node.background, rect);
  if (background) ops.push({ kind: 'fill', path: rectPath(rect), rule: 'nonzero', brush: background });
  const path = area.width > 0 && area.height > 0 ? darkPath(box) : [];
  if (path.length > 0) ops.push({ kind: 'fill', path, rule: 'nonzero', brush: brushFor(node.fill, area) });
  for (const { span, paragraph, content } of captions) {
    ops.push(
      ...paintLines({
        paragraph,
        spans: [span],
        own: span.style,
        space: { origin: content, vertical: false },
        isCentred: false,
        brushBox: rect,
        fonts,
        images: NO_IMAGES,
        view,
      }),
    );
  }
  return {
    ops,
    caster: background && {
      outline: { kind: 'rect', radii: SHARP },
      box: rect,
      reach: 0,
      opaque: isOpaqueBrush(background),
    },
  };
}

const NO_IMAGES: Resources['images'] = new Map();

/** The dark modules as few rectangles: each run of a row, extended down over the rows that have the same run. */
function darkPath({ modules: { columns, rows, dark }, area, guards }: CodeBox): PathData {
  const done = new Set<number>();
  const isRun = (row: number, from: number, to: number) => {
    for (let column = from; column < to; column++) if (!dark[row * columns + column]) return false;
    const before = from > 0 && dark[row * columns + from - 1];
    const after = to < columns && dark[row * columns + to];
    return !before && !after;
  };
  const rects: Rect[] = [];
  const x = (column: number) => area.x + (area.width * column) / columns;
  const y = (row: number) => area.y + (area.height * row) / rows;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!dark[row * columns + column]) continue;
      const from = column;
      while (column < columns && dark[row * columns + column]) column++;
      if (done.has(row * columns + from)) continue;
      let end = row + 1;
      for (; end < rows && isRun(end, from, column); end++) done.add(end * columns + from);
      const isGuard = guards?.columns.some(([first, last]) => from >= first && from < last);
      const height = y(end) - y(row) + (isGuard ? (guards?.below ?? 0) : 0);
      rects.push({ x: x(from), y: y(row), width: x(column) - x(from), height });
    }
  }
  return rects.flatMap(rectPath);
}
