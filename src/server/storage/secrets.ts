// Stores the secrets of an account, by purpose: the newest signs render URLs or webhooks; older ones may still be
// accepted.
//
// Unlike API keys they are stored in plain text: they make signatures, and their owner may see them again.

import type { Database } from './database.ts';

export const SECRET_PURPOSES = ['signing', 'webhook'] as const;
export type SecretPurpose = (typeof SECRET_PURPOSES)[number];

interface Row {
  id: number;
  account_id: string;
  purpose: SecretPurpose;
  secret: string;
  created_at: number;
  retired_at: number | null;
}

export class SecretStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(accountId: string, purpose: SecretPurpose, secret: string, now: Date): Promise<void> {
    await this.#db<Omit<Row, 'id'>>('secrets').insert({
      account_id: accountId,
      purpose,
      secret,
      created_at: now.getTime(),
      retired_at: null,
    });
  }

  /** Active secrets, newest first: that one signs, the others are still accepted. */
  async active(accountId: string, purpose: SecretPurpose): Promise<string[]> {
    return this.#db<Row>('secrets')
      .where({ account_id: accountId, purpose })
      .whereNull('retired_at')
      .orderBy('id', 'desc')
      .pluck('secret');
  }

  /** When the newest was created. */
  async newestAt(accountId: string, purpose: SecretPurpose): Promise<Date | null> {
    const row = await this.#db<Row>('secrets')
      .where({ account_id: accountId, purpose })
      .whereNull('retired_at')
      .orderBy('id', 'desc')
      .first('created_at');
    return row ? new Date(row.created_at) : null;
  }

  /** Retires all but the newest; returns their number. */
  async retirePrevious(accountId: string, purpose: SecretPurpose, now: Date): Promise<number> {
    const active = () => this.#db<Row>('secrets').where({ account_id: accountId, purpose }).whereNull('retired_at');
    const newest = active().max('id');
    return active().whereNotIn('id', newest).update({ retired_at: now.getTime() });
  }
}
