// Stores blobs as objects of an S3 bucket that all servers share.
//
// An object is written completely or not at all, and never changes. So clients may cache it for ever, and an
// interrupted body can be resumed where it broke.

import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { resultWithin } from '#base/concurrency/deadline.ts';
import { SingleFlight } from '#base/concurrency/single-flight.ts';
import { BLOB_NAME, type BlobStore, type ByteRange } from '../blobs.ts';
import { makeFolder } from '../make-folder.ts';
import { S3Client, type S3Location, S3Refusal, tooLate, unavailable } from './s3-client.ts';
import { tagged } from './xml.ts';

export { S3Refusal } from './s3-client.ts';

export interface S3BlobsOptions {
  readonly location: S3Location;
  /** Folder of this store, within the prefix: `assets`. */
  readonly folder: string;
  /** Folder for local copies of objects that are needed as files. */
  readonly cacheFolder: string;
}

/** How long a result of `probe` is reused, ms. */
const PROBED_FOR = 10_000;
const PROBE = 'probe';
const NO_STORE = 'what was stored is not given back, so this is no S3 store, but perhaps its console or a web page.';
/** How often a body is resumed, and how long one piece of it may take, ms. */
const RESUMPTIONS = 3;
const PIECE_PATIENCE = 20_000;
/** Capacity of the local copies in total, bytes. */
const CACHE = 512 * 2 ** 20;

/** Content types of objects, for direct downloads and networks in between. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  pdf: 'application/pdf',
};
/** Validity of a presigned URL, s. */
const ADDRESS_LASTS = 3_600;

/**
 * @throws AppError `overloaded` when the store cannot be reached; S3Refusal when it refuses writing
 */
export async function openS3Blobs({ location, folder, cacheFolder }: S3BlobsOptions): Promise<BlobStore> {
  const client = new S3Client(location);
  const prefix = [location.prefix, folder].filter((part) => part !== '').join('/');
  const keyOf = (name: string) => `${prefix}/${name}`;
  const cache = new LocalCopies(join(cacheFolder, folder));
  let probedAt = Number.NEGATIVE_INFINITY;

  const blobs: BlobStore = {
    async put(name, bytes, format) {
      if (!BLOB_NAME.test(name)) throw new Error(`${JSON.stringify(name)} cannot name a blob.`);
      const request = { method: 'PUT', key: keyOf(name), headers: metadata(name, format), body: bytes } as const;
      await client.command(request).catch((error) => {
        // So that the next probe asks again.
        probedAt = Number.NEGATIVE_INFINITY;
        throw error;
      });
    },

    async open(name) {
      if (!BLOB_NAME.test(name)) return null;
      const { status, length: size } = await client.command({ method: 'HEAD', key: keyOf(name) });
      if (status === 404) return null;
      const stream = (range: ByteRange = { start: 0, end: size - 1 }) =>
        Readable.from(pieces(client, keyOf(name), size, range), { objectMode: false });
      return { size, stream };
    },

    async address(name, format) {
      if (!BLOB_NAME.test(name)) return null;
      const headers = Object.entries(metadata(name, format)).map(([header, value]) => [`response-${header}`, value]);
      return client.presign(keyOf(name), ADDRESS_LASTS, Object.fromEntries(headers));
    },

    async read(name) {
      return BLOB_NAME.test(name) ? client.read(keyOf(name)) : null;
    },

    async list() {
      const names: string[] = [];
      for await (const { name } of blobs.entries()) names.push(name);
      return names;
    },

    async delete(name) {
      if (!BLOB_NAME.test(name)) return;
      await client.command({ method: 'DELETE', key: keyOf(name) });
      await cache.delete(name);
    },

    async probe() {
      if (performance.now() - probedAt < PROBED_FOR) return;
      const key = keyOf('.probe');
      await client.command({ method: 'PUT', key, body: Buffer.from(PROBE) });
      probedAt = performance.now();
    },

    async *entries() {
      for await (const { key, size, lastModified } of listObjects(client, `${prefix}/`)) {
        const name = key.slice(prefix.length + 1);
        if (BLOB_NAME.test(name)) yield { name, size, age: Date.now() - lastModified.getTime() };
      }
    },

    async localPath(name) {
      if (!BLOB_NAME.test(name)) return null;
      return cache.path(name, () => client.read(keyOf(name)));
    },

    [Symbol.asyncDispose]: async () => client[Symbol.dispose](),
  };
  try {
    await blobs.probe();
    // Whatever answers 200 to everything, such as a console or a web page, is no store.
    const probed = await client.read(keyOf('.probe'));
    if (probed?.toString('latin1') !== PROBE) throw new S3Refusal(200, null, NO_STORE);
  } catch (error) {
    client[Symbol.dispose]();
    throw error;
  }
  return blobs;
}

