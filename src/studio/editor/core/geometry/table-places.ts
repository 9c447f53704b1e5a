// Where the cells and columns of a table are on the canvas.

import { invert, type Matrix, type Point, type Rect, transformPoint } from '#core/geometry.ts';
import type { FrameBox, LayoutBox, ShownRow } from '#core/layout/box.ts';
import { boxesAt, type LocatedBox } from '#core/layout/located-boxes.ts';
import type { SceneNode, TableNode } from '#core/resolve/scene.ts';
import type { RawLayer } from '../document/document.ts';
import { type CellPlace, columnsOf, type Part, placedCells, rowsOfPart } from '../document/table-edits.ts';
import type { Picture } from '../scene/compositor.ts';

/** View px beside the line between two columns within which it can be dragged. */
const REACH = 4;

interface RowBox extends LocatedBox {
  readonly box: FrameBox & { readonly tableRow: ShownRow; readonly columns: readonly number[] };
}

const isRowOf =
  (name: string) =>
  (located: LocatedBox): located is RowBox =>
    located.name === name && located.box.kind === 'frame' && located.box.columns !== undefined;

/** The table among the nodes of the scene. */
function tableNode(nodes: readonly SceneNode[], name: string): TableNode | null {
  for (const node of nodes) {
    if (node.type === 'table' && node.name === name) return node;
    const inside = node.type === 'frame' ? tableNode(node.children, name) : null;
    if (inside) return inside;
  }
  return null;
}

const PARTS: Readonly<Record<string, Part>> = { head: 'header', body: 'row', foot: 'footer' };

/** What the first cell of each row of a table is, by the row's number; absent for rows of groups, and what is carried over pages. */
function placesOfRows(picture: Picture, name: string): ReadonlyMap<number | null, Omit<CellPlace, 'cell'>> {
  const places = new Map<number, Omit<CellPlace, 'cell'>>();
  const counted = new Map<Part, number>();
  for (const row of tableNode(picture.scene.nodes, name)?.rows ?? []) {
    const part = PARTS[row.kind];
    if (part === undefined) continue;
    const before = counted.get(part) ?? 0;
    // Rows of a header that a span joins are one row of several lines, as those of an entry are.
    places.set(row.index, part === 'row' ? { part, row: 0, entry: before } : { part, row: before, entry: null });
    counted.set(part, before + (part === 'row' ? 1 : row.lines));
  }
  return places;
}

/** The cell at a point of the canvas; null = none that is written in the template by itself. */
export function cellAt(picture: Picture, table: RawLayer, point: Point): CellPlace | null {
  const row = boxesAt(picture.boxes, point).find(isRowOf(table.name));
  const local = row && inverted(row.matrix, point);
  const place = row && placesOfRows(picture, table.name).get(row.box.tableRow.index);
  if (!row || !local || !place) return null;
  const column = columnAt(row, local.x);
  const shown = row.box.tableRow.cells;
  const index = shown.findLastIndex(
    (cell, i) =>
      column >= cell.column &&
      column < cell.column + cell.span &&
      (row.box.children[i]?.rect.y ?? 0) <= local.y + LEADING,
  );
  const found = shown[index >= 0 ? index : shown.findIndex((cell) => column < cell.column + cell.span)];
  if (!found) return null;
  const line = place.row + found.line;
  const cell = placedCells(rowsOfPart(table, place.part)).find(
    (one) => one.line === line && one.column === found.column,
  )?.index;
  return cell === undefined ? null : { ...place, row: line, cell };
}

/** px above the words of a cell that are its padding. */
const LEADING = 16;

function columnAt({ rect, box }: RowBox, x: number): number {
  let right = rect.x;
  return box.columns.findIndex((width) => {
    right += width;
    return x < right;
  });
}

const inverted = (matrix: Matrix, point: Point): Point | null => {
  const inverse = invert(matrix);
  return inverse && transformPoint(inverse, point);
};

/** The box of a cell, the first of a row that two pages show; null = it is not on the canvas. */
export function cellBox(
  picture: Picture,
  table: RawLayer,
  { part, row, cell, entry }: CellPlace,
): { readonly box: LayoutBox; readonly matrix: Matrix; readonly row: Rect } | null {
  const places = placesOfRows(picture, table.name);
  const own = placedCells(rowsOfPart(table, part)).find((one) => one.line === row && one.index === cell);
  for (const located of picture.boxes.filter(isRowOf(table.name))) {
    const place = places.get(located.box.tableRow.index);
    if (place?.part !== part || place.entry !== entry) continue;
    const index = located.box.tableRow.cells.findIndex(
      (shown) => shown.column === own?.column && place.row + shown.line === row,
    );
    const box = located.box.children[index];
    if (box) return { box, matrix: located.matrix, row: located.rect };
  }
  return null;
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
  const { columns } = row.box;
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
    return row.box.columns.slice(0, -1).map((width) => {
      x += width;
      return { x, top: y, bottom: y + height, matrix: row.matrix };
    });
  });
}
