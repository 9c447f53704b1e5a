// Templates that were deleted in the studio stay for a while, so that it can be undone.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('templates', (table) => {
    // Null = not deleted.
    table.bigInteger('deleted_at');
  });
}
