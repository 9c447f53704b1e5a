// Small areas in, sheets with a place for each out: starting the rasteriser costs more than drawing any of them.

import type { Point, Size } from '#core/geometry.ts';

export interface Sheet<T> extends Size {
  readonly cells: readonly (Point & { readonly item: T })[];
}

const WIDTH = 1024;
const MOST_HEIGHT = 2048;

/** Side by side in rows, in the order they come in. None may be wider than 1024. */
export function packSheets<T extends Size>(items: readonly T[]): Sheet<T>[] {
  const sheets: { width: number; height: number; cells: (Point & { item: T })[] }[] = [];
  let [x, y] = [0, 0];
  for (const item of items) {
    let sheet = sheets.at(-1);
    if (sheet && x + item.width > WIDTH) [x, y] = [0, sheet.height];
    if (!sheet || y + item.height > MOST_HEIGHT) {
      sheet = { width: 0, height: 0, cells: [] };
      sheets.push(sheet);
      [x, y] = [0, 0];
    }
    sheet.cells.push({ x, y, item });
    x += item.width;
    sheet.width = Math.max(sheet.width, x);
    sheet.height = Math.max(sheet.height, y + item.height);
  }
  return sheets;
}

export const WIDEST_CELL = WIDTH;
