// Answers to requests with an Idempotency-Key, which are returned when the request is repeated.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('idempotent_answers', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // Kind of the API key: an answer to a test key is not given to a live one.
    table.text('kind').notNullable().checkIn(['live', 'test']);
    table.text('key').notNullable();
    // SHA-256 of the request, hex.
    table.text('fingerprint').notNullable();
    table.integer('status').notNullable();
    table.text('body').notNullable();
    table.text('warnings');
    table.bigInteger('created_at').notNullable().index();
    table.primary(['account_id', 'kind', 'key']);
  });
}
