// Batches: render one template with many rows of values as ordinary jobs, and deliver the files as one archive.
//
// All rows are charged before the first job starts, and checked as far as there is time. After that each row succeeds or
// fails on its own.

import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { withDeadline } from '#base/concurrency/deadline.ts';
import type { Gate } from '#base/concurrency/gate.ts';
import { limiter } from '#base/concurrency/limiter.ts';
import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { ValidationError } from '#core/diagnostics.ts';
import type { PageNumbers } from '#core/template/document-properties.ts';
import type { Choice } from '#design/choice.ts';
import { LabelSheet } from '#design/label-sheet.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import { countPages, joinPdfs, numbersOver } from '#draw/output/pdf/join-pdfs.ts';
import type {
  Archive,
  Batch,
  BatchCounts,
  BatchOfRender,
  BatchRowState,
  BatchStore,
  RowFilter,
} from '#server/storage/batches.ts';
import type { ListPage, PageRequest } from '#server/storage/page.ts';
import type { Caller } from '../accounts/caller.ts';
import { requireTemplate } from '../accounts/key-scope.ts';
import type { Assets } from '../files/assets.ts';
import type { OnCommit } from '../idempotency.ts';
import { everyChoice, givenChoice, splitChoice, type WantedChoices } from '../rendering/choices.ts';
import type { Metadata } from '../rendering/metadata.ts';
import { checkOutput, type DrawContext, draw, fairnessKeyOfJobs, fitTemplate } from '../rendering/render.ts';
import { recordOfRender } from '../rendering/render-request-record.ts';
import { needsBrowser } from '../rendering/without-browser.ts';
import type { FoundTemplate, TemplateLibrary } from '../templates/templates.ts';
import { checkWebhook, type EnqueueContext } from './jobs.ts';
import { MAX_ZIP, uniqueNames, type ZipFile, zip, zipLength } from './zip.ts';

export { ARCHIVES, type Batch, type BatchOfRender, ROW_FILTERS } from '#server/storage/batches.ts';

export const NUMBERINGS = ['item', 'file'] as const;
type Numbering = (typeof NUMBERINGS)[number];

/** Maximum rows of one batch. */
export const MAX_BATCH_ROWS = 10_000;
/** How long the rows of one batch are checked before their jobs are accepted, ms; later rows are checked by their jobs. */
const CHECK_TIME = 20_000;
/** How long a batch waits until others of its account are entered, ms. */
const PATIENCE = 30_000;
/** How long the pages of a batch are counted before its jobs are accepted, ms, and how many rows at once. */
const COUNTING_TIME = 20_000;
const COUNTED_AT_ONCE = 4;
/** Maximum errors that are reported. */
const MAX_ERRORS = 50;
/** Maximum bytes of a ZIP file, so that every program can read it, and of a PDF file, whose parsing takes time. */
const MOST = { zip: MAX_ZIP, pdf: 1024 * 1024 * 1024 } as const satisfies Record<Archive, number>;

export interface BatchContext extends EnqueueContext, DrawContext {
  readonly templates: TemplateLibrary;
  readonly assets: Assets;
  /** Batches of one account that are checked and entered at once. */
  readonly batchesAtOnce: Gate;
}

export interface RequestedRow {
  readonly name: string | null;
  readonly modifications: Readonly<Record<string, unknown>>;
  /** What is chosen for it, in place of what is chosen for every row. */
  readonly wanted?: WantedChoices;
  readonly metadata?: Metadata;
}

export interface BatchRequest {
  /** `tpl_…`, or `tpl_…@3` for a version. */
  readonly template: string;
  /** What it is made from, such as the name of a file; null = not said. */
  readonly name: string | null;
  readonly rows: readonly RequestedRow[];
  /** What the caller calls its rows, for messages. */
  readonly rowsField: 'rows' | 'items';
  /** What is chosen for every row; a row's own columns `size`, `lang` and `brand` win. */
  readonly wanted?: WantedChoices;
  readonly output: Output;
  readonly options: ExportOptions;
  readonly archive: Archive;
  /** Of a PDF: over what its pages are numbered; absent = each row. */
  readonly numbering?: Numbering | undefined;
  /** Of a PDF: each page is a label in a cell. */
  readonly sheet?: LabelSheet | undefined;
  /** The address that is called when all rows have finished; absent = none. */
  readonly webhookUrl?: string | null;
}

export interface BatchProgress extends Batch, BatchCounts {
  /** The first errors; `row` counts from 0. */
  readonly errors: readonly { readonly row: number; readonly error: string }[];
  /** Whether the file can be fetched. */
  readonly isReady: boolean;
}

