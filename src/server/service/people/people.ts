// People: signs them in, confirms passwords, and changes their own data.

import { AppError } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { Membership, Person, PersonWithPassword } from '#server/storage/people.ts';
import type { Session } from '#server/storage/sessions.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { type Action, record } from '../accounts/audit.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { hashPassword, isPassword, requireGoodPassword } from './passwords.ts';
import { type Permit, unrestricted } from './permit.ts';
import { type NewSession, type SessionHolder, type Sessions, sessionOver, type Whence } from './sessions.ts';
import { type Counted, countKnown, countStranger, type SignInThrottle } from './sign-in-throttle.ts';

export type { Membership, Person };

export interface PeopleContext {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly sessions: Sessions;
  readonly tries: SignInThrottle;
  readonly browsers: KnownBrowsers;
}

const LIST_LIMIT = 1_000;

export class People {
  readonly #ctx: PeopleContext;

  constructor(ctx: PeopleContext) {
    this.#ctx = ctx;
  }

  /** Whether there is anybody who can sign in. */
  async isClaimed(): Promise<boolean> {
    return !(await this.#ctx.storage.people.isEmpty());
  }

  /**
   * @throws AppError `unauthorized` with the same message whatever is wrong, `rate_limited`
   */
  async signIn(email: string, password: string, whence: Whence): Promise<NewSession> {
    const { storage, tries, sessions, clock } = this.#ctx;
    const address = asciiLowerCase(email.trim());
    const person = await storage.people.findByEmail(address);
    const counted = await this.#counted(person, address, whence);
    const giveBack = await tries.take(counted.keys, counted.shared);
    const wrong = () => new AppError('unauthorized', 'E-mail or password is wrong.');
    const detail = signInDetail('password', whence);
    if (!(await isPassword(password, person?.password ?? null, counted.fairnessKey)) || !person) {
      // What is no address may be a password, in the wrong field.
      const unknown = address.includes('@') ? { id: null, name: address.slice(0, 254) } : null;
      await recordRefusedSignIn(storage, person ?? unknown, detail, clock());
      throw wrong();
    }
    await giveBack();
    return storage.transaction(async (stores) => {
      // Checking took a while: a password that was changed meanwhile has ended all sessions, and begins no other.
      if (!(await isStill(stores, person))) throw wrong();
      await recordOwn(stores, person.id, 'person.sign-in', clock(), detail);
      return sessions.begin(person.id, whence, stores);
    });
  }

  /**
   * Records that the password was typed again. @throws AppError `password_wrong`, `rate_limited`, `unauthorized` when
   * the session has ended meanwhile
   */
  async confirm(holder: SessionHolder, password: string): Promise<void> {
    const { storage, sessions } = this.#ctx;
    const checked = await this.#requireOwnPassword(holder, password);
    await storage.transaction(async (stores) => {
      if (!(await isStill(stores, checked))) throw passwordWrong();
      await sessions.confirm(holder, stores);
    });
  }

  /** Whether the person has a password. */
  async hasPassword(id: string): Promise<boolean> {
    return (await this.#ctx.storage.people.find(id))?.password != null;
  }

  /**
   * Returns what was compared, for `isStill` in the transaction that relies on it. @throws AppError `password_wrong`,
   * `rate_limited`
   */
  async requirePassword(person: PersonWithPassword, password: string, whence: Whence): Promise<CheckedPassword> {
    return this.#compare(person, password, await this.#counted(person, person.email, whence));
  }

  /** As `requirePassword`, of somebody who is signed in: only tries in the same session count. */
  async #requireOwnPassword({ personId, id }: SessionHolder, password: string): Promise<CheckedPassword> {
    const person = await this.#ctx.storage.people.find(personId);
    if (!person) throw sessionOver();
    return this.#compare(person, password, countKnown(`session ${id}`));
  }

  async #compare(person: PersonWithPassword, password: string, { keys, shared, fairnessKey }: Counted) {
    const giveBack = await this.#ctx.tries.take(keys, shared);
    if (!(await isPassword(password, person.password, fairnessKey))) throw passwordWrong();
    await giveBack();
    return person;
  }

