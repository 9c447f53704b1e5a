// The document that every writer makes: a table of six columns with distinct words on A4, its header on each page, and
// "Page i of n" at the foot.

import { latinPhrase } from '../families/words.ts';
import { randomFrom } from '../statistics.ts';

/** The texts of a row's cells, by column. */
export type Row = readonly string[];

export const HEADER: Row = ['#', 'Item', 'Date', 'Quantity', 'Price', 'Amount'];
/** Widths of columns, pt; null takes what is left. All but the first two are aligned right. */
export const WIDTHS: readonly (number | null)[] = [36, null, 72, 54, 60, 72];
/** pt. */
export const FONT_SIZE = 9;
export const MARGIN = 56.7;
export const CELL_PADDING = { x: 4, y: 3 } as const;

export const isRight = (column: number): boolean => column > 1;

/** The same rows for the same seed. */
export function rowsOf(count: number, seed: number): Row[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) => {
    const quantity = 1 + Math.floor(random() * 400);
    const cents = 50 + Math.floor(random() * 90_000);
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 365)));
    return [
      String(index + 1),
      latinPhrase(random, 4),
      day.toISOString().slice(0, 10),
      String(quantity),
      (cents / 100).toFixed(2),
      ((cents * quantity) / 100).toFixed(2),
    ];
  });
}