/** A file that is produced while it is sent. */
export interface BatchFile {
  readonly archive: Archive;
  /** File name with its extension. */
  readonly name: string;
  /** Bytes; null where it is known only at the end. */
  readonly length: number | null;
  /** What producing it takes at a time, bytes. */
  readonly memory: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What a file takes while it is copied chunk by chunk, bytes. */
const COPIED = 192 * 1024;
/** What an input file takes while it is joined, as a multiple of its size: it is parsed. */
const PARSED = 2;
/** What is kept of all input files while they are joined, bytes: glyphs, and digests of objects. */
const KEPT = 24 * 1024 * 1024;

/**
 * @throws AppError `not_found`, `quota_exceeded`, `overloaded`, `url_not_allowed` for the webhook's URL; ValidationError naming the row whose values do not fit; what
 *   `onCommit` throws
 */
export async function createBatch(
  ctx: BatchContext,
  caller: Caller,
  request: BatchRequest,
  onCommit: OnCommit<BatchProgress>,
): Promise<BatchProgress> {
  requireTemplate(caller, request.template);
  const enter = () => enterBatch(ctx, caller, request, onCommit);
  return withDeadline(PATIENCE, (signal) => ctx.batchesAtOnce.pass(signal, enter, caller.accountId));
}

async function enterBatch(
  ctx: BatchContext,
  caller: Caller,
  request: BatchRequest,
  onCommit: OnCommit<BatchProgress>,
): Promise<BatchProgress> {
  const { output, options, archive, name, rowsField, webhookUrl = null } = request;
  if (webhookUrl !== null) await checkWebhook(ctx, webhookUrl);
  await ctx.quota.requireRoom(caller);
  const found = await ctx.templates.findStored(caller.accountId, request.template);
  const rows = await chosenRows(ctx, found, request);
  const areForBrowser = await checkRows(ctx, found, rows, rowsField);
  if (archive === 'pdf' && areForBrowser.includes(true)) {
    const problem = 'what a browser draws cannot be joined; ask for a zip, or give the template "renderer": "satori"';
    throw new ValidationError(rowsField === 'items' ? 'merge' : 'archive', problem);
  }
  const numbers = request.numbering === 'file' ? await numbersOf(ctx, found, rows, request) : [];
  const createdAt = ctx.clock();
  const sheet = request.sheet ? JSON.stringify(request.sheet) : null;
  const given = { name, archive, sheet, webhookUrl, createdAt };
  const batch = { id: newId('blk'), accountId: caller.accountId, templateId: found.id, ...given };
  const names = uniqueNames(rows.map((row) => row.name));
  const template = `${found.id}@${found.version}`;
  const optionsOf = (index: number) => withNumbers(options, numbers[index]);
  const jobs = rows.map(({ modifications, choice, metadata }, index) => ({
    id: newId('rnd'),
    accountId: caller.accountId,
    kind: 'render' as const,
    output,
    createdAt,
    request: { template, modifications, output, options: optionsOf(index), ...givenChoice(choice) },
    needsBrowser: areForBrowser[index] ?? areForBrowser.includes(true),
    webhookUrl: null,
    asked: recordOfRender(found, {
      ...{ template, modifications, options: optionsOf(index) },
      ...(metadata !== undefined && { metadata }),
      ...givenChoice(choice),
    }),
  }));
  const begun = { ...batch, total: rows.length, done: 0, warned: 0, failed: 0, errors: [], isReady: false };
  await ctx.storage.transaction(async (stores) => {
    await onCommit(stores, begun);
    const metered = await ctx.quota.reserveForJobs(stores.usage, caller, jobs);
    await ctx.queue.add(
      stores,
      jobs.map((job) => ({ ...job, metered })),
    );
    const items = jobs.map(({ id }, index) => ({ renderId: id, name: names[index] ?? id }));
    await stores.batches.insert(batch, items);
  });
  ctx.queue.wake();
  return begun;
}

interface ChosenRow {
  /** Of its file, without extension. */
  readonly name: string;
  readonly modifications: RequestedRow['modifications'];
  readonly choice: Choice;
  readonly metadata: Metadata | undefined;
  /** Its place in the request. */
  readonly row: number;
}

/**
 * The rows with what is chosen for each: a row for each of several sizes, languages or brands.
 *
 * @throws ValidationError naming the row or the field
 */
async function chosenRows(
  { templates }: Pick<BatchContext, 'templates'>,
  found: FoundTemplate,
  { rows, rowsField, wanted = {} }: BatchRequest,
): Promise<readonly ChosenRow[]> {
  const choices = await templates.choicesOf(found.accountId, `${found.id}@${found.version}`);
  const chosen: ChosenRow[] = [];
  for (const [row, { name, modifications, wanted: itsOwn = {}, metadata }] of rows.entries()) {
    const own = splitChoice(modifications, choices.parameters);
    const named = { ...wanted, ...itsOwn, ...own.wanted };
    const every = await everyChoice(named, () => choices).catch(inRow(rowsField, row));
    for (const choice of every) {
      const words = every.length > 1 ? Object.values(choice) : [];
      const called = [name ?? `row-${row + 1}`, ...words].join('-');
      chosen.push({ name: called, modifications: own.modifications, choice, metadata, row });
    }
    if (chosen.length <= MAX_BATCH_ROWS) continue;
    throw new ValidationError(
      rowsField,
      `with these sizes, languages and brands make more than ${MAX_BATCH_ROWS} files`,
    );
  }
  return chosen;
}

/** Names the row in what is wrong with it. */
const inRow =
  (rowsField: BatchRequest['rowsField'], row: number) =>
  (error: unknown): never => {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(`${rowsField}[${row}].${error.path}`, error.problem);
  };

/**
 * @returns whether each row needs a browser, as far as there was time to check
 * @throws ValidationError naming the row whose values do not fit
 */
async function checkRows(
  { templates }: Pick<BatchContext, 'templates'>,
  found: FoundTemplate,
  rows: readonly ChosenRow[],
  rowsField: BatchRequest['rowsField'],
): Promise<boolean[]> {
  const areForBrowser: boolean[] = [];
  const end = performance.now() + CHECK_TIME;
  for (const [index, { modifications, choice, row }] of rows.entries()) {
    // Checking may take milliseconds of the event loop.
    if (index > 0) await setImmediate();
    if (performance.now() > end) break;
    const checked = async () => templates.checks.check(await templates.designed(found, choice), modifications);
    areForBrowser.push(needsBrowser(await checked().catch(inRow(rowsField, row))));
  }
  return areForBrowser;
}

const withNumbers = (options: ExportOptions, pageNumbers: PageNumbers | undefined): ExportOptions =>
  pageNumbers ? { ...options, pdf: { ...options.pdf, pageNumbers } } : options;

/**
 * Counts the pages of all rows by drawing each once more, one after the other in memory, so that each job knows which
 * numbers its pages have.
 *
 * @throws ValidationError when there are too many for the time; what drawing a row throws, naming the row
 */
async function numbersOf(
  ctx: BatchContext,
  found: FoundTemplate,
  rows: readonly ChosenRow[],
  { output, options, rowsField }: BatchRequest,
): Promise<readonly PageNumbers[]> {
  const end = performance.now() + COUNTING_TIME;
  const limit = limiter(COUNTED_AT_ONCE);
  const count = async ({ modifications, choice }: ChosenRow): Promise<number> => {
    if (performance.now() > end) {
      const problem = `the pages of ${rows.length} files are too many to be counted within ${COUNTING_TIME / 1000} s; ask for fewer, or use the command \`platen batch\``;
      throw new ValidationError('numbering', problem);
    }
    const fitted = await fitTemplate(ctx.templates.checks, await ctx.templates.designed(found, choice), modifications);
    checkOutput(fitted.checked, { output, options: withNumbers(options, { first: 1, total: 1 }) });
    const asJob = { ...fitted, fairnessKey: fairnessKeyOfJobs(found.accountId) };
    return countPages((await draw(ctx, asJob, output, options)).bytes);
  };
  // All have ended when this throws: none goes on drawing for a batch that was refused.
  const counted = await Promise.allSettled(
    rows.map((row) => limit(() => count(row).catch(numberingProblem(rowsField, row.row)))),
  );
  return numbersOver(
    counted.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    }),
  );
}

