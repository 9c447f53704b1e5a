// Work that one server has taken on for a while, by a name: so that of many on one database only one does it.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('leases', (table) => {
    table.text('name').primary();
    // Who has it; never used again for another.
    table.text('holder').notNullable();
    // When it lapses, unless it is renewed.
    table.bigInteger('until').notNullable().index();
  });
  // Jobs whose server died are asked for every second by each of many servers; one that is alone takes them back at its start.
  if (isPostgres(db)) {
    await db.raw("CREATE INDEX renders_processing ON renders (claimable_at) WHERE status = 'processing'");
  }
}
