// The schema of a sheet of labels: a sheet with cells in rows and columns, each of which takes one page.

import { z } from 'zod';
import type { Edges, Rect, Size } from '#core/geometry.ts';
import { Page, sheetSize } from '#core/template/page.ts';
import { lengthUpTo, pixels } from '#core/template/page-setup.ts';

const Gap = lengthUpTo(2_000);

const Fields = z
  .strictObject({
    size: Page.shape.size.meta({ description: 'A sheet such as "A4", or its width and height.' }),
    landscape: Page.shape.landscape,
    columns: z.int().min(1).max(100),
    rows: z.int().min(1).max(100),
    margin: Page.shape.margin.unwrap().optional().meta({
      description:
        'Around the cells, which divide the rest. Without it, cells are as large as the first label and stand in the middle of the sheet.',
    }),
    gap: z
      .union(
        [Gap, z.tuple([Gap, Gap])],
        'must be a length such as "2.5mm", or one between columns and one between rows',
      )
      .default(0)
      .meta({ description: 'Between columns and rows, or of each: ["2.5mm", 0].' }),
    start: z.int().min(1).max(10_000).default(1).meta({
      description: 'The cell of the first label, from 1: for a first sheet on which some are used up.',
    }),
  })
  .refine(({ start, columns, rows }) => start <= columns * rows, {
    path: ['start'],
    message: 'must be a cell of the first sheet: at most columns × rows',
  });
export type LabelSheet = z.infer<typeof Fields>;

export const LabelSheet = Fields.superRefine((sheet, context) => {
  const { width, height } = cellRoom(sheet);
  if (width >= 1 && height >= 1) return;
  const [path, what] = sheet.margin === undefined ? ['gap', 'gaps'] : ['margin', 'margins and gaps'];
  context.addIssue({
    code: 'custom',
    path: [path],
    message: `must be smaller: with these ${what} no room is left for cells`,
  });
}).meta({
  description:
    'Puts each page into a cell of a sheet, from left to right. A label that is larger than its cell is made smaller.',
});

/** Where a label is. */
export interface LabelPlace {
  /** From 0. */
  readonly sheet: number;
  /** The label on the sheet, px, y down. */
  readonly rect: Rect;
  /** At most 1. */
  readonly scale: number;
}

export class LabelCells {
  readonly size: Size;
  readonly #sheet: LabelSheet;
  readonly #gap: Size;
  readonly #cell: Size;
  readonly #corner: { readonly x: number; readonly y: number };

  /** @param first the size of the first label, px */
  constructor(sheet: LabelSheet, first: Size) {
    const { columns, rows, margin } = sheet;
    const size = sheetSize(sheet);
    this.#sheet = sheet;
    this.size = size;
    this.#gap = gapOf(sheet);
    const gaps = { width: this.#gap.width * (columns - 1), height: this.#gap.height * (rows - 1) };
    const room = cellRoom(sheet);
    if (margin !== undefined) {
      this.#cell = room;
      const { left, top } = edgesOf(margin);
      this.#corner = { x: left, y: top };
      return;
    }
    this.#cell = { width: Math.min(first.width, room.width), height: Math.min(first.height, room.height) };
    this.#corner = {
      x: (size.width - gaps.width - columns * this.#cell.width) / 2,
      y: (size.height - gaps.height - rows * this.#cell.height) / 2,
    };
  }

  /** Cells of a sheet. */
  get count(): number {
    return this.#sheet.columns * this.#sheet.rows;
  }

  /** In the middle of its cell. @param index of the label, from 0 */
  place(index: number, label: Size): LabelPlace {
    const place = index + this.#sheet.start - 1;
    const cell = place % this.count;
    const [column, row] = [cell % this.#sheet.columns, Math.floor(cell / this.#sheet.columns)];
    const scale = Math.min(1, this.#cell.width / label.width, this.#cell.height / label.height);
    const [width, height] = [label.width * scale, label.height * scale];
    return {
      sheet: Math.floor(place / this.count),
      scale,
      rect: {
        ...{ width, height },
        x: this.#corner.x + column * (this.#cell.width + this.#gap.width) + (this.#cell.width - width) / 2,
        y: this.#corner.y + row * (this.#cell.height + this.#gap.height) + (this.#cell.height - height) / 2,
      },
    };
  }
}

/** What margins and gaps leave of a sheet for each cell, px. */
function cellRoom(sheet: LabelSheet): Size {
  const { columns, rows, margin } = sheet;
  const size = sheetSize(sheet);
  const gap = gapOf(sheet);
  const edges = edgesOf(margin ?? 0);
  return {
    width: Math.max(0, size.width - edges.left - edges.right - gap.width * (columns - 1)) / columns,
    height: Math.max(0, size.height - edges.top - edges.bottom - gap.height * (rows - 1)) / rows,
  };
}

function gapOf({ gap }: LabelSheet): Size {
  const [across, down] = Array.isArray(gap) ? gap : [gap, gap];
  return { width: pixels(across), height: pixels(down) };
}

function edgesOf(margin: NonNullable<LabelSheet['margin']>): Edges {
  if (typeof margin !== 'object')
    return { top: pixels(margin), right: pixels(margin), bottom: pixels(margin), left: pixels(margin) };
  return {
    top: pixels(margin.top),
    right: pixels(margin.right),
    bottom: pixels(margin.bottom),
    left: pixels(margin.left),
  };
}
