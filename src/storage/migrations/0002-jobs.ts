// What a render needs to wait its turn as a job; webhook deliveries and what became of each attempt at one.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('renders', (table) => {
    // What to do, as JSON; null once it is over.
    table.text('request');
    table.text('webhook_url');
    // Whether a unit of usage is set aside for it.
    table.boolean('metered').notNullable().defaultTo(false);
    // How often it was begun.
    table.integer('attempt').notNullable().defaultTo(0);
    // Who works on it.
    table.text('worker');
    // When it may be claimed: its turn while it waits, the end of the lease while somebody works on it; null = over.
    table.bigInteger('claimable_at');
    table.index('finished_at');
  });
  await db.raw('CREATE INDEX renders_claimable ON renders (created_at, claimable_at) WHERE claimable_at IS NOT NULL');

  await db.schema.createTable('deliveries', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('render_id').notNullable();
    table.text('url').notNullable();
    // Of the URL; so many at once go to one host.
    table.text('host').notNullable();
    // The exact bytes, which every attempt sends and signs.
    table.text('body').notNullable();
    table.text('status').notNullable().checkIn(['pending', 'delivered', 'failed', 'refused']);
    // Attempts of the schedule that are over.
    table.integer('attempts').notNullable().defaultTo(0);
    // Counts claims, so that only the newest may say how it went.
    table.integer('claim').notNullable().defaultTo(0);
    table.boolean('sending').notNullable().defaultTo(false);
    // When the next attempt is due, or the one under way counts as lost; null = over.
    table.bigInteger('due_at');
    table.bigInteger('created_at').notNullable().index();
    table.index(['account_id', 'created_at']);
  });
  await db.raw('CREATE INDEX deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL');
  await db.raw('CREATE INDEX deliveries_sending ON deliveries (host, due_at) WHERE sending');

  await db.schema.createTable('delivery_attempts', (table) => {
    table.increments('id');
    table.text('delivery_id').notNullable().references('deliveries.id').onDelete('CASCADE').index();
    table.bigInteger('at').notNullable();
    // How long it took, ms.
    table.integer('duration').notNullable();
    // The answer's status, or null where there was none …
    table.integer('status');
    // … and then why.
    table.text('error');
  });
}
