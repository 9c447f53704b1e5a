// Dimensions of images, and the fonts of accounts.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('images', (table) => {
    // px, after applying the orientation; null for uploads from before it was stored.
    table.integer('width');
    table.integer('height');
  });

  await db.schema.createTable('fonts', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    // What font matching needs to know, as JSON.
    table.text('face').notNullable();
    table.bigInteger('size').notNullable();
    table.bigInteger('created_at').notNullable();
  });
}
