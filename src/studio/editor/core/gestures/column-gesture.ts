// Drags the end of a table's column: from then on the column has a width in px.

import type { Point } from '#core/geometry.ts';
import { changeLayer } from '../document/edits.ts';
import { setColumn } from '../document/table-edits.ts';
import { type ColumnEdge, columnEdgeAt } from '../geometry/table-places.ts';
import type { EditorState } from '../state/editor-state.ts';
import { DragGesture, type GestureContext, NO_MARKS } from './gesture.ts';

/** px: the least width that a drag gives. */
const LEAST = 8;

/** The end of a column of the selected table at a point, which can be dragged. */
export function columnEnd(
  editor: EditorState,
  point: Point,
  zoom: number,
): { readonly name: string; readonly edge: ColumnEdge } | null {
  const [table, ...others] = editor.selectedLayers.peek();
  const picture = editor.picture.peek();
  if (table?.type !== 'table' || others.length > 0 || editor.task.peek().kind !== 'select') return null;
  if (!picture || editor.isLocked(table.name)) return null;
  const edge = columnEdgeAt(picture, table, point, zoom);
  return edge && { name: table.name, edge };
}

export class ColumnGesture extends DragGesture {
  readonly #name: string;
  readonly #edge: ColumnEdge;
  readonly #from: Point;

  constructor(context: GestureContext, { name, edge }: NonNullable<ReturnType<typeof columnEnd>>, from: Point) {
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
