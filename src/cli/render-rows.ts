// Renders a template, stored or a file, with each row of a table to one file, in this process rather than by a server.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Gate } from '#base/concurrency/gate.ts';
import { limiter } from '#base/concurrency/limiter.ts';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { didYouMean } from '#core/nearest-name.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import type { PageNumbers } from '#core/template/document-properties.ts';
import type { Choice } from '#design/choice.ts';
import type { LabelSheet } from '#design/label-sheet.ts';
import { type FontLibrary, openFontLibrary } from '#draw/fonts/font-library.ts';
import { OwnFonts } from '#draw/fonts/own-fonts.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import { countPages, joinPdfs, numbersOver } from '#draw/output/pdf/join-pdfs.ts';
import { openLoader } from '#draw/renderer/draw-scene.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import type { PageFiles } from '#server/chromium/html-document.ts';
import { type Config, publicAddress } from '#server/config/config.ts';
import { openOutside } from '#server/service/files/image-sources.ts';
import { decodeText, parseCsv } from '#server/service/jobs/csv.ts';
import { checkedColumns, requireNone } from '#server/service/jobs/table-rows.ts';
import { MAX_ZIP, MAX_ZIP_FILES, uniqueNames, zip, zipLength } from '#server/service/jobs/zip.ts';
import { pageFiles } from '#server/service/pages/page-files.ts';
import { openPages } from '#server/service/pages/pages.ts';
import { everyChoice, splitChoice, type WantedChoices } from '#server/service/rendering/choices.ts';
import { unknownParameters } from '#server/service/rendering/parameters.ts';
import { type DrawContext, draw, fitTemplate } from '#server/service/rendering/render.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';
import { LocalChecks, type TemplateChecks } from '#server/service/templates/template-checks.ts';
import type { FoundTemplate } from '#server/service/templates/templates.ts';
import type { Archive } from '#server/storage/batches.ts';
import { makeFolder } from '#server/storage/make-folder.ts';
import { designFile, nameOf } from './design-file.ts';
import { reachOfFile } from './file-scene.ts';
import { readInput, readTemplateFile } from './template-file.ts';

export interface RowsOptions {
  /** `tpl_…`, `tpl_…@3`, or the path of a template's file. */
  readonly template: string;
  /** A CSV file whose first row names layers, or `layer.property`; `-` is standard input. */
  readonly file: string;
  /** A folder for the files, created if necessary; null = they are kept only until they are merged. */
  readonly out: string | null;
  /** A `.zip` or `.pdf` file of all rows; null = none. */
  readonly merge: string | null;
  /** Of a merged PDF: whether its pages are numbered over all of it, for which each row is drawn twice. */
  readonly numbersFile: boolean;
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

  /** The pages of each file of a row: of what is counted first, and the numbers that follow from it. */
  const counted: (readonly number[])[] = [];
  let numbers: readonly (readonly PageNumbers[])[] | null = null;

