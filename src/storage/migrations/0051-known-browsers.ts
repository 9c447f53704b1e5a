// Browsers that a person has signed in with by password: others' wrong tries do not lock them out.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('known_browsers', (table) => {
    // SHA-256 of the cookie's value, in hex; the value itself is never stored.
    table.text('hash').notNullable();
    table.text('person_id').notNullable().references('people.id').onDelete('CASCADE').index();
    table.bigInteger('expires_at').notNullable().index();
    table.primary(['hash', 'person_id']);
  });
}
