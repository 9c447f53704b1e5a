// Parts that a request with an Idempotency-Key made before it was answered: the finished items of a batch.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('idempotent_parts', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('kind').notNullable().checkIn(['live', 'test']);
    table.text('key').notNullable();
    // Index among the parts of its request.
    table.integer('place').notNullable();
    // SHA-256 of the request, hex.
    table.text('fingerprint').notNullable();
    // JSON.
    table.text('made').notNullable();
    table.bigInteger('created_at').notNullable().index();
    table.primary(['account_id', 'kind', 'key', 'place']);
  });
}