  async function renderRow(name: string, row: number): Promise<void> {
    try {
      const parameters = table.parameters(row);
      const { wanted } = splitChoice(Object.fromEntries(parameters), choices.parameters);
      const every = await everyChoice({ ...options.wanted, ...wanted }, () => choices);
      const named = every.map((choice) => nameOf(`${name}.${output}`, choice, every.length > 1));
      made[row] = named;
      const isCounting = options.numbersFile && numbers === null;
      if (!isCounting && named.every((file) => files.has(file))) {
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
        const pageNumbers = numbers?.[row]?.[index];
        const pdf = { ...options.options.pdf, ...(pageNumbers && { pageNumbers }) };
        const { bytes, diagnostics } = await draw(
          ctx,
          fitted,
          output,
          pageNumbers ? { ...options.options, pdf } : options.options,
        );
        if (isCounting) {
          counted[row] = [...(counted[row] ?? []), await countPages(bytes)];
          continue;
        }
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
  const everyRow = () => Promise.all(table.names.map((name, row) => limit(() => renderRow(name, row))));
  if (options.numbersFile) {
    await everyRow();
    const over = [...numbersOver(counted.flat())];
    numbers = counted.map((own) => over.splice(0, own.length));
    done = 0;
  }
  // Without the length of one row, those after it have no numbers.
  if (failures.length === 0) await everyRow();
  const isMerged = merge !== null && failures.length === 0 && total > 0;
  if (isMerged && archive !== null) await files.merge(merge, archive, made.flat(), options.sheet);
  if (failures.length === 0) await (options.out === null ? files.delete() : files.close());
  const sorted = failures.toSorted((a, b) => a.row - b.row);
  return { count: total, kept, isMerged, failures: sorted, warnings: [...warnings] };
}

/** What decides the files of a run, beside its rows. */
const runOf = (
  { found, modifications }: RowTemplate,
  { output, options, wanted, nameFrom, numbersFile }: RowsOptions,
): string =>
  JSON.stringify([found.document, found.version, modifications, output, options, wanted, nameFrom, numbersFile]);

// The table of `platen batch`: what its columns mean for a template, and what the files of its rows are called.

interface TableOptions {
  /** What the template is chosen by: names of columns that are no layers. */
  readonly choosing: readonly string[];
  /** The column that names the files; null = they are numbered. */
  readonly nameFrom: string | null;
  /** Whether columns that name nothing in the template are allowed. */
  readonly ignoreUnknown: boolean;
}

interface RowTable {
  /** Names of files without extension: unique, and valid on every file system. */
  readonly names: readonly string[];
  /** @throws AppError for a row with another number of cells than the first */
  readonly parameters: (row: number) => readonly NamedValue[];
}

/**
 * @param bytes of the file
 * @param file its name, for messages
 * @param document the JSON of the template
 * @throws AppError `invalid_request` when the table cannot be read, or a column names nothing in the template
 */
function readRowTable(bytes: Uint8Array, file: string, document: string, options: TableOptions): RowTable {
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
      const all = columns.map((name, index): NamedValue => [name, cells[index] ?? '']);
      return onlyNames ? all.filter(([name]) => name !== nameFrom) : all;
    },
  };
}

// The folder in which `platen batch` writes a file for each row, so that a run which was stopped goes on where it was.
//
// A file appears under its name once it is whole. A mark in the folder says which run the files are of: what was
// rendered with other rows, values or options is rendered again.

const MARK = '.platen-batch';
/** Of files that are not whole yet. */
const UNFINISHED = '.part';

class RowFiles {
  readonly #folder: string;
  readonly #whole: Set<string>;

  private constructor(folder: string, whole: Set<string>) {
    this.#folder = folder;
    this.#whole = whole;
  }

  /**
   * @param run everything that decides what the files are
   * @param startAgain renders everything again, also what the same run has made
   */
  static async open(folder: string, run: readonly (string | Uint8Array)[], startAgain: boolean): Promise<RowFiles> {
    await makeFolder(folder);
    const hash = createHash('sha256');
    for (const part of run) hash.update(`${part.length} `).update(part);
    const digest = hash.digest('hex');
    const mark = join(folder, MARK);
    const isSame = !startAgain && (await readFile(mark, 'utf8').catch(() => '')) === digest;
    if (!isSame) await writeWhole(mark, digest);
    const names = isSame ? await readdir(folder) : [];
    return new RowFiles(folder, new Set(names.filter((name) => !name.endsWith(UNFINISHED))));
  }

  has(name: string): boolean {
    return this.#whole.has(name);
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await writeWhole(this.path(name), bytes);
    this.#whole.add(name);
  }

  /** The run is over: the next one renders everything. */
  async close(): Promise<void> {
    await rm(this.path(MARK), { force: true });
  }

  async delete(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Writes files of the folder as one, as a stream.
   *
   * @throws AppError when they are too many, or too large, for a ZIP file
   */
  async merge(out: string, archive: Archive, names: readonly string[], sheet: LabelSheet | null): Promise<void> {
    const unfinished = out + UNFINISHED;
    const chunks = archive === 'pdf' ? this.#joined(names, sheet) : await this.#zipped(names);
    await pipeline(Readable.from(chunks), createWriteStream(unfinished));
    await rename(unfinished, out);
  }

  #joined(names: readonly string[], sheet: LabelSheet | null): AsyncIterable<Uint8Array> {
    const read = (name: string) => () => readFile(this.path(name));
    return joinPdfs(
      names.map((name) => ({ title: name.slice(0, -'.pdf'.length), read: read(name) })),
      sheet,
    );
  }

