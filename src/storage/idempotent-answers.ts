// Answers to requests with an Idempotency-Key, by account, kind of API key, and that key; and, until there is an
// answer, the parts of it that are made.

import type { KeyKind } from '../ids.ts';
import { atomically, type Database } from './database.ts';

/** Whose request it is, and what the caller calls it. */
export interface RequestName {
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
  /** The header `platen-warnings`, or null. */
  readonly warnings: string | null;
}

/** An answer with what it was the answer to. */
export interface RecordedAnswer extends Answer {
  /** SHA-256 of the request, hex. */
  readonly fingerprint: string;
}

/** What a request made before it had its answer. */
export interface RecordedPart {
  /** Among the parts of its request, from 0 up. */
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

  /** Null also when it was given before `since`. */
  async find(name: RequestName, since: Date): Promise<RecordedAnswer | null> {
    const row = await this.#db<AnswerRow>('idempotent_answers')
      .where(columns(name))
      .where('created_at', '>=', since.getTime())
      .first('fingerprint', 'status', 'body', 'warnings');
    return row ?? null;
  }

  /** Replaces one of that name, and the parts that it was made of. */
  async save(name: RequestName, { fingerprint, status, body, warnings }: RecordedAnswer, now: Date): Promise<void> {
    await atomically(this.#db, async (tx) => {
      await tx<AnswerRow>('idempotent_answers')
        .insert({ ...columns(name), fingerprint, status, body, warnings, created_at: now.getTime() })
        .onConflict(['account_id', 'kind', 'key'])
        .merge();
      await tx<PartRow>('idempotent_parts').where(columns(name)).delete();
    });
  }

  /** Those of a request that was never answered, made since then; by their place. */
  async parts(name: RequestName, since: Date): Promise<RecordedPart[]> {
    return this.#db<PartRow>('idempotent_parts')
      .where(columns(name))
      .where('created_at', '>=', since.getTime())
      .orderBy('place')
      .select('place', 'made', 'fingerprint');
  }

  /** Replaces one of that name and place. */
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
