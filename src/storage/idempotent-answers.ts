// Answers to requests with an Idempotency-Key, by account, kind of API key, and that key.

import type { KeyKind } from '../ids.ts';
import type { Database } from './database.ts';

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

interface Row extends RecordedAnswer {
  account_id: string;
  kind: KeyKind;
  key: string;
  created_at: number;
}

export class IdempotentAnswerStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null also when it was given before `since`. */
  async find({ accountId, kind, key }: RequestName, since: Date): Promise<RecordedAnswer | null> {
    const row = await this.#db<Row>('idempotent_answers')
      .where({ account_id: accountId, kind, key })
      .where('created_at', '>=', since.getTime())
      .first('fingerprint', 'status', 'body', 'warnings');
    return row ?? null;
  }

  /** Replaces one of that name. */
  async save({ accountId, kind, key }: RequestName, answer: RecordedAnswer, now: Date): Promise<void> {
    const { fingerprint, status, body, warnings } = answer;
    await this.#db<Row>('idempotent_answers')
      .insert({
        account_id: accountId,
        kind,
        key,
        fingerprint,
        status,
        body,
        warnings,
        created_at: now.getTime(),
      })
      .onConflict(['account_id', 'kind', 'key'])
      .merge();
  }

  async deleteBefore(time: Date): Promise<void> {
    await this.#db<Row>('idempotent_answers').where('created_at', '<', time.getTime()).delete();
  }
}
