// Accounts with their keys and secrets.

import type { Database } from '../../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('accounts', (table) => {
    table.text('id').primary();
    table.text('email');
    table.text('display_name');
    table.text('plan').notNullable();
    table.bigInteger('created_at').notNullable();
    // Counts changes to the account's uploads (uploads.ts).
    table.integer('uploads_version').notNullable().defaultTo(0);
  });

  await db.schema.createTable('keys', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('kind').notNullable().checkIn(['live', 'test']);
    // SHA-256 in hex; the key itself is never stored.
    table.text('hash').notNullable().unique();
    table.text('last_characters').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
    table.bigInteger('revoked_at');
    table.text('name');
    // A person; null for the command line.
    table.text('created_by');
    // What it may do, as JSON; null = everything.
    table.text('scope');
  });

  await db.schema.createTable('secrets', (table) => {
    table.increments('id');
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('purpose').notNullable().checkIn(['signing', 'webhook']);
    table.text('secret').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('retired_at');
  });
}
