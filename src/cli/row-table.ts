// The table of `platen batch`: what its columns mean for a template, and what the files of its rows are called.

import { AppError } from '#base/errors.ts';
import { didYouMean } from '#core/nearest-name.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { decodeText, parseCsv } from '#server/service/jobs/csv.ts';
import { checkedColumns, requireNone } from '#server/service/jobs/table-rows.ts';
import { uniqueNames } from '#server/service/jobs/zip.ts';
import { unknownParameters } from '#server/service/rendering/parameters.ts';
import type { Parameter } from '#server/service/rendering/signed-url.ts';

export interface TableOptions {
  /** What the template is chosen by: names of columns that are no layers. */
  readonly choosing: readonly string[];
  /** The column that names the files; null = they are numbered. */
  readonly nameFrom: string | null;
  /** Whether columns that name nothing in the template are allowed. */
  readonly ignoreUnknown: boolean;
}

export interface RowTable {
  /** Names of files without extension: unique, and valid on every file system. */
  readonly names: readonly string[];
  /** @throws AppError for a row with another number of cells than the first */
  readonly parameters: (row: number) => readonly Parameter[];
}

/**
 * @param bytes of the file
 * @param file its name, for messages
 * @param document the JSON of the template
 * @throws AppError `invalid_request` when the table cannot be read, or a column names nothing in the template
 */
export function readRowTable(bytes: Uint8Array, file: string, document: string, options: TableOptions): RowTable {
  const { choosing, nameFrom, ignoreUnknown } = options;
  const [first, ...rows] = parseCsv(decodeText(bytes, file));
  const columns = checkedColumns(first);
  const naming = nameFrom === null ? -1 : columns.indexOf(nameFrom);
  if (nameFrom !== null && naming === -1) {
    throw new AppError('invalid_request', `--name-from: the first row has no column ${didYouMean(nameFrom, columns)}`);
  }
  const template = parseAnyTemplate(JSON.parse(document));
  // The column that names the files need not be a layer.
  const onlyNames =
    nameFrom !== null && !choosing.includes(nameFrom) && unknownParameters(template, [nameFrom]).length > 0;
  const isMeant = (name: string) => !choosing.includes(name) && !(onlyNames && name === nameFrom);
  if (!ignoreUnknown) requireNone(unknownParameters(template, columns.filter(isMeant)), 'add --ignore-unknown');
  const numbers = rows.map((_, row) => String(row + 1).padStart(String(rows.length).length, '0'));
  return {
    names: naming === -1 ? numbers : uniqueNames(rows.map((cells, row) => cells[naming]?.trim() || numbers[row] || '')),
    parameters: (row) => {
      const cells = rows[row] ?? [];
      if (cells.length !== columns.length) {
        const problem = `Its number of cells is ${cells.length}, that of the first row of the file ${columns.length}.`;
        throw new AppError('invalid_request', problem);
      }
      const all = columns.map((name, index): Parameter => [name, cells[index] ?? '']);
      return onlyNames ? all.filter(([name]) => name !== nameFrom) : all;
    },
  };
}
