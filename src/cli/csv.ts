// Parses a CSV file's text into rows of cells (RFC 4180; a byte order mark and either kind of line end are allowed).

import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '#errors';

/** Blank lines are skipped. @throws AppError `invalid_request` naming the line of a misplaced or unclosed quote */
export function parseCsv(text: string): string[][] {
  let begins = 1;
  try {
    return parse(text, {
      bom: true,
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
