import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What asks for a PostgreSQL: vitest.postgres.config.ts.
    exclude: ['**/node_modules/**', 'test/storage/postgres/**', 'test/jobs/boss/**', 'test/nodes/**'],
    // Fixed, so that nothing a test renders or prints depends on where it runs.
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    // Generous: a slow machine must not fail what is only slow.
    testTimeout: 120_000,
    // Real browsers, processes and databases beside whatever else a machine does: what fails is run once more, and reported so.
    retry: process.env.CI ? 1 : 0,
    // `NODE_SQLITE=1`: on Node's own SQLite, as where sqlite3 could not be built.
    setupFiles: process.env.NODE_SQLITE ? ['test/storage/sqlite/on-node-sqlite.ts'] : [],
    // As the server runs: what it leaves out can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
  },
});
