// What signed URLs have shown: one row a variant, which was counted once, whether or not its bytes are still kept.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('variants', (table) => {
    table.text('key').primary();
    // Names its unit of usage and its file.
    table.text('id').notNullable().unique();
    // Null once the template is deleted: the file is then to go too.
    table.text('template_id').references('templates.id').onDelete('SET NULL').index();
    table.text('extension').notNullable();
    // Of the kept file, bytes; null = not kept, or no more.
    table.bigInteger('size');
    // Diagnostics as JSON.
    table.text('diagnostics').notNullable();
    table.bigInteger('used_at').notNullable();
  });
  await db.raw('CREATE INDEX variants_kept ON variants (used_at) WHERE size IS NOT NULL');
}
