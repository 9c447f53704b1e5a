// Passkeys of people, and ceremonies under way: what a passkey or an identity provider was asked, until it answers.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('passkeys', (table) => {
    table.text('id').primary();
    table.text('person_id').notNullable().references('people.id').onDelete('CASCADE').index();
    table.text('name').notNullable();
    // As the authenticator names it, base64url.
    table.text('credential_id').notNullable().unique();
    // A COSE key, base64url.
    table.text('public_key').notNullable();
    // How often it signed, as it says; 0 where it does not count.
    table.bigInteger('counter').notNullable();
    // The host that it was made for (WebAuthn's relying party id).
    table.text('host').notNullable();
    // JSON: how browsers may reach it.
    table.text('transports').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
  });

  await db.schema.createTable('ceremonies', (table) => {
    // SHA-256 of the token that names it, in hex.
    table.text('hash').primary();
    table.text('kind').notNullable();
    // Whose it is, where that is known.
    table.text('person_id').references('people.id').onDelete('CASCADE');
    // JSON: what the answer is checked against.
    table.text('expected').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
}
