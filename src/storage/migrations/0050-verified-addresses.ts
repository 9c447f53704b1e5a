// When it was shown that a person's e-mail address is theirs. An identity provider signs in by verified addresses only.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('people', (table) => {
    // Null: typed by the person, and vouched for by nobody.
    table.bigInteger('email_verified_at');
  });
  // People without a password were made by the command line, or by a provider that had verified the address.
  await db('people')
    .whereNull('password')
    .update({ email_verified_at: db.ref('created_at') });
}
