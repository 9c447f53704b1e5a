// Renders a stored template with each row of a table to one file, in this process rather than by a server.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { ValidationError } from '#core/diagnostics.ts';
import { AppError } from '#errors';
import { openFontLibrary } from '#fonts/font-library.ts';
import { OwnFonts } from '#fonts/own-fonts.ts';
import { setSvgFonts } from '#images/svg-process.ts';
import type { ExportOptions, Output } from '#output/formats.ts';
import { LocalRenderer } from '#renderer/local-renderer.ts';
import { openOutside } from '#service/image-sources.ts';
import { pageFiles } from '#service/page-files.ts';
import { openPages } from '#service/pages.ts';
import { type DrawContext, draw, fitTemplate } from '#service/render.ts';
import type { Parameter } from '#service/signed-url.ts';
import type { Services } from '../app.ts';
import { type Config, publicAddress } from '../config.ts';
import { Gate } from '../gate.ts';
import { parseCsv } from './csv.ts';
import { readInput } from './read-input.ts';

export interface RowsOptions {
  readonly template: string;
  /** A CSV file whose first row names layers, or `layer.property`. */
  readonly file: string;
  /** A folder, created if necessary. */
  readonly out: string;
  readonly output: Output;
  readonly wishes: ExportOptions;
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

/**
 * @throws AppError when the file or the template cannot be read; errors of single rows are in the result
 */
export async function renderRows(services: Services, config: Config, options: RowsOptions): Promise<RenderedRows> {
  const found = await services.templates.find(null, options.template);
  const { checks } = services.templates;
  const [names, ...rows] = parseCsv(await readText(options.file));
  checkNames(names);
  await mkdir(options.out, { recursive: true });

  const library = await openFontLibrary({ folders: config.fontFolders });
  setSvgFonts(library.folders, library.generic);
  const fontsKey = await services.fonts.keyFor(found);
  const records = () => services.fonts.records(found, fontsKey);
  const fonts = await new OwnFonts(library).libraryOf(fontsKey, records);
  await using outside = openOutside(config);
  await using chromium = openPages(config, { fonts: library });
  const sources = services.images.sourcesFor(found, outside, publicAddress(config, config.port));
  const files = pageFiles(fonts, sources, publicAddress(config, config.port));
  const ctx: DrawContext = {
    renderer: new LocalRenderer({ library: fonts, concurrency: config.renderConcurrency }),
    supplies: async () => ({
      fontsKey: '',
      known: (named) => sources.known(named),
      template: async () => found.document,
      fonts: records,
      image: (source, signal) => sources.find(source, signal),
      upload: (id, signal) => sources.read(id, signal),
    }),
    drawHtml: (_owner, page, output, wishes) => chromium.pages.drawHtml(page, output, wishes, files),
    admission: new Gate({ concurrency: ROWS_IN_HAND, waiting: ROWS_IN_HAND }),
    slow: new Gate({ concurrency: ROWS_IN_HAND, waiting: ROWS_IN_HAND }),
    deadline: DEADLINE,
  };
  const failures: RowFailure[] = [];
  const warnings = new Set<string>();
  let done = 0;

  async function renderRow(cells: readonly string[], index: number): Promise<void> {
    try {
      const modifications = await checks.toModifications(found, pair(names ?? [], cells));
      const fitted = await fitTemplate(checks, found, modifications);
      const { bytes, diagnostics } = await draw(ctx, fitted, options.output, options.wishes);
      for (const { message } of diagnostics) warnings.add(message);
      await writeFile(join(options.out, fileName(index, rows.length, options.output)), bytes);
    } catch (error) {
      if (!(error instanceof AppError || error instanceof ValidationError)) throw error;
      failures.push({ row: index + 1, error: error.message });
    }
    done += 1;
    options.onProgress({ done, failed: failures.length, total: rows.length });
  }

  const queue = new PQueue({ concurrency: ROWS_IN_HAND });
  await queue.addAll(rows.map((cells, index) => () => renderRow(cells, index)));
  return { count: rows.length, failures: failures.toSorted((a, b) => a.row - b.row), warnings: [...warnings] };
}

async function readText(file: string): Promise<string> {
  const bytes = await readInput(file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', `${file} is not UTF-8 text; save the table as CSV in UTF-8.`, { cause });
  }
}

function checkNames(names: readonly string[] | undefined): void {
  const twice = names?.find((name, index) => names.indexOf(name) !== index);
  if (!names) throw new AppError('invalid_request', 'The file has no row of layer names.');
  if (names.includes('')) throw new AppError('invalid_request', 'A column has no layer name in the first row.');
  if (twice !== undefined) throw new AppError('invalid_request', `Two columns are named ${JSON.stringify(twice)}.`);
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
