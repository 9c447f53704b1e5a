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
