// Adds the tables of review links and of the comments that visitors leave.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('reviews', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('template_id').notNullable().references('templates.id').onDelete('CASCADE').index();
    // What it shows; null = the draft, as it is when somebody looks.
    table.integer('version');
    // SHA-256 of the link's token, in hex.
    table.text('hash').notNullable().unique();
    // A person.
    table.text('created_by');
    table.bigInteger('created_at').notNullable();
    // When nobody can open it any more: as it was made, or once it was ended.
    table.bigInteger('ends_at').notNullable().index();
    // Comments that were ever written, so that concurrent ones cannot exceed the bound.
    table.integer('written').notNullable().defaultTo(0);
  });

  await db.schema.createTable('review_comments', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('review_id').notNullable().references('reviews.id').onDelete('CASCADE').index();
    // The id of the comment that it answers. Not a reference: rows are moved in the order of their ids.
    table.text('answers');
    // As a visitor says it is; null for a person of the account, whose id is the next.
    table.text('name');
    table.text('person_id');
    table.text('text').notNullable();
    // Which picture; null = the template's own size, and its own language.
    table.text('size');
    table.text('lang');
    // The point of the picture, in ten thousandths of its sides; null = the whole picture.
    table.integer('x');
    table.integer('y');
    // The version, or the revision of the draft, that was shown.
    table.integer('revision').notNullable();
    table.bigInteger('created_at').notNullable();
    // Null = open.
    table.bigInteger('resolved_at');
  });
}
