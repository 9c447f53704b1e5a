// Queries that the tables of images and fonts share: each row belongs to an account, and is hidden for a while before it
// is deleted, so that the deletion can be undone.

import type { Database } from './database.ts';

export abstract class UploadStore {
  protected readonly db: Database;
  readonly #table: string;

  constructor(db: Database, table: string) {
    this.db = db;
    this.#table = table;
  }

  /** Those of the ids that are in the table, including those whose deletion can still be undone. */
  async owners(ids: readonly string[]): Promise<Set<string>> {
    return new Set(await this.db(this.#table).whereIn('id', ids).pluck('id'));
  }

  /** False when the account has no such upload. */
  async delete(accountId: string, id: string): Promise<boolean> {
    return (await this.present({ account_id: accountId, id }).delete()) > 0;
  }

  /** Hides an upload from every list and look-up; false when the account has no such upload. */
  async markDeleted(accountId: string, id: string, now: Date): Promise<boolean> {
    return (await this.present({ account_id: accountId, id }).update({ deleted_at: now.getTime() })) > 0;
  }

  /** Restores an upload that was hidden since then; false when there is none. */
  async undelete(accountId: string, id: string, since: Date): Promise<boolean> {
    const found = this.db(this.#table).where({ id, account_id: accountId }).where('deleted_at', '>=', since.getTime());
    return (await found.update({ deleted_at: null })) > 0;
  }

  /** Deletes uploads that were hidden before then; returns their number. Their files are orphans from then on. */
  async deleteMarkedBefore(time: Date): Promise<number> {
    return this.db(this.#table).where('deleted_at', '<', time.getTime()).delete();
  }

  /** Those that are not hidden. */
  protected present(columns: { readonly account_id: string; readonly id?: string }) {
    return this.db(this.#table).where(columns).whereNull('deleted_at');
  }

  protected newestFirst(accountId: string) {
    return this.present({ account_id: accountId }).orderByRaw('created_at DESC, id DESC');
  }
}
