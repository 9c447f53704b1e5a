// Stores answers to requests with an Idempotency-Key, by account, kind of API key and idempotency key. Until there is
// an answer, stores the parts that were made.

import type { KeyKind } from '#base/ids.ts';
import { atomically, type Database } from './database.ts';

/** Identifies a request: its account, and the caller's idempotency key. */
export interface RequestName {
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly key: string;
}

export interface SentAnswer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  /** The header `platen-warnings`, or null. */
  readonly warnings: string | null;
}

/** An answer with the fingerprint of its request. */
export interface RecordedAnswer extends SentAnswer {
  /** SHA-256 of the request, hex. */
  readonly fingerprint: string;
}

/** A part made before the request was answered. */
export interface RecordedPart {
  /** Index among the parts of its request. */
  readonly place: number;
  /** JSON. */
  readonly made: string;
  /** SHA-256 of the request, hex. */
  readonly fingerprint: string;
}

interface NameColumns {
  account_id: string;
  kind: KeyKind;
  key: string;
}

interface AnswerRow extends RecordedAnswer, NameColumns {
  created_at: number;
}

interface PartRow extends RecordedPart, NameColumns {
  created_at: number;
}

const columns = ({ accountId, kind, key }: RequestName): NameColumns => ({ account_id: accountId, kind, key });

export class IdempotentAnswerStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null also when it was recorded before `since`. */
  async find(name: RequestName, since: Date): Promise<RecordedAnswer | null> {
    const row = await this.#db<AnswerRow>('idempotent_answers')
      .where(columns(name))
      .where('created_at', '>=', since.getTime())
      .first('fingerprint', 'status', 'body', 'warnings');
    return row ?? null;
  }

  /** Replaces the answer of that name, and deletes the parts it was made of. */
  async save(name: RequestName, { fingerprint, status, body, warnings }: RecordedAnswer, now: Date): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx<AnswerRow>('idempotent_answers')
        .insert({ ...columns(name), fingerprint, status, body, warnings, created_at: now.getTime() })
        .onConflict(['account_id', 'kind', 'key'])
        .merge();
      await tx<PartRow>('idempotent_parts').where(columns(name)).delete();
    });
  }

  /** Parts of an unanswered request that were made since then, in order. */
  async parts(name: RequestName, since: Date): Promise<RecordedPart[]> {
    return this.#db<PartRow>('idempotent_parts')
      .where(columns(name))
      .where('created_at', '>=', since.getTime())
      .orderBy('place')
      .select('place', 'made', 'fingerprint');
  }

  /** Replaces the part of that name and place. */
  async savePart(name: RequestName, { place, made, fingerprint }: RecordedPart, now: Date): Promise<void> {
    await this.#db<PartRow>('idempotent_parts')
      .insert({ ...columns(name), place, made, fingerprint, created_at: now.getTime() })
      .onConflict(['account_id', 'kind', 'key', 'place'])
      .merge();
  }

  async deleteBefore(time: Date): Promise<void> {
    for (const table of ['idempotent_answers', 'idempotent_parts']) {
      await this.#db<AnswerRow>(table).where('created_at', '<', time.getTime()).delete();
    }
  }
}
