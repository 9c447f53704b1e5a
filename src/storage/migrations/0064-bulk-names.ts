// What a bulk is called, and an index to find the bulk of a render.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  // Null: of a bulk from before.
  await db.schema.alterTable('bulks', (table) => void table.text('name'));
  await db.schema.alterTable('bulks', (table) => table.index(['account_id', 'created_at']));
  await db.schema.alterTable('bulk_rows', (table) => table.index('render_id'));
}
