// Webhook deliveries and the outcome of each attempt.

import type { Database } from '../../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('deliveries', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('render_id').notNullable();
    table.text('url').notNullable();
    // Host of the URL; concurrent deliveries are limited per host.
    table.text('host').notNullable();
    // The exact bytes that every attempt sends and signs.
    table.text('body').notNullable();
    table.text('status').notNullable().checkIn(['pending', 'delivered', 'failed', 'refused']);
    // Completed attempts of the schedule.
    table.integer('attempts').notNullable().defaultTo(0);
    // Counts claims, so that only the newest may record the outcome.
    table.integer('claim').notNullable().defaultTo(0);
    table.boolean('sending').notNullable().defaultTo(false);
    // When the next attempt is due, or the running one counts as lost; null = ended.
    table.bigInteger('due_at');
    table.bigInteger('created_at').notNullable().index();
    // As for renders.
    table.text('trace');
    table.index(['account_id', 'created_at']);
  });
  await db.raw('CREATE INDEX deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL');
  await db.raw('CREATE INDEX deliveries_sending ON deliveries (host, due_at) WHERE sending');

  await db.schema.createTable('delivery_attempts', (table) => {
    table.increments('id');
    table.text('delivery_id').notNullable().references('deliveries.id').onDelete('CASCADE').index();
    table.bigInteger('at').notNullable();
    // Duration, ms.
    table.integer('duration').notNullable();
    // The response status; null where there was no response.
    table.integer('status');
    // Why there was no response.
    table.text('error');
  });
}
