// Parses tables in the page: CSV (RFC 4180), TSV, and rows pasted from a spreadsheet; maps columns to layers.

import { nearestName } from '#core/nearest-name.ts';
import { encodingOf, unescaped } from '#design/csv-text.ts';
import { texts } from '../../../texts/editor.ts';

/**
 * The text of a file that a spreadsheet has written. What is neither UTF-8 nor UTF-16 is read as Windows-1252, which
 * Excel writes in Europe and America unless it is asked for "CSV UTF-8".
 */
export async function textOfSheet(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** @returns rows without blank ones; an unclosed quote ends with the text */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  // Excel's first line `sep=;` names the separator.
  const named = /^\uFEFF?sep=(.)(?:\r?\n|$)/.exec(text);
  const separator = named?.[1] ?? separatorOf(text);
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    cell = '';
  };
  const body = named ? text.slice(named[0].length) : text.replace(/^\uFEFF/, '');
  for (let at = 0; at < body.length; at++) {
    const char = body[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (body[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === separator) {
      row.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else if (char === '\r') {
      if (body[at + 1] !== '\n') endRow();
    } else cell += char;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** How much of a text is looked at to find its separator, in characters. */
const MOST_HEAD = 100_000;

/**
 * The separator that the first line has most of, outside quotes. Spreadsheets in some countries write semicolons,
 * because their numbers contain commas; pasted cells are separated by tabs.
 */
function separatorOf(text: string): string {
  const [first = ''] = text
    .slice(0, MOST_HEAD)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/, 1);
  // Cells that a spreadsheet has copied may have more commas than there are cells.
  if (first.includes('\t')) return '\t';
  const counts = [',', ';', '|'].map((one) => [one, first.split(one).length] as const);
  return counts.sort((a, b) => b[1] - a[1])[0]?.[0] ?? ',';
}

/** Maximum rows of one request, as on the server. */
const MOST_ROWS = 10_000;

export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Reads a text whose first row names the columns. Throws an error with a sentence for the user.
 *
 * @param most rows that are taken
 */
export function readSheet(text: string, most = MOST_ROWS): Sheet {
  const [columns, ...rows] = parseCsv(text).map((cells) => cells.map(unescaped));
  if (!columns || rows.length === 0) throw new Error(texts.value.document.rowsNeedNames);
  if (rows.length > most) throw new Error(texts.value.document.tooManyRowsAtOnce(rows.length, most));
  return { columns: columns.map((one) => one.trim()), rows };
}

/** For each layer, the property that a plain value changes; null if there is none. */
type Properties = ReadonlyMap<string, string | null>;

export interface Target {
  readonly layer: string;
  /** null: the layer's own. */
  readonly property: string | null;
}

/** What a column sets: `title`, or `title.color`; null if no layer has the name. */
export function targetOf(column: string, properties: Properties): Target | null {
  // Names may contain dots themselves.
  if (properties.has(column)) return { layer: column, property: null };
  const dot = column.indexOf('.');
  const layer = column.slice(0, dot);
  return dot > 0 && properties.has(layer) ? { layer, property: column.slice(dot + 1) } : null;
}

/** The name of a column without what spreadsheets and people vary: `Head line` and `head_line` are `headline`. */
const plainName = (name: string) => name.toLowerCase().replace(/[\s_.-]+/g, '');

/**
 * What each column most likely sets: the layer of its name, else of a name that differs in case, spaces or a typing
 * error. A layer is guessed once.
 */
export function guessTargets(columns: readonly string[], properties: Properties): readonly (Target | null)[] {
  const exact = columns.map((column) => targetOf(column, properties));
  const free = new Set(properties.keys());
  for (const target of exact) if (target) free.delete(target.layer);
  return columns.map((column, at) => {
    const found = exact[at];
    if (found || column === '') return found ?? null;
    const layer = [...free].find((name) => plainName(name) === plainName(column)) ?? nearestName(column, free);
    if (layer === null) return null;
    free.delete(layer);
    return { layer, property: null };
  });
}

/** What was asked for in one request for a row. */
export interface SheetRow {
  readonly name?: string;
  readonly modifications: Readonly<Record<string, unknown>>;
}

/**
 * The values of a row, and the name of its file.
 *
 * @param targets what each column sets; null = nothing
 * @param naming the column that names the file; null = none
 */
export function rowOf(
  targets: readonly (Target | null)[],
  cells: readonly string[],
  naming: number | null,
  properties: Properties,
): SheetRow {
  const plain = new Map<string, string>();
  const patches = new Map<string, Record<string, string>>();
  for (const [at, target] of targets.entries()) {
    const value = cells[at] ?? '';
    // An empty cell keeps the layer's value from the template.
    if (value === '' || !target) continue;
    const { layer, property } = target;
    if (property === null) plain.set(layer, value);
    else patches.set(layer, { ...patches.get(layer), [property]: value });
  }
  const modifications: Record<string, unknown> = { ...Object.fromEntries(plain), ...Object.fromEntries(patches) };
  for (const [layer, patch] of patches) {
    // A layer takes a value or properties, so its value is written as the property that it stands for.
    const [own, value] = [properties.get(layer), plain.get(layer)];
    if (own && value !== undefined) modifications[layer] = { [own]: value, ...patch };
  }
  const name = naming === null ? undefined : cells[naming]?.trim();
  return { ...(name ? { name } : {}), modifications };
}
