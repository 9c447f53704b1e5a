// The editor in pages of other sites: whose, and which of its tokens were revoked.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.createTable('embedding', (table) => {
    table.text('account_id').primary().references('accounts.id').onDelete('CASCADE');
    // JSON: a list of origins.
    table.text('origins').notNullable();
  });

  await db.schema.createTable('editor_token_revocations', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // As the token's `sub`; '' = of every user.
    table.text('user').notNullable();
    // Tokens that were issued before this moment, ms since 1970.
    table.bigInteger('before').notNullable();
    table.primary(['account_id', 'user']);
  });
}
