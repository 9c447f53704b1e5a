// Bulks: many renders of one template that are requested together and fetched as one file. Each row is a job of its
// own.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('bulks', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('template_id').notNullable();
    table.text('archive').notNullable().checkIn(['zip', 'pdf']);
    table.bigInteger('created_at').notNullable().index();
  });
  await db.schema.createTable('bulk_rows', (table) => {
    table.text('bulk_id').notNullable().references('bulks.id').onDelete('CASCADE');
    // Index from 0.
    table.integer('place').notNullable();
    table.text('render_id').notNullable();
    // File name in the archive, without the extension.
    table.text('name').notNullable();
    table.primary(['bulk_id', 'place']);
  });
}