/** Headers of an object. @param format of the bytes, where the name has no extension */
function metadata(name: string, format: string | null = null): Readonly<Record<string, string>> {
  const [id = '', extension = format ?? ''] = name.split('.');
  const type = TYPES[extension];
  return {
    // Formats outside the table could run in a browser, as SVG does.
    'content-type': type ?? 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-disposition': type ? `inline; filename="${id}.${extension}"` : 'attachment',
  };
}

/** Streams a range of an object, resuming where it breaks. */
async function* pieces(client: S3Client, key: string, size: number, { start, end }: ByteRange) {
  let at = start;
  for (let resumptions = 0; at <= end; resumptions += 1) {
    const isWhole = at === 0 && end === size - 1;
    const headers = isWhole ? {} : { range: `bytes=${at}-${end}` };
    const answer = await client.send({ method: 'GET', key, headers });
    try {
      if (answer.statusCode !== (isWhole ? 200 : 206)) {
        throw unavailable(new Error(`S3 answered ${answer.statusCode} to bytes from ${at} on.`));
      }
      const chunks: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await resultWithin(PIECE_PATIENCE, chunks.next(), tooLate(answer));
        if (done) break;
        at += value.length;
        yield value;
      }
      if (at <= end) throw new Error(`The body of ${size} bytes ended after ${at}.`);
    } catch (error) {
      if (resumptions >= RESUMPTIONS) throw unavailable(error);
    } finally {
      answer.destroy();
    }
  }
}

/** Local copies of objects, up to a total size; the least recently used are evicted first. */
class LocalCopies {
  readonly #folder: string;
  readonly #fetches = new SingleFlight<string | null>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null when the object does not exist. */
  async path(name: string, read: () => Promise<Uint8Array | null>): Promise<string | null> {
    const path = join(this.#folder, name);
    const now = new Date();
    // Eviction is by the file's time of use.
    const isThere = await utimes(path, now, now).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
    return this.#fetches.run(name, () => this.#fetch(path, read));
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  async #fetch(path: string, read: () => Promise<Uint8Array | null>): Promise<string | null> {
    const bytes = await read();
    if (bytes === null) return null;
    await makeFolder(this.#folder);
    const temporary = join(this.#folder, `.tmp-${randomUUID()}`);
    await writeFile(temporary, bytes);
    await rename(temporary, path);
    await this.#evict(path);
    return path;
  }

  async #evict(newest: string): Promise<void> {
    const files = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const stats = await stat(path).catch(() => null);
      if (stats) files.push({ path, size: stats.size, usedAt: stats.mtimeMs });
    }
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= CACHE) return;
      if (path === newest) continue;
      await rm(path, { force: true });
      bytes -= size;
    }
  }
}

// Lists the objects under a prefix, page by page (S3's ListObjectsV2).

interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** @throws as `S3Client.send` */
async function* listObjects(client: S3Client, prefix: string): AsyncIterable<ListedObject> {
  let token: string | null = null;
  do {
    const query: Record<string, string> = { 'list-type': '2', prefix };
    if (token !== null) query['continuation-token'] = token;
    const page = String((await client.read('', query)) ?? '');
    yield* objectsIn(page);
    token = tagged(page, 'NextContinuationToken');
  } while (token !== null);
}

/** Parses one page. The keys are our own names, which need no XML escaping. */
function* objectsIn(page: string): Iterable<ListedObject> {
  for (const entry of page.split('<Contents>').slice(1)) {
    const [contents = ''] = entry.split('</Contents>', 1);
    const [key, lastModified] = [tagged(contents, 'Key'), tagged(contents, 'LastModified')];
    const size = Number(tagged(contents, 'Size'));
    if (key !== null && lastModified !== null) yield { key, size, lastModified: new Date(lastModified) };
  }
}
