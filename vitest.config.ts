import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { WORKERS } from './test/workers.ts';

// The threads and processes that tests start load the same modules again and again. Compiled code that is kept, and
// sources without their types, are a quarter of the processor time of a test over HTTP.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/platen');

const heavyFiles = (...names: readonly string[]) => names.map((name) => `test/heavy/${name}.heavy.ts`);

/** Heavy tests that compare times; one of these files runs at a time. */
const ALONE = heavyFiles('answering-thread', 'beside-slow-sockets', 'hostile-files');

/**
 * Heavy tests of several servers, of memory and of packages, that count browsers, need a network of their own, or bound how
 * long something may take by seconds; two of these files run at a time.
 */
const IN_PAIRS = heavyFiles(
  'fairness',
  'hostile-drawings',
  'jobs-pace',
  'jobs-survive-kills',
  'lane',
  'link-local',
  'memory',
  'nodes-survive-kills',
  'one-account-memory',
  'one-account-nodes',
  'one-account-share',
  'one-account-webhooks',
  'package',
  'release',
  'rolling-upgrade',
  'six-users',
  'studio-walk',
  'text-attacks',
  'text-growth',
);

/** Tests that replace modules, or look at what a module keeps for its process: each has modules of its own. */
const ISOLATED = [
  'test/draw/encoders/pack-opaque.test.ts',
  'test/draw/images/pixel-pool.test.ts',
  'test/draw/renderer/trapping-thread.test.ts',
];

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (name: string, groupOrder: number, options: Options): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, sequence: { groupOrder }, ...options },
});
const tests: Options = {
  maxWorkers: WORKERS,
  // `NODE_SQLITE=1`: uses Node's own SQLite, as where sqlite3 could not be built.
  setupFiles: process.env.NODE_SQLITE ? ['test/server/storage/sqlite/on-node-sqlite.ts'] : [],
};
const heavy: Options = { testTimeout: 600_000, globalSetup: ['test/heavy/install-tools.ts'] };

/** The suites, each run by a script of its own: `npm test`, `npm run test:postgres`, `npm run test:heavy`. */
export default defineConfig({
  test: {
    // Fixed, so that nothing a test renders or prints depends on where it runs.
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    // Long, so that no test fails only because a machine is slow.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Tests with real browsers, processes and databases depend on the machine's load: a failed test is retried once,
    // and reported so.
    retry: process.env.CI ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    // The server's flag, without which V8 can end a process (bin/node-settings.mjs).
    execArgv: ['--no-wasm-code-gc'],
    projects: [
      project('tests', 0, {
        ...tests,
        include: ['test/**/*.test.ts'],
        // The last three need a PostgreSQL.
        exclude: [
          '**/node_modules/**',
          ...ISOLATED,
          'test/server/storage/postgres/**',
          'test/server/jobs/boss/**',
          'test/nodes/**',
        ],
        // The modules are loaded once in each process instead of once in each file, which took a third of the time.
        isolate: false,
      }),
      project('tests, isolated', 0, { ...tests, include: ISOLATED }),
      // Tests of storage, and of everything built on it, on PostgreSQL.
      project('postgres', 1, {
        include: ['server/storage', 'server/service', 'server/http', 'server/jobs', 'nodes'].map(
          (room) => `test/${room}/**/*.test.ts`,
        ),
        exclude: ['**/node_modules/**', 'test/server/storage/sqlite/**'],
        globalSetup: ['test/server/storage/postgres/global-setup.ts'],
        isolate: false,
        maxWorkers: WORKERS + 1,
      }),
      // Tests that start browsers, servers and packages, take minutes, or need their own network or tools.
      project('heavy', 2, {
        ...heavy,
        include: ['test/**/*.heavy.ts'],
        exclude: ['**/node_modules/**', ...ALONE, ...IN_PAIRS],
        // Twice as many as there are processors: most wait for processes, browsers and timers.
        maxWorkers: WORKERS + 2,
      }),
      project('heavy, in pairs', 3, { ...heavy, include: IN_PAIRS, maxWorkers: 2 }),
      project('heavy, alone', 4, { ...heavy, include: ALONE, maxWorkers: 1 }),
    ],
  },
});
