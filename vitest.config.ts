import { defineConfig } from 'vitest/config';
import { WORKERS } from './test/workers.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a PostgreSQL: vitest.postgres.config.ts.
    exclude: ['**/node_modules/**', 'test/storage/postgres/**', 'test/jobs/boss/**', 'test/nodes/**'],
    // Fixed, so that nothing a test renders or prints depends on where it runs.
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    // Long, so that no test fails only because a machine is slow.
    testTimeout: 120_000,
    maxWorkers: WORKERS,
    // Tests with real browsers, processes and databases depend on the machine's load: a failed test is retried once,
    // and reported so.
    retry: process.env.CI ? 1 : 0,
    // `NODE_SQLITE=1`: uses Node's own SQLite, as where sqlite3 could not be built.
    setupFiles: process.env.NODE_SQLITE ? ['test/storage/sqlite/on-node-sqlite.ts'] : [],
    // The server's flag, without which V8 can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
  },
});
