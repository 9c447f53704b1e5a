// Writes a stand-in for the next version, for tests of rolling upgrades: the same server with one more migration.

import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../command.ts';

/** Its migration's number. */
export const NEXT_VERSION = 9999;
/** An expanding migration, as is allowed while older nodes run: a column with a default, an index, a table. */
const MIGRATION = `// What the next version adds.
export async function up(db) {
  await db.schema.alterTable('renders', (table) => void table.integer('colours').notNullable().defaultTo(0));
  await db.raw('CREATE INDEX renders_by_colours ON renders (account_id, colours)');
  await db.schema.createTable('palettes', (table) => void table.text('id').primary());
}
`;

/** Writes the version into `folder`. @returns the command that starts it */
export async function writeNextVersion(folder: string): Promise<string[]> {
  for (const name of ['package.json', 'src']) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of ['node_modules', 'fonts', 'samples', 'starters', 'dist']) {
    await symlink(join(ROOT, name), join(folder, name));
  }
  await writeFile(join(folder, 'src/server/storage/migrations/9999-next.ts'), MIGRATION);
  const file = join(folder, 'src/server/storage/migrate.ts');
  const now = await readFile(file, 'utf8');
  const next = now
    .replace(/(?<=MIGRATIONS: readonly Migration\[\] = \[[^;]*?),?\s*\];/, `, { version: ${NEXT_VERSION}, ...next }];`)
    .replace(/^import /m, "import * as next from './migrations/9999-next.ts';\nimport ");
  if (!next.includes(`{ version: ${NEXT_VERSION}, ...next }];`)) throw new Error('migrate.ts has no list MIGRATIONS.');
  await writeFile(file, next);
  return [process.execPath, join(folder, 'src/main.ts')];
}
