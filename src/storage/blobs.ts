// Bytes by name: what every store of them does, and the one that keeps them as files in one folder.
//
// A blob is written whole or not at all, and is on the disk when `put` returns: temporary file, fsync, rename, fsync of
// the folder. Names are made of our own ids, never of what a caller wrote.
//
// Each step is a turn of the thread pool, so there are as few as can be: the folder stays open and is synced once for all
// that were renamed meanwhile, a file is closed while it gets its name, and both are known by descriptor, for which Node
// does less than for a FileHandle.

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdir, opendir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { BLOB_NAME } from './blob-name.ts';
import { unlessFull } from './full-disk.ts';
import { together } from './together.ts';

/** Bytes from `start` to `end`, both of which belong to it; from 0 up. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Blob {
  /** Bytes. */
  readonly size: number;
  /** @param range within the blob; all of it when absent */
  stream(range?: ByteRange): Readable;
}

export interface BlobStore extends AsyncDisposable {
  /**
   * @param format what the bytes are (`png`), where the name has no extension that says it
   * @throws Error when the name is not one of ours or the disk refuses; AppError `overloaded` when it is full
   */
  put(name: string, bytes: Uint8Array, format?: string): Promise<void>;
  /** Null when there is none of that name, or it is no name of ours. */
  open(name: string): Promise<Blob | null>;
  /** An address at which anybody may fetch it for the next hour; null where there is no such thing as one. */
  address(name: string, format?: string): Promise<string | null>;
  /** The whole of it; null as for `open`. */
  read(name: string): Promise<Buffer | null>;
  /** The path of a file of this machine with these bytes, for what reads files; null as for `open`. */
  localPath(name: string): Promise<string | null>;
  /** The names of all that are kept, in no order. */
  list(): Promise<string[]>;
  delete(name: string): Promise<void>;
  /** Writes a few bytes and removes them. @throws what `put` throws */
  probe(): Promise<void>;
  /** Every blob with its age. One that is written or deleted meanwhile may be missing. */
  entries(): AsyncIterable<BlobEntry>;
}

export interface BlobEntry {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Since it was written, ms. */
  readonly age: number;
}

const close = promisify(fs.close);
const fsync = promisify(fs.fsync);
const open = promisify(fs.open);
const readFile = promisify(fs.readFile);
const rename = promisify(fs.rename);
const writeFile = promisify(fs.writeFile);

const TEMPORARY = '.tmp-';
/** A temporary file older than this was left behind by a kill, ms. */
const ABANDONED_AFTER = 60 * 60 * 1000;

/** Opens the folder, which is made if need be, and clears it of what killed processes left half written. */
export async function openFileBlobs(folder: string): Promise<BlobStore> {
  await mkdir(folder, { recursive: true });
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

/** The path of a new file with these bytes, which are on the disk. */
async function writeTemporary(folder: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${TEMPORARY}${randomUUID()}`);
  const file = await open(path, 'wx').catch(refuse);
  try {
    await writeFile(file, bytes, { flush: true });
  } catch (error) {
    await rm(path, { force: true });
    throw unlessFull(error);
  } finally {
    // Nobody has to wait for it, nor can it fail any more: everything is on the disk.
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

/** A folder's own list of names, which a rename changes. Windows cannot sync one, and does not need it. */
async function openEntries(folder: string) {
  if (process.platform === 'win32') return { sync: async () => {}, close: async () => {} };
  const descriptor = await open(folder, 'r');
  return { sync: together(() => fsync(descriptor)), close: () => close(descriptor) };
}
