// The gesture that drags the end of a table's column: from then on the column has a width in px.

import type { Point } from '#core/geometry.ts';
import type { RawDocument } from '../document/document.ts';
import { changeLayer } from '../document/edits.ts';
import { setColumn } from '../document/table-edits.ts';
import { type Gesture, type GestureContext, NO_MARKS } from './gesture.ts';
import type { ColumnEdge } from './table-places.ts';

/** px: the least width that a drag gives. */
const LEAST = 8;

export class ColumnGesture implements Gesture {
  readonly #context: GestureContext;
  readonly #name: string;
  readonly #edge: ColumnEdge;
  readonly #from: Point;
  readonly #before: RawDocument;

  constructor(context: GestureContext, name: string, edge: ColumnEdge, from: Point) {
    this.#context = context;
    this.#name = name;
    this.#edge = edge;
    this.#from = from;
    this.#before = context.editor.startDrag();
  }

  move(point: Point): void {
    const { editor, marks } = this.#context;
    const width = Math.max(LEAST, Math.round(this.#edge.width + point.x - this.#from.x));
    editor.drag(changeLayer(this.#before, this.#name, (table) => setColumn(table, this.#edge.column, { width })));
    marks.value = { ...NO_MARKS, label: `${width} px` };
  }

  end(): void {
    this.#context.marks.value = NO_MARKS;
    this.#context.editor.endDrag();
  }

  cancel(): void {
    this.#context.marks.value = NO_MARKS;
    this.#context.editor.cancelDrag();
  }
}
