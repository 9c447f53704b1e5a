// People who use the studio, their memberships in accounts, their sessions, and one-time links.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('people', (table) => {
    table.text('id').primary();
    // In lower case.
    table.text('email').notNullable().unique();
    table.text('name').notNullable();
    // argon2id in PHC string form; null until the person has chosen a password.
    table.text('password');
    table.bigInteger('created_at').notNullable();
  });

  await db.schema.createTable('memberships', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('person_id').notNullable().references('people.id').onDelete('CASCADE').index();
    table.text('role').notNullable().checkIn(['owner', 'editor', 'viewer']);
    table.bigInteger('created_at').notNullable();
    table.primary(['account_id', 'person_id']);
  });

  await db.schema.createTable('sessions', (table) => {
    table.text('id').primary();
    table.text('person_id').notNullable().references('people.id').onDelete('CASCADE').index();
    // SHA-256 of the cookie's value, in hex; the value itself is never stored.
    table.text('hash').notNullable().unique();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
    // When the person last typed the password in this session.
    table.bigInteger('confirmed_at').notNullable();
    // Where it was begun: IP address and User-Agent.
    table.text('address').notNullable();
    table.text('agent').notNullable();
  });

  await db.schema.createTable('links', (table) => {
    table.text('id').primary();
    table.text('kind').notNullable().checkIn(['setup', 'invitation', 'reset']);
    // SHA-256 of the token, in hex.
    table.text('hash').notNullable().unique();
    // The account, and the role in it, that an invitation or set-up link gives.
    table.text('account_id').references('accounts.id').onDelete('CASCADE').index();
    table.text('role').checkIn(['owner', 'editor', 'viewer']);
    // The recipient's e-mail address, where it is known.
    table.text('email');
    // The person whose password a reset changes.
    table.text('person_id').references('people.id').onDelete('CASCADE');
    table.text('created_by');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at').notNullable();
    table.bigInteger('used_at');
  });
}
