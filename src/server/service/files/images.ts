// Manages uploaded images. Only templates of the uploading account can use them, by id (`"src": "img_…"`) or URL.

import { AppError } from '#base/errors.ts';
import { isId, newId } from '#base/ids.ts';
import { quoted } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import { MAX_IMAGE_BYTES } from '#draw/images/limits.ts';
import type { ImageSources } from '#draw/renderer/load-resources.ts';
import type { InspectedFile, SuppliedImage } from '#draw/renderer/renderer.ts';
import type { Blob, BlobStore } from '#server/storage/blobs.ts';
import type { Image, ImageLabel } from '#server/storage/images.ts';
import type { FolderCount, ListPage, NameFilter, PageRequest } from '#server/storage/page.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { TemplateUse } from '#server/storage/templates.ts';
import { servesFiles } from '../accounts/accounts.ts';
import { type Owner, uploadsKeyOf } from '../accounts/owner.ts';
import type { StorageLimit } from '../accounts/storage-limit.ts';
import { nothingMore, type OnCommit } from '../idempotency.ts';
import type { Permit } from '../people/permit.ts';
import { digestOf } from './checked-files.ts';
import { Uploads } from './uploads.ts';

export type { Image };

const OWN_KEPT = 20_000;

/** Image sources of an owner, which can name an upload by id instead of reading its bytes. */
export interface OwnImages extends ImageSources {
  /** The id of an upload, whose bytes never change; for any other source its file. */
  find(source: string, signal: AbortSignal): Promise<SuppliedImage | string>;
  /** Ids of the uploads among the sources that are already known, without a query, to belong to the owner. */
  known(sources: readonly string[]): Readonly<Record<string, string>>;
}

/** An image's path below the server's own address: its id, with an extension for its format. */
export const imagePath = ({ id, format }: Pick<Image, 'id' | 'format'>) => `/images/${id}.${format}`;

export class ImageLibrary extends Uploads<Image> {
  readonly #inspect: (file: Uint8Array) => Promise<InspectedFile>;
  /** Images known to belong to their owner, by `uploadsKeyOf` the owner and id. */
  readonly #own = new LruCache<string, true>(OWN_KEPT);

  /**
   * @param inspect decodes a file once, off the main thread
   */
  constructor(
    storage: Storage,
    blobs: BlobStore,
    inspect: (file: Uint8Array) => Promise<InspectedFile>,
    clock: () => Date,
    limit?: StorageLimit,
  ) {
    super('images', storage, blobs, clock, limit);
    this.#inspect = inspect;
  }

  /**
   * Stores an image after decoding it once, so that every stored image can be drawn.
   *
   * @throws AppError `invalid_request` when it is no image that Platen draws, `too_large` above 15 MiB,
   *   `quota_exceeded` beyond the storage of the plan
   */
  async upload(
    accountId: string,
    bytes: Uint8Array,
    onCommit: OnCommit<Image> = nothingMore,
    { name = null, folder = null }: ImageLabel = {},
  ): Promise<Image> {
    if (bytes.length > MAX_IMAGE_BYTES) throw new AppError('too_large', 'An image may have at most 15 MiB.');
    const { format, ...size } = await this.#inspect(bytes);
    // That of a PDF's page is seldom whole.
    const [width, height] = [Math.round(size.width), Math.round(size.height)];
    const image = {
      id: newId('img'),
      accountId,
      format,
      size: bytes.length,
      digest: await digestOf(bytes),
      width,
      height,
      createdAt: this.clock(),
      name,
      focus: null,
      folder,
    };
    await this.keep(image, bytes, format, async (stores) => {
      await stores.images.insert(image);
      await onCommit(stores, image);
    });
    return image;
  }

  /** The account's image of an equal file; null = there is none. */
  async findEqual(accountId: string, bytes: Uint8Array): Promise<Image | null> {
    return this.storage.images.findByDigest(accountId, await digestOf(bytes));
  }

  /** Newest first. */
  async page(accountId: string, filter: NameFilter, page: PageRequest): Promise<ListPage<Image>> {
    return this.storage.images.page(accountId, filter, page);
  }

  /** By name, with the number of images in each. */
  async folders(accountId: string): Promise<FolderCount[]> {
    return this.storage.images.folders(accountId);
  }

