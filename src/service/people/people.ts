// People: signs them in, confirms passwords, and changes their own data.

import { AppError } from '#errors';
import type { Membership, Person } from '#storage/people.ts';
import type { Session } from '#storage/sessions.ts';
import type { Storage } from '#storage/storage.ts';
import { newId } from '../../ids.ts';
import { hashPassword, isPassword, requireGoodPassword } from './passwords.ts';
import type { NewSession, SessionHolder, Sessions, Whence } from './sessions.ts';
import type { Tries } from './tries.ts';

export type { Membership, Person };

export interface PeopleContext {
  readonly storage: Storage;
  readonly clock: () => Date;
  readonly sessions: Sessions;
  readonly tries: Tries;
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
    const { storage, tries, sessions } = this.#ctx;
    const address = email.trim().toLowerCase();
    const giveBack = await tries.take([`address ${whence.address}`, `person ${address}`]);
    const person = await storage.people.findByEmail(address);
    if (!(await isPassword(password, person?.password ?? null)) || !person) {
      throw new AppError('unauthorized', 'E-mail or password is wrong.');
    }
    await giveBack();
    return sessions.begin(person.id, whence);
  }

  /** Records that the password was typed again. @throws AppError `password_wrong`, `rate_limited` */
  async confirm(holder: SessionHolder, password: string): Promise<void> {
    const { storage, clock } = this.#ctx;
    await this.requirePassword(holder.personId, password, holder.address);
    await storage.sessions.confirm(holder.id, clock());
  }

  /** Whether the person has a password. */
  async hasPassword(id: string): Promise<boolean> {
    return (await this.#ctx.storage.people.find(id))?.password != null;
  }

  /** @throws AppError `password_wrong`, `rate_limited` */
  async requirePassword(personId: string, password: string, address: string): Promise<void> {
    const { storage, tries } = this.#ctx;
    const person = await this.find(personId);
    const giveBack = await tries.take([`address ${address}`, `person ${person.email}`]);
    const stored = await storage.people.find(personId);
    if (!(await isPassword(password, stored?.password ?? null))) {
      throw new AppError('password_wrong', 'password: is wrong');
    }
    await giveBack();
  }

  /** @throws AppError `not_found` */
  async find(id: string): Promise<Person> {
    const person = await this.#ctx.storage.people.find(id);
    if (!person) throw new AppError('not_found', 'person not found');
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
   * Creates a person, without a password unless one is given.
   *
   * @throws AppError `conflict` when the address is taken; `invalid_request`
   */
  async create({ email, name, password }: { email: string; name: string; password: string | null }): Promise<Person> {
    const { storage, clock } = this.#ctx;
    const address = normalEmail(email);
    if (password !== null) requireGoodPassword(password, address);
    const person = { id: newId('per'), email: address, name: normalName(name), createdAt: clock() };
    const hash = password === null ? null : await hashPassword(password);
    if (!(await storage.people.insert({ ...person, password: hash }))) throw emailTaken(address);
    return person;
  }

  /**
   * @throws AppError `conflict` when another person has that address; `invalid_request`
   */
  async update(id: string, change: Pick<Person, 'email' | 'name'>): Promise<Person> {
    const person = { email: normalEmail(change.email), name: normalName(change.name) };
    if (!(await this.#ctx.storage.people.update(id, person))) throw emailTaken(person.email);
    return this.find(id);
  }

  /** Ends all other sessions of the person. @throws AppError `password_wrong`, `invalid_request`, `rate_limited` */
  async changePassword(holder: SessionHolder, current: string, password: string): Promise<void> {
    await this.requirePassword(holder.personId, current, holder.address);
    await this.setFirstPassword(holder, password);
  }

  /**
   * For a person without a password whose identity was confirmed. Ends all other sessions. @throws AppError
   * `invalid_request`
   */
  async setFirstPassword(holder: SessionHolder, password: string): Promise<void> {
    requireGoodPassword(password, holder.email);
    await this.setPassword(holder.personId, await hashPassword(password), holder);
  }

  /**
   * @param keep the session that continues; null = all end
   */
  async setPassword(personId: string, hash: string | null, keep: Session | null): Promise<void> {
    await this.#ctx.storage.transaction(async ({ people, sessions, links }) => {
      await people.setPassword(personId, hash);
      await sessions.endAll(personId, keep?.id ?? null);
      await links.deleteResets(personId);
    });
  }
}

/** @throws AppError `invalid_request` */
export function normalEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new AppError('invalid_request', 'email: must be an e-mail address such as ada@example.com');
}

/** @throws AppError `invalid_request` */
export function normalName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100) return name;
  throw new AppError('invalid_request', 'name: must have 1 to 100 characters');
}

export const emailTaken = (email: string) =>
  new AppError('conflict', `email: somebody is already known by ${email}; sign in with it instead.`);