  /** Whom a try is counted for: a browser that the person has used, or else a stranger. */
  async #counted(person: Person | null, email: string, whence: Whence): Promise<Counted> {
    const known = person && (await this.#ctx.browsers.keyOf(whence.browser, person.id));
    return known === null ? countStranger(whence, email) : countKnown(known);
  }

  /** @throws AppError `not_found` */
  async find(id: string): Promise<Person> {
    const person = await this.#ctx.storage.people.find(id);
    if (!person) throw personNotFound();
    return person;
  }

  /** @throws AppError `not_found` */
  async findByEmail(email: string): Promise<Person> {
    const person = await this.#ctx.storage.people.findByEmail(normalEmail(email));
    if (!person) throw new AppError('not_found', `Nobody is known by ${email}; "platen user list" shows who is.`);
    return person;
  }

  /** Null when the person does not exist or is no member of the account. Queried for each request. */
  async membership(accountId: string, personId: string): Promise<Membership | null> {
    return this.#ctx.storage.people.membership(accountId, personId);
  }

  async memberships(personId: string): Promise<Membership[]> {
    return this.#ctx.storage.people.memberships(personId);
  }

  /** Oldest first, at most 1,000. */
  async list(): Promise<Person[]> {
    return this.#ctx.storage.people.list(LIST_LIMIT);
  }

  /** Names by id; unknown ids are left out. */
  async names(ids: readonly (string | null)[]): Promise<Map<string, string>> {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    return wanted.length === 0 ? new Map() : this.#ctx.storage.people.names(wanted);
  }

  /**
   * Creates a person, without a password unless one is given, for the command line and for the owner that the
   * environment names: the operator vouches for the address.
   *
   * @throws AppError `conflict` when the address is taken; `invalid_request`
   */
  async create(
    { email, name, password }: { email: string; name: string; password: string | null },
    permit: Permit = unrestricted,
  ): Promise<Person> {
    const { storage, clock } = this.#ctx;
    const address = normalEmail(email);
    if (password !== null) requireGoodPassword(password, address);
    const now = clock();
    const base = { id: newId('per'), email: address, name: normalName(name), createdAt: now };
    const person = { ...base, verifiedAt: now, suspendedAt: null };
    const hash = password === null ? null : await hashPassword(password);
    await storage.transaction(async (stores) => {
      const actor = await permit(stores);
      if (!(await stores.people.insert({ ...person, password: hash }))) throw emailTaken(address);
      const subject = { id: person.id, name: person.name };
      const act = { accountId: null, action: 'person.create', subject, detail: address } as const;
      await record(stores, actor, act, now);
    });
    return person;
  }

