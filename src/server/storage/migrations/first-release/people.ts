// People who use the studio: their memberships in accounts, sessions, passkeys and one-time links.

import type { Database } from '../../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('people', (table) => {
    table.text('id').primary();
    // In lower case.
    table.text('email').notNullable().unique();
    table.text('name').notNullable();
    // argon2id in PHC string form; null until the person has chosen a password.
    table.text('password');
    table.bigInteger('created_at').notNullable();
    // When it was shown that the address is theirs: an identity provider signs in by verified addresses only. Null: typed
    // by the person, and vouched for by nobody.
    table.bigInteger('email_verified_at');
    table.bigInteger('suspended_at');
    // Deleted: a row without name and address, until the person's name is erased from the audit log.
    table.bigInteger('deleted_at');
  });
  await db.raw('CREATE INDEX people_deleted ON people (deleted_at) WHERE deleted_at IS NOT NULL');

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

  // Browsers that a person has signed in with by password: others' wrong tries do not lock them out.
  await db.schema.createTable('known_browsers', (table) => {
    // SHA-256 of the cookie's value, in hex; the value itself is never stored.
    table.text('hash').notNullable();
    table.text('person_id').notNullable().references('people.id').onDelete('CASCADE').index();
    table.bigInteger('expires_at').notNullable().index();
    table.primary(['hash', 'person_id']);
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

  // Challenges to a passkey or an identity provider, until they are answered.
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

  // How often a password was tried, on all nodes together.
  await db.schema.createTable('sign_in_tries', (table) => {
    // Hash of what the tries are counted for: an IP address, or a person.
    table.text('key').primary();
    table.integer('tries').notNullable();
    // When they are forgotten.
    table.bigInteger('until').notNullable().index();
  });
}
