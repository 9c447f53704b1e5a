// Writes tables as CSV (RFC 4180) that a spreadsheet opens without running what is in it.

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
