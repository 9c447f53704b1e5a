// Finds rows and files that name something, in whatever table or folder: also in those that are added later.

import { readdir } from 'node:fs/promises';
import { type Database, isPostgres, queryRows } from '#server/storage/database.ts';

/** All tables of the database, also those of pg-boss. */
async function tablesOf(db: Database): Promise<string[]> {
  const sql = isPostgres(db)
    ? `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
         WHERE table_type = 'BASE TABLE' AND table_schema IN ('public', 'pgboss')`
    : "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return (await queryRows<{ name: string }>(db, sql)).map(({ name }) => name);
}

/** The rows in which a column contains one of the texts, as `table: row`. */
export async function rowsNaming(db: Database, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tablesOf(db)) {
    for (const row of await queryRows<object>(db, `SELECT * FROM ${table}`)) {
      const text = JSON.stringify(row);
      if (texts.some((one) => text.includes(one))) found.push(`${table}: ${text}`);
    }
  }
  return found;
}

/** The files in a folder, and below it, whose name contains one of the texts. */
export async function filesNaming(folder: string, texts: readonly string[]): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => texts.some((text) => name.includes(text)));
}
