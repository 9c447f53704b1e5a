// The brand and the components that the newest version of each template uses, with their versions.

import { pinnedIn } from '#design/references-in.ts';
import type { Database } from '../database.ts';

/** Documents of up to 4 MiB that are read at once. */
const BATCH = 20;

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('template_materials', (table) => {
    table.text('template_id').notNullable().references('templates.id').onDelete('CASCADE');
    // The version of the template that uses it: rows of an older one, after a server of before this step saved another,
    // are not read.
    table.integer('template_version').notNullable();
    // Of the template.
    table.text('account_id').notNullable();
    // 'brand' or 'template'.
    table.text('kind').notNullable();
    // A brand's name, or a template's id.
    table.text('name').notNullable();
    // The oldest one that is used.
    table.integer('version').notNullable();
    table.primary(['template_id', 'kind', 'name']);
    table.index(['account_id', 'kind', 'name', 'version']);
  });
  await fill(db);
}

/** For the templates that are there. */
async function fill(db: Database): Promise<void> {
  for (let after = ''; ; ) {
    const rows: { id: string; version: number; account_id: string; document: string }[] = await db('templates')
      .join('template_versions', (on) =>
        on.on('template_versions.template_id', 'templates.id').andOn('template_versions.version', 'templates.version'),
      )
      .where('templates.id', '>', after)
      .whereRaw(`(document LIKE '%"brand":"%' OR document LIKE '%"type":"template"%')`)
      .orderBy('templates.id')
      .limit(BATCH)
      .select('templates.id', 'templates.version', 'templates.account_id', 'document');
    for (const { id, version, account_id, document } of rows) {
      const pinned = pinnedIn(JSON.parse(document)).map((one) => ({
        ...{ template_id: id, template_version: version, account_id },
        ...one,
      }));
      if (pinned.length > 0) await db('template_materials').insert(pinned);
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < BATCH) return;
  }
}
