// Marks the target of a move with a table that names the source while the move is in progress, so that no server starts
// on half a database.

import { atomically, type Database, isPostgres, queryRows } from '../database.ts';

const TABLE = 'move_under_way';

/** The source of an unfinished move into this database; null when there is none. */
export async function moveUnderWay(db: Database): Promise<string | null> {
  if (!isPostgres(db)) return null;
  const [found] = await queryRows<{ name: string | null }>(db, 'SELECT to_regclass(:name)::text AS name', {
    name: TABLE,
  });
  if (!found?.name) return null;
  const [mark] = await db<{ source: string }>(TABLE).select('source');
  return mark?.source ?? null;
}

export async function beginMove(db: Database, source: string): Promise<void> {
  await atomically(db, async (tx) => {
    await tx.raw(`CREATE TABLE ${TABLE} (source TEXT NOT NULL)`);
    await tx(TABLE).insert({ source });
  });
}

export async function endMove(db: Database): Promise<void> {
  await db.raw(`DROP TABLE ${TABLE}`);
}
