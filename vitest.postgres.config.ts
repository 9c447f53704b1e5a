import { defineConfig } from 'vitest/config';
import { WORKERS } from './test/workers.ts';

/** Tests of storage, and of everything built on it, on PostgreSQL: `npm run test:postgres`. */
export default defineConfig({
  test: {
    include: ['storage', 'service', 'http', 'jobs', 'nodes'].map((room) => `test/${room}/**/*.test.ts`),
    exclude: ['test/storage/sqlite/**'],
    globalSetup: ['test/storage/postgres/global-setup.ts'],
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    // Long, so that no test fails only because a machine is slow.
    testTimeout: 120_000,
    maxWorkers: WORKERS,
    // Tests with real browsers, processes and databases depend on the machine's load: a failed test is retried once,
    // and reported so.
    retry: process.env.CI ? 1 : 0,
    hookTimeout: 60_000,
    // The server's flag, without which V8 can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
  },
});
