// Enforces the storage of plans: the bytes of an account's images, fonts, versions of templates and drafts.
//
// It is checked in the transaction that stores something, so that concurrent requests cannot exceed it together.

import { AppError } from '#base/errors.ts';
import type { Stores } from '#server/storage/storage.ts';
import type { Stored, StoredByKind } from '#server/storage/stored-bytes.ts';
import type { RenderStorage } from '../rendering/render-storage.ts';
import type { Caller, Plans } from './caller.ts';

const MB = 2 ** 20;

export class StorageLimit {
  readonly #plans: Plans;

  constructor(plans: Plans) {
    this.#plans = plans;
  }

  /** Bytes that an account on the plan may keep; null = any number. */
  of(plan: string): number | null {
    const megabytes = Object.hasOwn(this.#plans, plan) ? this.#plans[plan]?.storage : null;
    return megabytes == null ? null : megabytes * MB;
  }

  /**
   * Call within the transaction, before anything is stored.
   *
   * @param bytes to be added
   * @throws AppError `quota_exceeded`
   */
  async check(stores: Pick<Stores, 'accounts' | 'storedBytes'>, accountId: string, bytes: number): Promise<void> {
    const plan = (await stores.accounts.find(accountId))?.plan ?? '';
    const limit = this.of(plan);
    if (limit === null) return;
    await stores.storedBytes.lock(accountId);
    const stored = await stores.storedBytes.of(accountId);
    if (stored + bytes <= limit) return;
    throw new AppError(
      'quota_exceeded',
      `The ${limit / MB} MiB of storage of the plan "${plan}" are used up: delete images, fonts or templates, or upgrade.`,
    );
  }
}

/** What an account keeps, and may keep, in bytes; a `limit` of null = any number. */
interface StorageUse extends StoredByKind {
  /** Of all but renders. */
  readonly bytes: number;
  readonly limit: number | null;
  readonly renders: Stored & { readonly limit: number | null };
}

export interface StorageUsed {
  usage(account: Pick<Caller, 'accountId' | 'plan'>): Promise<StorageUse>;
}

export const storageUsed = (
  plans: Plans,
  { storedBytes }: Pick<Stores, 'storedBytes'>,
  renders: Pick<RenderStorage, 'of' | 'limit'>,
): StorageUsed => ({
  async usage({ accountId, plan }) {
    const [kinds, files] = await Promise.all([storedBytes.byKind(accountId), renders.of(accountId)]);
    const bytes = Object.values(kinds).reduce((sum, kind) => sum + kind.bytes, 0);
    const { count, bytes: ofRenders } = files;
    const limit = new StorageLimit(plans).of(plan);
    return { bytes, limit, ...kinds, renders: { count, bytes: ofRenders, limit: renders.limit(plan) } };
  },
});

/** For where no plan limits storage. */
export const ANY_STORAGE = new StorageLimit({});
