// Reads the tables of a page: their grids and what is declared for them. Refuses what cannot be drawn.

import { AppError } from '#base/errors.ts';
import { parseColor } from '#core/color.ts';
import type { Size } from '#core/geometry.ts';
import { elementsOf, type HtmlElement, type HtmlNode, isElement } from '../parse-html.ts';
import { checkPartBackgrounds } from './cell-backgrounds.ts';
import { CollapsedBorders } from './collapsed-borders.ts';
import { type TableGrid, tableGrid } from './table-grid.ts';
import { completeTables } from './table-markup.ts';
import { SIDES, TableStyles } from './table-styles.ts';

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

// Writes the style sheet of tables that is below a page's own: HTML's default rules, what the attributes of the page
// mean, and the box of a table with a caption.

/**
 * The rules of HTML's default style sheet for tables, and those that the attributes of the page mean, in a cascade layer
 * below the page's rules. Gives each element with such attributes one that the rules name.
 */
function tableRules(elements: Iterable<HtmlElement>): string {
  const rules: string[] = [];
  const set = (element: HtmlElement, declarations: readonly string[]) => {
    if (declarations.length === 0) return;
    const hint = String(rules.length);
    element.attributes.set(HINT, hint);
    rules.push(`[${HINT}="${hint}"]{${declarations.join(';')}}`);
  };
  /** Tables in cells with `align="center"`, which centres blocks too. */
  const centred = new Set<HtmlElement>();
  for (const element of elements) {
    if (/^t[dh]$/.test(element.name) && /^center$/i.test(element.attributes.get('align')?.trim() ?? '')) {
      for (const child of element.children) if (isElement(child) && child.name === 'table') centred.add(child);
    }
    if (element.name === 'table') {
      const { attributes } = element;
      if (element.children.some((child) => isElement(child) && child.name === 'caption')) attributes.set(CAPTIONED, '');
      const margins = centred.has(element) ? ['margin-left:auto', 'margin-right:auto', 'text-align:start'] : [];
      set(element, [...margins, ...hintsOf(element)]);
      const [border, padding] = [length(attributes.get('border')), length(attributes.get('cellpadding'))];
      const cells = [border && border !== '0px' ? 'border:1px inset gray' : '', padding ? `padding:${padding}` : ''];
      for (const cell of cellsOf(element)) set(cell, [...cells.filter((each) => each !== ''), ...hintsOf(cell)]);
    } else if (/^(col|colgroup|thead|tbody|tfoot|tr|caption)$/.test(element.name)) set(element, hintsOf(element));
  }
  return `@layer platen-tables{table{box-sizing:border-box;border-collapse:separate;border-spacing:2px}td,th{padding:1px}th{font-weight:bold}caption{text-align:center}${GRID_BOX}${rules.join('')}}`;
}

const HINT = 'platen-hint';
const CAPTIONED = 'platen-captioned';
const GRID_BOX = `[${CAPTIONED}]::before{content:"";display:block;position:absolute;box-sizing:border-box;left:0;width:100%;top:var(--platen-top);height:var(--platen-height);background:var(--platen-background);border-radius:var(--platen-radius);box-shadow:var(--platen-shadow);${SIDES.map((side) => `border-${side}:var(--platen-border-${side})`).join(';')}}`;

/** The cells of a table, without those of tables inside it. */
function cellsOf(table: HtmlElement): readonly HtmlElement[] {
  return table.children.flatMap((child) => {
    if (!isElement(child)) return [];
    return /^t[dh]$/.test(child.name) ? [child] : /^(thead|tbody|tfoot|tr)$/.test(child.name) ? cellsOf(child) : [];
  });
}

/** The declarations that the attributes of a part mean (HTML, 15.3.8 and 15.3.9). */
function hintsOf({ name, attributes }: HtmlElement): readonly string[] {
  const found: string[] = [];
  const add = (property: string, value: string | null | undefined) => {
    if (value) found.push(`${property}:${value}`);
  };
  const isOne = (value: string | undefined, words: RegExp) =>
    value !== undefined && words.test(value.trim()) ? value.trim().toLowerCase() : null;
  add('width', length(attributes.get('width'), true));
  if (/^(table|tr|td|th)$/.test(name)) add('height', length(attributes.get('height'), true));
  const color = attributes.get('bgcolor')?.trim() ?? '';
  if (color !== '' && parseColor(color)) add('background-color', color);
  if (name === 'table') {
    add('border-spacing', length(attributes.get('cellspacing')));
    const border = length(attributes.get('border'));
    if (border && border !== '0px') add('border', `${border} outset gray`);
    const align = isOne(attributes.get('align'), /^(center|left|right)$/i);
    if (align === 'center') found.push('margin-left:auto', 'margin-right:auto');
    else add('float', align);
  } else {
    add('text-align', isOne(attributes.get('align'), /^(left|center|right|justify)$/i));
    add('vertical-align', isOne(attributes.get('valign'), /^(top|middle|bottom|baseline)$/i));
    if (attributes.has('nowrap')) found.push('white-space:nowrap');
  }
  return found;
}

function length(value: string | undefined, orPercent = false): string | null {
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)(%?)/.exec(value ?? '') ?? [];
  if (number === undefined) return null;
  return unit === '%' ? (orPercent ? `${number}%` : null) : `${number}px`;
}
