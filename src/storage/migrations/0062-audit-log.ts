// Who did what in an account: one row for each act.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
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
}
