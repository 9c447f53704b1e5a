// The folder that a template is kept in: a name, so that a folder is there as long as a template is in it.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  // Null: in none.
  await db.schema.alterTable('templates', (table) => void table.text('folder'));
}
