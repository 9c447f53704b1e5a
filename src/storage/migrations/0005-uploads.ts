// What an upload says of itself: the size of images; and an account's own fonts.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('images', (table) => {
    // px of the upright picture; null for what was uploaded before this was kept.
    table.integer('width');
    table.integer('height');
  });

  await db.schema.createTable('fonts', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    // What a font library must know to choose it, as JSON.
    table.text('face').notNullable();
    table.bigInteger('size').notNullable();
    table.bigInteger('created_at').notNullable();
  });
}
