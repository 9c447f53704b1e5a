// Blob stores: the interface, and the implementation that keeps blobs as files in one folder.
//
// A blob is written completely or not at all, and is durable when `put` returns: temporary file, fsync, rename, fsync
// of the folder. Names are made of our own ids, never of text from a caller.
//
// Each step is a task of the thread pool, so there are as few as possible. The folder stays open and is synced once for
// all concurrent renames, a file is closed while it is renamed, and both are used by descriptor, for which Node does
// less work than for a FileHandle.

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { coalesceNext } from '#base/concurrency/coalesce-next.ts';
import { BLOB_NAME } from './blob-name.ts';
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

export interface BlobStore extends AsyncDisposable {
  /**
   * @param format of the bytes (`png`), where the name has no extension
   * @throws Error when the name is invalid or the disk refuses; AppError `overloaded` when the disk is full
   */
  put(name: string, bytes: Uint8Array, format?: string): Promise<void>;
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

  return {
    async put(name, bytes) {
      if (!BLOB_NAME.test(name)) throw new Error(`${JSON.stringify(name)} cannot name a blob.`);
      await rename(await writeTemporary(folder, bytes), join(folder, name)).catch(refuse);
      await entriesOf.sync();
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
      await rm(await writeTemporary(folder, Buffer.from('probe')));
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

/** Writes the bytes durably to a new file and returns its path. */
async function writeTemporary(folder: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${TEMPORARY}${randomUUID()}`);
  const file = await open(path, 'wx').catch(refuse);
  try {
    await writeFile(file, bytes, { flush: true });
  } catch (error) {
    await rm(path, { force: true });
    throw unlessFull(error);
  } finally {
    // Not awaited, and errors do not matter: everything is on the disk.
    close(file).catch(() => {});
  }
  return path;
}

function refuse(error: unknown): never {
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
