// Sessions: begun with a password or a link, known by a cookie of 256 random bits, over after 30 days or when revoked.

import { hash as digest } from 'node:crypto';
import { AppError } from '#errors';
import type { Session, SessionHolder } from '#storage/sessions.ts';
import type { Storage, Stores } from '#storage/storage.ts';
import { isToken, newId, newToken } from '../../ids.ts';

export type { Session, SessionHolder };

/** Whence a request comes. */
export interface Whence {
  /** IP address. */
  readonly address: string;
  /** User-Agent. */
  readonly agent: string;
}

export interface NewSession {
  /** For the cookie; seen here and never again. */
  readonly token: string;
  readonly session: Session;
}

/** How long a session lasts, ms. */
export const SESSION_LASTS = 30 * 24 * 60 * 60 * 1000;
/** How long a typed password counts for what asks for it, ms. */
export const CONFIRMATION_LASTS = 10 * 60 * 1000;
/** `last used` is written at most this often, ms. */
const TOUCH_EVERY = 60_000;

export class Sessions {
  readonly #storage: Storage;
  readonly #clock: () => Date;

  constructor(storage: Storage, clock: () => Date) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * For somebody who has shown who they are.
   *
   * @param confirmedAt when that was
   */
  async begin(
    personId: string,
    whence: Whence,
    stores: Pick<Stores, 'sessions'> = this.#storage,
    confirmedAt: Date = this.#clock(),
  ): Promise<NewSession> {
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
    await stores.sessions.deleteExpired(now);
    return { token, session };
  }

  /** Null when the cookie is none, or its session is over. Asked anew for each request. */
  async find(token: string | null): Promise<SessionHolder | null> {
    if (token === null || !isToken('pls', token)) return null;
    const now = this.#clock();
    const holder = await this.#storage.sessions.holder(hash(token), now);
    if (holder && now.getTime() - holder.lastUsedAt.getTime() > TOUCH_EVERY) {
      await this.#storage.sessions.touch(holder.id, now);
    }
    return holder;
  }

  /** Until when the password counts as typed; null when it no longer does. */
  confirmedUntil({ confirmedAt }: Pick<Session, 'confirmedAt'>): Date | null {
    const until = new Date(confirmedAt.getTime() + CONFIRMATION_LASTS);
    return until > this.#clock() ? until : null;
  }

  /** Last used first. */
  async list(personId: string): Promise<Session[]> {
    return this.#storage.sessions.list(personId, this.#clock());
  }

  /** Holds for its next request. @throws AppError `not_found` */
  async end(personId: string, id: string): Promise<void> {
    if (!(await this.#storage.sessions.end(personId, id))) throw new AppError('not_found', 'session not found');
  }

  /** Ends all others. */
  async endOthers({ personId, id }: Session): Promise<void> {
    await this.#storage.sessions.endAll(personId, id);
  }
}

/** A token has 256 random bits, so a plain hash cannot be searched and needs no salt. */
export function hash(token: string): string {
  return digest('sha256', token);
}
