// When a variant was first drawn, and so counted: usage is shown by day.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('variants', (table) => {
    // Null for variants drawn before it was stored.
    table.bigInteger('created_at');
  });
}
