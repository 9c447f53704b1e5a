// Resolves a table: its cells' styles once, and the texts of its rows.

import { addDecimals, type Decimal, decimalText, divideDecimal, parseDecimal, ZERO } from '../decimal.ts';
import { ValidationError } from '../diagnostics.ts';
import { lazily } from '../lazily.ts';
import { formatOptions, NO_CURRENCY, needsCurrency, valueProblem } from '../template/format.ts';
import {
  type Cell,
  type CellStyle,
  cellObject,
  cellStyleOf,
  type Entry,
  MAX_CELLS,
  rowsOf,
  type TableLayer,
} from '../template/table-layer.ts';
import { TextLayer } from '../template/text-layer.ts';
import { formatPath } from '../template/validation.ts';
import { formattedText, type Locale } from './format-value.ts';
import { decimal } from './modify-layer.ts';
import type { NeedsSink } from './needs.ts';
import { PLAIN_NODE } from './plain-node.ts';
import { PLAIN_TEXT } from './plain-text.ts';
import { resolveBorder, resolveCorners, resolveEdges, resolveFill } from './resolve-style.ts';
import { resolveCharacterStyle } from './resolve-text.ts';
import type { ColumnWidth, TableCell, TableNode } from './scene.ts';

type CellObject = Exclude<Cell, string>;

/** What of a table's texts is in its own place in the input. */
interface Context {
  readonly needs: NeedsSink;
  readonly pathOf: (layer: TableLayer) => string;
  readonly locale: Locale;
}

/** Digits of an average beyond those of its values: more than any format shows. */
const AVERAGE_PLACES = 20;

type Specifics = Omit<TableNode, keyof typeof PLAIN_NODE | 'name'>;

/** @throws ValidationError naming the row and the cell, when a value is not what its format is for */
export function resolveTable(context: Context, layer: TableLayer): Specifics {
  const { columns, rows } = layer;
  const widths = columns.map((column) => (typeof column === 'object' ? column.width : column));
  const styled = new CellResolver(context, layer);
  const body = layer.row.map(cellObject);
  const row = styled.row(body, {});
  const texts = bodyTexts(context, layer, body);
  const empty = rows.length === 0 && layer.empty !== null ? [[{ text: layer.empty, columnSpan: columns.length }]] : [];
  const fixed = (given: readonly (readonly Cell[])[], style: CellStyle) =>
    given.map((cells) => styled.row(cells.map(cellObject), style));
  const head = fixed(rowsOf(layer.header), layer.headerCell);
  const foot = fixed(rowsOf(layer.footer), layer.footerCell);
  const node: Specifics = {
    type: 'table',
    columns: widths.map(columnWidth),
    head: empty.length > 0 ? [...head, ...fixed(empty, {})] : head,
    row,
    body: texts,
    foot,
    zebra: layer.zebra === null ? null : resolveFill(layer.zebra),
    rule: resolveBorder(layer.rule),
    headRule: resolveBorder(layer.headerRule),
    footRule: resolveBorder(layer.footerRule),
    columnRule: resolveBorder(layer.columnRule),
    border: resolveBorder(layer.border),
    radii: resolveCorners(layer.borderRadius),
    background: layer.background === null ? null : resolveFill(layer.background),
    repeatsHead: layer.repeatHeader && empty.length === 0,
    repeatsFoot: layer.repeatFooter,
    splitsRows: layer.splitRows,
  };
  for (const cells of [...node.head, ...node.foot]) for (const cell of cells) addText(context.needs, layer.name, cell);
  for (const [index, cell] of row.entries()) addLetters(context.needs, layer.name, cell, texts, index);
  return node;
}

/**
 * Checks a table with its rows on the request's thread, without resolving its styles.
 *
 * @returns how many cells it has
 * @throws ValidationError as `resolveTable`
 */
export function checkTable(layer: TableLayer, locale: Locale, pathOf: (layer: TableLayer) => string): number {
  const cells = layer.rows.length * layer.row.length;
  if (cells > MAX_CELLS) {
    throw new ValidationError(`${pathOf(layer)}.rows`, `have more than ${MAX_CELLS} cells; send fewer rows`);
  }
  const count = layer.columns.length;
  const places: readonly (readonly [string, readonly (readonly Cell[])[]])[] = [
    ['header', rowsOf(layer.header)],
    ['row', [layer.row]],
    ['footer', rowsOf(layer.footer)],
  ];
  for (const [name, rows] of places) {
    for (const row of rows) {
      const spans = row.map(cellObject).reduce((sum, cell) => sum + cell.columnSpan, 0);
      if (spans > count)
        throw new ValidationError(`${pathOf(layer)}.${name}`, `has ${spans} cells for ${count} columns`);
      for (const cell of row.map(cellObject)) {
        if (cell.format && locale.currency === undefined && needsCurrency(cell.format)) {
          throw new ValidationError(`${pathOf(layer)}.${name}`, NO_CURRENCY);
        }
      }
    }
  }
  const formatted = layer.row.map(cellObject).filter(({ format, name }) => format && name !== undefined);
  if (formatted.length > 0) {
    for (const [index, entry] of layer.rows.entries()) {
      for (const { name = '', format } of formatted) {
        const problem = format ? valueProblem(formatOptions(format), textOf(entry[name])) : null;
        if (problem !== null) throw new ValidationError(pathOfValue(layer, pathOf, index, name), problem);
      }
    }
  }
  return cells;
}

