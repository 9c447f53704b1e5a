// Leases: work that one server has taken on for a while, by name, so that only one of many servers on a database does
// it.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('leases', (table) => {
    table.text('name').primary();
    // The holder's id, never reused.
    table.text('holder').notNullable();
    // When it expires, unless it is renewed.
    table.bigInteger('until').notNullable().index();
  });
  // Each of many servers queries every second for jobs whose server died; a server that is alone takes them back at its
  // start.
  if (isPostgres(db)) {
    await db.raw("CREATE INDEX renders_processing ON renders (claimable_at) WHERE status = 'processing'");
  }
}
