import { defineConfig } from 'vitest/config';

/** What stores, and what is built on it, once more on PostgreSQL: `npm run test:postgres`. */
export default defineConfig({
  test: {
    include: ['storage', 'service', 'http', 'jobs', 'nodes'].map((room) => `test/${room}/**/*.test.ts`),
    exclude: ['test/storage/sqlite/**'],
    globalSetup: ['test/storage/postgres/global-setup.ts'],
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    // Generous: a slow machine must not fail what is only slow.
    testTimeout: 120_000,
    // Real browsers, processes and databases beside whatever else a machine does: what fails is run once more, and reported so.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 60_000,
    // As the server runs: what it leaves out can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
  },
});
