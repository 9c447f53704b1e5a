// Stores which sites may show an account's editor, and which of its tokens were revoked.

import type { Database } from './database.ts';

export interface Revocation {
  /** The user's id at the other site; '' = of every user. */
  readonly user: string;
  /** Tokens issued before this moment are refused. */
  readonly before: Date;
}

interface Row {
  account_id: string;
  origins: string;
}

interface RevocationRow {
  account_id: string;
  user: string;
  before: number;
}

export class EmbeddingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Origins such as `https://app.example.com`. */
  async origins(accountId: string): Promise<readonly string[]> {
    const row = await this.#db<Row>('embedding').where({ account_id: accountId }).first('origins');
    return row ? (JSON.parse(row.origins) as string[]) : [];
  }

  async setOrigins(accountId: string, origins: readonly string[]): Promise<void> {
    const row = { account_id: accountId, origins: JSON.stringify(origins) };
    await this.#db<Row>('embedding').insert(row).onConflict('account_id').merge();
  }

  /** Keeps the later moment where there is one already. */
  async revoke(accountId: string, { user, before }: Revocation): Promise<void> {
    const row = { account_id: accountId, user, before: before.getTime() };
    await this.#db<RevocationRow>('editor_token_revocations')
      .insert(row)
      .onConflict(['account_id', 'user'])
      .merge()
      .where('editor_token_revocations.before', '<', row.before);
  }

  /** Of one user, and of all. */
  async revocations(accountId: string, user: string): Promise<readonly Revocation[]> {
    const rows = await this.#db<RevocationRow>('editor_token_revocations')
      .where({ account_id: accountId })
      .whereIn('user', ['', user])
      .select('user', 'before');
    return rows.map(({ user, before }) => ({ user, before: new Date(Number(before)) }));
  }

  /** Forgets those that no valid token can be older than. */
  async forgetRevocations(accountId: string, before: Date): Promise<void> {
    await this.#db<RevocationRow>('editor_token_revocations')
      .where({ account_id: accountId })
      .where('before', '<', before.getTime())
      .delete();
  }
}
