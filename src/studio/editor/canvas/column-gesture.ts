// The gesture that drags the end of a table's column: from then on the column has a width in px.

import type { Point } from '#core/geometry.ts';
import { changeLayer } from '../document/edits.ts';
import { setColumn } from '../document/table-edits.ts';
import { DragGesture } from './drag-gesture.ts';
import { type GestureContext, NO_MARKS } from './gesture.ts';
import type { ColumnEdge } from './table-places.ts';

/** px: the least width that a drag gives. */
const LEAST = 8;

export class ColumnGesture extends DragGesture {
  readonly #name: string;
  readonly #edge: ColumnEdge;
  readonly #from: Point;

  constructor(context: GestureContext, name: string, edge: ColumnEdge, from: Point) {
    super(context);
    this.#name = name;
    this.#edge = edge;
    this.#from = from;
  }

  move(point: Point): void {
    const { editor, marks } = this.context;
    const width = Math.max(LEAST, Math.round(this.#edge.width + point.x - this.#from.x));
    editor.drag(changeLayer(this.base, this.#name, (table) => setColumn(table, this.#edge.column, { width })));
    marks.value = { ...NO_MARKS, label: `${width} px` };
  }
}
