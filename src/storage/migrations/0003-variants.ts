// Variants drawn for signed URLs: one row each, counted once, whether or not its bytes are still stored.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('variants', (table) => {
    table.text('key').primary();
    // The id of its unit of usage, and the name of its file.
    table.text('id').notNullable().unique();
    // Null once the template is deleted; the file is then deleted too.
    table.text('template_id').references('templates.id').onDelete('SET NULL').index();
    table.text('extension').notNullable();
    // Size of the stored file, bytes; null = not stored, or evicted.
    table.bigInteger('size');
    // Diagnostics as JSON.
    table.text('diagnostics').notNullable();
    table.bigInteger('used_at').notNullable();
  });
  await db.raw('CREATE INDEX variants_kept ON variants (used_at) WHERE size IS NOT NULL');
}
