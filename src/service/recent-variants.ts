// Variants that signed URLs have shown lately, by their URLs: while nothing has changed that they were let in by, their
// signature need not be checked again, nor the database asked which file is theirs.
//
// Whatever could make the answer another one (a template saved or deleted, a secret retired, by this process or another)
// raises the number of changes, and an entry of an older number is not used.

import type { Diagnostic } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Changes } from '#storage/changes.ts';
import type { VariantFile } from '#storage/variants.ts';

export interface RecentVariant {
  readonly key: string;
  readonly templateId: string;
  /** When the signature ends, or null. */
  readonly expires: Date | null;
  /** Null where nobody has asked for it yet. */
  readonly file: VariantFile | null;
  readonly diagnostics: readonly Diagnostic[];
}

interface Entry {
  readonly variant: RecentVariant;
  /** The number of changes before it was read. */
  readonly at: number;
  /** When its use was last written down, ms since 1970. */
  touched: number;
}

/** URLs in memory, characters, each with its entry. */
const CAPACITY = 8_000_000;
const ENTRY = 512;
/** The use of a variant is written at most this often, ms. */
const TOUCH_EVERY = 60_000;

export interface RecentVariantsContext {
  readonly changes: Pick<Changes, 'current'>;
  readonly clock: () => Date;
  /** Notes that a variant was used, so that its file is not the first to go. */
  readonly touch: (key: string, now: Date) => Promise<void>;
}

export class RecentVariants {
  readonly #ctx: RecentVariantsContext;
  readonly #entries = new LruCache<string, Entry>(CAPACITY);

  constructor(ctx: RecentVariantsContext) {
    this.#ctx = ctx;
  }

  /**
   * What a URL has shown, if it would be let in and show the same now.
   *
   * @returns also a function that keeps what it shows instead, if nothing has changed since this question
   */
  async find(url: string): Promise<{ readonly known: RecentVariant | null; keep(variant: RecentVariant): void }> {
    const { changes, clock } = this.#ctx;
    const at = await changes.current();
    const now = clock();
    const entry = this.#entries.get(url);
    const isUsable = entry?.at === at && (entry.variant.expires === null || entry.variant.expires > now);
    if (entry && isUsable) await this.#touch(entry, now);
    return {
      known: isUsable ? entry.variant : null,
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