  async #zipped(names: readonly string[]): Promise<AsyncIterable<Uint8Array>> {
    const files = [];
    for (const name of names) {
      const path = this.path(name);
      files.push({ name, size: (await stat(path)).size, read: () => createReadStream(path) });
    }
    if (files.length <= MAX_ZIP_FILES && zipLength(files) <= MAX_ZIP) return zip(files);
    throw new AppError(
      'invalid_request',
      `A zip has at most ${MAX_ZIP_FILES} files and 4 GiB; leave out --merge, or divide the rows.`,
    );
  }
}

/** Writes a file that is never seen half-written under its name. */
async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  await writeFile(path + UNFINISHED, bytes);
  await rename(path + UNFINISHED, path);
}

/** What a file of many rows is, by its extension. @throws AppError `invalid_request` */
function archiveOf(file: string): Archive {
  const extension = extname(file).toLowerCase();
  if (extension === '.pdf' || extension === '.zip') return extension.slice(1) as Archive;
  throw new AppError('invalid_request', `--merge: ${file} must end in .pdf or .zip.`);
}

// Opens the template that `platen batch` renders, with what its pictures need: a stored one with its account's fonts
// and uploads, or a file with the pictures beside it, which needs no database.

interface RowTemplate extends AsyncDisposable {
  /** With nothing chosen. */
  readonly found: FoundTemplate;
  /** @throws ValidationError when there is not what is chosen */
  readonly designed: (choice: Choice) => Promise<FoundTemplate>;
  readonly checks: TemplateChecks;
  /** Those in the file, which the rows override. */
  readonly modifications: Modifications;
  readonly fonts: FontLibrary;
  readonly supplies: DrawContext['supplies'];
  /** For pages that a browser draws. */
  readonly files: PageFiles;
}

/**
 * @param template `tpl_…`, `tpl_…@3`, or the path of a file
 * @throws AppError when there is no such template
 */
function openRowTemplate(template: string, config: Config): Promise<RowTemplate> {
  return /^tpl_\w+(@\d+)?$/.test(template) ? openStored(template, config) : openFile(template);
}

async function openStored(reference: string, config: Config): Promise<RowTemplate> {
  const { openServices } = await import('#server/services.ts');
  await using parts = new AsyncDisposableStack();
  const services = parts.use(await openServices(config));
  const found = await services.templates.find(null, reference);

  const library = await openFontLibrary({ folders: config.fontFolders });
  setSvgFonts(library.folders, library.generic);
  const fontsKey = await services.fonts.keyFor(found);
  const records = () => services.fonts.records(found, fontsKey);
  const fonts = await new OwnFonts(library).libraryOf(fontsKey, records);
  const address = publicAddress(config, config.port);
  const sources = services.images.sourcesFor(found, parts.use(openOutside(config)), address);
  const opened = parts.move();
  return {
    found,
    designed: (choice) => services.templates.find(null, reference, choice),
    checks: services.templates.checks,
    modifications: {},
    fonts,
    supplies: async ({ document }) => ({
      fontsKey: '',
      known: (named) => sources.known(named),
      template: async () => document,
      fonts: records,
      image: (source, signal) => sources.find(source, signal),
      upload: (id, signal) => sources.read(id, signal),
    }),
    files: pageFiles(fonts, sources, address),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function openFile(path: string): Promise<RowTemplate> {
  const file = await readTemplateFile(path);
  const loader = await openLoader(reachOfFile(path));
  const { fonts, sources } = loader;
  const designed = async (choice: Choice): Promise<FoundTemplate> => {
    const { template, diagnostics } = designFile(file, choice);
    const isDesign = Object.keys(choice).length > 0;
    const found = { id: path, version: 1, accountId: '', uploadsVersion: 0, isPlain: true, diagnostics };
    return { ...found, document: JSON.stringify(template), ...(isDesign && { design: JSON.stringify(choice) }) };
  };
  return {
    found: await designed({}),
    designed,
    checks: new LocalChecks(),
    modifications: file.modifications,
    fonts,
    supplies: async ({ document }) => ({
      fontsKey: '',
      known: () => ({}),
      template: async () => document,
      fonts: async () => [],
      image: async (source, signal) => ({ bytes: await sources.read(source, signal), warnings: [] }),
      upload: async (id) => {
        throw new AppError('invalid_request', `There is no uploaded image ${JSON.stringify(id)}.`);
      },
    }),
    files: pageFiles(fonts, sources, 'file:'),
    [Symbol.asyncDispose]: () => loader[Symbol.asyncDispose](),
  };
}
