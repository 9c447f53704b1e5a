// Reads a table as a spreadsheet exports it: text in UTF-8 or UTF-16, cells between commas, semicolons or tabs
// (RFC 4180; a byte order mark and any kind of line end are allowed).

import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '#errors';

/** In order of preference where the first row has equally many. */
const DELIMITERS = [',', ';', '\t'];

/**
 * Decodes a file of text. UTF-16 is recognised by its byte order mark, or by a first character that is below U+0100.
 *
 * @param name of the file, for the message
 * @throws AppError `invalid_request` for any other encoding
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = `${name} is neither UTF-8 nor UTF-16 text; save the table as "CSV UTF-8".`;
    throw new AppError('invalid_request', message, { cause });
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined)) return 'utf-16be';
  return 'utf-8';
}

/**
 * Rows of cells. Blank lines are skipped. The delimiter is the one that the first row has most often outside quotes, or
 * the one that a first line `sep=;` names, as Excel reads it.
 *
 * @throws AppError `invalid_request` naming the line of a misplaced or unclosed quote
 */
export function parseCsv(text: string): string[][] {
  const named = /^\uFEFF?sep=(.)(?:\r\n|\n|\r|$)/.exec(text)?.[1];
  let begins = 1;
  try {
    return parse(text, {
      bom: true,
      delimiter: named ?? delimiterOf(text),
      from_line: named === undefined ? 1 : 2,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      // The caller checks the number of cells, since it can name the row.
      relax_column_count: true,
      on_record: (row: string[], { lines }) => {
        begins = lines + 1;
        return row;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quote that is never closed is only noticed at the end of the file.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? begins : error.lines;
    throw new AppError('invalid_request', `Line ${line} has a quote out of place.`, { cause: error });
  }
}

function delimiterOf(text: string): string {
  const counts = DELIMITERS.map(() => 0);
  let isQuoted = false;
  let hasCells = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character !== '\n' && character !== '\r') {
      const index = DELIMITERS.indexOf(character);
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
    } else if (hasCells) break;
    else continue;
    hasCells = true;
  }
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
