// Accounts with their keys and secrets, templates with their versions, renders, usage, uploaded images.
//
// Times are milliseconds since 1970, ids are text (ids.ts).

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('accounts', (table) => {
    table.text('id').primary();
    table.text('email');
    table.text('display_name');
    table.text('plan').notNullable();
    table.bigInteger('created_at').notNullable();
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
  });

  await db.schema.createTable('secrets', (table) => {
    table.increments('id');
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('purpose').notNullable().checkIn(['signing', 'webhook']);
    table.text('secret').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('retired_at');
  });

  await db.schema.createTable('templates', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('name').notNullable();
    table.integer('width').notNullable();
    table.integer('height').notNullable();
    table.text('engine').notNullable();
    table.integer('version').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    // The order of saves: a count, because two saves may share a millisecond.
    table.bigInteger('save_order').notNullable();
    table.index(['account_id', 'save_order']);
  });

  await db.schema.createTable('template_versions', (table) => {
    table.text('template_id').notNullable().references('templates.id').onDelete('CASCADE');
    table.integer('version').notNullable();
    table.text('document').notNullable();
    table.bigInteger('created_at').notNullable();
    table.primary(['template_id', 'version']);
  });

  // One row for a job and its asset.
  await db.schema.createTable('renders', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('kind').notNullable().checkIn(['render', 'screenshot']);
    table.text('status').notNullable().checkIn(['queued', 'processing', 'done', 'error']);
    table.text('output').notNullable();
    table.bigInteger('size');
    table.text('error');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('finished_at');
    table.index(['account_id', 'created_at']);
  });

  // The sums that a quota is checked against.
  await db.schema.createTable('usage', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // A calendar month in UTC: 2026-11.
    table.text('period').notNullable();
    table.integer('used').notNullable().defaultTo(0);
    table.integer('reserved').notNullable().defaultTo(0);
    table.primary(['account_id', 'period']);
  });

  // The units that are summed: at most one per render, however often it is retried.
  await db.schema.createTable('usage_units', (table) => {
    table.text('render_id').primary();
    table.text('account_id').notNullable();
    table.text('period').notNullable();
    table.text('state').notNullable().checkIn(['reserved', 'used']);
    // When a reservation left by a killed process expires; null = never.
    table.bigInteger('expires_at');
    table.foreign(['account_id', 'period']).references(['account_id', 'period']).inTable('usage').onDelete('CASCADE');
    table.index(['account_id', 'state', 'expires_at']);
  });

  await db.schema.createTable('images', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('format').notNullable();
    table.bigInteger('size').notNullable();
    table.bigInteger('created_at').notNullable();
  });
}
