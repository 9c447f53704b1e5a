// The trace of a job and its webhook; which jobs need a browser; and how often a password was tried, on all nodes
// together.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  for (const name of ['renders', 'deliveries']) {
    // JSON; null for jobs accepted by an older version.
    await db.schema.alterTable(name, (table) => void table.text('trace'));
  }
  // Jobs accepted by an older version have the default; a server that cannot do one hands it back.
  await db.schema.alterTable('renders', (table) => void table.boolean('needs_browser').notNullable().defaultTo(false));
  await db.schema.createTable('sign_in_tries', (table) => {
    // Hash of what the tries are counted for: an IP address, or a person.
    table.text('key').primary();
    table.integer('tries').notNullable();
    // When they are forgotten.
    table.bigInteger('until').notNullable().index();
  });
}
