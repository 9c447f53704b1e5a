// Finds the slots of a table's cells (HTML, 4.9.12: forming a table), and the elements of its columns.

import { AppError } from '#base/errors.ts';
import { type HtmlElement, isElement } from '../parse-html.ts';

export interface TableCell {
  readonly element: HtmlElement;
  readonly row: number;
  readonly column: number;
  readonly rowSpan: number;
  readonly columnSpan: number;
}

interface TableRow {
  readonly element: HtmlElement;
  readonly section: TableSection;
}

interface TableSection {
  readonly element: HtmlElement;
  /** Index of its first row in the table. */
  readonly first: number;
  readonly count: number;
}

interface TableColumn {
  readonly column: HtmlElement | null;
  readonly group: HtmlElement | null;
}

export interface TableGrid {
  readonly captions: readonly HtmlElement[];
  /** In the order in which they are shown: heads first, feet last. */
  readonly sections: readonly TableSection[];
  readonly rows: readonly TableRow[];
  /** In the order of rows, and of columns in a row. */
  readonly cells: readonly TableCell[];
  readonly columns: readonly TableColumn[];
  /** `<colgroup>` and `<col>` elements. */
  readonly columnElements: readonly HtmlElement[];
}

const MAX_COLUMNS = 200;

/**
 * @param isShown false for elements with `display: none`
 * @throws AppError `invalid_request` when the table has too many columns
 */
export function tableGrid(table: HtmlElement, isShown: (element: HtmlElement) => boolean): TableGrid {
  const parts = table.children.filter((child) => isElement(child)).filter(isShown);
  const named = (name: string) => parts.filter((part) => part.name === name);
  const [head, foot] = [named('thead')[0], named('tfoot')[0]];
  const bodies = parts.filter((part) => /^t(head|body|foot)$/.test(part.name) && part !== head && part !== foot);
  const cells: TableCell[] = [];
  const rows: TableRow[] = [];
  const sections: TableSection[] = [];
  for (const element of [...(head ? [head] : []), ...bodies, ...(foot ? [foot] : [])]) {
    const own = element.children.filter((child) => isElement(child)).filter((row) => row.name === 'tr' && isShown(row));
    const section = { element, first: rows.length, count: own.length };
    sections.push(section);
    /** For each column, the row (of the table) below the cell that reaches down from above. */
    const taken: number[] = [];
    for (const row of own) {
      const index = rows.length;
      rows.push({ element: row, section });
      let column = 0;
      for (const cell of row.children.filter((child) => isElement(child))) {
        if (!/^t[dh]$/.test(cell.name) || !isShown(cell)) continue;
        while ((taken[column] ?? 0) > index) column += 1;
        const columnSpan = span(cell, 'colspan', 1) || 1;
        const below = section.first + section.count - index;
        const rowSpan = Math.min(span(cell, 'rowspan', 1) || below, below);
        if (column + columnSpan > MAX_COLUMNS) {
          const message = `html, line ${table.line}: the table has more than ${MAX_COLUMNS} columns.`;
          throw new AppError('invalid_request', message);
        }
        for (let at = column; at < column + columnSpan; at += 1) taken[at] = Math.max(taken[at] ?? 0, index + rowSpan);
        cells.push({ element: cell, row: index, column, rowSpan, columnSpan });
        column += columnSpan;
      }
    }
  }
  const described = columnsOf(named('colgroup'), isShown);
  const count = Math.max(described.length, 0, ...cells.map(({ column, columnSpan }) => column + columnSpan));
  const columns = Array.from({ length: count }, (_, i) => described[i] ?? { column: null, group: null });
  const groups = table.children.filter((child) => isElement(child)).filter(({ name }) => name === 'colgroup');
  const columnElements = groups.flatMap((group) => [group, ...group.children.filter((child) => isElement(child))]);
  return { captions: named('caption'), sections, rows, cells, columns, columnElements };
}

function columnsOf(groups: readonly HtmlElement[], isShown: (element: HtmlElement) => boolean): readonly TableColumn[] {
  const columns = groups.flatMap((group): TableColumn[] => {
    const own = group.children.filter((child) => isElement(child)).filter(({ name }) => name === 'col');
    if (own.length === 0) return new Array(span(group, 'span', 1) || 1).fill({ column: null, group });
    return own.filter(isShown).flatMap((column) => new Array(span(column, 'span', 1) || 1).fill({ column, group }));
  });
  return columns.slice(0, MAX_COLUMNS);
}

/** HTML's rules for non-negative integers; the largest span is 1,000. */
function span({ attributes }: HtmlElement, name: string, otherwise: number): number {
  const [, digits] = /^\s*\+?(\d+)/.exec(attributes.get(name) ?? '') ?? [];
  return digits === undefined ? otherwise : Math.min(1_000, Number(digits));
}
