// Runs whatever opens a database on Node's own SQLite: as where sqlite3 could not be built.

import { vi } from 'vitest';

vi.mock(import('#storage/sqlite/driver.ts'), async (original) => {
  const { NODE_SQLITE } = await original();
  return { NODE_SQLITE, sqliteDriver: () => NODE_SQLITE };
});
