// Accounts with their keys, secrets and embedded editors.

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
    // Who suspended it: 'owner' or 'operator'; null = it is not suspended.
    table.text('suspended_by');
    // Deleted: nobody has access any more, and its rows and files are being erased. Null = not deleted.
    table.bigInteger('deleted_at');
  });
  await db.raw('CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL');

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
    // Null = never.
    table.bigInteger('expires_at');
  });

  await db.schema.createTable('secrets', (table) => {
    table.increments('id');
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('purpose').notNullable().checkIn(['signing', 'webhook']);
    table.text('secret').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('retired_at');
  });

  // Sites that may show the editor, as a JSON list of origins.
  await db.schema.createTable('embedding', (table) => {
    table.text('account_id').primary().references('accounts.id').onDelete('CASCADE');
    table.text('origins').notNullable();
  });

  await db.schema.createTable('editor_token_revocations', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // As the token's `sub`; '' = of every user.
    table.text('user').notNullable();
    // Tokens that were issued before this moment, ms since 1970.
    table.bigInteger('before').notNullable();
    table.primary(['account_id', 'user']);
  });
}
