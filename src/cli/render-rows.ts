// Renders a template, stored or a file, with each row of a table to one file, in this process rather than by a server.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Gate } from '#concurrency/gate.ts';
import { limiter } from '#concurrency/limiter.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { AppError } from '#errors';
import type { ExportOptions, Output } from '#output/formats.ts';
import { LocalRenderer } from '#renderer/local-renderer.ts';
import { openPages } from '#service/pages/pages.ts';
import { everyChoice, splitChoice, type WantedChoices } from '#service/rendering/choices.ts';
import { unknownParameters } from '#service/rendering/parameters.ts';
import { type DrawContext, draw, fitTemplate } from '#service/rendering/render.ts';
import type { Parameter } from '#service/rendering/signed-url.ts';
import type { Config } from '../config.ts';
import { decodeText, parseCsv } from './csv.ts';
import { nameOf } from './design-file.ts';
import { readInput } from './read-input.ts';
import { openRowTemplate } from './row-template.ts';

export interface RowsOptions {
  /** `tpl_…`, `tpl_…@3`, or the path of a template's file. */
  readonly template: string;
  /** A CSV file whose first row names layers, or `layer.property`. */
  readonly file: string;
  /** A folder, created if necessary. */
  readonly out: string;
  readonly output: Output;
  readonly options: ExportOptions;
  /** For every row; its own columns `size` and `lang` win. */
  readonly wanted: WantedChoices;
  /** Renders even if a column names nothing in the template; each is then a warning. */
  readonly ignoreUnknown: boolean;
  /** Called after each row. */
  readonly onProgress: (progress: RowsProgress) => void;
}

export interface RowsProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

export interface RowFailure {
  /** From 1 up, without the header row. */
  readonly row: number;
  readonly error: string;
}

export interface RenderedRows {
  readonly count: number;
  readonly failures: readonly RowFailure[];
  /** Without duplicates, however many rows have the same warning. */
  readonly warnings: readonly string[];
}

/** Rows processed at once, so that some load images while others are drawn. */
const ROWS_IN_HAND = 8;
const DEADLINE = 120_000;
/** Unknown columns that a message names. */
const MOST_SHOWN = 10;

/**
 * @throws AppError or ValidationError when the table or the template cannot be read, or a column names nothing in the
 *   template; errors of single rows are in the result
 */
export async function renderRows(config: Config, options: RowsOptions): Promise<RenderedRows> {
  await using template = await openRowTemplate(options.template, config);
  const { found, checks, fonts, supplies, files } = template;
  const choices = await checks.choicesOf(found);
  const chooses = (name: string) => (choices.parameters as readonly string[]).includes(name);
  const [first, ...rows] = parseCsv(decodeText(await readInput(options.file), options.file));
  const names = checkedNames(first);
  if (!options.ignoreUnknown)
    checkColumns(
      found.document,
      names.filter((name) => !chooses(name)),
    );
  await mkdir(options.out, { recursive: true });

  await using chromium = openPages(config, { fonts });
  const ctx: DrawContext = {
    renderer: new LocalRenderer({ library: fonts, concurrency: config.renderConcurrency }),
    supplies,
    drawHtml: (_owner, page, output, options) => chromium.pages.drawHtml(page, output, options, files),
    admission: new Gate({ concurrency: ROWS_IN_HAND, waiting: ROWS_IN_HAND }),
    slow: new Gate({ concurrency: ROWS_IN_HAND, waiting: ROWS_IN_HAND }),
    deadline: DEADLINE,
  };
  const failures: RowFailure[] = [];
  const warnings = new Set<string>();
  let done = 0;

  async function renderRow(cells: readonly string[], index: number): Promise<void> {
    try {
      const parameters = pair(names, cells);
      const own = await checks.toModifications(
        found,
        parameters.filter(([name]) => !chooses(name)),
      );
      const modifications = { ...template.modifications, ...own };
      const { wanted } = splitChoice(Object.fromEntries(parameters), choices.parameters);
      const every = await everyChoice({ ...options.wanted, ...wanted }, () => choices);
      const name = fileName(index, rows.length, options.output);
      for (const choice of every) {
        const chosen = Object.keys(choice).length === 0 ? found : await template.designed(choice);
        const fitted = await fitTemplate(checks, chosen, modifications);
        const { bytes, diagnostics } = await draw(ctx, fitted, options.output, options.options);
        for (const { message } of diagnostics) warnings.add(message);
        await writeFile(join(options.out, nameOf(name, choice, every.length > 1)), bytes);
      }
    } catch (error) {
      if (!(error instanceof AppError || error instanceof ValidationError)) throw error;
      failures.push({ row: index + 1, error: error.message });
    }
    done += 1;
    options.onProgress({ done, failed: failures.length, total: rows.length });
  }

  const limit = limiter(ROWS_IN_HAND);
  await Promise.all(rows.map((cells, index) => limit(() => renderRow(cells, index))));
  return { count: rows.length, failures: failures.toSorted((a, b) => a.row - b.row), warnings: [...warnings] };
}

function checkedNames(names: readonly string[] | undefined): readonly string[] {
  const twice = names?.find((name, index) => names.indexOf(name) !== index);
  if (!names) throw new AppError('invalid_request', 'The file has no row of layer names.');
  if (names.includes('')) throw new AppError('invalid_request', 'A column has no layer name in the first row.');
  if (twice !== undefined) throw new AppError('invalid_request', `Two columns are named ${JSON.stringify(twice)}.`);
  return names;
}

/** So that a mistyped name does not cost a folder of wrong pictures. */
function checkColumns(document: string, names: readonly string[]): void {
  const unknown = unknownParameters(parseAnyTemplate(JSON.parse(document)), names);
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MOST_SHOWN).map(({ message }) => message);
  const more = unknown.length > shown.length ? [`So have ${unknown.length - shown.length} more columns.`] : [];
  const advice = 'Nothing was rendered. Correct the first row, or add --ignore-unknown to leave such columns out.';
  throw new AppError('invalid_request', [...shown, ...more, advice].join('\n'));
}

function pair(names: readonly string[], cells: readonly string[]): Parameter[] {
  if (cells.length !== names.length) {
    throw new AppError('invalid_request', `It has ${cells.length} cells, the first row of the file ${names.length}.`);
  }
  return names.map((name, index) => [name, cells[index] ?? '']);
}

/** `007.png`: padded to the digits of the last row's number, so that names sort in the order of the rows. */
function fileName(index: number, rows: number, output: Output): string {
  return `${String(index + 1).padStart(String(rows).length, '0')}.${output}`;
}
