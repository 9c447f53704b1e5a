// Records up to which version a template is in `template_materials`. During a rolling upgrade, servers that do not know
// that table save newer versions.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('templates', (table) => {
    table.integer('indexed_version').notNullable().defaultTo(0);
  });
  // First: PostgreSQL makes no index on a table whose rows this transaction has changed.
  await db.raw('CREATE INDEX templates_unindexed ON templates (id) WHERE indexed_version < version');
  await db.raw('UPDATE templates SET indexed_version = version');
}
