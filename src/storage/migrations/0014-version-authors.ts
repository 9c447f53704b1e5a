// The author and the note of a template version.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('template_versions', (table) => {
    // A person; null for an API key or the command line.
    table.text('author_id');
    table.text('note');
  });
}
