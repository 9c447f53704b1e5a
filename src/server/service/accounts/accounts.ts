// Creates accounts, each with its two secrets and one of the configured plans.

import { AppError } from '#base/errors.ts';
import { newId, newSigningSecret, newWebhookSecret } from '#base/ids.ts';
import { quoted } from '#core/diagnostics.ts';
import type { Account, SuspendedBy } from '#server/storage/accounts.ts';
import { Remembered } from '#server/storage/changes.ts';
import { SECRET_PURPOSES, type SecretPurpose } from '#server/storage/secrets.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import { type Act, type Action, type Actor, record } from './audit.ts';
import type { Caller, Plans } from './caller.ts';

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
/** Accounts in memory. */
const KNOWN = 10_000;

/** The account as the subject of an act. */
const subjectOf = ({ id, displayName, email }: Pick<Account, 'id' | 'displayName' | 'email'>): Act['subject'] => ({
  id,
  name: displayName ?? email,
});

const shortName = ({ id, email, displayName }: Account) => `${id} (${email ?? displayName ?? 'no name'})`;

const NEW_SECRET = {
  signing: newSigningSecret,
  webhook: newWebhookSecret,
} as const satisfies Record<SecretPurpose, () => string>;

export class Accounts {
  readonly #storage: Storage;
  readonly #plans: Plans;
  readonly #clock: () => Date;
  readonly #known: Remembered<Account>;
  readonly #signing: Remembered<readonly string[]>;

  constructor(storage: Storage, plans: Plans, clock: () => Date) {
    this.#known = new Remembered(storage.changes, KNOWN);
    this.#signing = new Remembered(storage.changes, KNOWN);
    this.#storage = storage;
    this.#plans = plans;
    this.#clock = clock;
  }

