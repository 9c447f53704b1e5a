// A draft beside each template: what is edited and not yet a version.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('drafts', (table) => {
    table.text('template_id').primary().references('templates.id').onDelete('CASCADE');
    table.text('document').notNullable();
    // The version that it was begun from.
    table.integer('base_version').notNullable();
    table.bigInteger('saved_at').notNullable();
    table.text('saved_by');
  });
  await db.schema.alterTable('templates', (table) => {
    // Goes up when the draft is saved, discarded or published, and never down: no revision stands for two drafts.
    table.integer('draft_revision').notNullable().defaultTo(0);
  });
}
