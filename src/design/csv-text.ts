// Writes tables as CSV (RFC 4180) that a spreadsheet opens without running what is in it, and tells how one is encoded.

/** What makes a spreadsheet take a cell for a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes rows; cells that a spreadsheet would take for formulas begin with an apostrophe, which `unescaped` removes. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const shown = (cell: string) => {
    const text = FORMULA.test(cell) ? `'${cell}` : cell;
    return /[",;|\t\r\n]/.test(text) || text !== cell ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((cells) => cells.map(shown).join(',')).join('\n');
}

/** A cell without the apostrophe that `writeCsv` puts before what looks like a formula. */
export const unescaped = (cell: string) => (cell[0] === "'" && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell);

/** The encoding of a text: UTF-16 is told by a byte order mark, or by a first character that is below U+0100. */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined)) return 'utf-16be';
  return 'utf-8';
}