  /** Sets its name, its folder, or its focal point, which cropping keeps. @throws AppError `not_found`; what `permit` throws */
  async label(accountId: string, id: string, label: ImageLabel, permit: Permit): Promise<Image> {
    await this.storage.transaction(async (stores) => {
      await permit(stores);
      if (!(await stores.images.label(accountId, id, label))) throw this.notFound();
    });
    return this.find(accountId, id);
  }

  /** The templates that use it in their newest version, or only in their draft. @throws AppError `not_found` */
  async uses(accountId: string, id: string): Promise<TemplateUse[]> {
    await this.find(accountId, id);
    return this.storage.templates.mentioning(accountId, id);
  }

  /** The bytes, in any format, for the image's own account. @throws AppError `not_found`, `file_damaged` */
  async openOwn(accountId: string, id: string): Promise<{ readonly image: Image; readonly blob: Blob }> {
    const image = await this.find(accountId, id);
    return { image, blob: await this.files.open({ ...image, name: id }) };
  }

  /**
   * Opens the file at a public path; null when there is none, and for an SVG, which is drawn but never served.
   *
   * @throws AppError `file_damaged` when the file is missing or differs from what was stored
   */
  async open(path: string): Promise<{ readonly image: Image; readonly blob: Blob } | null> {
    const image = await this.#public(path);
    return image && { image, blob: await this.files.open({ ...image, name: image.id }) };
  }

  /** The file's address in the store; null as for `open`, and where the store has no addresses. */
  async storeAddress(path: string): Promise<string | null> {
    const image = await this.#public(path);
    return image && this.blobs.address(image.id, image.format);
  }

  async #public(path: string): Promise<Image | null> {
    const id = /^\/images\/(\w+)\.\w+$/.exec(path)?.[1] ?? '';
    const image = isId('img', id) ? await this.storage.images.find(null, id) : null;
    if (!image || imagePath(image) !== path || /^(svg|pdf)$/.test(image.format)) return null;
    return (await servesFiles(this.storage, image.accountId)) ? image : null;
  }

  /**
   * The image sources for an owner's templates: its own uploads by id and URL, and everything that `outside` reads.
   *
   * @param address the server's own URL, without a trailing slash
   */
  sourcesFor(owner: Owner, outside: ImageSources, address: string): OwnImages {
    const named = async (source: string) => {
      const id = uploadNamed(source, address);
      if (id !== null && !(await this.#isOwn(owner, id))) throw noUpload(id);
      return id;
    };
    const isKnown = (id: string) => this.#own.get(ownKey(owner, id)) === true;
    return {
      known: (sources) =>
        Object.fromEntries(
          sources.flatMap((source) => {
            const id = uploadNamed(source, address);
            return id !== null && isKnown(id) ? [[source, id]] : [];
          }),
        ),
      find: async (source, signal) => {
        const id = await named(source);
        if (id !== null) return id;
        const warnings: string[] = [];
        return { bytes: await outside.read(source, signal, (warning) => void warnings.push(warning)), warnings };
      },
      read: async (source, signal, onWarning) => {
        const id = await named(source);
        return id === null ? outside.read(source, signal, onWarning) : this.#read(id);
      },
    };
  }

  async #read(id: string): Promise<Uint8Array> {
    const stored = await this.storage.storedFiles.find('images', id);
    if (!stored) throw noUpload(id);
    return this.files.read(stored);
  }

  async #isOwn(owner: Owner, id: string): Promise<boolean> {
    const known = ownKey(owner, id);
    if (this.#own.get(known)) return true;
    const isOwn = (await this.storage.images.find(owner.accountId, id)) !== null;
    if (isOwn) this.#own.set(known, true);
    return isOwn;
  }
}

const ownKey = (owner: Owner, id: string) => `${uploadsKeyOf(owner)} ${id}`;

/** The id of the upload that a source names by id or URL; null for other sources. */
function uploadNamed(source: string, address: string): string | null {
  if (isId('img', source)) return source;
  const path = source.startsWith(`${address}/`) ? source.slice(address.length) : '';
  return /^\/images\/(img_\w+)\.\w+$/.exec(path)?.[1] ?? null;
}

const noUpload = (id: string) => new AppError('invalid_request', `There is no uploaded image ${quoted(id)}.`);
