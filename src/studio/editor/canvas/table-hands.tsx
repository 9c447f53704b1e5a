// What a pointer does with a selected table: it opens cells for typing, and drags the ends of columns.

import { type Point, transformPoint } from '#core/geometry.ts';
import { toast } from '../../parts/toast.tsx';
import { texts } from '../../texts/editor.ts';
import type { RawLayer } from '../document/document.ts';
import { changeLayer } from '../document/edits.ts';
import { type CellPlace, editableCells, entriesOf, setColumn, textAtCell } from '../document/table-edits.ts';
import type { Picture } from '../scene/compositor.ts';
import type { EditorState } from '../state/editor-state.ts';
import { DragGesture } from './drag-gesture.ts';
import { type Gesture, type GestureContext, NO_MARKS } from './gesture.ts';
import { type ColumnEdge, cellAt, columnEdgeAt, columnLines } from './table-places.ts';
import type { Viewport } from './viewport.ts';

export { CellEditor } from './cell-editor.tsx';

interface ColumnLinesProps {
  readonly editor: EditorState;
  readonly viewport: Viewport;
  readonly picture: Picture;
}

/** The lines between the columns of a selected table, which can be dragged. */
export function ColumnLines({ editor, picture, viewport }: ColumnLinesProps) {
  const [table, ...others] = editor.selectedLayers.value;
  if (table?.type !== 'table' || others.length > 0) return null;
  const at = (matrix: Parameters<typeof transformPoint>[0], point: Point) => {
    const { x, y } = viewport.toView(transformPoint(matrix, point));
    return `${Math.round(x * 2) / 2} ${Math.round(y * 2) / 2}`;
  };
  return (
    <g>
      {columnLines(picture, table).map(({ x, top, bottom, matrix }, i) => (
        <path key={i} class="outline is-column" d={`M${at(matrix, { x, y: top })}L${at(matrix, { x, y: bottom })}`} />
      ))}
    </g>
  );
}

interface SelectedEdge {
  readonly name: string;
  readonly edge: ColumnEdge;
}

/** The end of a column of the selected table at a point, which can be dragged. */
export function columnEnd(editor: EditorState, point: Point, zoom: number): SelectedEdge | null {
  const [table, ...others] = editor.selectedLayers.peek();
  const picture = editor.picture.peek();
  if (table?.type !== 'table' || others.length > 0 || editor.tool.peek() !== 'select') return null;
  if (!picture || editor.isLocked(table.name) || editor.editingCell.peek() !== null) return null;
  const edge = columnEdgeAt(picture, table, point, zoom);
  return edge && { name: table.name, edge };
}

export const dragColumn = (context: GestureContext, { name, edge }: SelectedEdge, from: Point): Gesture =>
  new ColumnGesture(context, name, edge, from);

/** Opens the cell at a point of the canvas, or the first one, for typing; says why it cannot. */
export function enterTable(editor: EditorState, table: RawLayer, point: Point | null): void {
  const picture = editor.picture.peek();
  const place = point === null ? editableCells(table)[0] : picture && cellAt(picture, table, point);
  if (place) editCell(editor, table, place);
}

function editCell(editor: EditorState, table: RawLayer, place: CellPlace): void {
  // What is typed goes to the template, so that is what has to show.
  if (editor.setValue(table.name, undefined)) {
    toast(texts.value.common.testDataIsOff);
    if (place.entry !== null && entriesOf(table)[place.entry] === undefined) return;
  }
  if (textAtCell(table, place) === null) toast(texts.value.canvas.cellIsComputed);
  else editor.editingCell.value = { name: table.name, place };
}

// The gesture that drags the end of a table's column: from then on the column has a width in px.

/** px: the least width that a drag gives. */
const LEAST = 8;

class ColumnGesture extends DragGesture {
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
