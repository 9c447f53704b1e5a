// Checks stored files against their recorded size and digest before they are used.
//
// The size is compared each time, the digest only when a process first uses a file. Damage is rare and comes from
// disks, power cuts and people, mostly while no server runs; hashing for every answer would cost more than sending it.
// `platen doctor --check` compares all files.

import { createHash, hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Blob, BlobStore } from '#server/storage/blobs.ts';
import type { StoredFile } from '#server/storage/stored-files.ts';

type Expected = Pick<StoredFile, 'name' | 'size' | 'digest'>;

/** Maximum names in memory of files whose digest matched. */
const KEPT = 100_000;

/** Bytes hashed per turn of the event loop: some 2 ms. */
const SLICE = 2 ** 20;

/** The digest stored beside a file's size: SHA-256 in base64. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= SLICE) return hash('sha256', bytes, 'base64');
  const digest = createHash('sha256');
  for (let at = 0; at < bytes.length; at += SLICE) {
    digest.update(bytes.subarray(at, at + SLICE));
    await setImmediate();
  }
  return digest.digest('base64');
}

export class CheckedFiles {
  readonly #blobs: BlobStore;
  readonly #sound = new LruCache<string, true>(KEPT);

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  /**
   * @throws AppError `file_damaged` when the file is missing or differs from what was stored
   */
  async open(expected: Expected): Promise<Blob> {
    const blob = await this.#blobs.open(expected.name);
    if (!blob) throw damaged(expected, 'it is missing');
    this.#checkSize(expected, blob.size);
    if (this.#isUnseen(expected)) this.#checkDigest(expected, await digestOfBlob(blob));
    return blob;
  }

  /** @throws as `open` */
  async read(expected: Expected): Promise<Buffer> {
    const bytes = await this.#blobs.read(expected.name);
    if (!bytes) throw damaged(expected, 'it is missing');
    this.#checkSize(expected, bytes.length);
    if (this.#isUnseen(expected)) this.#checkDigest(expected, await digestOf(bytes));
    return bytes;
  }

  #isUnseen({ name, digest }: Expected): boolean {
    return digest !== null && !this.#sound.get(name);
  }

  #checkSize(expected: Expected, size: number): void {
    if (size !== expected.size) throw damaged(expected, `it has ${size} bytes, not ${expected.size}`);
  }

  #checkDigest(expected: Expected, digest: string): void {
    if (digest !== expected.digest) throw damaged(expected, 'its digest is not the one that was stored');
    this.#sound.set(expected.name, true);
  }
}

/** Returns null for a damaged or missing file. @throws every other error */
export function unlessDamaged(error: unknown): null {
  if (error instanceof AppError && error.code === 'file_damaged') return null;
  throw error;
}

export async function digestOfBlob(blob: Blob): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(blob.stream(), digest);
  return digest.digest('base64');
}

function damaged({ name }: Expected, how: string): AppError {
  return new AppError(
    'file_damaged',
    'The stored file is damaged or missing on our side; whoever runs the server can tell.',
    {
      cause: new Error(`the stored file ${name} is damaged: ${how}. Restore it from a backup, or delete it.`),
    },
  );
}
