// Sessions: begun with a password, a link, a passkey or an identity provider; identified by a cookie of 256 random
// bits; ended after 30 days or by revocation.

import { hash as digest } from 'node:crypto';
import { AppError } from '#base/errors.ts';
import { isToken, newId, newToken } from '#base/ids.ts';
import type { Session, SessionHolder } from '#server/storage/sessions.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { type Permit, unrestricted } from './permit.ts';

export type { Session, SessionHolder };

/** Where a request comes from. */
export interface Whence {
  /** IP address. */
  readonly address: string;
  /**
   * The peer that named the address without being known as a proxy, so that it may have made it up; equal to `address`
   * where many clients may share it. Absent or null = the address is certain.
   */
  readonly proxy?: string | null;
  /** User-Agent. */
  readonly agent: string;
  /** The cookie by which KnownBrowsers knows the browser; absent or null = it has none. */
  readonly browser?: string | null;
}

/** What requests without a sign-in are counted by. */
export type Origin = Pick<Whence, 'address' | 'proxy'>;

export interface NewSession {
  /** For the cookie. Shown here and never again. */
  readonly token: string;
  readonly session: Session;
}

/** How long a session lasts, ms. */
export const SESSION_LASTS = 30 * 24 * 60 * 60 * 1000;
/** How long a typed password counts as confirmation, ms. */
export const CONFIRMATION_LASTS = 10 * 60 * 1000;
/** `lastUsedAt` is written at most this often, ms. */
const TOUCH_EVERY = 60_000;

export class Sessions {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * Begins a session for somebody whose identity was verified.
   *
   * @param confirmedAt when it was verified
   * @throws AppError `suspended`; `unauthorized` when the person was deleted meanwhile
   */
  async begin(
    personId: string,
    whence: Whence,
    stores: Pick<Stores, 'sessions' | 'people'> = this.#storage,
    confirmedAt: Date = this.#clock(),
  ): Promise<NewSession> {
    // Held, so that a suspension waits, and then ends the session.
    const person = await stores.people.hold(personId);
    if (!person) throw sessionOver();
    if (person.suspendedAt) throw new AppError('suspended', 'Your access is suspended: ask whoever runs this server.');
    const now = this.#clock();
    const token = newToken('pls');
    const session: Session = {
      id: newId('ses'),
      personId,
      createdAt: now,
      lastUsedAt: now,
      confirmedAt,
      expiresAt: new Date(now.getTime() + SESSION_LASTS),
      address: whence.address.slice(0, 64),
      agent: whence.agent.slice(0, 300),
    };
    await stores.sessions.insert(session, hash(token));
    return { token, session };
  }

  /**
   * Records that the person has shown again who they are.
   *
   * @param stores of the transaction that checked it
   * @throws AppError `unauthorized` when the session has ended meanwhile
   */
  async confirm({ id }: Pick<Session, 'id'>, stores: Pick<Stores, 'sessions'>): Promise<void> {
    if (!(await stores.sessions.confirm(id, this.#clock()))) throw sessionOver();
  }

  /** Null when the cookie is invalid or its session has ended. Queried for each request. */
  async find(token: string | null): Promise<SessionHolder | null> {
    if (token === null || !isToken('pls', token)) return null;
    const now = this.#clock();
    const holder = await this.#storage.sessions.holder(hash(token), now);
    if (holder && now.getTime() - holder.lastUsedAt.getTime() > TOUCH_EVERY) {
      await this.#storage.sessions.touch(holder.id, now);
    }
    return holder;
  }

  /** Until when the confirmation holds; null when it has expired. See also `requireConfirmed`. */
  confirmedUntil({ confirmedAt }: Pick<Session, 'confirmedAt'>): Date | null {
    const until = new Date(confirmedAt.getTime() + CONFIRMATION_LASTS);
    return until > this.#clock() ? until : null;
  }

  /** Last used first. */
  async list(personId: string): Promise<Session[]> {
    return this.#storage.sessions.list(personId, this.#clock());
  }

  /** Takes effect with the session's next request. @throws AppError `not_found`; what `permit` throws */
  async end(personId: string, id: string, permit: Permit = unrestricted): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      await permit(stores);
      if (!(await stores.sessions.end(personId, id))) throw new AppError('not_found', 'session not found');
    });
  }

  /** Ends all others. @throws what `permit` throws */
  async endOthers({ personId, id }: Session, permit: Permit = unrestricted): Promise<void> {
    await this.#storage.transaction(async (stores) => {
      await permit(stores);
      await stores.sessions.endAll(personId, id);
    });
  }
}

/** For a request whose session does not exist, or has ended since the request began. */
export const sessionOver = () =>
  new AppError('unauthorized', 'Nobody is signed in here, or the session is over: sign in.');

/** An unsalted hash is enough: a token has 256 random bits and cannot be searched. */
export function hash(token: string): string {
  return digest('sha256', token);
}
