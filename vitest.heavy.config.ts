import { defineConfig } from 'vitest/config';

/** What takes minutes, or a network of its own: `npm run test:heavy`. */
export default defineConfig({
  test: {
    include: ['test/heavy/**/*.heavy.ts'],
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // As the server runs: what it leaves out can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
    fileParallelism: false,
    // Real kills, clocks and browsers beside whatever else a machine does: what fails is run once more, and reported so.
    retry: process.env.CI ? 1 : 0,
  },
});
