// Uploaded images, used in a template by their id (`"src": "img_…"`) and only by the account that uploaded them.

import { AppError } from '#errors';
import { MAX_IMAGE_BYTES } from '#pixels/limits.ts';
import { sniffFormat } from '#pixels/sniff.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Image } from '#storage/images.ts';
import type { Storage } from '#storage/storage.ts';
import { isId, newId } from '../ids.ts';
import type { ImageSources } from './resources.ts';

export class ImageLibrary {
  readonly #storage: Storage;
  readonly #blobs: BlobStore;
  readonly #clock: () => Date;

  constructor(storage: Storage, blobs: BlobStore, clock: () => Date) {
    this.#storage = storage;
    this.#blobs = blobs;
    this.#clock = clock;
  }

  /**
   * Keeps an image. Its first bytes are looked at; whether the rest can be decoded is found when it is used.
   *
   * @throws AppError `invalid_request` when the bytes are no image that Platen reads, `too_large` above 15 MiB
   */
  async upload(accountId: string, bytes: Uint8Array): Promise<Image> {
    if (bytes.length > MAX_IMAGE_BYTES) throw new AppError('too_large', 'An image may have at most 15 MiB.');
    const format = sniffFormat(bytes);
    if (format === null) {
      throw new AppError('invalid_request', 'This is no PNG, JPEG, WebP, GIF, AVIF or SVG image.');
    }
    const image = { id: newId('img'), accountId, format, size: bytes.length, createdAt: this.#clock() };
    await this.#blobs.put(image.id, bytes);
    await this.#storage.images.insert(image);
    return image;
  }

  /** What an account's templates may name as a source: its own uploads by id, and whatever `outside` reads. */
  sourcesFor(accountId: string, outside: ImageSources): ImageSources {
    return {
      read: async (source, signal) =>
        isId('img', source) ? this.#read(accountId, source) : outside.read(source, signal),
    };
  }

  async #read(accountId: string, id: string): Promise<Uint8Array> {
    const image = await this.#storage.images.find(accountId, id);
    const blob = image ? await this.#blobs.open(id) : null;
    if (!blob) throw new AppError('invalid_request', `There is no uploaded image ${JSON.stringify(id)}.`);
    return Buffer.concat(await blob.stream().toArray());
  }
}
