// Places the children of a grid in its cells: CSS Grid 1, section 8.5, with row flow and sparse packing.
//
// A grid has only the columns that it defines: a child that would reach beyond the last is cut to it. Rows are added as
// needed.

/** The requested position of a child, counted from 0; null = automatic. */
export interface GridRequest {
  readonly column: number | null;
  readonly row: number | null;
  /** At least 1. */
  readonly columnSpan: number;
  readonly rowSpan: number;
}

/** The first cell and the number of tracks, on each axis. */
export interface GridArea {
  readonly column: number;
  readonly row: number;
  readonly columnSpan: number;
  readonly rowSpan: number;
}

/** The areas of all children, in their order. */
export function placeInGrid(requests: readonly GridRequest[], columns: number): readonly GridArea[] {
  const cells = new Cells(columns);
  const areas = new Map<number, GridArea>();
  const place = (index: number, area: GridArea) => {
    cells.take(area);
    areas.set(index, area);
  };
  const wishes = requests.map(({ column, row, columnSpan, rowSpan }) => {
    const first = column === null ? null : Math.min(column, columns - 1);
    return { column: first, row, rowSpan, columnSpan: Math.min(columnSpan, columns - (first ?? 0)) };
  });

  for (const [i, { column, row, ...spans }] of wishes.entries()) {
    if (column !== null && row !== null) place(i, { column, row, ...spans });
  }

  const rowPens = new Map<number, number>();
  for (const [i, { column, row, ...spans }] of wishes.entries()) {
    if (column !== null || row === null) continue;
    let first = rowPens.get(row) ?? 0;
    while (first + spans.columnSpan <= columns && !cells.areFree({ column: first, row, ...spans })) first++;
    // In a full row, the child overlaps the others at the row's end.
    const area = { column: Math.min(first, columns - spans.columnSpan), row, ...spans };
    rowPens.set(row, area.column + spans.columnSpan);
    place(i, area);
  }

  const pen = { column: 0, row: 0 };
  for (const [i, { column, row, ...spans }] of wishes.entries()) {
    if (row !== null) continue;
    if (column !== null) {
      if (column < pen.column) pen.row++;
      pen.column = column;
      while (!cells.areFree({ ...pen, ...spans })) pen.row++;
    } else {
      while (pen.column + spans.columnSpan > columns || !cells.areFree({ ...pen, ...spans })) {
        pen.column++;
        if (pen.column + spans.columnSpan <= columns) continue;
        pen.column = 0;
        pen.row++;
      }
    }
    place(i, { ...pen, ...spans });
  }
  return requests.flatMap((_, i) => areas.get(i) ?? []);
}

/** The occupied cells. */
class Cells {
  readonly #columns: number;
  readonly #rows: Uint8Array[] = [];

  constructor(columns: number) {
    this.#columns = columns;
  }

  areFree({ column, row, columnSpan, rowSpan }: GridArea): boolean {
    for (let r = row; r < Math.min(row + rowSpan, this.#rows.length); r++) {
      if (this.#rows[r]?.subarray(column, column + columnSpan).includes(1)) return false;
    }
    return true;
  }

  take({ column, row, columnSpan, rowSpan }: GridArea): void {
    while (this.#rows.length < row + rowSpan) this.#rows.push(new Uint8Array(this.#columns));
    for (let r = row; r < row + rowSpan; r++) this.#rows[r]?.fill(1, column, column + columnSpan);
  }
}
