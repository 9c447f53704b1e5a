// Stores the images that signed URLs have shown: files up to a total size, the least recently used evicted first.
//
// The database records which file belongs to which variant, and that the variant was counted: a variant costs one unit
// once, whether its file is still there or has to be drawn again. A kill at any point leaves at worst an extra file,
// which the next start removes; so nobody waits until a file is on the disk, only until its row with the unit is.

import { SingleFlight } from '#base/concurrency/single-flight.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { StoredVariant, VariantFile } from '#server/storage/variants.ts';
import type { Ticket } from '../accounts/quota.ts';
import { CheckedFiles, digestOf, unlessDamaged } from '../files/checked-files.ts';
import { removeOrphans, removeUnlessOwned } from '../files/orphans.ts';
import type { Lease, Leases } from '../leases.ts';
import { templateNotFound } from '../templates/templates.ts';

/** A variant that was drawn before. */
export interface KnownVariant {
  /** Null when its file was evicted or lost. */
  readonly bytes: Buffer | null;
  /** Null when its file was evicted or lost. */
  readonly file: VariantFile | null;
  readonly diagnostics: readonly Diagnostic[];
  /** The id of its unit of usage, and the name of its file. */
  readonly id: string;
}

/** A variant that was drawn. */
export type DrawnVariant = Pick<StoredVariant, 'key' | 'id' | 'templateId' | 'extension' | 'diagnostics'>;

/** `usedAt` is written at most this often, ms. */
const TOUCH_EVERY = 60_000;
/** Files read per query when evicting. */
const EVICTION_BATCH = 16;
/** Variants of deleted templates per query. */
const ORPHANS = 200;
/** How often one of several servers checks the total size, ms. */
const EVICT_EVERY = 10_000;
/** How long to wait for another server that draws the same variant, ms. */
const PATIENCE = 60_000;

export interface VariantsContext {
  readonly storage: Storage;
  readonly blobs: BlobStore;
  /** Maximum total size of the files, bytes. */
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
  readonly #flights = new SingleFlight<unknown>();
  /** Total size, kept by a server that is alone; otherwise the database is queried. */
  #bytes = 0;

  private constructor(ctx: VariantsContext) {
    this.#ctx = ctx;
    this.#storage = ctx.storage;
    this.#blobs = ctx.blobs;
    this.#files = new CheckedFiles(ctx.blobs);
    this.#capacity = ctx.capacity;
    this.#clock = ctx.clock;
  }

  /** Opens the cache. A server that is alone also reconciles files and rows. */
  static async open(ctx: VariantsContext): Promise<Variants> {
    const variants = new Variants(ctx);
    if (ctx.alone) await variants.#settle();
    return variants;
  }

  /** Total size of the stored files, bytes. */
  async bytes(): Promise<number> {
    return this.#ctx.alone ? this.#bytes : this.#storage.variants.totalSize();
  }

  /** Runs `work`, or returns the result of the same work that is running in this process. */
  async once<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#flights.run(key, work) as Promise<T>;
  }

  /**
   * Draws a variant that has no file, or waits for another server that is drawing it and returns its result.
   *
   * @param found reads the stored variant; null while it has no file
   */
  async drawOnce<T>(key: string, found: () => Promise<T | null>, work: (lease: Lease) => Promise<T>): Promise<T> {
    return this.#ctx.leases.once(`variant ${key}`, PATIENCE, found, work);
  }

  /**
   * Removes files of deleted templates, files without a row, and files beyond the capacity. For one of several servers;
   * a server that is alone does so continuously.
   */
  async sweep(signal: AbortSignal): Promise<void> {
    if (this.#ctx.alone) return;
    await this.forgetDeleted();
    await removeOrphans(this.#blobs, (ids) => this.#storage.variants.owners(ids), signal);
    await this.#evict();
  }

  async #settle(): Promise<void> {
    const { storage, blobs } = this.#ctx;
    await this.forgetDeleted();
    this.#bytes = 0;
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
    // Lost by a power cut or deleted by hand: treated as evicted.
    if (bytes === null) {
      await this.#drop(file);
      return { id, bytes: null, file: null, diagnostics };
    }
    const now = this.#clock();
    if (now.getTime() - variant.usedAt.getTime() > TOUCH_EVERY) await this.#storage.variants.touch(key, now);
    return { id, bytes, file, diagnostics };
  }

  /**
   * Reads a file that `find` returned before, whose digest was compared then. Null when it is gone or has another size.
   */
  async read(file: VariantFile): Promise<Buffer | null> {
    const bytes = await this.#blobs.read(fileName(file));
    return bytes?.length === file.size ? bytes : null;
  }

  /**
   * Records the variant, counts its unit, and stores its bytes unless they are null.
   *
   * @throws AppError `not_found` when its template was deleted meanwhile
   */
  async save(variant: DrawnVariant, bytes: Uint8Array | null, ticket: Ticket, lease: Lease): Promise<void> {
    const kept = bytes !== null && bytes.length <= this.#capacity ? bytes : null;
    const digest = kept && (await digestOf(kept));
    // Lost by a power cut, it is drawn again without another unit.
    if (kept) await this.#blobs.put(fileName(variant), kept, undefined, 'replaceable');
    try {
      await this.#storage.transaction(async (stores) => {
        const { templates, variants, usage } = stores;
        await lease.fence(stores);
        if (!(await templates.find(variant.templateId))) throw templateNotFound(variant.templateId);
        await variants.save({ ...variant, size: kept?.length ?? null, digest, usedAt: this.#clock() });
        if (ticket.unit) await usage.commit(ticket.unit);
      });
    } catch (error) {
      await removeUnlessOwned(this.#blobs, fileName(variant), (ids) => this.#storage.variants.owners(ids), error);
      throw error;
    }
    ticket.keep();
    this.#bytes += kept?.length ?? 0;
    if (this.#ctx.alone || (kept && (await this.#ctx.leases.isFirstThisPeriod('evict', EVICT_EVERY))))
      await this.#evict();
  }

  /** Removes files and rows of deleted templates. */
  async forgetDeleted(): Promise<void> {
    const { variants } = this.#storage;
    for (let found = await variants.orphans(ORPHANS); found.length > 0; found = await variants.orphans(ORPHANS)) {
      // A row is gone only once its file is; nobody reads one without a template.
      for (const file of found) if (file.size > 0) await this.#blobs.delete(fileName(file));
      this.#bytes -= await variants.dropOrphans(found.map(({ id }) => id));
    }
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

  /** Removes the row first: a row must never point to a missing file. */
  async #drop(file: VariantFile): Promise<void> {
    if (await this.#storage.variants.dropFile(file.id)) await this.#deleteFile(file);
  }

  async #deleteFile(file: VariantFile): Promise<void> {
    this.#bytes -= file.size;
    await this.#blobs.delete(fileName(file));
  }
}

const fileName = ({ id, extension }: Pick<VariantFile, 'id' | 'extension'>) => `${id}.${extension}`;
