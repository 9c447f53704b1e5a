// Turns of waiting jobs on PostgreSQL, where pg-boss dispatches them: their order is fixed when a job is accepted.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  if (!isPostgres(db)) return;
  // Null once the job was started.
  await db.raw('ALTER TABLE renders ADD COLUMN turn INTEGER');
  await db.raw('CREATE INDEX renders_turn ON renders (turn) WHERE turn IS NOT NULL');
  await db.raw('CREATE INDEX renders_turn_of_account ON renders (account_id, turn) WHERE turn IS NOT NULL');
  // This index served the query for expired leases, which pg-boss has replaced.
  await db.raw('DROP INDEX renders_processing');
}
