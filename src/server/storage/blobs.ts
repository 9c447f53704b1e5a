// Blob stores: the interface, and the implementation that keeps blobs as files in one folder.
//
// A blob is on the disk when `put` returns: its bytes, and its name in the folder. Names are made of our own ids, never of text
// from a caller.
//
// Each step is a task of the thread pool, so there are as few as possible: a write that waits for the disk by itself, and one
// sync of the folder for all that are named at once. Both are used by descriptor, for which Node does less work than for a
// FileHandle.

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { coalesceNext } from '#base/concurrency/coalesce-next.ts';
import { unlessFull } from './full-disk.ts';
import { makeFolder } from './make-folder.ts';

/** A range of bytes, counted from 0; both ends are inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Blob {
  /** Bytes. */
  readonly size: number;
  /**
   * @param range within the blob; absent = all of it
   */
  stream(range?: ByteRange): Readable;
}

/**
 * How a blob is put in its place. `whole`: it is there as a whole or not at all, whenever the power is cut. `unnamed`: as long
 * as `put` has not returned a part of it may be there, which nobody reads, as no row names it. `replaceable`: the same, and it
 * may be lost, as it can be made again: nothing waits for the disk.
 */
type Placing = 'whole' | 'unnamed' | 'replaceable';

export interface BlobStore extends AsyncDisposable {
  /**
   * @param format of the bytes (`png`), where the name has no extension
   * @param placing of a store of files; default `whole`
   * @throws Error when the name is invalid or the disk refuses; AppError `overloaded` when the disk is full
   */
  put(name: string, bytes: Uint8Array, format?: string, placing?: Placing): Promise<void>;
  /** Null when there is no such blob, or the name is invalid. */
  open(name: string): Promise<Blob | null>;
  /** A public URL, valid for the next hour; null where the store has none. */
  address(name: string, format?: string): Promise<string | null>;
  /** All bytes; null as for `open`. */
  read(name: string): Promise<Buffer | null>;
  /** The path of a local file with these bytes, for code that reads files; null as for `open`. */
  localPath(name: string): Promise<string | null>;
  /** The names of all blobs, in no order. */
  list(): Promise<string[]>;
  delete(name: string): Promise<void>;
  /** Writes a few bytes and removes them. @throws what `put` throws */
  probe(): Promise<void>;
  /** Every blob with its age. Blobs that are written or deleted meanwhile may be missing. */
  entries(): AsyncIterable<BlobEntry>;
}

interface BlobEntry {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Time since it was written, ms. */
  readonly age: number;
}

const close = promisify(fs.close);
const fsync = promisify(fs.fsync);
const open = promisify(fs.open);
const readFile = promisify(fs.readFile);
const rename = promisify(fs.rename);
const writeFile = promisify(fs.writeFile);

const TEMPORARY = '.tmp-';
/** A temporary file older than this was left by a killed process, ms. */
const ABANDONED_AFTER = 60 * 60 * 1000;

/** Opens the folder, creating it if necessary, and removes half-written files of killed processes. */
export async function openFileBlobs(folder: string): Promise<BlobStore> {
  await makeFolder(folder);
  await removeAbandoned(folder);
  const entriesOf = await openEntries(folder);
  const newTemporary = () => join(folder, `${TEMPORARY}${randomUUID()}`);

  return {
    async put(name, bytes, _format, placing = 'whole') {
      if (!BLOB_NAME.test(name)) throw new Error(`${JSON.stringify(name)} cannot name a blob.`);
      const path = join(folder, name);
      const isLasting = placing !== 'replaceable';
      const sync = isLasting ? entriesOf.sync : async () => {};
      if (placing !== 'whole') {
        const isThere = await writeNew(path, bytes, isLasting, sync).then(() => true, unlessExisting);
        if (isThere) return;
      }
      const temporary = newTemporary();
      await writeNew(temporary, bytes, isLasting).catch(refuse);
      await rename(temporary, path).catch(refuse);
      await sync();
    },

    async open(name) {
      if (!BLOB_NAME.test(name)) return null;
      const path = join(folder, name);
      const stats = await stat(path).catch(unlessMissing);
      return stats ? { size: stats.size, stream: (range) => fs.createReadStream(path, range) } : null;
    },

    async address() {
      return null;
    },

    async read(name) {
      return BLOB_NAME.test(name) ? readFile(join(folder, name)).catch(unlessMissing) : null;
    },

    async localPath(name) {
      return BLOB_NAME.test(name) ? join(folder, name) : null;
    },

    async list() {
      return (await readdir(folder)).filter((name) => BLOB_NAME.test(name));
    },

    async delete(name) {
      if (BLOB_NAME.test(name)) await rm(join(folder, name), { force: true }).catch(refuse);
    },

    async probe() {
      const temporary = newTemporary();
      await writeNew(temporary, Buffer.from('probe'), true).catch(refuse);
      await rm(temporary);
    },

    async *entries() {
      for await (const { name } of await opendir(folder)) {
        const stats = BLOB_NAME.test(name) ? await stat(join(folder, name)).catch(unlessMissing) : null;
        if (stats) yield { name, size: stats.size, age: Date.now() - stats.mtimeMs };
      }
    },

    [Symbol.asyncDispose]: () => entriesOf.close(),
  };
}

const { O_WRONLY, O_CREAT, O_EXCL, O_SYNC } = fs.constants;
/**
 * Whether a write waits for the disk by itself, as an `fsync` after it would. On macOS only `fsync` makes the disk write out its
 * cache.
 */
const WAITS = process.platform === 'linux';
const NEW = O_WRONLY | O_CREAT | O_EXCL;

/**
 * Writes a new file; where that fails, nothing is left.
 *
 * @param isLasting whether it is on the disk in the end
 * @param meanwhile runs once the file is there
 * @throws NodeJS.ErrnoException `EEXIST` when there is such a file
 */
async function writeNew(
  path: string,
  bytes: Uint8Array,
  isLasting: boolean,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const file = await open(path, isLasting && WAITS ? NEW | O_SYNC : NEW);
  try {
    const work = [writeFile(file, bytes, { flush: isLasting && !WAITS }), meanwhile()];
    for (const one of await Promise.allSettled(work)) if (one.status === 'rejected') throw one.reason;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    // Nothing is left to be written then, so that this does not wait.
    fs.closeSync(file);
  }
}

function refuse(error: unknown): never {
  throw unlessFull(error);
}

function unlessExisting(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false;
  throw unlessFull(error);
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const stats = await stat(join(folder, name)).catch(unlessMissing);
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_AFTER) await rm(join(folder, name), { force: true });
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw unlessFull(error);
}

/**
 * A handle on the folder's own entries, which a rename changes and `sync` writes out. Windows cannot sync a folder, and
 * does not need to.
 */
async function openEntries(folder: string) {
  if (process.platform === 'win32') return { sync: async () => {}, close: async () => {} };
  const descriptor = await open(folder, 'r');
  return { sync: coalesceNext(() => fsync(descriptor)), close: () => close(descriptor) };
}

/** Valid names of blobs: an id of ours, with an extension if it has a format. Never text from a caller. */
export const BLOB_NAME = /^[a-z]{3}_[0-9A-Za-z]{22}(\.[a-z0-9]{1,5})?$/;
