// A setup file that makes tests use Node's built-in SQLite, as on machines where sqlite3 could not be built.

import { vi } from 'vitest';

vi.mock(import('#server/storage/sqlite/driver.ts'), async (original) => {
  const { NODE_SQLITE } = await original();
  return { NODE_SQLITE, sqliteDriver: () => NODE_SQLITE };
});