  /**
   * A new address counts as nobody's until it is verified.
   *
   * @throws AppError `conflict` when another person has that address; `invalid_request`; what `permit` throws
   */
  async update(id: string, change: Pick<Person, 'email' | 'name'>, permit: Permit = unrestricted): Promise<Person> {
    const person = { email: normalEmail(change.email), name: normalName(change.name) };
    await this.#ctx.storage.transaction(async (stores) => {
      const actor = await permit(stores);
      if (!(await stores.people.update(id, person))) throw emailTaken(person.email);
      const subject = { id, name: person.name };
      const act = { accountId: null, action: 'person.change', subject, detail: person.email } as const;
      await record(stores, actor, act, this.#ctx.clock());
    });
    return this.find(id);
  }

  /**
   * Ends all other sessions of the person. @throws AppError `password_wrong`, `invalid_request`, `rate_limited`;
   * `conflict`, changing nothing, when another request has changed it meanwhile; `unauthorized` when the session has
   * ended
   */
  async changePassword(holder: SessionHolder, current: string, password: string): Promise<void> {
    const checked = await this.#requireOwnPassword(holder, current);
    await this.#choosePassword(holder, password, checked);
  }

  /**
   * For a person without a password whose identity was confirmed. Ends all other sessions. @throws AppError
   * `invalid_request`, and `conflict` and `unauthorized` as `changePassword`
   */
  async setFirstPassword(holder: SessionHolder, password: string): Promise<void> {
    await this.#choosePassword(holder, password, { id: holder.personId, password: null });
  }

  /** Replaces the password that `before` names, and no other, from a session that goes on. */
  async #choosePassword(holder: SessionHolder, password: string, before: CheckedPassword): Promise<void> {
    requireGoodPassword(password, holder.email);
    const hash = await hashPassword(password);
    await this.#ctx.storage.transaction(async (stores) => {
      if (!(await isStill(stores, before))) {
        throw new AppError('conflict', 'The password was changed meanwhile: sign in with the new one.');
      }
      if (!(await stores.sessions.hold(holder.id, this.#ctx.clock()))) throw sessionOver();
      await replacePassword(stores, holder.personId, hash, holder);
      await recordOwn(stores, holder.personId, 'person.change-password', this.#ctx.clock());
    });
  }

  /**
   * Ends all sessions of a person, and lets them sign in no more until they are resumed. @param isSuspended false =
   * resumed. @throws AppError `not_found`; what `permit` throws
   */
  async suspend(id: string, isSuspended: boolean, permit: Permit): Promise<void> {
    const now = this.#ctx.clock();
    await this.#change(id, isSuspended ? 'person.suspend' : 'person.resume', permit, async ({ people, sessions }) => {
      await people.suspend(id, isSuspended ? now : null);
      if (isSuspended) await sessions.endAll(id, null);
    });
  }

  /**
   * Deletes a person with all of their sign-in. The audit log keeps the id alone: their name is erased from it within
   * minutes (erasure.ts), also where they acted; what they made in accounts belongs to these, and stays.
   *
   * @throws AppError `not_found`; `conflict` for the last owner of an account; what `permit` throws
   */
  async delete(id: string, permit: Permit): Promise<void> {
    const owned = (await this.memberships(id)).filter(({ role }) => role === 'owner').map(({ accountId }) => accountId);
    await this.#ctx.storage.transaction(async (stores) => {
      // In one order, so that no two transactions wait for each other.
      for (const accountId of owned.sort()) await stores.people.lockOwners(accountId);
      const actor = await permit(stores);
      const person = await stores.people.hold(id);
      if (!person) throw personNotFound();
      const by = actor.id === id ? { ...actor, name: null } : actor;
      const subject = { id, name: null };
      for (const { accountId, accountName, role } of await stores.people.memberships(id)) {
        if (role === 'owner' && (await stores.people.countOwners(accountId)) < 2) {
          const whose = `the last owner of ${accountName ?? accountId}`;
          throw new AppError(
            'conflict',
            `${person.email} is ${whose}: make somebody else owner, or delete the account, first.`,
          );
        }
        await record(stores, by, { accountId, action: 'member.remove', subject }, this.#ctx.clock());
      }
      await stores.people.markDeleted(id, person.email, this.#ctx.clock());
      await record(stores, by, { accountId: null, action: 'person.delete', subject }, this.#ctx.clock());
    });
  }

  /** Records that what is stored of a person was exported. @throws AppError `not_found`; what `permit` throws */
  async recordExport(id: string, permit: Permit): Promise<Person> {
    return this.#change(id, 'person.export', permit, async () => {});
  }

  async #change(
    id: string,
    action: Extract<Action, `person.${string}`>,
    permit: Permit,
    work: (stores: Stores) => Promise<void>,
  ): Promise<Person> {
    return this.#ctx.storage.transaction(async (stores) => {
      const actor = await permit(stores);
      const person = await stores.people.hold(id);
      if (!person) throw personNotFound();
      await work(stores);
      await record(stores, actor, { accountId: null, action, subject: { id, name: person.name } }, this.#ctx.clock());
      return person;
    });
  }

  /** Ends all sessions and forgets password and passkeys, for the command line. */
  async lockOut(personId: string, permit: Permit): Promise<void> {
    await this.#ctx.storage.transaction(async (stores) => {
      const actor = await permit(stores);
      const person = await stores.people.hold(personId);
      await replacePassword(stores, personId, null, null);
      await stores.passkeys.deleteAll(personId);
      const subject = { id: personId, name: person?.name ?? null };
      await record(stores, actor, { accountId: null, action: 'person.lock-out', subject }, this.#ctx.clock());
    });
  }

  /**
   * Records that the operator vouches for a person's address. @param moved another address that the person gets
   *
   * @throws AppError `not_found`, `conflict` when another person has that address, `invalid_request`
   */
  async verify(email: string, moved: string | null, permit: Permit = unrestricted): Promise<Person> {
    const { id, name } = await this.findByEmail(email);
    if (moved !== null) await this.update(id, { email: moved, name }, permit);
    const now = this.#ctx.clock();
    await this.#ctx.storage.transaction(async (stores) => {
      const actor = await permit(stores);
      await stores.people.verify(id, now);
      const act = {
        accountId: null,
        action: 'person.verify',
        subject: { id, name },
        detail: normalEmail(moved ?? email),
      } as const;
      await record(stores, actor, act, now);
    });
    return this.find(id);
  }
}

