// Stores accounts: the owners of templates, keys and usage, each with a plan.

import type { Database } from './database.ts';

export interface Account {
  readonly id: string;
  readonly email: string | null;
  readonly displayName: string | null;
  /** The name of a plan in the configuration. */
  readonly plan: string;
  readonly createdAt: Date;
}

interface Row {
  id: string;
  email: string | null;
  display_name: string | null;
  plan: string;
  created_at: number;
}

const fromRow = (row: Row): Account => ({
  id: row.id,
  email: row.email,
  displayName: row.display_name,
  plan: row.plan,
  createdAt: new Date(row.created_at),
});

export class AccountStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(account: Account): Promise<void> {
    await this.#db<Row>('accounts').insert({
      id: account.id,
      email: account.email,
      display_name: account.displayName,
      plan: account.plan,
      created_at: account.createdAt.getTime(),
    });
  }

  async find(id: string): Promise<Account | null> {
    const row = await this.#db<Row>('accounts').where({ id }).first();
    return row ? fromRow(row) : null;
  }

  /** Oldest first. */
  async list(limit: number): Promise<Account[]> {
    return (await this.#db<Row>('accounts').orderBy(['created_at', 'id']).limit(limit)).map(fromRow);
  }

  /** False when there is no such account. */
  async setPlan(id: string, plan: string): Promise<boolean> {
    return (await this.#db<Row>('accounts').where({ id }).update({ plan })) > 0;
  }

  /** Counts changes to the account's images and fonts. */
  async uploadsVersion(id: string): Promise<number> {
    const row: { uploads_version: number } | undefined = await this.#db('accounts')
      .where({ id })
      .first('uploads_version');
    return row?.uploads_version ?? 0;
  }

  /** False when there is no such account. */
  async rename(id: string, { displayName, email }: Pick<Account, 'displayName' | 'email'>): Promise<boolean> {
    return (await this.#db<Row>('accounts').where({ id }).update({ display_name: displayName, email })) > 0;
  }

  /** True until the first account is created. */
  async isEmpty(): Promise<boolean> {
    return (await this.#db<Row>('accounts').select('id').first()) === undefined;
  }
}
