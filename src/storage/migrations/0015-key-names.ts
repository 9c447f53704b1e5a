// The name and the creator of an API key.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('keys', (table) => {
    table.text('name');
    // A person; null for the command line.
    table.text('created_by');
  });
}