/** Records what a person does with their own sign-in. */
export async function recordOwn(
  stores: Stores,
  personId: string,
  action: Extract<Action, `person.${string}`>,
  now: Date,
  detail: string | null = null,
): Promise<void> {
  const name = (await stores.people.names([personId])).get(personId) ?? null;
  const subject = { id: personId, name };
  await record(stores, { kind: 'person', ...subject }, { accountId: null, action, subject, detail }, now);
}

/**
 * Records a sign-in that was refused. Nobody has shown who they are, so it is no act of the person.
 *
 * @param tried whose sign-in it would have been; null = nobody's that is known
 */
export async function recordRefusedSignIn(
  stores: Pick<Stores, 'audit'>,
  tried: { readonly id: string | null; readonly name: string } | null,
  detail: string,
  now: Date,
): Promise<void> {
  const subject = tried ?? { id: null, name: null };
  const actor = { kind: 'server', id: null, name: null } as const;
  await record(stores, actor, { accountId: null, action: 'person.refuse-sign-in', subject, detail }, now);
}

/** How somebody signs in, and whence, for the audit log. */
export const signInDetail = (how: 'password' | 'passkey' | 'single sign-on', { address }: Pick<Whence, 'address'>) =>
  `${how}, from ${address.slice(0, 64)}`;

/** A person whose password was compared, with the hash it was compared with. */
export type CheckedPassword = Pick<PersonWithPassword, 'id' | 'password'>;

/**
 * Whether a password that was checked is still the person's. It stays so until the transaction of `stores` ends, so
 * that a change waits for it, and then ends what it has begun.
 */
export async function isStill({ people }: Stores, { id, password }: CheckedPassword): Promise<boolean> {
  const person = await people.hold(id);
  return person !== null && person.password === password;
}

/**
 * Stores a new password of a person who is held. Ends the sessions begun with the old one, and its reset links.
 *
 * @param hash null = none
 * @param keep the session that continues; null = all end
 */
export async function replacePassword(
  { people, sessions, links }: Stores,
  personId: string,
  hash: string | null,
  keep: Pick<Session, 'id'> | null,
): Promise<void> {
  await people.setPassword(personId, hash);
  await sessions.endAll(personId, keep?.id ?? null);
  await links.deleteResets(personId);
}

const personNotFound = () => new AppError('not_found', 'person not found');

export const passwordWrong = () => new AppError('password_wrong', 'The password is wrong.');

/**
 * Only ASCII letters have their case folded: Unicode's rules turn the Kelvin sign into a k, and another's address into
 * this one. Whatever else differs is another address.
 *
 * @throws AppError `invalid_request`
 */
export function normalEmail(text: string): string {
  const email = asciiLowerCase(text.trim());
  if (email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new AppError('invalid_request', 'email: must be an e-mail address such as ada@example.com');
}

/** @throws AppError `invalid_request` */
export function normalName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100) return name;
  throw new AppError('invalid_request', 'name: must have 1 to 100 characters');
}

const asciiLowerCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

export const emailTaken = (email: string) =>
  new AppError('conflict', `email: somebody is already known by ${email}; sign in with it instead.`);
