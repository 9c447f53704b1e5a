// The pictures that signed URLs have shown: files within a bound of bytes, the least recently used first to go.
//
// What a file belongs to stands in the database, which is also the record of what was counted: a variant costs one unit
// once, whether its file is still there or has to be drawn again. A kill at any point leaves at worst a file too many,
// which the next start removes.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Storage } from '#storage/storage.ts';
import type { StoredVariant, VariantFile } from '#storage/variants.ts';
import { CheckedFiles, digestOf, unlessDamaged } from './checked-files.ts';
import type { Ticket } from './quota.ts';
import { templateNotFound } from './templates.ts';

/** What is known of a variant before it is asked for once more. */
export interface KnownVariant {
  /** Null when its file is gone. */
  readonly bytes: Buffer | null;
  /** Likewise. */
  readonly file: VariantFile | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Names its unit of usage and its file. */
  readonly id: string;
}

/** A variant that was drawn. */
export type DrawnVariant = Pick<StoredVariant, 'key' | 'id' | 'templateId' | 'extension' | 'diagnostics'>;

/** `used` is written at most this often, ms. */
const TOUCH_EVERY = 60_000;
/** How many files are looked at to evict some. */
const EVICTION_BATCH = 16;

export class Variants {
  readonly #storage: Storage;
  readonly #blobs: BlobStore;
  readonly #files: CheckedFiles;
  readonly #capacity: number;
  readonly #clock: () => Date;
  readonly #flights = new Map<string, Promise<unknown>>();
  #bytes = 0;

  private constructor(storage: Storage, blobs: BlobStore, capacity: number, clock: () => Date) {
    this.#storage = storage;
    this.#blobs = blobs;
    this.#files = new CheckedFiles(blobs);
    this.#capacity = capacity;
    this.#clock = clock;
  }

  /**
   * Opens the cache and makes files and rows agree.
   *
   * @param capacity all files together, bytes
   */
  static async open(storage: Storage, blobs: BlobStore, capacity: number, clock: () => Date): Promise<Variants> {
    const variants = new Variants(storage, blobs, capacity, clock);
    await storage.variants.dropOrphans();
    const wanted = new Map((await storage.variants.files()).map((file) => [fileName(file), file]));
    for (const name of await blobs.list()) {
      const file = wanted.get(name);
      if (file) variants.#bytes += file.size;
      else await blobs.delete(name);
      wanted.delete(name);
    }
    for (const { id } of wanted.values()) await storage.variants.dropFile(id);
    await variants.#evict();
    return variants;
  }

  /** All kept files together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Runs `work`, or waits for the same work that somebody else has begun. */
  async once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#flights.get(key);
    if (running) return running as Promise<T>;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  /** Null for a variant that was never drawn. */
  async find(key: string): Promise<KnownVariant | null> {
    const variant = await this.#storage.variants.find(key);
    if (!variant) return null;
    const { id, extension, size, diagnostics } = variant;
    if (size === null) return { id, bytes: null, file: null, diagnostics };

    const file = { id, extension, size };
    const bytes = await this.#files.read({ ...variant, size, name: fileName(variant) }).catch(unlessDamaged);
    // A power cut, or somebody tidying up: as good as evicted.
    if (bytes === null) {
      await this.#drop(file);
      return { id, bytes: null, file: null, diagnostics };
    }
    const now = this.#clock();
    if (now.getTime() - variant.usedAt.getTime() > TOUCH_EVERY) await this.#storage.variants.touch(key, now);
    return { id, bytes, file, diagnostics };
  }

  /**
   * The bytes of a file that `find` has found before, and compared with its digest; null when it is there no more, or has
   * another size.
   */
  async read(file: VariantFile): Promise<Buffer | null> {
    const bytes = await this.#blobs.read(fileName(file));
    return bytes?.length === file.size ? bytes : null;
  }

  /**
   * Notes the variant, counts its unit, and keeps its bytes unless they are null.
   *
   * @throws AppError `not_found` when its template was deleted meanwhile
   */
  async save(variant: DrawnVariant, bytes: Uint8Array | null, ticket: Ticket): Promise<void> {
    const kept = bytes !== null && bytes.length <= this.#capacity ? bytes : null;
    const digest = kept && (await digestOf(kept));
    if (kept) await this.#blobs.put(fileName(variant), kept);
    try {
      await this.#storage.transaction(async ({ templates, variants, usage }) => {
        if (!(await templates.find(variant.templateId))) throw templateNotFound(variant.templateId);
        await variants.save({ ...variant, size: kept?.length ?? null, digest, usedAt: this.#clock() });
        if (ticket.unit) await usage.commit(ticket.unit);
      });
    } catch (error) {
      await this.#blobs.delete(fileName(variant));
      throw error;
    }
    ticket.keep();
    this.#bytes += kept?.length ?? 0;
    await this.#evict();
  }

  /** Removes what deleted templates have left behind. */
  async forgetDeleted(): Promise<void> {
    for (const file of await this.#storage.variants.dropOrphans()) await this.#deleteFile(file);
  }

  async #evict(): Promise<void> {
    while (this.#bytes > this.#capacity) {
      const files = await this.#storage.variants.leastUsed(EVICTION_BATCH);
      if (files.length === 0) return;
      for (const file of files) if (this.#bytes > this.#capacity) await this.#drop(file);
    }
  }

  /** The row first: a row without its file would be a promise that cannot be kept. */
  async #drop(file: VariantFile): Promise<void> {
    if (await this.#storage.variants.dropFile(file.id)) await this.#deleteFile(file);
  }

  async #deleteFile(file: VariantFile): Promise<void> {
    this.#bytes -= file.size;
    await this.#blobs.delete(fileName(file));
  }
}

const fileName = ({ id, extension }: Pick<VariantFile, 'id' | 'extension'>) => `${id}.${extension}`;
