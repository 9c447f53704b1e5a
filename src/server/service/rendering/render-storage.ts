// Enforces the render storage of plans: the bytes of the files of an account's renders that are kept.
//
// The sum over all renders of an account is too slow for each request, so it is read now and then, and what this server
// stores meanwhile is added. Several servers, and renders under way, may together exceed the limit by a little.

import { AppError } from '#base/errors.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Stores } from '#server/storage/storage.ts';
import type { Stored } from '#server/storage/stored-bytes.ts';
import type { Caller, Plans } from '../accounts/caller.ts';

const MB = 2 ** 20;
/** How old a sum may be, ms: below the limit, and for a refusal, as renders may have been deleted on another server. */
const [AGE, AGE_OF_REFUSAL] = [10 * 60_000, 5_000];
/** Accounts in memory. */
const KEPT = 10_000;

interface Sum {
  count: number;
  bytes: number;
  /** When it was read, ms since 1970. */
  readonly at: number;
}

export class RenderStorage {
  readonly #storage: Pick<Stores, 'accounts' | 'renders'>;
  readonly #plans: Plans;
  readonly #clock: () => Date;
  readonly #sums = new LruCache<string, Sum>(KEPT);

  constructor(storage: Pick<Stores, 'accounts' | 'renders'>, plans: Plans, clock: () => Date) {
    this.#storage = storage;
    this.#plans = plans;
    this.#clock = clock;
  }

  /** Bytes that the files of an account on the plan may take; null = any number. */
  limit(plan: string): number | null {
    const megabytes = Object.hasOwn(this.#plans, plan) ? this.#plans[plan]?.renderStorage : null;
    return megabytes == null ? null : megabytes * MB;
  }

  /** @throws AppError `quota_exceeded` when the account may keep no more files */
  async check({ accountId, plan }: Pick<Caller, 'accountId' | 'plan'>): Promise<void> {
    const limit = this.limit(plan);
    if (limit === null || (await this.of(accountId, limit)).bytes < limit) return;
    throw new AppError(
      'quota_exceeded',
      `The ${limit / MB} MiB of files of renders of the plan "${plan}" are used up: delete renders, or upgrade.`,
    );
  }

  /** The files that are kept, some seconds old at most where they take more than `limit`, which is 0 if absent. */
  async of(accountId: string, limit = 0): Promise<Stored> {
    const now = this.#clock().getTime();
    let sum = this.#sums.get(accountId);
    if (!sum || now - sum.at > (sum.bytes < limit ? AGE : AGE_OF_REFUSAL)) {
      sum = { ...(await this.#storage.renders.files(accountId)), at: now };
      this.#sums.set(accountId, sum);
    }
    return sum;
  }

  /** As `check`, for a job, which may have waited since it was accepted. */
  async checkJob(accountId: string): Promise<void> {
    if (!Object.values(this.#plans).some(({ renderStorage }) => renderStorage != null)) return;
    const account = await this.#storage.accounts.find(accountId);
    if (account) await this.check({ accountId, plan: account.plan });
  }

  /** Counts a file that was stored; negative where one was deleted. */
  add(accountId: string, bytes: number): void {
    const sum = this.#sums.get(accountId);
    if (!sum) return;
    sum.count += Math.sign(bytes);
    sum.bytes += bytes;
  }
}