const pathOfValue = (layer: TableLayer, pathOf: (layer: TableLayer) => string, index: number, name: string) =>
  formatPath(pathOf(layer).replace(/\.rows$/, ''), [index, name]);

function columnWidth(width: number | string): ColumnWidth {
  if (typeof width === 'number') return { kind: 'px', value: width };
  if (width === 'hug') return { kind: 'hug' };
  if (width === 'fill') return { kind: 'fr', value: 1 };
  return { kind: width.endsWith('%') ? 'percent' : 'fr', value: Number.parseFloat(width) };
}

class CellResolver {
  readonly #context: Context;
  readonly #layer: TableLayer;

  constructor(context: Context, layer: TableLayer) {
    this.#context = context;
    this.#layer = layer;
  }

  /** @param style of all cells of the row, which wins over their columns' */
  row(cells: readonly CellObject[], style: CellStyle): readonly TableCell[] {
    let column = 0;
    return cells.map((cell) => {
      const resolved = this.#cell(cell, style, column);
      column += cell.columnSpan;
      return resolved;
    });
  }

  #cell(cell: CellObject, ofRow: CellStyle, column: number): TableCell {
    const given = this.#layer.columns[column];
    const ofColumn = typeof given === 'object' ? cellStyleOf(given) : {};
    const style = {
      ...cellStyleOf(this.#layer.cell),
      ...ofColumn,
      ...cellStyleOf(ofRow),
      ...cellStyleOf(cell),
    };
    const { align = 'start', verticalAlign = 'top', padding = 4, background = null, ...letters } = style;
    const strut = resolveCharacterStyle({
      ...plainLetters(),
      ...letters,
      lang: letters.lang ?? this.#context.locale.lang ?? null,
    });
    return {
      text: {
        ...PLAIN_NODE,
        ...PLAIN_TEXT,
        placement: FLOWING,
        name: this.#layer.name,
        align,
        verticalAlign,
        hyphens: 'manual',
        strut,
        spans: [{ text: this.#textOf(cell), style: strut, link: null, counter: null, image: null }],
      },
      padding: resolveEdges(padding),
      background: background === null ? null : resolveFill(background),
      column,
      span: cell.columnSpan,
    };
  }

  /** The text of a cell of header or footer. */
  #textOf(cell: CellObject): string {
    const { values, rows } = this.#layer;
    const given = cell.name === undefined ? undefined : values[cell.name];
    const text =
      given !== undefined && given !== null
        ? textOf(given)
        : cell.calculate === undefined
          ? cell.text
          : this.#calculated(cell.calculate, rows);
    return formatted(this.#context, cell, text, () => `${this.#context.pathOf(this.#layer)}.values.${cell.name ?? ''}`);
  }

  #calculated(calculate: NonNullable<CellObject['calculate']>, rows: readonly Entry[]): string {
    if (calculate === 'count') return String(rows.length);
    const name = 'sum' in calculate ? calculate.sum : calculate.average;
    let [sum, count]: [Decimal, number] = [ZERO, 0];
    for (const [index, entry] of rows.entries()) {
      const text = textOf(entry[name]).trim();
      if (text === '') continue;
      const value = parseDecimal(text);
      if (!value) {
        const problem = `must be a number such as 12.5, which is added; this is ${JSON.stringify(text.slice(0, 40))}`;
        throw new ValidationError(pathOfValue(this.#layer, this.#context.pathOf, index, name), problem);
      }
      sum = addDecimals(sum, value);
      count += 1;
    }
    if ('sum' in calculate) return decimalText(sum);
    return count === 0 ? '' : decimalText(divideDecimal(sum, count, AVERAGE_PLACES)).replace(/\.?0+$/, '');
  }
}

function bodyTexts(context: Context, layer: TableLayer, cells: readonly CellObject[]): readonly (readonly string[])[] {
  return layer.rows.map((entry, index) =>
    cells.map((cell) => {
      if (cell.counter === 'row') return String(index + 1);
      const value = cell.name === undefined ? undefined : entry[cell.name];
      const text = value === undefined || value === null ? cell.text : textOf(value);
      return formatted(context, cell, text, () => pathOfValue(layer, context.pathOf, index, cell.name ?? ''));
    }),
  );
}

/** A value as text; nothing for what is not shown. */
function textOf(value: Entry[string] | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? decimal(value) : value === true ? '✓' : '';
}

function formatted({ locale }: Context, cell: CellObject, text: string, pathOf: () => string): string {
  if (!cell.format || text === '') return text;
  return formattedText({ text, format: cell.format, lang: cell.lang ?? null }, locale, pathOf);
}

function addText(needs: NeedsSink, layer: string, { text: { spans } }: TableCell): void {
  for (const span of spans) needs.addText(layer, span);
}

/** Adds the letters of a column of the body, each once: a long table repeats few. */
function addLetters(
  needs: NeedsSink,
  layer: string,
  { text: { strut } }: TableCell,
  rows: readonly (readonly string[])[],
  index: number,
): void {
  const letters = new Set<string>();
  let words = '';
  for (const row of rows) {
    const text = row[index] ?? '';
    if (/^[ -~]*$/.test(text)) for (const letter of text) letters.add(letter);
    else words += ` ${text}`;
  }
  needs.addText(layer, { text: [...letters].join('') + words, style: strut });
}

/** The character styles of a text layer without any. */
const plainLetters = /* @__PURE__ */ lazily(() => TextLayer.parse({ type: 'text', name: 'cell', fontSize: 12 }));

const FLOWING = { ...PLAIN_NODE.placement, absolute: false };
