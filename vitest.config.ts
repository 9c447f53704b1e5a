import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { SEED } from './test/sampled.ts';
import { WORKERS } from './test/workers.ts';

// Said, so that a run can be repeated; and given to processes that tests start.
process.env.SEED = String(SEED);
console.log(`SEED=${SEED}`);

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

/**
 * Tests of whole services, of commands and beside other programs, and the longest of the rest: `npm run test:more`. No
 * file that `npm test` runs takes five seconds.
 */
const MORE = [
  ...['server/http', 'server/chromium', 'cli', 'draw/html/chromium', 'core/html'].map(
    (room) => `test/${room}/**/*.test.ts`,
  ),
  'test/**/*-oracle.test.ts',
  ...[
    'core/layout/yoga-tree-cache',
    'core/text/graphemes',
    'core/text/paragraph-properties',
    'docs/search',
    'draw/encoders/png/encode-png',
    'draw/encoders/webp/encode-webp',
    'draw/fonts/catalog',
    'draw/html/compose-html',
    'draw/html/tailwind/classes',
    'draw/images/inspect',
    'draw/images/scale',
    'draw/images/svg-process',
    'draw/output/pdf/join-pdfs',
    'draw/output/pdf/readers',
    'draw/output/raster/no-native-module',
    'draw/output/raster/rasterize',
    'draw/renderer/load-resources',
    'draw/renderer/threaded-renderer',
    'library',
    'samples',
    'server/service/jobs/do-job',
    'server/service/jobs/webhooks',
    'server/service/templates/threaded-checks',
    'server/storage/s3/s3-blobs',
    'starters',
  ].map((name) => `test/${name}.test.ts`),
];

/** Every fixture beside its goldens, its PDF as a picture too: `npm run test:golden`. */
const GOLDEN = ['test/golden/*.test.ts'];

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (name: string, groupOrder: number, options: Options): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, sequence: { groupOrder }, ...options },
});
/** How many times as long a test may take: for a machine with other work, or a slow one. */
const SLOWNESS = Number(process.env.SLOWNESS ?? 1);
const tests: Options = {
  maxWorkers: WORKERS,
  // The modules are loaded once in each process instead of once in each file, which took a third of the time.
  isolate: false,
  // `NODE_SQLITE=1`: uses Node's own SQLite, as where sqlite3 could not be built.
  setupFiles: process.env.NODE_SQLITE ? ['test/server/storage/sqlite/on-node-sqlite.ts'] : [],
};
const heavy: Options = { testTimeout: 600_000, globalSetup: ['test/heavy/install-tools.ts'] };

/** What needs a PostgreSQL. */
const ON_POSTGRES_ALONE = ['test/server/storage/postgres/**', 'test/server/jobs/boss/**', 'test/nodes/**'];

/** The suites, each run by a script of its own: `npm test`, and `npm run test:more`, `:golden`, `:postgres`, `:heavy`. */
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
        exclude: ['**/node_modules/**', ...ISOLATED, ...MORE, ...GOLDEN, ...ON_POSTGRES_ALONE],
        testTimeout: 10_000 * SLOWNESS,
      }),
      project('tests, isolated', 0, { ...tests, isolate: true, include: ISOLATED }),
      project('more', 0, { ...tests, include: MORE, exclude: ['**/node_modules/**', ...ON_POSTGRES_ALONE] }),
      project('golden', 0, { ...tests, include: GOLDEN }),
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