/** Names the row, unless it is the batch that is too much. */
const numberingProblem =
  (rowsField: BatchRequest['rowsField'], row: number) =>
  (error: unknown): never => {
    if (error instanceof ValidationError && error.path === 'numbering') throw error;
    return inRow(rowsField, row)(error);
  };

/** @throws AppError `not_found` */
export async function readBatch(
  { storage }: Pick<BatchContext, 'storage'>,
  accountId: string,
  id: string,
): Promise<BatchProgress> {
  const batch = await storage.batches.find(accountId, id);
  if (!batch) throw new AppError('not_found', 'batch not found');
  return progressOf(storage.batches, batch);
}

export async function progressOf(batches: BatchStore, batch: Batch): Promise<BatchProgress> {
  const counts = await batches.counts(batch.id);
  const { total, done, failed } = counts;
  const first = { limit: MAX_ERRORS, after: null };
  const { items } = failed === 0 ? { items: [] } : await batches.rows(batch.id, 'failed', first);
  const errors = items.map((row) => ({ row: row.place, error: errorOf(row) ?? GONE }));
  return { ...batch, ...counts, errors, isReady: done > 0 && done + failed === total };
}

/** Newest first. @param templateId null = of any template */
export async function listBatches(
  { storage }: Pick<BatchContext, 'storage'>,
  accountId: string,
  templateId: string | null,
  page: PageRequest,
): Promise<ListPage<Batch>> {
  return storage.batches.page(accountId, templateId, page);
}

