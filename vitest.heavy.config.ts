import { defineConfig } from 'vitest/config';

/** What neither measures nor needs a processor for itself runs two files at a time. */
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
  'release',
  'slow-sockets',
  'soak',
  'thread-starts',
  'webhooks-survive-kills',
].map((name) => `test/heavy/${name}.heavy.ts`);

/** What takes minutes, or a network of its own: `npm run test:heavy`. */
export default defineConfig({
  test: {
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // As the server runs: what it leaves out can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
    // Real kills, clocks and browsers beside whatever else a machine does: what fails is run once more, and reported so.
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