  /**
   * @throws AppError `invalid_request` when the plan is not configured or the e-mail address is invalid
   */
  async create(wanted: NewAccount, permit: Permit = unrestricted): Promise<Account> {
    this.#requirePlan(wanted.plan);
    if (wanted.email !== null && !/^[^\s@]+@[^\s@]+$/.test(wanted.email)) {
      throw new AppError('invalid_request', `${quoted(wanted.email)} is not an e-mail address.`);
    }
    const now = this.#clock();
    const account = { ...wanted, id: newId('acc'), createdAt: now };
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.accounts.insert(account);
      for (const purpose of SECRET_PURPOSES) {
        await stores.secrets.insert(account.id, purpose, NEW_SECRET[purpose](), now);
      }
      const act = { accountId: account.id, subject: subjectOf(account), detail: account.plan };
      await record(stores, actor, { ...act, action: 'account.create' }, now);
    });
    return { ...account, suspendedBy: null };
  }

  /** Takes effect with the next request. @throws AppError `invalid_request` or `not_found`; what `permit` throws */
  async setPlan(id: string, plan: string, permit: Permit = unrestricted): Promise<void> {
    this.#requirePlan(plan);
    const account = await this.find(id);
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.accounts.setPlan(id, plan);
      const act = { accountId: id, subject: subjectOf(account), detail: plan };
      await record(stores, actor, { ...act, action: 'account.set-plan' }, this.#clock());
    });
  }

  /** @param asOf of the caller. @throws AppError `not_found` */
  async find(id: string, asOf?: Caller['asOf']): Promise<Account> {
    const account = await this.#known.get(id, asOf, () => this.#storage.accounts.find(id));
    if (!account) throw accountNotFound(id);
    return account;
  }

  /** @throws AppError `not_found`; what `permit` throws */
  async rename(
    id: string,
    label: Pick<Account, 'displayName' | 'email'>,
    permit: Permit = unrestricted,
  ): Promise<Account> {
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      if (!(await stores.accounts.rename(id, label))) throw accountNotFound(id);
      const subject = subjectOf({ id, ...label });
      await record(stores, actor, { accountId: id, action: 'account.change', subject }, this.#clock());
    });
    return this.find(id);
  }

  /**
   * Refuses its keys, people, signed URLs, embedded editors and files from the next request on, also those that have
   * begun. Jobs and webhooks wait. What the command line suspends, only the command line resumes.
   *
   * @throws AppError `not_found`; what `permit` throws
   */
  async suspend(id: string, permit: Permit): Promise<void> {
    await this.#change(id, 'account.suspend', permit, async (stores, { suspendedBy }, actor) => {
      const by = suspendedBy === 'operator' || actor.kind === 'command-line' ? 'operator' : 'owner';
      await stores.accounts.suspend(id, by);
    });
  }

  /** Undoes `suspend`. @throws AppError `not_found`; `forbidden` where an operator suspended it; what `permit` throws */
  async resume(id: string, permit: Permit): Promise<void> {
    await this.#change(id, 'account.resume', permit, async (stores, { suspendedBy }, actor) => {
      if (suspendedBy === 'operator' && actor.kind !== 'command-line') {
        throw new AppError('forbidden', 'Whoever runs the server has suspended this account, and alone can resume it.');
      }
      await stores.accounts.suspend(id, null);
    });
  }

  /**
   * Takes everybody's access away, at once; all that it stored is then erased (erasure.ts), which cannot be undone.
   *
   * @throws AppError `not_found`; `conflict` for the oldest of several accounts, unless the command line asks: its owners
   *   are the operators, and would hand that on to those of the next; what `permit` throws
   */
  async delete(id: string, permit: Permit): Promise<void> {
    await this.#change(id, 'account.delete', permit, async (stores, _, actor) => {
      const [oldest, next] = await stores.accounts.list(2);
      if (oldest?.id === id && next && actor.kind !== 'command-line') {
        const why = 'This is the oldest account, and the owners of the oldest are the operators of this server';
        throw new AppError('conflict', `${why}: it is deleted by "platen account delete ${id}".`);
      }
      await stores.accounts.markDeleted(id, this.#clock());
    });
  }

  /** Records that its data was exported. @throws AppError `not_found`; what `permit` throws */
  async recordExport(id: string, permit: Permit): Promise<Account> {
    return this.#change(id, 'account.export', permit, async () => {});
  }

  /** Does something to an account as a whole, and records it. */
  async #change(
    id: string,
    action: Action,
    permit: Permit,
    work: (stores: Stores, account: Account, actor: Actor) => Promise<void>,
  ): Promise<Account> {
    return this.#storage.transaction(async (stores) => {
      // Otherwise two owners would each wait for the other's membership, which both hold.
      await stores.people.lockOwners(id);
      const actor = await permit(stores);
      const account = await stores.accounts.find(id);
      if (!account) throw accountNotFound(id);
      await work(stores, account, actor);
      await record(stores, actor, { accountId: id, action, subject: subjectOf(account) }, this.#clock());
      return account;
    });
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

  /** Whether it is the oldest account, whose owners are the server's operators in the studio. */
  async isOldest(id: string): Promise<boolean> {
    const [oldest] = await this.#storage.accounts.list(1);
    return oldest?.id === id;
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

  /**
   * The newest secrets, shown to whoever asks, which the audit log records.
   *
   * @throws AppError `not_found`; what `permit` throws
   */
  async showSecrets(
    id: string,
    purposes: readonly SecretPurpose[],
    permit: Permit,
  ): Promise<Readonly<Record<SecretPurpose, string>>> {
    const secrets = await this.secrets(id);
    await this.#storage.transaction(async (stores) => {
      await this.#recordSecret(stores, id, 'secret.show', purposes.join(', '), permit);
    });
    return secrets;
  }

  /** The newest secrets, to sign with. @throws AppError `not_found` */
  async secrets(id: string): Promise<Secrets> {
    await this.find(id);
    const [signing] = await this.#storage.secrets.active(id, 'signing');
    const [webhook] = await this.#storage.secrets.active(id, 'webhook');
    if (signing === undefined || webhook === undefined) throw new Error(`Account ${id} has no secrets.`);
    return { signing, webhook };
  }

  /** Those that sign URLs, newest first. @param asOf of the caller */
  async signingSecrets(id: string, asOf?: Caller['asOf']): Promise<readonly string[]> {
    return (await this.#signing.get(id, asOf, () => this.#storage.secrets.active(id, 'signing'))) ?? [];
  }

  /**
   * Makes a new secret, which signs from now on. Older ones are accepted until they are retired. @throws AppError
   * `not_found`; what `permit` throws
   */
  async rotateSecret(id: string, purpose: SecretPurpose, permit: Permit = unrestricted): Promise<string> {
    await this.find(id);
    const secret = NEW_SECRET[purpose]();
    await this.#storage.transaction(async (stores) => {
      await this.#recordSecret(stores, id, 'secret.rotate', purpose, permit);
      await stores.secrets.insert(id, purpose, secret, this.#clock());
    });
    return secret;
  }

  /**
   * Retires all secrets but the newest and returns their number. Takes effect with the next request. @throws AppError
   * `not_found`; what `permit` throws
   */
  async retireSecrets(id: string, purpose: SecretPurpose, permit: Permit = unrestricted): Promise<number> {
    await this.find(id);
    return this.#storage.transaction(async (stores) => {
      await this.#recordSecret(stores, id, 'secret.retire', purpose, permit);
      return stores.secrets.retirePrevious(id, purpose, this.#clock());
    });
  }

  /** Asks the permit, and records what is done to a secret, of which the log knows only the purpose. */
  async #recordSecret(
    stores: Stores,
    accountId: string,
    action: 'secret.show' | 'secret.rotate' | 'secret.retire',
    purpose: string,
    permit: Permit,
  ): Promise<void> {
    const actor = await permit(stores);
    await record(stores, actor, { accountId, action, subject: { id: null, name: purpose } }, this.#clock());
  }

  #requirePlan(plan: string): void {
    if (Object.hasOwn(this.#plans, plan)) return;
    const known = Object.keys(this.#plans).join(', ');
    throw new AppError('invalid_request', `There is no plan ${quoted(plan)}; PLATEN_PLANS defines ${known}.`);
  }
}

/** @throws AppError `suspended` unless nothing suspends the account */
export function requireActive(suspendedBy: SuspendedBy | null): void {
  if (suspendedBy === null) return;
  const mend =
    suspendedBy === 'owner' ? 'an owner can resume it, under Settings in the studio' : 'ask whoever runs this server';
  throw new AppError('suspended', `This account is suspended: ${mend}.`);
}

/** Whether files of the account are served at their public addresses: it is not deleted. @throws AppError `suspended` */
export async function servesFiles({ accounts }: Pick<Stores, 'accounts'>, id: string): Promise<boolean> {
  const suspendedBy = await accounts.standing(id);
  requireActive(suspendedBy ?? null);
  return suspendedBy !== undefined;
}

export function accountNotFound(id: string): AppError {
  return new AppError('not_found', `There is no account ${quoted(id)}; "platen account list" shows their ids.`);
}
