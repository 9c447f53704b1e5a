// Reads the tables of a page: their grids and what is declared for them. Refuses what cannot be drawn.

import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from '../parse-html.ts';
import { checkPartBackgrounds } from './cell-backgrounds.ts';
import { CollapsedBorders } from './collapsed-borders.ts';
import { type TableGrid, tableGrid } from './table-grid.ts';
import { completeTables } from './table-markup.ts';
import { tableRules } from './table-rules.ts';
import { TableStyles } from './table-styles.ts';

export interface Table {
  readonly element: HtmlElement;
  readonly grid: TableGrid;
  /** 0 = stands in no other table. */
  readonly level: number;
  /** null = borders do not collapse. */
  readonly borders: CollapsedBorders | null;
  /** px between columns, and between rows; 0 when borders collapse. */
  readonly spacing: readonly [number, number];
  readonly isFixed: boolean;
  readonly isCaptionBelow: boolean;
}

export interface PageTables {
  readonly tables: readonly Table[];
  readonly styles: TableStyles;
}

/** Most tables around each other: each costs several layouts of the page. */
const MAX_LEVELS = 3;
const PARTS = /^(caption|colgroup|col|thead|tbody|tfoot|tr|td|th)$/;
const KNOWN_DISPLAY =
  /^(none|inherit|initial|unset|revert|table|table-(caption|column-group|column|header-group|row-group|footer-group|row|cell))$/i;

/**
 * Completes the tables of the page in place.
 *
 * @returns its style sheet with the rules of tables below those of the page; null = no tables
 * @throws AppError `invalid_request`
 */
export function prepareTables(page: readonly HtmlNode[], css: string): string | null {
  completeTables(page);
  if (![...elementsOf(page)].some(({ name }) => name === 'table')) return null;
  // On the first line of the sheet, so that the lines of the page keep their numbers.
  return `${tableRules(elementsOf(page))}${css}`;
}

/** @throws AppError `invalid_request` naming what cannot be drawn, and its line */
export function readTables(page: readonly HtmlNode[], css: string, canvas: Size): PageTables {
  const styles = new TableStyles(page, css, canvas);
  const tables: Table[] = [];
  const levels = new Map<HtmlElement, number>();
  for (const element of elementsOf(page)) {
    if (PARTS.test(element.name) || element.name === 'table') checkDisplay(element, styles);
    if (element.name !== 'table' || isHidden(element, styles)) continue;
    const level = levelOf(element, styles, levels);
    if (level >= MAX_LEVELS) {
      throw refusal(element, `a table in ${MAX_LEVELS} others`);
    }
    levels.set(element, level);
    const grid = tableGrid(element, (part) => styles.isShown(part));
    const collapses = /^collapse$/i.test(styles.inherited(element, 'border-collapse') ?? '');
    tables.push({
      element,
      grid,
      level,
      borders: collapses ? new CollapsedBorders(element, grid, styles) : null,
      spacing: collapses ? [0, 0] : styles.spacing(element),
      isFixed:
        /^fixed$/i.test(styles.declared(element, 'table-layout') ?? '') && styles.declared(element, 'width') !== null,
      isCaptionBelow: /^bottom$/i.test(styles.inherited(grid.captions[0] ?? element, 'caption-side') ?? ''),
    });
  }
  for (const { grid, spacing } of tables) checkPartBackgrounds(grid, spacing, styles);
  return { tables, styles };
}

/** The elements of a table whose boxes are measured. */
export function partsOf({ element, grid }: Table): readonly HtmlElement[] {
  const parts = [...grid.sections, ...grid.rows, ...grid.cells].map((part) => part.element);
  return [element, ...grid.captions, ...grid.columnElements, ...parts];
}

function isHidden(element: HtmlElement, styles: TableStyles): boolean {
  for (let around: HtmlElement | null = element; around; around = styles.parentOf(around)) {
    if (!styles.isShown(around)) return true;
  }
  return false;
}

function levelOf(element: HtmlElement, styles: TableStyles, levels: ReadonlyMap<HtmlElement, number>): number {
  for (let around = styles.parentOf(element); around; around = styles.parentOf(around)) {
    const level = levels.get(around);
    if (level !== undefined) return level + 1;
  }
  return 0;
}

function checkDisplay(element: HtmlElement, styles: TableStyles): void {
  const display = styles.declared(element, 'display');
  if (display !== null && !KNOWN_DISPLAY.test(display)) {
    throw refusal(element, `<${element.name}> with display: ${display.slice(0, 40)}`);
  }
  if (/^collapse$/i.test(styles.declared(element, 'visibility') ?? '')) {
    throw refusal(element, `<${element.name}> with visibility: collapse`);
  }
}

function refusal({ line }: HtmlElement, what: string): AppError {
  const sentence = `${what} cannot be drawn with renderer "satori"`;
  return new AppError('invalid_request', `html, line ${line}: ${sentence}; change it, or use renderer "chromium".`);
}
