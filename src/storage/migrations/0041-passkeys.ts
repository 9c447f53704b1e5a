// Passkeys of people, and open ceremonies: challenges to a passkey or an identity provider, until they are answered.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('passkeys', (table) => {
    table.text('id').primary();
    table.text('person_id').notNullable().references('people.id').onDelete('CASCADE').index();
    table.text('name').notNullable();
    // The authenticator's credential id, base64url.
    table.text('credential_id').notNullable().unique();
    // A COSE key, base64url.
    table.text('public_key').notNullable();
    // The authenticator's signature counter; 0 where it does not count.
    table.bigInteger('counter').notNullable();
    // The host it was created for (WebAuthn's relying party id).
    table.text('host').notNullable();
    // JSON: the transports by which browsers may reach it.
    table.text('transports').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
  });

  await db.schema.createTable('ceremonies', (table) => {
    // SHA-256 of the ceremony's token, in hex.
    table.text('hash').primary();
    table.text('kind').notNullable();
    // The person it belongs to, where that is known.
    table.text('person_id').references('people.id').onDelete('CASCADE');
    // JSON: the values that the answer is checked against.
    table.text('expected').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
}
