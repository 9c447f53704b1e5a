// What servers on one database share: leases, a count of changes, and the audit log.

import { type Database, isPostgres } from '../../database.ts';

/**
 * The statements that count as a change to the data that authorises requests (server/storage/changes.ts), by table: all except
 * the update of when a key was last used.
 */
const CHANGES = {
  accounts: ['UPDATE', 'DELETE'],
  keys: ['UPDATE OF account_id, kind, hash, revoked_at', 'DELETE'],
  secrets: ['INSERT', 'UPDATE', 'DELETE'],
  templates: ['UPDATE', 'DELETE'],
  // A signed URL may name a brand, whose newest version it shows.
  brands: ['INSERT', 'UPDATE'],
} as const;

export async function up(db: Database): Promise<void> {
  // Work that one server has taken on for a while, by name, so that only one of many servers does it.
  await db.schema.createTable('leases', (table) => {
    table.text('name').primary();
    // The holder's id, never reused.
    table.text('holder').notNullable();
    // When it expires, unless it is renewed.
    table.bigInteger('until').notNullable().index();
  });

  // Who did what in an account: one row for each act.
  await db.schema.createTable('audit_log', (table) => {
    table.bigIncrements('id');
    // Null: what a person did with their own sign-in, which belongs to no account.
    table.text('account_id');
    table.bigInteger('created_at').notNullable().index();
    table.text('actor_kind').notNullable();
    table.text('actor_id');
    table.text('actor_name');
    table.text('action').notNullable();
    table.text('subject_id');
    table.text('subject_name');
    table.text('detail');
    table.text('request_id');
    table.index(['account_id', 'id']);
  });
  // Entries that name a person.
  for (const column of ['actor_id', 'subject_id', 'subject_name']) {
    await db.raw(`CREATE INDEX audit_log_by_${column} ON audit_log (${column}) WHERE ${column} IS NOT NULL`);
  }

  await countChanges(db);
}

/**
 * A number that rises with every change, whichever process makes it. In PostgreSQL it is incremented when a transaction
 * commits, and the row is locked no longer than that: nobody can read the new number before the change it stands for.
 * SQLite has one writer at a time.
 */
async function countChanges(db: Database): Promise<void> {
  await db.raw('CREATE TABLE change_count (number BIGINT NOT NULL)');
  await db.raw('INSERT INTO change_count VALUES (0)');
  if (!isPostgres(db)) {
    for (const [table, events] of Object.entries(CHANGES)) {
      for (const event of events) {
        const [name = ''] = event.split(' ');
        await db.raw(
          `CREATE TRIGGER ${table}_changed_by_${name.toLowerCase()} AFTER ${event} ON ${table} BEGIN
             UPDATE change_count SET number = number + 1;
           END`,
        );
      }
    }
    return;
  }
  await db.raw(
    `CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       UPDATE change_count SET number = number + 1;
       RETURN NULL;
     END $$`,
  );
  for (const [table, events] of Object.entries(CHANGES)) {
    await db.raw(
      `CREATE CONSTRAINT TRIGGER ${table}_changed AFTER ${events.join(' OR ')} ON ${table}
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_change()`,
    );
  }
}
