// Stores accounts: the owners of templates, keys and usage, each with a plan.

import type { Database } from './database.ts';
import { Statement } from './statement.ts';

/** Who suspended an account: what its owner did, an owner may undo. */
export type SuspendedBy = 'owner' | 'operator';

export interface Account {
  readonly id: string;
  readonly email: string | null;
  readonly displayName: string | null;
  /** The name of a plan in the configuration. */
  readonly plan: string;
  readonly createdAt: Date;
  /** Null = it is not suspended. */
  readonly suspendedBy: SuspendedBy | null;
}

interface Row {
  id: string;
  email: string | null;
  display_name: string | null;
  plan: string;
  created_at: number;
  suspended_by: SuspendedBy | null;
  deleted_at: number | null;
}

const fromRow = (row: Row): Account => ({
  id: row.id,
  email: row.email,
  displayName: row.display_name,
  plan: row.plan,
  createdAt: new Date(row.created_at),
  suspendedBy: row.suspended_by,
});

/** The SQL condition on a row with an `account_id`: its account is neither suspended nor deleted. */
export const ACTIVE =
  'NOT EXISTS (SELECT 1 FROM accounts WHERE id = account_id AND (suspended_by IS NOT NULL OR deleted_at IS NOT NULL))';

const STANDING = new Statement<{ id: string }, Pick<Row, 'suspended_by'>>((db, { id }) =>
  db('accounts').where({ id }).whereNull('deleted_at').first('suspended_by'),
);

/** Accounts that are deleted, and only wait to be erased, are found by none of these. */
export class AccountStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async insert(account: Omit<Account, 'suspendedBy'>): Promise<void> {
    await this.#db('accounts').insert({
      id: account.id,
      email: account.email,
      display_name: account.displayName,
      plan: account.plan,
      created_at: account.createdAt.getTime(),
    });
  }

  async find(id: string): Promise<Account | null> {
    const row = await this.#present().where({ id }).first();
    return row ? fromRow(row) : null;
  }

  /** What suspends it; null when nothing does, undefined when there is no such account. */
  async standing(id: string): Promise<SuspendedBy | null | undefined> {
    return (await STANDING.first(this.#db, { id }))?.suspended_by;
  }

  /** Suspends or resumes it. @param by null = resumed. @returns false when there is no such account */
  async suspend(id: string, by: SuspendedBy | null): Promise<boolean> {
    await this.#holdAccess(id);
    return (await this.#present().where({ id }).update({ suspended_by: by })) > 0;
  }

  /**
   * Marks it as deleted: nobody has access any more, and `ErasureStore` finds it. False when there is no such account.
   */
  async markDeleted(id: string, now: Date): Promise<boolean> {
    for (const table of ['memberships', 'keys', 'links']) await this.#db(table).where({ account_id: id }).delete();
    return (await this.#present().where({ id }).update({ deleted_at: now.getTime() })) > 0;
  }

  /** Waits for the transactions of its people and keys that have begun; later ones wait for this one. */
  async #holdAccess(id: string): Promise<void> {
    for (const table of ['memberships', 'keys']) {
      await this.#db(table).where({ account_id: id }).orderBy('created_at').forUpdate().select('created_at');
    }
  }

  #present() {
    return this.#db<Row>('accounts').whereNull('deleted_at');
  }

  /** Oldest first. */
  async list(limit: number): Promise<Account[]> {
    return (await this.#present().orderBy(['created_at', 'id']).limit(limit)).map(fromRow);
  }

  /** False when there is no such account. */
  async setPlan(id: string, plan: string): Promise<boolean> {
    return (await this.#present().where({ id }).update({ plan })) > 0;
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
    return (await this.#present().where({ id }).update({ display_name: displayName, email })) > 0;
  }

  /** True until the first account is created. */
  async isEmpty(): Promise<boolean> {
    return (await this.#db<Row>('accounts').select('id').first()) === undefined;
  }
}
