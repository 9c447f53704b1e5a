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
import type { Lease, Leases } from './leases.ts';
import { removeOrphans, removeUnlessOwned } from './orphans.ts';
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
/** How often one of several servers looks whether files are to go, ms. */
const EVICT_EVERY = 10_000;
/** How long to wait for another server that draws the same, ms. */
const PATIENCE = 60_000;

export interface VariantsContext {
  readonly storage: Storage;
  readonly blobs: BlobStore;
  /** All files together, bytes. */
  readonly capacity: number;
  readonly leases: Leases;
  /** Whether no other server works on the same database and files. */
  readonly alone: boolean;
  readonly clock: () => Date;
}

export class Variants {
  readonly #ctx: VariantsContext;
  readonly #storage: Storage;
  readonly #blobs: BlobStore;
  readonly #files: CheckedFiles;
  readonly #capacity: number;
  readonly #clock: () => Date;
  readonly #flights = new Map<string, Promise<unknown>>();
  /** Of a server that is alone; else the database is asked. */
  #bytes = 0;

  private constructor(ctx: VariantsContext) {
    this.#ctx = ctx;
    this.#storage = ctx.storage;
    this.#blobs = ctx.blobs;
    this.#files = new CheckedFiles(ctx.blobs);
    this.#capacity = ctx.capacity;
    this.#clock = ctx.clock;
  }

  /** Opens the cache and, for a server that is alone, makes files and rows agree. */
  static async open(ctx: VariantsContext): Promise<Variants> {
    const variants = new Variants(ctx);
    if (ctx.alone) await variants.#settle();
    return variants;
  }

  /** All kept files together. */
  async bytes(): Promise<number> {
    return this.#ctx.alone ? this.#bytes : this.#storage.variants.totalSize();
  }

  /** Runs `work`, or waits for the same work that somebody else has begun here. */
  async once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#flights.get(key);
    if (running) return running as Promise<T>;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  /**
   * Draws a variant that has no file, unless another server is about to: then what it has drawn.
   *
   * @param found what there is of the variant by now; null while that is no file
   */
  async drawOnce<T>(key: string, found: () => Promise<T | null>, work: (lease: Lease) => Promise<T>): Promise<T> {
    return this.#ctx.leases.once(`variant ${key}`, PATIENCE, found, work);
  }

  /**
   * Removes what deleted templates have left, files that no row speaks of, and what is beyond the bound. For one of several
   * servers; one that is alone does so as it goes.
   */
  async sweep(signal: AbortSignal): Promise<void> {
    if (this.#ctx.alone) return;
    await this.forgetDeleted();
    await removeOrphans(this.#blobs, (ids) => this.#storage.variants.owners(ids), signal);
    await this.#evict();
  }

  async #settle(): Promise<void> {
    const { storage, blobs } = this.#ctx;
    await storage.variants.dropOrphans();
    const wanted = new Map((await storage.variants.files()).map((file) => [fileName(file), file]));
    for (const name of await blobs.list()) {
      const file = wanted.get(name);
      if (file) this.#bytes += file.size;
      else await blobs.delete(name);
      wanted.delete(name);
    }
    for (const { id } of wanted.values()) await storage.variants.dropFile(id);
    await this.#evict();
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
  async save(variant: DrawnVariant, bytes: Uint8Array | null, ticket: Ticket, lease: Lease): Promise<void> {
    const kept = bytes !== null && bytes.length <= this.#capacity ? bytes : null;
    const digest = kept && (await digestOf(kept));
    if (kept) await this.#blobs.put(fileName(variant), kept);
    try {
      await this.#storage.transaction(async (stores) => {
        const { templates, variants, usage } = stores;
        await lease.fence(stores);
        if (!(await templates.find(variant.templateId))) throw templateNotFound(variant.templateId);
        await variants.save({ ...variant, size: kept?.length ?? null, digest, usedAt: this.#clock() });
        if (ticket.unit) await usage.commit(ticket.unit);
      });
    } catch (error) {
      await removeUnlessOwned(this.#blobs, fileName(variant), (ids) => this.#storage.variants.owners(ids));
      throw error;
    }
    ticket.keep();
    this.#bytes += kept?.length ?? 0;
    if (this.#ctx.alone || (kept && (await this.#ctx.leases.takeTurn('evict', EVICT_EVERY)))) await this.#evict();
  }

  /** Removes what deleted templates have left behind. */
  async forgetDeleted(): Promise<void> {
    for (const file of await this.#storage.variants.dropOrphans()) await this.#deleteFile(file);
  }

  async #evict(): Promise<void> {
    let bytes = await this.bytes();
    while (bytes > this.#capacity) {
      const files = await this.#storage.variants.leastUsed(EVICTION_BATCH);
      if (files.length === 0) return;
      for (const file of files) {
        if (bytes <= this.#capacity) break;
        await this.#drop(file);
        bytes -= file.size;
      }
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
