// Turns of jobs that wait on PostgreSQL, where pg-boss hands them out: what comes first is settled when a job is accepted.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  if (!isPostgres(db)) return;
  // Null once a job was begun.
  await db.raw('ALTER TABLE renders ADD COLUMN turn INTEGER');
  await db.raw('CREATE INDEX renders_turn ON renders (turn) WHERE turn IS NOT NULL');
  await db.raw('CREATE INDEX renders_turn_of_account ON renders (account_id, turn) WHERE turn IS NOT NULL');
  // What a lease had lapsed for was asked for by it; pg-boss knows that now.
  await db.raw('DROP INDEX renders_processing');
}
