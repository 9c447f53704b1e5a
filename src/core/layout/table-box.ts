// The box of a table: a frame whose rows are made when somebody looks at them.

import type { Rect } from '../geometry.ts';
import { PLAIN_FRAME, plainFlex } from '../resolve/plain-node.ts';
import { resolveCorners } from '../resolve/resolve-style.ts';
import type { FrameNode } from '../resolve/scene.ts';
import type { FrameBox, LayoutBox } from './box.ts';
import type { TableRows } from './table-rows.ts';

export class TableBox implements FrameBox {
  readonly kind = 'frame';
  readonly node: FrameNode;
  readonly rect: Rect;
  readonly rows: TableRows;

  constructor(rows: TableRows, rect: Rect) {
    const base = rows.node;
    const { radii, background, collapses } = base;
    const { name, placement, rotation, flip, opacity, blend, shadows, blur, filters, backdropFilters, mask, link } =
      base;
    const own = {
      name,
      placement,
      rotation,
      flip,
      opacity,
      blend,
      shadows,
      blur,
      filters,
      backdropFilters,
      mask,
      link,
    };
    this.node = {
      ...PLAIN_FRAME,
      ...own,
      fragmentation: base.fragmentation,
      layout: COLUMN,
      // Collapsed, it is drawn with the borders of the cells, and has no corners.
      border: collapses ? null : base.border,
      radii: collapses ? NO_CORNERS : radii,
      background,
    };
    this.rows = rows;
    this.rect = rect;
  }

  /** All rows; made anew each time, because a table on pages needs few at once. */
  get children(): readonly LayoutBox[] {
    const rows = Array.from({ length: this.rows.count }, (_, row) => this.row(row));
    return this.rows.finished(rows, this.rect.x);
  }

  /** @param isContinued whether it is the header of a group, shown again */
  row(row: number, isContinued = false): FrameBox {
    return this.rows.row(row, this.rect, isContinued);
  }
}

const NO_CORNERS = resolveCorners(0);
const COLUMN = plainFlex('column');

/** The box of a row of html whose cells are packed: they are made each time that somebody looks at them. */
export class PackedRowBox implements FrameBox {
  readonly kind = 'frame';
  readonly node: FrameNode;
  readonly rect: Rect;
  readonly #make: () => readonly LayoutBox[];

  constructor(node: FrameNode, rect: Rect, make: () => readonly LayoutBox[]) {
    this.node = node;
    this.rect = rect;
    this.#make = make;
  }

  get children(): readonly LayoutBox[] {
    return this.#make();
  }
}
