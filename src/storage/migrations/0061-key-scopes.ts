// What an API key may do.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  // JSON; null = everything.
  await db.schema.alterTable('keys', (table) => void table.text('scope'));
}
