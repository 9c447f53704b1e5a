import { defineConfig } from 'vitest/config';

/** Tests that measure nothing and need no processor for themselves; two of these files run at a time. */
const SIDE_BY_SIDE = [
  'canaries',
  'contract-tools',
  'docs',
  'encoders',
  'fuzz',
  'jobs-drain',
  'names',
  'package',
  'pdf-structure',
  'pdf-viewers',
  'profiles-survive-kills',
  'quick-kills',
  'restore-after-kills',
  'release',
  'slow-sockets',
  'soak',
  'studio-walk',
  'thread-starts',
  'webhooks-survive-kills',
].map((name) => `test/heavy/${name}.heavy.ts`);

/** Tests that take minutes, or need their own network: `npm run test:heavy`. */
export default defineConfig({
  test: {
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // The server's flag, without which V8 can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
    // Tests with real kills, clocks and browsers depend on the machine's load: a failed test is retried once, and
    // reported so.
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        test: { name: 'side by side', include: SIDE_BY_SIDE, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/heavy/**/*.heavy.ts'],
          exclude: SIDE_BY_SIDE,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
