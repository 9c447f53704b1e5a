// Templates with their versions, drafts and materials, and brands.

import type { Database } from '../../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('templates', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('name').notNullable();
    table.integer('width').notNullable();
    table.integer('height').notNullable();
    table.text('engine').notNullable();
    table.integer('version').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    // The order of saves: a count, because two saves may share a millisecond.
    table.bigInteger('save_order').notNullable();
    // Rises when the draft is saved, discarded or published, and never falls: no revision stands for two drafts.
    table.integer('draft_revision').notNullable().defaultTo(0);
    // Deleted in the studio, and kept for a while so that the deletion can be undone; null = not deleted.
    table.bigInteger('deleted_at');
    // The name of the folder that it is in: a folder is there as long as a template is in it. Null: in none.
    table.text('folder');
    // Up to which version it is in `template_materials`.
    table.integer('indexed_version').notNullable().defaultTo(0);
    table.index(['account_id', 'save_order']);
  });
  await db.raw('CREATE INDEX templates_unindexed ON templates (id) WHERE indexed_version < version');

  await db.schema.createTable('template_versions', (table) => {
    table.text('template_id').notNullable().references('templates.id').onDelete('CASCADE');
    table.integer('version').notNullable();
    table.text('document').notNullable();
    table.bigInteger('created_at').notNullable();
    // A person; null for an API key or the command line.
    table.text('author_id');
    table.text('note');
    table.primary(['template_id', 'version']);
  });

  // At most one per template: edits that are not a version yet.
  await db.schema.createTable('drafts', (table) => {
    table.text('template_id').primary().references('templates.id').onDelete('CASCADE');
    table.text('document').notNullable();
    // The version it is based on.
    table.integer('base_version').notNullable();
    table.bigInteger('saved_at').notNullable();
    table.text('saved_by');
  });

  await db.schema.createTable('brands', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('name').notNullable();
    // The newest.
    table.integer('version').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at').notNullable();
    // Deleted: its versions stay for the templates that use them. Null = not deleted.
    table.bigInteger('deleted_at');
    table.primary(['account_id', 'name']);
  });

  await db.schema.createTable('brand_versions', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('name').notNullable();
    table.integer('version').notNullable();
    table.text('document').notNullable();
    table.bigInteger('created_at').notNullable();
    table.primary(['account_id', 'name', 'version']);
  });

  // The brand and the components that the newest version of each template uses, with their versions.
  await db.schema.createTable('template_materials', (table) => {
    table.text('template_id').notNullable().references('templates.id').onDelete('CASCADE');
    // The version of the template that uses it: rows of an older one are not read.
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
}
