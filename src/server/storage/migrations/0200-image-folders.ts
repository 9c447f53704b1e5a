// Adds the folders of images.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  // As for templates.
  await db.schema.alterTable('images', (table) => void table.text('folder'));
}
