// PostgreSQL only: a number that rises with every change to the data that authorises requests (storage/changes.ts),
// whichever node makes it. SQLite counts by itself.
//
// It is incremented when a transaction commits, and the row is locked no longer than that. Nobody can then read the new
// number before the change it stands for.

import { type Database, isPostgres } from '../database.ts';

/** The statements that count as a change, by table: all except the update of when a key was last used. */
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
