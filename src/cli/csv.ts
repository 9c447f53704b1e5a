// A CSV file's text into rows of cells (RFC 4180; a byte order mark and either kind of line end are allowed).

import { AppError } from '#errors';

/** Blank lines are left out. @throws AppError `invalid_request` naming the line where a quote stands or lacks */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = text.startsWith('\ufeff') ? 1 : 0, end = ','; at < text.length || end === ','; ) {
    const isQuoted = text[at] === '"';
    const length = isQuoted ? quotedLength(text, at) : plainLength(text, at);
    const raw = text.slice(at, at + length);
    row.push(isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw);

    END.lastIndex = at + length;
    const found = END.exec(text);
    if (!found) throw misplaced(text, at);
    [end] = found;
    at += length + end.length;
    if (end === ',') continue;
    if (row.length > 1 || raw !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/** What may follow a cell. */
const END = /,|\r\n|\n|\r|$/y;

function plainLength(text: string, start: number): number {
  PLAIN.lastIndex = start;
  return PLAIN.exec(text)?.[0].length ?? 0;
}

const PLAIN = /[^",\r\n]*/y;

/** With its quotes; 0 when it is not closed. */
function quotedLength(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 2)) {
    if (text[quote + 1] !== '"') return quote + 1 - start;
  }
  return 0;
}

const misplaced = (text: string, at: number) =>
  new AppError('invalid_request', `Line ${text.slice(0, at).split(/\r\n|\n|\r/).length} has a quote out of place.`);
