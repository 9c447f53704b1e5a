// Reads all that is stored of an account, and erases what is left of deleted accounts and people, a bounded number of rows
// at a time.
//
// What is to be erased is marked in the database, and an account's own row goes last, so an erasure that was interrupted
// is continued by whoever asks next. Of an account, files go before their rows (server/service/accounts/erasure.ts): once a row
// is gone, so is its file.

import { atomically, type Database, isPostgres } from './database.ts';
import { batches, type MovedRow } from './move/move-rows.ts';
import { MOVED_TABLES, type MovedTable } from './move/tables.ts';
import { FILE_TABLES, type FileKind } from './stored-files.ts';

/** A table with rows of accounts. */
type Owned = MovedTable & { readonly owned: string };
const isOwned = (table: MovedTable): table is Owned => table.owned !== null && table.name !== 'accounts';
/** Children before parents. */
const OWNED: readonly Owned[] = MOVED_TABLES.filter(isOwned).toReversed();

/** The kinds of files whose rows name their account. Those of signed URLs belong to templates. */
export const OWNED_FILES = ['assets', 'images', 'fonts'] as const satisfies readonly FileKind[];
type OwnedFiles = (typeof OWNED_FILES)[number];

/** Variants without a template are swept with their files (server/service/rendering/variants.ts). */
const VARIANTS = {
  name: 'variants',
  batch: 500,
  owned: `template_id IN (SELECT id FROM templates WHERE account_id = :account)`,
};

export class ErasureStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Ids of accounts and people that are deleted and not erased yet, oldest deletion first. */
  async marked(table: 'accounts' | 'people', limit: number): Promise<string[]> {
    return this.#db(table).whereNotNull('deleted_at').orderBy('deleted_at').limit(limit).pluck('id');
  }

  /** The names of some of the account's files of a kind, with the ids of their rows; also of files under way. */
  async files(
    account: string,
    kind: OwnedFiles,
    limit: number,
  ): Promise<{ readonly id: string; readonly name: string }[]> {
    const { table, extension } = FILE_TABLES[kind];
    const query = this.#db(table).where({ account_id: account }).limit(limit).select('id');
    if (kind === 'assets') query.whereRaw("(size IS NOT NULL OR status = 'processing')");
    if (extension !== null) query.select({ extension });
    const rows: { id: string; extension?: string }[] = await query;
    return rows.map((row) => ({ id: row.id, name: row.extension ? `${row.id}.${row.extension}` : row.id }));
  }

  /** Deletes the rows of files that are gone. */
  async deleteFiles(kind: OwnedFiles, ids: readonly string[]): Promise<void> {
    await this.#db(FILE_TABLES[kind].table).whereIn('id', ids).delete();
  }

  /** Takes some variants of signed URLs from their templates; returns their number. */
  async releaseVariants(account: string): Promise<number> {
    return this.#some(VARIANTS, account).update({ template_id: null });
  }

  /** All rows of the account, by table, parents first, in batches of which one is held in memory. */
  async *rows(account: string): AsyncGenerator<{ readonly table: string; readonly rows: readonly MovedRow[] }> {
    for (const table of MOVED_TABLES) {
      if (table.owned === null) continue;
      for await (const rows of batches(this.#db, table, account)) yield { table: table.name, rows };
    }
  }

  /** Deletes the rows of the account but its own, and yields their number after each statement. Files are gone already. */
  async *deleteRows(account: string): AsyncGenerator<number> {
    for (const table of OWNED) {
      if (table.name === 'deliveries') await this.#deleteEntries(account);
      for (let deleted = 1; deleted > 0; yield deleted) deleted = await this.#some(table, account).delete();
    }
  }

  /** Deletes the account's own row if nothing else of it is left, so that nothing can be added any more. */
  async finishAccount(account: string): Promise<boolean> {
    return atomically(this.#db, async (tx) => {
      // Rows that refer to it cannot be inserted meanwhile.
      await tx('accounts').where({ id: account }).forUpdate().select('id');
      for (const { name, owned } of OWNED) {
        if (await tx(name).whereRaw(owned, { account }).first(tx.raw('1'))) return false;
      }
      await tx('accounts').where({ id: account }).delete();
      return true;
    });
  }

  /**
   * Takes a person's name, and what else is told of them, out of some entries of the audit log; returns their number. The
   * id stays, which names nobody any more.
   */
  async forgetPerson(id: string, limit: number): Promise<number> {
    const own = "subject_id = :id AND action LIKE 'person.%'";
    const named = `(actor_id = :id AND actor_name IS NOT NULL) OR (subject_id = :id AND subject_name IS NOT NULL)`;
    const db = this.#db;
    return db('audit_log')
      .whereIn(
        'id',
        db('audit_log').whereRaw(`(${named} OR (${own} AND detail IS NOT NULL))`, { id }).limit(limit).select('id'),
      )
      .update({
        actor_name: db.raw('CASE WHEN actor_id = :id THEN NULL ELSE actor_name END', { id }),
        subject_name: db.raw('CASE WHEN subject_id = :id THEN NULL ELSE subject_name END', { id }),
        detail: db.raw(`CASE WHEN ${own} THEN NULL ELSE detail END`, { id }),
      });
  }

  /** Deletes the row of a person of whom nothing is told any more. */
  async finishPerson(id: string): Promise<void> {
    await this.#db('people').where({ id }).whereNotNull('deleted_at').delete();
  }

  /** Some rows of the account in a table, by their place in it: not every table has one column as its key. */
  #some({ name, owned, batch }: Pick<Owned, 'name' | 'owned' | 'batch'>, account: string) {
    const place = isPostgres(this.#db) ? 'ctid' : 'rowid';
    const rows = `SELECT ${place} FROM ${name} WHERE ${owned} LIMIT ${batch}`;
    const isOne = isPostgres(this.#db) ? `= ANY (ARRAY(${rows}))` : `IN (${rows})`;
    return this.#db(name).whereRaw(`${place} ${isOne}`, { account });
  }

  /** pg-boss would keep the entries of deliveries that wait for their next attempt, with the host of their URL. */
  async #deleteEntries(account: string): Promise<void> {
    if (!isPostgres(this.#db)) return;
    const { rows } = await this.#db.raw("SELECT to_regclass('pgboss.job') AS found");
    if (rows[0]?.found === null) return;
    await this.#db.raw(
      `DELETE FROM pgboss.job WHERE name = 'webhooks'
         AND data ->> 'delivery' IN (SELECT id FROM deliveries WHERE account_id = ? AND due_at IS NOT NULL)`,
      [account],
    );
  }
}
