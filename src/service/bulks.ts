// Bulks: render one template with many rows of values as ordinary jobs, and deliver the files as one archive.
//
// All rows are checked and charged before the first job starts. After that each row succeeds or fails on its own.

import { setImmediate } from 'node:timers/promises';
import { ValidationError } from '#core/diagnostics.ts';
import { AppError } from '#errors';
import type { ExportOptions, Output } from '#output/formats.ts';
import { joinPdfs } from '#output/pdf/join-pdfs.ts';
import type { Archive, Bulk, BulkRowState } from '#storage/bulks.ts';
import { newId } from '../ids.ts';
import { askedOfRender } from './asked.ts';
import type { Assets } from './assets.ts';
import type { EnqueueContext } from './jobs.ts';
import type { Caller } from './keys.ts';
import { needsBrowser } from './pages-elsewhere.ts';
import type { TemplateLibrary } from './templates.ts';
import { uniqueNames, type ZipFile, zip, zipLength } from './zip.ts';

export { ARCHIVES, type Archive } from '#storage/bulks.ts';

/** Maximum rows of one bulk. */
export const MAX_ROWS = 500;
/** Maximum errors that are reported. */
const MAX_ERRORS = 50;
/** Maximum bytes of a ZIP file, so that every program can read it, and of a PDF file, which is assembled in memory. */
const MOST = { zip: 2 ** 32 - 1, pdf: 256 * 1024 * 1024 } as const satisfies Record<Archive, number>;

export interface BulkContext extends EnqueueContext {
  readonly templates: TemplateLibrary;
  readonly assets: Assets;
}

export interface BulkRequest {
  /** `tpl_…`, or `tpl_…@3` for a version. */
  readonly template: string;
  readonly rows: readonly { readonly name: string | null; readonly modifications: Readonly<Record<string, unknown>> }[];
  readonly output: Output;
  readonly options: ExportOptions;
  readonly archive: Archive;
}

export interface BulkProgress extends Bulk {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** The first errors; `row` counts from 0. */
  readonly errors: readonly { readonly row: number; readonly error: string }[];
  /** Whether the file can be fetched. */
  readonly isReady: boolean;
}

/** A file that is produced while it is sent. */
export interface BulkFile {
  readonly archive: Archive;
  /** Bytes. */
  readonly length: number;
  readonly chunks: AsyncIterable<Uint8Array> | Uint8Array;
}

/** @throws AppError `not_found`, `quota_exceeded`; ValidationError naming the row whose values do not fit */
export async function createBulk(ctx: BulkContext, caller: Caller, request: BulkRequest): Promise<BulkProgress> {
  const { output, options, archive, rows } = request;
  const found = await ctx.templates.find(caller.accountId, request.template);
  const areForBrowser: boolean[] = [];
  for (const [index, { modifications }] of rows.entries()) {
    // Checking may take milliseconds of the event loop.
    if (index > 0) await setImmediate();
    try {
      areForBrowser.push(needsBrowser(await ctx.templates.checks.check(found, modifications)));
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new ValidationError(`rows[${index}].${error.path}`, error.problem);
    }
  }
  const createdAt = ctx.clock();
  const bulk = { id: newId('blk'), accountId: caller.accountId, templateId: found.id, archive, createdAt };
  const names = uniqueNames(rows.map(({ name }, index) => name ?? `row-${index + 1}`));
  const template = `${found.id}@${found.version}`;
  const jobs = rows.map(({ modifications }, index) => ({
    id: newId('rnd'),
    accountId: caller.accountId,
    kind: 'render' as const,
    output,
    createdAt,
    request: { template, modifications, output, options },
    needsBrowser: areForBrowser[index] ?? false,
    webhookUrl: null,
    asked: askedOfRender(found, { modifications, options }),
  }));
  await ctx.storage.transaction(async (stores) => {
    const paid = [];
    for (const job of jobs) {
      paid.push({ ...job, metered: await ctx.quota.reserveForJob(stores.usage, caller, job) });
    }
    await ctx.queue.add(stores, paid);
    const items = jobs.map(({ id }, index) => ({ renderId: id, name: names[index] ?? id }));
    await stores.bulks.insert(bulk, items);
  });
  ctx.queue.wake();
  return { ...bulk, total: rows.length, done: 0, failed: 0, errors: [], isReady: false };
}

/** @throws AppError `not_found` */
export async function readBulk(
  { storage }: Pick<BulkContext, 'storage'>,
  accountId: string,
  id: string,
): Promise<BulkProgress> {
  const bulk = await storage.bulks.find(accountId, id);
  if (!bulk) throw new AppError('not_found', 'bulk not found');
  const rows = await storage.bulks.rows(id);
  const done = rows.filter(isKept).length;
  const errors = rows.flatMap((row, index) => (isFailed(row) ? [{ row: index, error: row.error ?? GONE }] : []));
  const isReady = done > 0 && done + errors.length === rows.length;
  return { ...bulk, total: rows.length, done, failed: errors.length, errors: errors.slice(0, MAX_ERRORS), isReady };
}

const GONE = 'Its file is no longer kept.';
const isKept = ({ status, size }: BulkRowState) => status === 'done' && size !== null;
/** Also of a row whose file has expired. */
const isFailed = (row: BulkRowState) =>
  row.status === 'error' || row.status === null || (row.status === 'done' && !isKept(row));

/**
 * @throws AppError `not_found`; `conflict` before all rows have ended, or when they are too large for one file
 */
export async function openBulk(ctx: BulkContext, accountId: string, id: string): Promise<BulkFile> {
  const { archive, isReady, total, done, failed } = await readBulk(ctx, accountId, id);
  if (!isReady) {
    const state = done === 0 && failed === total ? 'no row succeeded' : `${done + failed} of ${total} rows are over`;
    throw new AppError('conflict', `There is no file yet: ${state}.`);
  }
  const rows = (await ctx.storage.bulks.rows(id)).filter(isKept);
  const files = rows.map(({ renderId, name, output, size }): ZipFile => {
    const stored = `${renderId}.${output}`;
    return {
      name: `${name}.${output}`,
      size: size ?? 0,
      read: async () => {
        const blob = await ctx.assets.open(stored);
        if (!blob) throw new AppError('file_damaged', `The file of ${stored} is missing.`);
        const chunks: Buffer[] = [];
        for await (const chunk of blob.stream()) chunks.push(chunk);
        return Buffer.concat(chunks);
      },
    };
  });
  const length = zipLength(files);
  if (length > MOST[archive]) {
    const most = `${Math.round(MOST[archive] / 2 ** 20)} MiB`;
    throw new AppError('conflict', `The files are more than ${most} together: fetch them one by one.`);
  }
  if (archive === 'zip') return { archive, length, chunks: zip(files) };
  const joined = await joinPdfs(files.map(({ read }) => read));
  return { archive, length: joined.length, chunks: joined };
}
