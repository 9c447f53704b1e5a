// Renders a template, stored or a file, with each row of a table to one file, in this process rather than by a server.

import { Gate } from '#base/concurrency/gate.ts';
import { limiter } from '#base/concurrency/limiter.ts';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import type { LabelSheet } from '#design/label-sheet.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import type { Config } from '#server/config/config.ts';
import { openPages } from '#server/service/pages/pages.ts';
import { everyChoice, splitChoice, type WantedChoices } from '#server/service/rendering/choices.ts';
import { type DrawContext, draw, fitTemplate } from '#server/service/rendering/render.ts';
import { nameOf } from './design-file.ts';
import { readInput } from './read-input.ts';
import { archiveOf, RowFiles } from './row-files.ts';
import { readRowTable } from './row-table.ts';
import { openRowTemplate, type RowTemplate } from './row-template.ts';

export interface RowsOptions {
  /** `tpl_…`, `tpl_…@3`, or the path of a template's file. */
  readonly template: string;
  /** A CSV file whose first row names layers, or `layer.property`; `-` is standard input. */
  readonly file: string;
  /** A folder for the files, created if necessary; null = they are kept only until they are merged. */
  readonly out: string | null;
  /** A `.zip` or `.pdf` file of all rows; null = none. */
  readonly merge: string | null;
  /** Of a merged PDF: each page is a label in a cell. */
  readonly sheet: LabelSheet | null;
  /** The column that names the files; null = they are numbered. */
  readonly nameFrom: string | null;
  /** Renders every row again, also those of a run that was stopped. */
  readonly startAgain: boolean;
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

interface RowFailure {
  /** From 1 up, without the header row. */
  readonly row: number;
  readonly error: string;
}

export interface RenderedRows {
  readonly count: number;
  /** Rows whose files an earlier run had made. */
  readonly kept: number;
  /** Whether the merged file was written: only if no row failed. */
  readonly isMerged: boolean;
  readonly failures: readonly RowFailure[];
  /** Without duplicates, however many rows have the same warning. */
  readonly warnings: readonly string[];
}

/** Rows processed at once, so that some load images while others are drawn. */
const ROWS_IN_HAND = 8;
const DEADLINE = 120_000;
/**
 * @throws AppError or ValidationError when the table or the template cannot be read, or a column names nothing in the
 *   template; errors of single rows are in the result
 */
export async function renderRows(config: Config, options: RowsOptions): Promise<RenderedRows> {
  const { merge, output } = options;
  const archive = merge === null ? null : archiveOf(merge);
  await using template = await openRowTemplate(options.template, config);
  const { found, checks, fonts, supplies, files: pageFiles } = template;
  const choices = await checks.choicesOf(found);
  const choosing: readonly string[] = choices.parameters;
  const bytes = await readInput(options.file);
  const table = readRowTable(bytes, options.file === '-' ? 'Standard input' : options.file, found.document, {
    ...{ choosing, nameFrom: options.nameFrom, ignoreUnknown: options.ignoreUnknown },
  });
  const folder = options.out ?? `${merge}.rows`;
  const files = await RowFiles.open(folder, [bytes, runOf(template, options)], options.startAgain);

  await using chromium = openPages(config, { fonts });
  const ctx: DrawContext = {
    renderer: new LocalRenderer({ library: fonts, concurrency: config.renderConcurrency }),
    supplies,
    drawHtml: (_owner, page, output, options) => chromium.pages.drawHtml(page, output, options, pageFiles),
    admission: new Gate({ concurrency: ROWS_IN_HAND, waiting: ROWS_IN_HAND }),
    slow: new Gate({ concurrency: ROWS_IN_HAND, waiting: ROWS_IN_HAND }),
    deadline: DEADLINE,
  };
  const total = table.names.length;
  const failures: RowFailure[] = [];
  const warnings = new Set<string>();
  const made: (readonly string[])[] = [];
  let [done, kept] = [0, 0];

  async function renderRow(name: string, row: number): Promise<void> {
    try {
      const parameters = table.parameters(row);
      const { wanted } = splitChoice(Object.fromEntries(parameters), choices.parameters);
      const every = await everyChoice({ ...options.wanted, ...wanted }, () => choices);
      const named = every.map((choice) => nameOf(`${name}.${output}`, choice, every.length > 1));
      made[row] = named;
      if (named.every((file) => files.has(file))) {
        kept += 1;
        return;
      }
      const own = await checks.toModifications(
        found,
        parameters.filter(([column]) => !choosing.includes(column)),
      );
      const modifications = { ...template.modifications, ...own };
      for (const [index, choice] of every.entries()) {
        const chosen = Object.keys(choice).length === 0 ? found : await template.designed(choice);
        const fitted = await fitTemplate(checks, chosen, modifications);
        const { bytes, diagnostics } = await draw(ctx, fitted, output, options.options);
        for (const { message } of diagnostics) warnings.add(message);
        await files.write(named[index] ?? name, bytes);
      }
    } catch (error) {
      if (!(error instanceof AppError || error instanceof ValidationError)) throw error;
      failures.push({ row: row + 1, error: error.message });
    } finally {
      done += 1;
      options.onProgress({ done, failed: failures.length, total });
    }
  }

  const limit = limiter(ROWS_IN_HAND);
  await Promise.all(table.names.map((name, row) => limit(() => renderRow(name, row))));
  const isMerged = merge !== null && failures.length === 0 && total > 0;
  if (isMerged && archive !== null) await files.merge(merge, archive, made.flat(), options.sheet);
  if (failures.length === 0) await (options.out === null ? files.delete() : files.close());
  const sorted = failures.toSorted((a, b) => a.row - b.row);
  return { count: total, kept, isMerged, failures: sorted, warnings: [...warnings] };
}

/** What decides the files of a run, beside its rows. */
const runOf = ({ found, modifications }: RowTemplate, { output, options, wanted, nameFrom }: RowsOptions): string =>
  JSON.stringify([found.document, found.version, modifications, output, options, wanted, nameFrom]);
