// Reads a table as a spreadsheet exports it: text in UTF-8 or UTF-16, cells between commas, semicolons, tabs or bars
// (RFC 4180; a byte order mark and any kind of line end are allowed).

import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { parse as parser, CsvError as StreamedError } from 'csv-parse';
import { CsvError, type Options, parse } from 'csv-parse/sync';
import { AppError } from '#base/errors.ts';
import { encodingOf } from '#design/csv-text.ts';

/** In order of preference where the first row has equally many. */
const DELIMITERS = [',', ';', '\t', '|'];
/** Characters in which the delimiter is looked for. */
const LOOKED_AT = 64 * 1024;
/** Characters parsed in one turn of the event loop. */
const SLICE = 32 * 1024;

/**
 * Decodes a file of text.
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

/**
 * Rows of cells. Blank lines are skipped. The delimiter is the one that the first row has most often outside quotes, or
 * the one that a first line `sep=;` names, as Excel reads it.
 *
 * @throws AppError `invalid_request` naming the line of a misplaced or unclosed quote
 */
export function parseCsv(text: string): string[][] {
  const reading = new Reading(text);
  try {
    return parse(text, reading.options);
  } catch (error) {
    throw reading.explain(error);
  }
}

/**
 * As `parseCsv`, in turns of the event loop.
 *
 * @param most.rows with the first one
 * @throws AppError `invalid_request`, also for a table that is too large
 */
export async function parseTable(
  text: string,
  most: { readonly rows: number; readonly cells: number },
): Promise<string[][]> {
  const reading = new Reading(text);
  const rows: string[][] = [];
  let cells = 0;
  try {
    await pipeline(slicesOf(text), parser(reading.options), async (parsed: AsyncIterable<string[]>) => {
      for await (const row of parsed) {
        cells += row.length;
        if (rows.push(row) > most.rows) throw tooMany(`${most.rows - 1} rows`);
        if (cells > most.cells) throw tooMany(`${most.cells} cells`);
      }
    });
  } catch (error) {
    throw reading.explain(error);
  }
  return rows;
}

const tooMany = (what: string) => new AppError('invalid_request', `The table has more than ${what}; send fewer.`);

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; ) {
    // A character outside the Basic Multilingual Plane is two code units, which must stay together.
    const last = text.charCodeAt(at + SLICE - 1);
    const end = at + SLICE + (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    yield text.slice(at, end);
    at = end;
    await setImmediate();
  }
}

/** How a text is parsed, and where it is at. */
class Reading {
  /** The line at which the next row begins, from 1. */
  #begins = 1;
  readonly options: Options<string[]> & { readonly columns?: false };

  constructor(text: string) {
    const named = /^\uFEFF?sep=(.)(?:\r\n|\n|\r|$)/.exec(text)?.[1];
    this.options = {
      bom: true,
      delimiter: named ?? delimiterOf(text.slice(0, LOOKED_AT)),
      from_line: named === undefined ? 1 : 2,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      // The caller checks the number of cells, since it can name the row.
      relax_column_count: true,
      on_record: (row: string[], { lines }) => {
        this.#begins = lines + 1;
        return row;
      },
    };
  }

  /** The line of a quote that is out of place; other errors as they are. */
  explain(error: unknown): unknown {
    // The two builds of the library have an error class each.
    if (!(error instanceof CsvError || error instanceof StreamedError)) return error;
    // A quote that is never closed is only noticed at the end of the file.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? this.#begins : error.lines;
    return new AppError('invalid_request', `Line ${line} has a quote out of place.`, { cause: error });
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
