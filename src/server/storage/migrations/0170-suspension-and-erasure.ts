// Adds the columns for suspended and deleted accounts and people, and for keys that expire.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('accounts', (table) => {
    // Who suspended it: 'owner' or 'operator'; null = it is not suspended.
    table.text('suspended_by');
    // Deleted: nobody has access any more, and its rows and files are being erased. Null = not deleted.
    table.bigInteger('deleted_at');
  });
  await db.schema.alterTable('keys', (table) => {
    // Null = never.
    table.bigInteger('expires_at');
  });
  await db.schema.alterTable('people', (table) => {
    table.bigInteger('suspended_at');
    // Deleted: a row without name and address, until the person's name is erased from the audit log.
    table.bigInteger('deleted_at');
  });
  for (const table of ['accounts', 'people']) {
    await db.raw(`CREATE INDEX ${table}_deleted ON ${table} (deleted_at) WHERE deleted_at IS NOT NULL`);
  }
  // Entries of the audit log that name a person.
  for (const column of ['actor_id', 'subject_id', 'subject_name']) {
    await db.raw(`CREATE INDEX audit_log_by_${column} ON audit_log (${column}) WHERE ${column} IS NOT NULL`);
  }
}
