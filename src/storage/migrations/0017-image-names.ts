// The name of an uploaded image, and its focal point, which a crop keeps.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  await db.schema.alterTable('images', (table) => {
    table.text('name');
    // 0 to 1 of width and height; both null = none was chosen.
    table.double('focus_x');
    table.double('focus_y');
  });
}
