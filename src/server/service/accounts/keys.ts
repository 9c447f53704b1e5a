// API keys: created, shown once, checked on every request, and revoked with immediate effect.

import { hash as digest } from 'node:crypto';
import { AppError } from '#base/errors.ts';
import { isApiKey, type KeyKind, newApiKey, newId } from '#base/ids.ts';
import { quoted, ValidationError } from '#core/diagnostics.ts';
import { Remembered } from '#server/storage/changes.ts';
import type { KeyHolder, ListedKey } from '#server/storage/keys.ts';
import type { ListPage, PageRequest } from '#server/storage/page.ts';
import type { Storage } from '#server/storage/storage.ts';
import { type Permit, unrestricted } from '../people/permit.ts';
import { templateNotFound } from '../templates/templates.ts';
import { accountNotFound, requireActive } from './accounts.ts';
import { record } from './audit.ts';
import type { Caller } from './caller.ts';
import { type KeyScope, MAX_TEMPLATES, RIGHTS } from './key-scope.ts';

export interface NewKey {
  readonly id: string;
  /** Shown here and never again. */
  readonly key: string;
}

/** A key's name, the person who made it, and when it expires: never, where that is absent. */
export type KeyLabel = Pick<ListedKey, 'name' | 'createdBy'> & { readonly expiresAt?: Date | null };
const NO_LABEL: KeyLabel = { name: null, createdBy: null };

/** `lastUsedAt` is written at most this often, ms. */
const TOUCH_EVERY = 60_000;
/** Maximum keys in memory. */
const KNOWN_KEYS = 10_000;

