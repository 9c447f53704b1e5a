// Parses CSV (RFC 4180) in the page, where the server's library is not available.

/** @returns rows without blank ones; an unclosed quote ends with the text */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const separator = separatorOf(text);
  const endRow = () => {
    row.push(cell);
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    cell = '';
  };
  const body = text.replace(/^\uFEFF/, '');
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

/** Spreadsheets in some countries write semicolons, because their numbers contain commas. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((one) => [one, first.split(one).length] as const);
  return counts.sort((a, b) => b[1] - a[1])[0]?.[0] ?? ',';
}

export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads a text whose first row names the columns. Throws an error with a sentence for the user. */
export function readSheet(text: string): Sheet {
  const [columns, ...rows] = parseCsv(text);
  if (!columns || rows.length === 0)
    throw new Error('The file needs a first row with names of layers, and rows below it');
  return { columns: columns.map((one) => one.trim()), rows };
}

/** For each layer, the property that a plain value changes; null if there is none. */
type Properties = ReadonlyMap<string, string | null>;

interface Target {
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

/** The values of a row, and its name from the column `naming`, if that is not empty. */
export function rowOf(
  columns: readonly string[],
  cells: readonly string[],
  naming: string,
  properties: Properties,
): { readonly name?: string; readonly modifications: Readonly<Record<string, unknown>> } {
  const plain = new Map<string, string>();
  const patches = new Map<string, Record<string, string>>();
  for (const [at, column] of columns.entries()) {
    const value = cells[at] ?? '';
    const target = targetOf(column, properties);
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
  const name = naming === '' ? undefined : cells[columns.indexOf(naming)];
  return { ...(name ? { name } : {}), modifications };
}
