// Images and fonts of accounts.
//
// Triggers count their changes in `accounts.uploads_version`, so that no statement, in whatever process, can forget to:
// cached data about an account's uploads is valid until the count changes.

import { type Database, isPostgres } from '../../database.ts';

const TABLES = ['images', 'fonts'] as const;

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('images', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('format').notNullable();
    table.bigInteger('size').notNullable();
    // SHA-256 of the file, in base64.
    table.text('digest');
    table.bigInteger('created_at').notNullable();
    // px, after applying the orientation; null where they are not known.
    table.integer('width');
    table.integer('height');
    table.text('name');
    // The focal point, which a crop keeps: 0 to 1 of width and height; both null = none was chosen.
    table.double('focus_x');
    table.double('focus_y');
    // As for templates.
    table.bigInteger('deleted_at');
  });

  await db.schema.createTable('fonts', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    // What font matching needs to know, as JSON.
    table.text('face').notNullable();
    table.bigInteger('size').notNullable();
    table.text('digest');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('deleted_at');
  });

  if (isPostgres(db)) return countInPostgres(db);
  for (const table of TABLES) {
    for (const [name, event, row] of [
      ['insert', 'INSERT', 'NEW'],
      ['delete', 'DELETE', 'OLD'],
      ['mark', 'UPDATE OF deleted_at', 'NEW'],
    ]) {
      await db.raw(
        `CREATE TRIGGER ${table}_after_${name} AFTER ${event} ON ${table} BEGIN
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
  for (const table of TABLES) {
    await db.raw(
      `CREATE TRIGGER ${table}_counted AFTER INSERT OR DELETE OR UPDATE OF deleted_at ON ${table} FOR EACH ROW
         EXECUTE FUNCTION count_upload()`,
    );
  }
}
