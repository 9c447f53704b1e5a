// One draft per template, holding edits that are not a version yet.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('drafts', (table) => {
    table.text('template_id').primary().references('templates.id').onDelete('CASCADE');
    table.text('document').notNullable();
    // The version it is based on.
    table.integer('base_version').notNullable();
    table.bigInteger('saved_at').notNullable();
    table.text('saved_by');
  });
  await db.schema.alterTable('templates', (table) => {
    // Rises when the draft is saved, discarded or published, and never falls: no revision stands for two drafts.
    table.integer('draft_revision').notNullable().defaultTo(0);
  });
}
