// Counts changes to an account's uploads, so that cached data about them is valid until the count changes.
//
// Triggers count, so no statement that adds or removes an upload, in whatever process, can forget to.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.raw('ALTER TABLE accounts ADD COLUMN uploads_version INTEGER NOT NULL DEFAULT 0');
  if (isPostgres(db)) return countInPostgres(db);
  for (const table of ['images', 'fonts']) {
    for (const [event, row] of [
      ['INSERT', 'NEW'],
      ['DELETE', 'OLD'],
    ]) {
      await db.raw(
        `CREATE TRIGGER ${table}_after_${event?.toLowerCase()} AFTER ${event} ON ${table} BEGIN
           UPDATE accounts SET uploads_version = uploads_version + 1 WHERE id = ${row}.account_id;
         END`,
      );
    }
  }
}

async function countInPostgres(db: Database): Promise<void> {
  await db.raw(
    `CREATE FUNCTION count_upload() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE accounts SET uploads_version = uploads_version + 1
         WHERE id = CASE WHEN TG_OP = 'DELETE' THEN OLD.account_id ELSE NEW.account_id END;
       RETURN NULL;
     END $$`,
  );
  for (const table of ['images', 'fonts']) {
    await db.raw(
      `CREATE TRIGGER ${table}_counted AFTER INSERT OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION count_upload()`,
    );
  }
}
