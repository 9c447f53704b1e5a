// Copies the rows of one database to another, table by table, and compares them afterwards.
//
// Each batch of rows is read from both, and only differences are written. So an interrupted move continues where it
// stopped, even when the source has changed meanwhile. No progress is stored apart from the rows themselves.

import { createHash } from 'node:crypto';
import { AppError } from '#base/errors.ts';
import { atomically, type Database } from '../database.ts';
import { MOVED_TABLES, type MovedTable } from './tables.ts';

type Value = string | number | null;
/** By column, as it is stored. */
export type MovedRow = Readonly<Record<string, Value>>;

export interface TableCheck {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 over all rows in key order, hex: of the source, and of the target. */
  readonly digests: readonly [string, string];
  /** By column: of the source, and of the target. */
  readonly sums: Readonly<Record<string, readonly [number, number]>>;
  readonly isEqual: boolean;
}

/**
 * @param onTable called after each table with the number of rows that were written
 */
export async function moveRows(
  source: Database,
  target: Database,
  onTable: (table: string, written: number) => void,
): Promise<void> {
  for (const table of MOVED_TABLES) {
    await sameColumns(source, target, table);
    await removeSurplus(source, target, table);
    let written = 0;
    for await (const rows of batches(source, table)) {
      const known = await sameKeys(target, table, rows);
      const changed = rows.filter((row) => known.get(keyOf(table, row)) !== JSON.stringify(row));
      if (changed.length > 0) await write(target, (tx) => upsert(tx, table, changed));
      written += changed.length;
    }
    if (table.counted !== null) await countOn(target, table.name, table.counted);
    onTable(table.name, written);
  }
}

/** Reads all rows of both databases again and compares them. */
export async function compareRows(source: Database, target: Database): Promise<TableCheck[]> {
  const checks: TableCheck[] = [];
  for (const table of MOVED_TABLES) {
    const digests = [createHash('sha256'), createHash('sha256')] as const;
    let rows = 0;
    for await (const batch of batches(source, table)) {
      const known = await sameKeys(target, table, batch);
      for (const row of batch) {
        digests[0].update(`${JSON.stringify(row)}\n`);
        digests[1].update(`${known.get(keyOf(table, row)) ?? ''}\n`);
      }
      rows += batch.length;
    }
    const [ofSource, ofTarget] = await Promise.all([totals(source, table), totals(target, table)]);
    const sums: Record<string, readonly [number, number]> = {};
    for (const column of table.sums) sums[column] = [ofSource[column] ?? 0, ofTarget[column] ?? 0];
    const [one, other] = [digests[0].digest('hex'), digests[1].digest('hex')];
    const isEqual = one === other && JSON.stringify(ofSource) === JSON.stringify(ofTarget) && ofSource.count === rows;
    checks.push({ table: table.name, rows, digests: [one, other], sums, isEqual });
  }
  return checks;
}

/** All rows, or those of an account, in key order, in batches, with the columns in alphabetical order. */
export async function* batches(db: Database, table: MovedTable, account?: string): AsyncGenerator<MovedRow[]> {
  const { name, key, batch } = table;
  const columns = await columnsOf(db, table);
  const tuple = `(${key.map((column) => `"${column}"`).join(', ')})`;
  for (let last: MovedRow | undefined; ; ) {
    const query = db(name)
      .select(columns)
      .orderBy([...key])
      .limit(batch);
    if (account !== undefined) query.whereRaw(table.owned ?? 'FALSE', { account });
    if (last) {
      const after = last;
      query.whereRaw(
        `${tuple} > (${key.map(() => '?').join(', ')})`,
        key.map((column) => after[column] ?? null),
      );
    }
    const rows: MovedRow[] = await query;
    if (rows.length > 0) yield rows;
    if (rows.length < batch) return;
    last = rows.at(-1);
  }
}

/** Rows with the same keys, as JSON with the columns in alphabetical order. */
async function sameKeys(db: Database, table: MovedTable, rows: readonly MovedRow[]): Promise<Map<string, string>> {
  const columns = Object.keys(rows[0] ?? {});
  const found: MovedRow[] = await withKeys(db, table, rows).select(columns);
  return new Map(found.map((row) => [keyOf(table, row), JSON.stringify(row)]));
}

function withKeys(db: Database, { name, key }: MovedTable, rows: readonly MovedRow[]) {
  const [first = '', ...others] = key;
  if (others.length === 0)
    return db(name).whereIn(
      first,
      rows.map((row) => row[first] ?? null),
    );
  return db(name).where((any) => {
    for (const row of rows) any.orWhere(Object.fromEntries(key.map((column) => [column, row[column] ?? null])));
  });
}

const keyOf = ({ key }: MovedTable, row: MovedRow) => JSON.stringify(key.map((column) => row[column]));

/**
 * Removes rows of an earlier move that the source has deleted since: their unique values may have come back in other
 * rows.
 */
async function removeSurplus(source: Database, target: Database, table: MovedTable): Promise<void> {
  for await (const rows of batches(target, table)) {
    const kept = await sameKeys(source, table, rows);
    const surplus = rows.filter((row) => !kept.has(keyOf(table, row)));
    if (surplus.length > 0) {
      await write(target, async (tx) => {
        await withKeys(tx, table, surplus).delete();
      });
    }
  }
}

async function upsert(tx: Database, table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
  await tx(table.name)
    .insert([...rows])
    .onConflict([...table.key])
    .merge();
}

/**
 * Writes with the target's own triggers disabled, since the sums and counts that they maintain are moved as rows.
 * Foreign key triggers stay enabled.
 */
async function write(target: Database, work: (tx: Database) => Promise<void>): Promise<void> {
  const all = async (tx: Database, state: 'DISABLE' | 'ENABLE') => {
    const statements = MOVED_TABLES.map(({ name }) => `ALTER TABLE ${name} ${state} TRIGGER USER`);
    await tx.raw(statements.join('; '));
  };
  await atomically(
    target,
    async (tx) => {
      await all(tx, 'DISABLE');
      await work(tx);
      await all(tx, 'ENABLE');
    },
    'long',
  );
}

/** Sets the sequence so that the next insert gets a free number. */
async function countOn(target: Database, table: string, column: string): Promise<void> {
  await target.raw(`SELECT setval(pg_get_serial_sequence(?, ?), GREATEST((SELECT max(??) FROM ??), 1), true)`, [
    table,
    column,
    column,
    table,
  ]);
}

async function totals(db: Database, { name, sums }: MovedTable): Promise<Readonly<Record<string, number>>> {
  const count = async (tx: Database) => {
    const query = tx(name).select(tx.raw('count(*) AS count'));
    for (const column of sums) query.select(tx.raw('coalesce(sum(??), 0) AS ??', [column, column]));
    const [row = {}] = await query;
    return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, Number(value)]));
  };
  return atomically(db, count, 'long');
}

/**
 * @throws AppError `conflict` when the columns of the two databases differ
 */
async function sameColumns(source: Database, target: Database, table: MovedTable): Promise<void> {
  const [one, other] = await Promise.all([source, target].map(async (db) => (await columnsOf(db, table)).join(', ')));
  if (one === other) return;
  throw new AppError('conflict', `The table ${table.name} has not the same columns in both databases. Update Platen.`);
}

/** The columns to move, in alphabetical order. */
async function columnsOf(db: Database, { name, own }: MovedTable): Promise<string[]> {
  const columns = Object.keys(await db(name).columnInfo());
  return columns.filter((column) => column !== own).sort();
}
