// The box of a table: a frame whose rows are made when somebody looks at them.

import type { Rect } from '../geometry.ts';
import { PLAIN_FRAME, plainFlex } from '../resolve/plain-node.ts';
import type { FrameNode } from '../resolve/scene.ts';
import type { FrameBox, LayoutBox } from './box.ts';
import type { TableRows } from './table-rows.ts';

export class TableBox implements FrameBox {
  readonly kind = 'frame';
  readonly node: FrameNode;
  readonly rect: Rect;
  readonly rows: TableRows;

  constructor(rows: TableRows, rect: Rect) {
    const { head: _, row: __, body: ___, foot: ____, columns: _____, ...base } = rows.node;
    const { border, radii, background } = base;
    const { name, placement, rotation, opacity, blend, shadows, blur, filters, backdropFilters, mask, link } = base;
    const own = { name, placement, rotation, opacity, blend, shadows, blur, filters, backdropFilters, mask, link };
    this.node = {
      ...PLAIN_FRAME,
      ...own,
      fragmentation: base.fragmentation,
      layout: COLUMN,
      border,
      radii,
      background,
    };
    this.rows = rows;
    this.rect = rect;
  }

  /** All rows; made anew each time, because a table on pages needs few at once. */
  get children(): readonly LayoutBox[] {
    return Array.from({ length: this.rows.count }, (_, row) => this.row(row));
  }

  row(row: number): FrameBox {
    return this.rows.row(row, this.rect);
  }
}

const COLUMN = plainFlex('column');