/** The rows in the order of the request. @param filter null = all @throws AppError `not_found` */
export async function listBatchRows(
  { storage }: Pick<BatchContext, 'storage'>,
  accountId: string,
  id: string,
  filter: RowFilter | null,
  page: PageRequest,
): Promise<ListPage<BatchRowState>> {
  if (!(await storage.batches.find(accountId, id))) throw new AppError('not_found', 'batch not found');
  return storage.batches.rows(id, filter, page);
}

/** Which batches these renders belong to, by the renders' ids. */
export async function batchesOf(
  { storage }: Pick<BatchContext, 'storage'>,
  renderIds: readonly string[],
): Promise<ReadonlyMap<string, BatchOfRender>> {
  return renderIds.length === 0 ? new Map() : storage.batches.ofRenders(renderIds);
}

const GONE = 'Its file is no longer kept.';
/** Why a row has no file; null where it has one, or may still get one. */
export function errorOf({ status, size, error }: BatchRowState): string | null {
  if (status === 'error') return error ?? GONE;
  return status === null || (status === 'done' && size === null) ? GONE : null;
}

/**
 * @throws AppError `not_found`; `conflict` before all rows have ended, or when they are too large for one file
 */
export async function openBatch(ctx: BatchContext, accountId: string, id: string): Promise<BatchFile> {
  const { archive, name, sheet, isReady, total, done, failed } = await readBatch(ctx, accountId, id);
  if (!isReady) {
    const state = done === 0 && failed === total ? 'no row succeeded' : `${done + failed} of ${total} rows are over`;
    throw new AppError('conflict', `There is no file yet: ${state}.`);
  }
  const rows = await ctx.storage.batches.files(id);
  const files = rows.map(({ renderId, name: fileName, output, size }): ZipFile => {
    const stored = `${renderId}.${output}`;
    return {
      name: `${fileName}.${output}`,
      size,
      async *read() {
        const blob = await ctx.assets.open(stored);
        if (!blob) throw new AppError('file_damaged', `The file of ${stored} is missing.`);
        yield* blob.stream();
      },
    };
  });
  const called = `${uniqueNames([(name ?? id).replace(/\.(csv|tsv|txt)$/i, '')])[0]}.${archive}`;
  const length = zipLength(files);
  if (length > MOST[archive]) {
    const most = `${Math.round(MOST[archive] / 2 ** 20)} MiB`;
    throw new AppError('conflict', `The files are more than ${most} together: fetch them one by one.`);
  }
  if (archive === 'zip') return { archive, name: called, length, memory: COPIED, chunks: zip(files) };
  const largest = files.reduce((most, { size }) => Math.max(most, size), 0);
  const whole = files.map((file, index) => ({
    title: rows[index]?.name ?? file.name,
    read: () => buffer(file.read()),
  }));
  const memory = COPIED + PARSED * largest + Math.min(length, KEPT);
  const labels = sheet === null ? null : LabelSheet.parse(JSON.parse(sheet));
  return { archive, name: called, length: null, memory, chunks: joinPdfs(whole, labels) };
}

/** A batch as the API for keys and its webhook tell of it. @param address of this server, for that of the file */
export const batchRecord = (batch: BatchProgress, address: string) => ({
  ...{ id: batch.id, template: batch.templateId, name: batch.name, merge: batch.archive },
  ...{ count: batch.total, done: batch.done, warned: batch.warned, failed: batch.failed },
  errors: batch.errors.map(({ row, error }) => ({ item: row, error })),
  file: batch.isReady ? `${address}/v1/batches/${batch.id}/file` : null,
  created_at: batch.createdAt.toISOString(),
});
