// Marks images and fonts deleted in the studio, which are kept for a while so that the deletion can be undone.
//
// Deletions and undeletions are counted as in 0008, so that cached data about an account's uploads becomes invalid.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  for (const table of ['images', 'fonts']) {
    await db.schema.alterTable(table, (columns) => {
      // Null = not deleted.
      columns.bigInteger('deleted_at');
    });
    await db.raw(
      isPostgres(db)
        ? `CREATE TRIGGER ${table}_marked AFTER UPDATE OF deleted_at ON ${table} FOR EACH ROW
             EXECUTE FUNCTION count_upload()`
        : `CREATE TRIGGER ${table}_after_mark AFTER UPDATE OF deleted_at ON ${table} BEGIN
             UPDATE accounts SET uploads_version = uploads_version + 1 WHERE id = NEW.account_id;
           END`,
    );
  }
}
