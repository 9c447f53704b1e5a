// PostgreSQL only: a number that goes up with every change of what requests are let in by (storage/changes.ts), whichever
// node makes it. SQLite counts by itself.
//
// It is counted when a transaction commits, and holds the one row no longer than that. Nobody can then read the new
// number before what it speaks of.

import { type Database, isPostgres } from '../database.ts';

/** What tells of a change, by table: all of it, but for when a key was last used. */
const CHANGES = {
  accounts: 'UPDATE OR DELETE',
  keys: 'UPDATE OF account_id, kind, hash, revoked_at OR DELETE',
  secrets: 'INSERT OR UPDATE OR DELETE',
  templates: 'UPDATE OR DELETE',
} as const;

export async function up(db: Database): Promise<void> {
  if (!isPostgres(db)) return;
  await db.raw('CREATE TABLE change_count (number BIGINT NOT NULL)');
  await db.raw('INSERT INTO change_count VALUES (0)');
  await db.raw(
    `CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE change_count SET number = number + 1;
       RETURN NULL;
     END $$`,
  );
  for (const [table, events] of Object.entries(CHANGES)) {
    await db.raw(
      `CREATE CONSTRAINT TRIGGER ${table}_changed AFTER ${events} ON ${table}
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_change()`,
    );
  }
}
