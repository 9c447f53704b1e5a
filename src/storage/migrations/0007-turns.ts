// The order in which jobs are claimed: by account, so that each has its turn, and within an account oldest first.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.raw('DROP INDEX renders_claimable');
  await db.raw(
    'CREATE INDEX renders_claimable ON renders (account_id, created_at, claimable_at) WHERE claimable_at IS NOT NULL',
  );
}
