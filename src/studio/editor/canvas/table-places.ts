// Where the cells and columns of a table are on the canvas.

import { invert, type Matrix, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import type { FrameBox, LayoutBox, TableRow } from '#core/layout/box.ts';
import { boxesAt, type LocatedBox } from '#core/layout/located-boxes.ts';
import type { RawLayer } from '../document/document.ts';
import { type CellPlace, columnsOf, entriesOf, rowsOfPart } from '../document/table-edits.ts';
import type { Picture } from '../scene/compositor.ts';

/** View px beside the line between two columns within which it can be dragged. */
const REACH = 4;

interface RowBox extends LocatedBox {
  readonly box: FrameBox & { readonly tableRow: TableRow };
}

const isRowOf =
  (name: string) =>
  (located: LocatedBox): located is RowBox =>
    located.name === name && located.box.kind === 'frame' && located.box.tableRow !== undefined;

/** The rows of the header on the canvas: with the text of a table without entries, one more. */
function headerRows(table: RawLayer): number {
  const isEmpty = entriesOf(table).length === 0 && typeof table.empty === 'string';
  return rowsOfPart(table, 'header').length + (isEmpty ? 1 : 0);
}

/** The cell at a point of the canvas; null = none. */
export function cellAt(picture: Picture, table: RawLayer, point: Point): CellPlace | null {
  const row = boxesAt(picture.boxes, point).find(isRowOf(table.name));
  const local = row && inverted(row.matrix, point);
  if (!row || !local) return null;
  // The last cell that begins before the point.
  const cell = row.box.children.findLastIndex((child) => areaLeft(child, row.box) <= local.x);
  if (cell < 0) return null;
  const [header, body] = [headerRows(table), entriesOf(table).length];
  const { index } = row.box.tableRow;
  if (index < rowsOfPart(table, 'header').length) return { part: 'header', row: index, cell };
  if (index < header) return null;
  if (index < header + body) return { part: 'body', row: index - header, cell };
  return { part: 'footer', row: index - header - body, cell };
}

const inverted = (matrix: Matrix, point: Point): Point | null => {
  const inverse = invert(matrix);
  return inverse && transformPoint(inverse, point);
};

/** Where the area of a cell begins, px: at the start of the column that its box lies in. */
function areaLeft(child: LayoutBox, row: RowBox['box']): number {
  let left = row.rect.x;
  for (const width of row.tableRow.columns) {
    if (child.rect.x < left + width - 0.01) return left;
    left += width;
  }
  return left;
}

/** The box of a cell, the first of a row that two pages show; null = it is not on the canvas. */
export function cellBox(
  picture: Picture,
  table: RawLayer,
  { part, row, cell }: CellPlace,
): { readonly box: LayoutBox; readonly matrix: Matrix; readonly row: Rect } | null {
  const header = headerRows(table);
  const index = part === 'header' ? row : part === 'body' ? header + row : header + entriesOf(table).length + row;
  const located = picture.boxes.filter(isRowOf(table.name)).find(({ box }) => box.tableRow.index === index);
  const box = located?.box.children[cell];
  return box && located ? { box, matrix: located.matrix, row: located.rect } : null;
}

/** The end of a column that a pointer can drag. */
export interface ColumnEdge {
  readonly column: number;
  /** The column's width now, px. */
  readonly width: number;
}

/** The line after a column at a point of the canvas, other than the table's own edge; null = none. */
export function columnEdgeAt(picture: Picture, table: RawLayer, point: Point, zoom: number): ColumnEdge | null {
  const row = boxesAt(picture.boxes, point, REACH / zoom).find(isRowOf(table.name));
  const local = row && inverted(row.matrix, point);
  if (!row || !local) return null;
  const { columns } = row.box.tableRow;
  let right = row.rect.x;
  for (const [column, width] of columns.slice(0, -1).entries()) {
    right += width;
    if (Math.abs(local.x - right) * zoom <= REACH) return { column, width };
  }
  return null;
}

/** The lines between the columns of each part of a table on the canvas, in coordinates of `rect`. */
export function columnLines(
  picture: Picture,
  table: RawLayer,
): readonly { readonly x: number; readonly top: number; readonly bottom: number; readonly matrix: Matrix }[] {
  if (columnsOf(table).length < 2) return [];
  const parts = new Map<LocatedBox | null, RowBox>();
  for (const row of picture.boxes.filter(isRowOf(table.name))) if (!parts.has(row.parent)) parts.set(row.parent, row);
  return [...parts].flatMap(([part, row]) => {
    const { y, height } = part?.rect ?? row.rect;
    let x = row.rect.x;
    return row.box.tableRow.columns.slice(0, -1).map((width) => {
      x += width;
      return { x, top: y, bottom: y + height, matrix: row.matrix };
    });
  });
}
