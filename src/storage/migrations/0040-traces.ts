// Which request, and which trace, a job and its webhook belong to; which jobs need a browser; and how often a password
// was tried, on any node.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  for (const name of ['renders', 'deliveries']) {
    // JSON; null for what an older version accepted.
    await db.schema.alterTable(name, (table) => void table.text('trace'));
  }
  // What an older version accepts, and does not say of, is handed back by whoever cannot do it.
  await db.schema.alterTable('renders', (table) => void table.boolean('needs_browser').notNullable().defaultTo(false));
  await db.schema.createTable('sign_in_tries', (table) => {
    // A hash of what they are counted for: an address, or a person.
    table.text('key').primary();
    table.integer('tries').notNullable();
    // When they are forgotten.
    table.bigInteger('until').notNullable().index();
  });
}
