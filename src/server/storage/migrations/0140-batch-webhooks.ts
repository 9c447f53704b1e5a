// Whom the end of a batch is announced to.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('bulks', (table) => {
    // Null = nobody.
    table.text('webhook_url');
  });
}
