// Copies the rows of one SQLite database into another, whose schema may be newer: by table and column, as both have them.

import { atomically, type Database, queryRows } from '../database.ts';
import { MOVED_TABLES } from '../move/tables.ts';

/**
 * Copies all rows but those that outlive no server, such as leases.
 *
 * @param from the path of a database that nobody writes to
 * @param to a database with tables and without rows
 */
export async function copyRows(from: string, to: Database): Promise<void> {
  await to.raw('ATTACH DATABASE ? AS source', [from]);
  try {
    await atomically(to, copyAll, 'long');
  } finally {
    await to.raw('DETACH DATABASE source');
  }
}

async function copyAll(tx: Database): Promise<void> {
  // The sums and counts that triggers maintain are copied as rows.
  const triggers = await queryRows<{ name: string; sql: string }>(
    tx,
    "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'",
  );
  for (const { name } of triggers) await tx.raw('DROP TRIGGER ??', [name]);
  for (const { name } of MOVED_TABLES) {
    const known = new Set(await columnsOf(tx, 'source', name));
    const columns = (await columnsOf(tx, 'main', name)).filter((column) => known.has(column));
    if (columns.length > 0) {
      await tx.raw('INSERT INTO main.?? (??) SELECT ?? FROM source.??', [name, columns, columns, name]);
    }
  }
  for (const { sql } of triggers) await tx.raw(sql);
}

async function columnsOf(tx: Database, schema: 'main' | 'source', table: string): Promise<readonly string[]> {
  const columns = await queryRows<{ name: string }>(tx, 'SELECT name FROM pragma_table_info(:table, :schema)', {
    table,
    schema,
  });
  return columns.map(({ name }) => name);
}
