// Brands of accounts, with their versions.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('brands', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('name').notNullable();
    // The newest.
    table.integer('version').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    // Deleted: its versions stay for the templates that use them. Null = not deleted.
    table.bigInteger('deleted_at');
    table.primary(['account_id', 'name']);
  });

  await db.schema.createTable('brand_versions', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('name').notNullable();
    table.integer('version').notNullable();
    table.text('document').notNullable();
    table.bigInteger('created_at').notNullable();
    table.primary(['account_id', 'name', 'version']);
  });

  await countChanges(db);
}

/** As first-release/server.ts does for other tables: a signed URL may name a brand, whose newest version it shows. */
async function countChanges(db: Database): Promise<void> {
  if (isPostgres(db)) {
    await db.raw(
      `CREATE CONSTRAINT TRIGGER brands_changed AFTER INSERT OR UPDATE ON brands
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_change()`,
    );
    return;
  }
  for (const event of ['INSERT', 'UPDATE']) {
    await db.raw(
      `CREATE TRIGGER brands_changed_by_${event.toLowerCase()} AFTER ${event} ON brands BEGIN
         UPDATE change_count SET number = number + 1;
       END`,
    );
  }
}
