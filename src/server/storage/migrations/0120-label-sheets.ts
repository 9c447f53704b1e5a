// The sheet of labels that a bulk's PDF is.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('bulks', (table) => {
    // As JSON; null = the pages are as they were rendered.
    table.text('sheet');
  });
}
