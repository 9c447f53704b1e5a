// Creates accounts, each with its two secrets and one of the configured plans.

import { AppError } from '#errors';
import type { Account } from '#storage/accounts.ts';
import { SECRET_PURPOSES, type SecretPurpose } from '#storage/secrets.ts';
import type { Storage } from '#storage/storage.ts';
import { newId, newSigningSecret, newWebhookSecret } from '../ids.ts';
import type { Plans } from './quota.ts';

export interface NewAccount {
  readonly email: string | null;
  readonly displayName: string | null;
  readonly plan: string;
}

/** The newest secrets of an account: one signs render URLs, the other webhooks. */
export interface Secrets {
  readonly signing: string;
  readonly webhook: string;
}

/** What identifies a secret without revealing it. */
export interface SecretDescription {
  readonly purpose: SecretPurpose;
  readonly lastFour: string;
  readonly createdAt: Date;
  /** Number of older secrets that are still accepted. */
  readonly previous: number;
}

const LIST_LIMIT = 1_000;

const shortName = ({ id, email, displayName }: Account) => `${id} (${email ?? displayName ?? 'no name'})`;

const NEW_SECRET = {
  signing: newSigningSecret,
  webhook: newWebhookSecret,
} as const satisfies Record<SecretPurpose, () => string>;

export class Accounts {
  readonly #storage: Storage;
  readonly #plans: Plans;
  readonly #clock: () => Date;

  constructor(storage: Storage, plans: Plans, clock: () => Date) {
    this.#storage = storage;
    this.#plans = plans;
    this.#clock = clock;
  }

  /**
   * @throws AppError `invalid_request` when the plan is not configured or the e-mail address is invalid
   */
  async create(wanted: NewAccount): Promise<Account> {
    this.#requirePlan(wanted.plan);
    if (wanted.email !== null && !/^[^\s@]+@[^\s@]+$/.test(wanted.email)) {
      throw new AppError('invalid_request', `${JSON.stringify(wanted.email)} is not an e-mail address.`);
    }
    const now = this.#clock();
    const account = { ...wanted, id: newId('acc'), createdAt: now };
    await this.#storage.transaction(async (stores) => {
      await stores.accounts.insert(account);
      for (const purpose of SECRET_PURPOSES) {
        await stores.secrets.insert(account.id, purpose, NEW_SECRET[purpose](), now);
      }
    });
    return account;
  }

  /** Takes effect with the next request. @throws AppError `invalid_request` or `not_found` */
  async setPlan(id: string, plan: string): Promise<void> {
    this.#requirePlan(plan);
    if (!(await this.#storage.accounts.setPlan(id, plan))) throw accountNotFound(id);
  }

  /** @throws AppError `not_found` */
  async find(id: string): Promise<Account> {
    const account = await this.#storage.accounts.find(id);
    if (!account) throw accountNotFound(id);
    return account;
  }

  /** @throws AppError `not_found` */
  async rename(id: string, label: Pick<Account, 'displayName' | 'email'>): Promise<Account> {
    if (!(await this.#storage.accounts.rename(id, label))) throw accountNotFound(id);
    return this.find(id);
  }

  /** Describes the active secrets without revealing them. @throws AppError `not_found` */
  async describeSecrets(id: string): Promise<SecretDescription[]> {
    await this.find(id);
    return Promise.all(
      SECRET_PURPOSES.map(async (purpose) => {
        const [newest = '', ...older] = await this.#storage.secrets.active(id, purpose);
        const createdAt = (await this.#storage.secrets.newestAt(id, purpose)) ?? new Date(0);
        return { purpose, lastFour: newest.slice(-4), createdAt, previous: older.length };
      }),
    );
  }

  /** Oldest first, at most 1,000. */
  async list(): Promise<Account[]> {
    return this.#storage.accounts.list(LIST_LIMIT);
  }

  /**
   * Returns the account with this id; without an id, the only account that exists.
   *
   * @throws AppError `not_found`; `invalid_request` when there is not exactly one account and no id is given
   */
  async findOrOnly(id: string | undefined): Promise<Account> {
    if (id !== undefined) return this.find(id);
    const [only, ...others] = await this.#storage.accounts.list(5);
    if (only && others.length === 0) return only;
    const mend = only
      ? `say which one with --account: ${[only, ...others].map(shortName).join(', ')} ("platen account list" has them all)`
      : 'make one with "platen account create --email you@example.com --plan free", or start the server once';
    throw new AppError('invalid_request', `There ${only ? 'are several accounts' : 'is no account'}; ${mend}.`);
  }

  /** The newest secrets, which their owner may see again. @throws AppError `not_found` */
  async secrets(id: string): Promise<Secrets> {
    await this.find(id);
    const [signing] = await this.#storage.secrets.active(id, 'signing');
    const [webhook] = await this.#storage.secrets.active(id, 'webhook');
    if (signing === undefined || webhook === undefined) throw new Error(`Account ${id} has no secrets.`);
    return { signing, webhook };
  }

  /**
   * Makes a new secret, which signs from now on. Older ones are accepted until they are retired. @throws AppError
   * `not_found`
   */
  async rotateSecret(id: string, purpose: SecretPurpose): Promise<string> {
    await this.find(id);
    const secret = NEW_SECRET[purpose]();
    await this.#storage.secrets.insert(id, purpose, secret, this.#clock());
    return secret;
  }

  /**
   * Retires all secrets but the newest and returns their number. Takes effect with the next request. @throws AppError
   * `not_found`
   */
  async retireSecrets(id: string, purpose: SecretPurpose): Promise<number> {
    await this.find(id);
    return this.#storage.secrets.retirePrevious(id, purpose, this.#clock());
  }

  #requirePlan(plan: string): void {
    if (Object.hasOwn(this.#plans, plan)) return;
    const known = Object.keys(this.#plans).join(', ');
    throw new AppError('invalid_request', `There is no plan ${JSON.stringify(plan)}; PLATEN_PLANS defines ${known}.`);
  }
}

export function accountNotFound(id: string): AppError {
  return new AppError('not_found', `There is no account ${JSON.stringify(id)}; "platen account list" shows their ids.`);
}
