// What a request with an Idempotency-Key has made before it has its answer: the items of a batch, so far.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('idempotent_parts', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('kind').notNullable().checkIn(['live', 'test']);
    table.text('key').notNullable();
    // Among the parts of its request, from 0 up.
    table.integer('place').notNullable();
    // SHA-256 of the request, hex.
    table.text('fingerprint').notNullable();
    // JSON.
    table.text('made').notNullable();
    table.bigInteger('created_at').notNullable().index();
    table.primary(['account_id', 'kind', 'key', 'place']);
  });
}
