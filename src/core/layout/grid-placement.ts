// Places the children of a grid in its cells: CSS Grid 1, section 8.5.
//
// A grid that is not open has only the columns that it defines: a child that would reach beyond the last is cut to it.
// Rows are added as needed. Flow by columns is flow by rows with both axes exchanged.

/** The requested position of a child, counted from 0 and negative before the first; null = automatic. */
export interface GridRequest {
  readonly column: number | null;
  readonly row: number | null;
  /** At least 1. */
  readonly columnSpan: number;
  readonly rowSpan: number;
}

/** The first cell, negative before the explicit ones, and the number of tracks, on each axis. */
export interface GridArea {
  readonly column: number;
  readonly row: number;
  readonly columnSpan: number;
  readonly rowSpan: number;
}

export interface GridFlow {
  readonly flow: 'row' | 'column';
  /** Whether later children fill earlier holes. */
  readonly dense: boolean;
  /** Whether tracks are added across the flow, too. */
  readonly open: boolean;
}

const BY_ROWS: GridFlow = { flow: 'row', dense: false, open: false };

/** The areas of all children, in their order. @param across the explicit columns; the rows of a flow by columns */
export function placeInGrid(
  requests: readonly GridRequest[],
  across: number,
  how: GridFlow = BY_ROWS,
): readonly GridArea[] {
  if (how.flow === 'column') return placeByRows(requests.map(exchanged), across, how).map(exchanged);
  return placeByRows(requests, across, how);
}

/** The same with rows for columns. */
function exchanged<Lines extends GridRequest>({ column, row, columnSpan, rowSpan, ...more }: Lines) {
  return { ...more, column: row, row: column, columnSpan: rowSpan, rowSpan: columnSpan } as Lines;
}

function placeByRows(requests: readonly GridRequest[], explicit: number, { dense, open }: GridFlow): GridArea[] {
  const cells = new Cells();
  const areas = new Map<number, GridArea>();
  const place = (index: number, area: GridArea) => {
    cells.take(area);
    areas.set(index, area);
  };
  // Cells are counted from the first of all while children are placed.
  let [before, above, columns] = [0, 0, explicit];
  for (const { row } of requests) above = Math.max(above, -(row ?? 0));
  if (open) {
    for (const { column } of requests) before = Math.max(before, -(column ?? 0));
    columns += before;
    for (const { column, row, columnSpan } of requests) {
      if (column !== null) columns = Math.max(columns, column + before + columnSpan);
      else if (row === null) columns = Math.max(columns, columnSpan);
    }
  }
  const wanted = requests.map(({ column, row, columnSpan, rowSpan }) => {
    const below = row === null ? null : row + above;
    if (open) return { column: column === null ? null : column + before, row: below, rowSpan, columnSpan };
    const first = column === null ? null : Math.max(0, Math.min(column, columns - 1));
    return { column: first, row: below, rowSpan, columnSpan: Math.min(columnSpan, columns - (first ?? 0)) };
  });

  for (const [i, { column, row, ...spans }] of wanted.entries()) {
    if (column !== null && row !== null) place(i, { column, row, ...spans });
  }

  const rowPens = new Map<number, number>();
  for (const [i, { column, row, ...spans }] of wanted.entries()) {
    if (column !== null || row === null) continue;
    let first = dense ? 0 : (rowPens.get(row) ?? 0);
    const last = open ? Number.POSITIVE_INFINITY : columns - spans.columnSpan;
    while (first <= last && !cells.areFree({ column: first, row, ...spans })) first++;
    // In a full row, the child overlaps the others at the row's end.
    const area = { column: Math.min(first, last), row, ...spans };
    rowPens.set(row, area.column + spans.columnSpan);
    columns = Math.max(columns, area.column + spans.columnSpan);
    place(i, area);
  }

  const pen = { column: 0, row: 0 };
  // No child fits before a place where one of its size did not: cells are only ever taken.
  const densePens = new Map<string, typeof pen>();
  for (const [i, { column, row, ...spans }] of wanted.entries()) {
    if (row !== null) continue;
    if (dense) {
      const known = densePens.get(`${column} ${spans.columnSpan} ${spans.rowSpan}`);
      [pen.column, pen.row] = known ? [known.column, known.row] : [column ?? 0, 0];
    }
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
    if (dense) densePens.set(`${column} ${spans.columnSpan} ${spans.rowSpan}`, { ...pen });
    place(i, { ...pen, ...spans });
  }
  return requests.flatMap((_, i) => {
    const area = areas.get(i);
    if (!area) return [];
    return before === 0 && above === 0 ? area : { ...area, column: area.column - before, row: area.row - above };
  });
}

/** The occupied cells. */
class Cells {
  readonly #rows: Uint8Array[] = [];

  areFree({ column, row, columnSpan, rowSpan }: GridArea): boolean {
    for (let r = row; r < Math.min(row + rowSpan, this.#rows.length); r++) {
      if (this.#rows[r]?.subarray(column, column + columnSpan).includes(1)) return false;
    }
    return true;
  }

  take({ column, row, columnSpan, rowSpan }: GridArea): void {
    const end = column + columnSpan;
    while (this.#rows.length < row + rowSpan) this.#rows.push(new Uint8Array(0));
    for (let r = row; r < row + rowSpan; r++) {
      let cells = this.#rows[r] as Uint8Array;
      if (cells.length < end) {
        const longer = new Uint8Array(Math.max(end, 2 * cells.length));
        longer.set(cells);
        this.#rows[r] = longer;
        cells = longer;
      }
      cells.fill(1, column, end);
    }
  }
}