export class Keys {
  readonly #storage: Storage;
  readonly #clock: () => Date;
  /** By a key's hash. */
  readonly #known: Remembered<KnownHolder>;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
    this.#known = new Remembered(storage.changes, KNOWN_KEYS);
  }

  /**
   * @param permit of whoever makes it
   * @throws AppError `not_found` when there is no such account, or it has not the templates of the scope;
   *   `invalid_request` for a scope without rights, or with too many templates; ValidationError for an end that is past;
   *   what `permit` throws
   */
  async create(
    accountId: string,
    kind: KeyKind,
    label: KeyLabel = NO_LABEL,
    scope: KeyScope | null = null,
    permit: Permit = unrestricted,
  ): Promise<NewKey> {
    if (!(await this.#storage.accounts.find(accountId))) throw accountNotFound(accountId);
    if (scope) await this.#checkScope(accountId, scope);
    if (label.expiresAt && label.expiresAt <= this.#clock())
      throw new ValidationError('expiresAt', 'must be in the future');
    const id = newId('key');
    const key = newApiKey(kind);
    const made = { id, accountId, kind, hash: hash(key), lastCharacters: key.slice(-4), createdAt: this.#clock() };
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.keys.insert({ ...made, ...label, scope: scope && JSON.stringify(scope) });
      const subject = { id, name: nameOf({ ...made, ...label }) };
      await record(stores, actor, { accountId, action: 'key.create', subject, detail: kind }, made.createdAt);
    });
    return { id, key };
  }

  async #checkScope(accountId: string, { rights, templates }: KeyScope): Promise<void> {
    if (rights.length === 0) {
      throw new AppError('invalid_request', `rights: name at least one of ${RIGHTS.join(', ')}`);
    }
    if (templates === null) return;
    if (templates.length === 0 || templates.length > MAX_TEMPLATES) {
      throw new AppError('invalid_request', `templates: name 1 to ${MAX_TEMPLATES}, or leave it out for all`);
    }
    const known = await this.#storage.templates.names(accountId, templates);
    const unknown = templates.find((id) => !known.has(id));
    if (unknown !== undefined) throw templateNotFound(unknown);
  }

  /** Oldest first, revoked ones too, at most 1,000. */
  async list(accountId: string): Promise<ListedKey[]> {
    return this.#storage.keys.list(accountId, 1_000);
  }

  /** Newest first, revoked ones too. */
  async page(accountId: string, page: PageRequest): Promise<ListPage<ListedKey>> {
    return this.#storage.keys.page(accountId, page);
  }

  /** @throws AppError `not_found`, also for another account's */
  async find(accountId: string, id: string): Promise<ListedKey> {
    const key = await this.#storage.keys.find(accountId, id);
    if (!key) throw new AppError('not_found', 'key not found');
    return key;
  }

  /**
   * Takes effect at once, also for requests that have begun. A key that was revoked before stays as it is.
   *
   * @param permit of whoever revokes it
   * @throws AppError `not_found`; what `permit` throws
   */
  async revoke(id: string, permit: Permit = unrestricted): Promise<void> {
    const now = this.#clock();
    await this.#storage.transaction(async (stores) => {
      const actor = await permit(stores);
      const key = await stores.keys.findAny(id);
      if (!key) throw unknownKey(id);
      if (!(await stores.keys.revoke(id, now))) return;
      const { accountId, kind } = key;
      const subject = { id, name: nameOf(key) };
      await record(stores, actor, { accountId, action: 'key.revoke', subject, detail: kind }, now);
    });
  }

  /**
   * @param evenSuspended for what can be done with a suspended account
   * @throws AppError `unauthorized`, with the same message whatever is wrong with the key, unless it has expired;
   *   `suspended`
   */
  async authenticate(key: string | null, evenSuspended = false): Promise<Caller> {
    // The lookup uses the hash, not the key, so no comparison of secrets can leak by its timing.
    if (key === null || !isApiKey(key)) throw badKey();
    const asOf = await this.#storage.changes.current();
    const hashed = hash(key);
    const holder = await this.#known.get(hashed, asOf, () => this.#storage.keys.holder(hashed));
    if (!holder) throw badKey();
    const now = this.#clock();
    requireUnexpired(holder, now);
    if (!evenSuspended) requireActive(holder.suspendedBy);
    if (now.getTime() - (holder.lastUsedAt?.getTime() ?? 0) > TOUCH_EVERY) {
      // Set before the write, so that only one of many simultaneous requests writes.
      const before = holder.lastUsedAt;
      holder.lastUsedAt = now;
      await this.#storage.keys.touch(holder.keyId, now).catch((error: unknown) => {
        holder.lastUsedAt = before;
        throw error;
      });
    }
    const { accountId, plan, kind, scope } = holder;
    return { accountId, plan, kind, scope: readScope(scope), asOf };
  }

  /**
   * Whether a key that `authenticate` has accepted is still valid, asked in the transaction that does what was asked
   * with it. @throws AppError `unauthorized`, `suspended`
   */
  permit(key: string, evenSuspended = false): Permit {
    const hashed = hash(key);
    const permit: Permit = async ({ keys, accounts }) => {
      const held = await keys.hold(hashed);
      if (!held) throw badKey();
      requireUnexpired(held, this.#clock());
      // Read once the key is held: a suspension waits for its holders.
      if (!evenSuspended) requireActive((await accounts.standing(held.accountId)) ?? null);
      return { kind: 'key', id: held.id, name: nameOf(held) };
    };
    return evenSuspended ? permit : Object.assign(permit, { key: hashed });
  }
}

/** What people know a key by. */
const nameOf = ({ name, lastCharacters }: Pick<ListedKey, 'name' | 'lastCharacters'>) => name ?? `…${lastCharacters}`;

const unknownKey = (id: string) =>
  new AppError('not_found', `There is no key ${quoted(id)}; "platen key list" shows their ids, key_….`);

const badKey = () => new AppError('unauthorized', 'invalid or revoked API key');

/** @throws AppError `unauthorized` */
function requireUnexpired({ expiresAt }: Pick<ListedKey, 'expiresAt'>, now: Date): void {
  if (expiresAt === null || expiresAt > now) return;
  throw new AppError('unauthorized', `This API key expired at ${expiresAt.toISOString()}: make a new one.`);
}

/** @param stored JSON; null = everything */
export const readScope = (stored: string | null | undefined): KeyScope | null =>
  stored == null ? null : JSON.parse(stored);

/** `KeyHolder`, mutable: `lastUsedAt` is updated in memory. */
type KnownHolder = { -readonly [Field in keyof KeyHolder]: KeyHolder[Field] };

/** An unsalted hash is enough: a key has 190 random bits and cannot be searched. */
function hash(key: string): string {
  return digest('sha256', key);
}
