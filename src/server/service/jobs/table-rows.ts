// Turns a table whose first row names layers into the rows of a batch.
//
// A column that names nothing in the template refuses the table: a misspelt name must not cost thousands of wrong files.

import { setImmediate } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import { type Diagnostic, quoted, ValidationError } from '#core/diagnostics.ts';
import { didYouMean } from '#core/nearest-name.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireTemplate } from '../accounts/key-scope.ts';
import type { NamedValue } from '../rendering/signed-url.ts';
import type { TemplateLibrary } from '../templates/templates.ts';
import type { RequestedRow } from './batches.ts';

/** Unknown columns that a message names. */
const MOST_SHOWN = 10;
/** Rows that are converted in one turn of the event loop. */
const ROWS_A_TURN = 16;

export interface TableChoices {
  /** The column that names the files; absent = they are numbered. */
  readonly nameFrom?: string | undefined;
  /** Whether columns that name nothing in the template are allowed. */
  readonly ignoreUnknown?: boolean | undefined;
}

/**
 * @param table its first row has the names of layers, or `layer.property`
 * @throws AppError `not_found`, `invalid_request` for columns that name nothing; ValidationError naming a row that has
 *   another number of cells than the first one
 */
export async function rowsOfTable(
  { templates }: { readonly templates: TemplateLibrary },
  caller: Caller,
  template: string,
  [first, ...rows]: readonly (readonly string[])[],
  { nameFrom, ignoreUnknown = false }: TableChoices,
): Promise<readonly RequestedRow[]> {
  requireTemplate(caller, template);
  const columns = checkedColumns(first);
  const naming = nameFrom === undefined ? -1 : columns.indexOf(nameFrom);
  if (nameFrom !== undefined && naming === -1) {
    throw new ValidationError('nameFrom', `the first row has no column ${didYouMean(nameFrom, columns)}`);
  }
  const found = await templates.findStored(caller.accountId, template);
  const { checks } = templates;
  const choices = await templates.choicesOf(found.accountId, `${found.id}@${found.version}`);
  const choosing: readonly string[] = choices.parameters;
  const isChoosing = (name: string) => choosing.includes(name);
  // The column that names the files need not be a layer.
  const onlyNames =
    nameFrom !== undefined && !isChoosing(nameFrom) && (await checks.unknownParameters(found, [nameFrom])).length > 0;
  if (!ignoreUnknown) {
    const meant = columns.filter((name) => !isChoosing(name) && !(onlyNames && name === nameFrom));
    requireNone(await checks.unknownParameters(found, meant), 'add ignoreUnknown=true');
  }
  const given: RequestedRow[] = [];
  for (const [row, cells] of rows.entries()) {
    if (row % ROWS_A_TURN === 0) await setImmediate();
    if (cells.length !== columns.length) {
      throw new ValidationError(`items[${row}]`, `has ${cells.length} cells, the first row ${columns.length}`);
    }
    const all = columns.map((name, index): NamedValue => [name, cells[index] ?? '']);
    const meant = onlyNames ? all.filter(([name]) => name !== nameFrom) : all;
    const name = naming === -1 ? null : cells[naming]?.trim() || null;
    given.push({ name, modifications: await checks.toModifications(found, meant) });
  }
  return given;
}

/** @throws AppError `invalid_request` for a row that is no list of different names */
export function checkedColumns(names: readonly string[] | undefined): readonly string[] {
  if (!names) throw new AppError('invalid_request', 'The table has no row of layer names.');
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') throw new AppError('invalid_request', 'A column has no layer name in the first row.');
    if (seen.has(name)) throw new AppError('invalid_request', `Two columns are named ${quoted(name)}.`);
    seen.add(name);
  }
  return names;
}

/**
 * So that a mistyped name does not cost a folder of wrong pictures.
 *
 * @param advice how such columns are left out
 * @throws AppError `invalid_request` unless there are none
 */
export function requireNone(unknown: readonly Diagnostic[], advice: string): void {
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MOST_SHOWN).map(({ message }) => message);
  const more = unknown.length > shown.length ? [`So have ${unknown.length - shown.length} more columns.`] : [];
  const last = `Nothing was rendered. Correct the first row, or ${advice} to leave such columns out.`;
  throw new AppError('invalid_request', [...shown, ...more, last].join('\n'));
}
