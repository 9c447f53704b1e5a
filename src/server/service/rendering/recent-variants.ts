// Caches recently served variants by their signed URL: while nothing they depend on has changed, neither the signature
// check nor the database lookup of the file is repeated.
//
// Everything that could change the answer (a template saved or deleted, a secret retired, by this process or another)
// raises the change count, and an entry with an older count is not used.

import type { Diagnostic } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { StorageChanges } from '#server/storage/changes.ts';
import type { VariantFile } from '#server/storage/variants.ts';

export interface RecentVariant {
  readonly key: string;
  readonly accountId: string;
  readonly templateId: string;
  /** When the signature expires; null = never. */
  readonly expires: Date | null;
  /** Null until it was requested. */
  readonly file: VariantFile | null;
  readonly diagnostics: readonly Diagnostic[];
}

interface Entry {
  readonly variant: RecentVariant;
  /** The change count before it was read. */
  readonly at: number;
  /** When its use was last recorded, ms since 1970. */
  touched: number;
}

/** Capacity in characters of the URLs, plus a fixed weight per entry. */
const CAPACITY = 8_000_000;
const ENTRY = 512;
/** The use of a variant is recorded at most this often, ms. */
const TOUCH_EVERY = 60_000;

export interface RecentVariantsContext {
  readonly changes: Pick<StorageChanges, 'current'>;
  readonly clock: () => Date;
  /** Records that a variant was used, so that its file is not evicted first. */
  readonly touch: (key: string, now: Date) => Promise<void>;
}

export class RecentVariants {
  readonly #ctx: RecentVariantsContext;
  readonly #entries = new LruCache<string, Entry>(CAPACITY);

  constructor(ctx: RecentVariantsContext) {
    this.#ctx = ctx;
  }

  /**
   * Finds the cached variant of a URL, if it is still valid.
   *
   * @returns also the change count at the time of this call, and a function that caches a new variant as of then
   */
  async find(
    url: string,
  ): Promise<{ readonly known: RecentVariant | null; readonly asOf: number; keep(variant: RecentVariant): void }> {
    const { changes, clock } = this.#ctx;
    const at = await changes.current();
    const now = clock();
    const entry = this.#entries.get(url);
    const isUsable = entry?.at === at && (entry.variant.expires === null || entry.variant.expires > now);
    if (entry && isUsable) await this.#touch(entry, now);
    return {
      known: isUsable ? entry.variant : null,
      asOf: at,
      keep: (variant) => {
        this.#entries.set(url, { variant, at, touched: now.getTime() }, url.length + ENTRY);
      },
    };
  }

  async #touch(entry: Entry, now: Date): Promise<void> {
    if (now.getTime() - entry.touched <= TOUCH_EVERY) return;
    entry.touched = now.getTime();
    await this.#ctx.touch(entry.variant.key, now);
  }
}
