// Marks templates deleted in the studio, which are kept for a while so that the deletion can be undone.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('templates', (table) => {
    // Null = not deleted.
    table.bigInteger('deleted_at');
  });
}
