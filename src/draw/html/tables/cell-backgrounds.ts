// Finds what is painted behind a cell (CSS 2.2, section 17.5.1): the colours of its column, section and row below its
// own. As in Chromium they fill the cells only, not the space between them.

import { AppError } from '#base/errors.ts';
import { parseColor } from '#core/color.ts';
import type { HtmlElement } from '../parse-html.ts';
import type { TableCell, TableGrid } from './table-grid.ts';
import type { TableStyles } from './table-styles.ts';

/** @returns declarations for the cell; none when nothing but its own background is behind it */
export function behindCells(grid: TableGrid, cell: TableCell, styles: TableStyles): Readonly<Record<string, string>> {
  const row = grid.rows[cell.row];
  const column = grid.columns[cell.column];
  const parts = [row?.element, row?.section.element, column?.column, column?.group];
  const colors = parts.flatMap((part) => (part ? (styles.background(part).color ?? []) : []));
  if (colors.length === 0) return {};
  const own = styles.background(cell.element);
  if (own.image !== null) {
    // Its own picture may leave parts open.
    if (/url\(/i.test(own.image)) return {};
    const color = own.color === null ? [] : [layer(own.color)];
    return { background: [own.image, ...color, ...colors.map(layer)].join(',') };
  }
  if (own.color !== null && parseColor(own.color)?.a === 1) return {};
  const [first = '', ...others] = own.color === null ? colors : [own.color, ...colors];
  if (others.length === 0 || parseColor(first)?.a === 1) return { 'background-color': first };
  return { background: [first, ...others].map(layer).join(',') };
}

const layer = (color: string): string => `linear-gradient(${color},${color})`;

/**
 * @param spacing between columns and rows, px
 * @throws AppError `invalid_request` naming a part whose picture would have to be divided among cells
 */
export function checkPartBackgrounds(grid: TableGrid, spacing: readonly [number, number], styles: TableStyles): void {
  const isWhole = spacing[0] === 0 && spacing[1] === 0 && grid.cells.every(({ rowSpan }) => rowSpan === 1);
  const parts: readonly HtmlElement[] = [
    ...grid.rows.map(({ element }) => element),
    ...grid.sections.map(({ element }) => element),
  ];
  const found = [...(isWhole ? [] : parts), ...grid.columnElements].find(
    (part) => styles.background(part).image !== null,
  );
  if (!found) return;
  const what = `html, line ${found.line}: a picture or gradient behind <${found.name}>`;
  const how = /^t/.test(found.name) ? 'with border-spacing or rowspan ' : '';
  throw new AppError(
    'invalid_request',
    `${what} ${how}cannot be drawn with renderer "satori"; give it to the table or the cells.`,
  );
}
