// API keys: created, shown once, checked on every request, and revoked with immediate effect.

import { hash as digest } from 'node:crypto';
import { LruCache } from '#core/lru-cache.ts';
import { AppError } from '#errors';
import type { KeyHolder, ListedKey } from '#storage/keys.ts';
import type { Page, PageRequest } from '#storage/page.ts';
import type { Storage } from '#storage/storage.ts';
import { isApiKey, type KeyKind, newApiKey, newId } from '../ids.ts';
import { accountNotFound } from './accounts.ts';

/** The authenticated caller: what a valid key says about a request. */
export interface Caller {
  readonly accountId: string;
  readonly plan: string;
  readonly kind: KeyKind;
}

export interface NewKey {
  readonly id: string;
  /** Shown here and never again. */
  readonly key: string;
}

/** A key's name, and the person who made it. */
export type KeyLabel = Pick<ListedKey, 'name' | 'createdBy'>;
const NO_LABEL: KeyLabel = { name: null, createdBy: null };

/** `lastUsedAt` is written at most this often, ms. */
const TOUCH_EVERY = 60_000;
/** Maximum keys in memory. */
const KNOWN_KEYS = 10_000;

export class Keys {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  /** By a key's hash: the holder last found, and the change count at that time. */
  readonly #known = new LruCache<string, { readonly holder: KnownHolder; readonly at: number }>(KNOWN_KEYS);

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** @throws AppError `not_found` when there is no such account */
  async create(accountId: string, kind: KeyKind, label: KeyLabel = NO_LABEL): Promise<NewKey> {
    if (!(await this.#storage.accounts.find(accountId))) throw accountNotFound(accountId);
    const id = newId('key');
    const key = newApiKey(kind);
    await this.#storage.keys.insert({
      id,
      accountId,
      kind,
      hash: hash(key),
      lastCharacters: key.slice(-4),
      createdAt: this.#clock(),
      ...label,
    });
    return { id, key };
  }

  /** Oldest first, revoked ones too, at most 1,000. */
  async list(accountId: string): Promise<ListedKey[]> {
    return this.#storage.keys.list(accountId, 1_000);
  }

  /** Newest first, revoked ones too. */
  async page(accountId: string, page: PageRequest): Promise<Page<ListedKey>> {
    return this.#storage.keys.page(accountId, page);
  }

  /** @throws AppError `not_found`, also for another account's */
  async find(accountId: string, id: string): Promise<ListedKey> {
    const key = await this.#storage.keys.find(accountId, id);
    if (!key) throw new AppError('not_found', 'key not found');
    return key;
  }

  /** Takes effect with the next request. @throws AppError `not_found` */
  async revoke(id: string): Promise<void> {
    if (await this.#storage.keys.revoke(id, this.#clock())) return;
    throw new AppError(
      'not_found',
      `There is no key ${JSON.stringify(id.slice(0, 60))}; "platen key list" shows their ids, key_….`,
    );
  }

  /**
   * @throws AppError `unauthorized`, with the same message whatever is wrong with the key
   */
  async authenticate(key: string | null): Promise<Caller> {
    // The lookup uses the hash, not the key, so no comparison of secrets can leak by its timing.
    const holder = key !== null && isApiKey(key) ? await this.#holder(hash(key)) : null;
    if (!holder) throw new AppError('unauthorized', 'invalid or revoked API key');
    const now = this.#clock();
    if (now.getTime() - (holder.lastUsedAt?.getTime() ?? 0) > TOUCH_EVERY) {
      // Set before the write, so that only one of many simultaneous requests writes.
      const before = holder.lastUsedAt;
      holder.lastUsedAt = now;
      await this.#storage.keys.touch(holder.keyId, now).catch((error: unknown) => {
        holder.lastUsedAt = before;
        throw error;
      });
    }
    return { accountId: holder.accountId, plan: holder.plan, kind: holder.kind };
  }

  async #holder(hash: string): Promise<KnownHolder | null> {
    const at = await this.#storage.changes.current();
    const known = this.#known.get(hash);
    if (known?.at === at) return known.holder;
    const holder = await this.#storage.keys.holder(hash);
    if (holder) this.#known.set(hash, { holder, at });
    return holder;
  }
}

/** `KeyHolder`, mutable: `lastUsedAt` is updated in memory. */
type KnownHolder = { -readonly [Field in keyof KeyHolder]: KeyHolder[Field] };

/** An unsalted hash is enough: a key has 190 random bits and cannot be searched. */
function hash(key: string): string {
  return digest('sha256', key);
}
