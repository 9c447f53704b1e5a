// Tests figures in the documents that are no benchmark: sizes, versions and names of files, as they are today.

import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findPackage, readCatalog } from '#fonts/catalog.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const onOneLine = (page: string) => read(page).replaceAll(/\s+/g, ' ');
const { version } = JSON.parse(read('package.json')) as { version: string };

test('what the fonts for Chinese, Japanese and Korean take on the disk', () => {
  const families = readCatalog().families.filter((family) => family.group === 'cjk');
  const bytes = families.flatMap(({ package: name, faces }) =>
    faces.map(({ file }) => statSync(join(findPackage(name) ?? '', file)).size),
  );
  const size = `${Math.round(bytes.reduce((sum, each) => sum + each, 0) / 1e6)} MB on the disk`;
  for (const file of ['docs/install.md', 'docs/fonts.md']) expect(read(file), file).toContain(size);
});

test('how many families the Latin group has, and what they take on the disk', () => {
  const latin = readCatalog().families.filter((family) => family.group === 'latin');
  const size = latin.reduce((sum, each) => sum + each.size, 0);
  const words = read('docs/fonts.md').replaceAll(/\s+/g, ' ');
  expect(words).toContain(`The catalogue has ${latin.length} more`);
  expect(words).toContain(`take ${Math.round(size / 1e6)} MB on the disk`);
});

test('npm ci warns of no package on the Node that the README asks for', async () => {
  const [, major] = /^Node (\d+) or newer and npm are enough/m.exec(read('README.md')) ?? [];
  for (const file of ['docs/install.md', 'docs/quickstart.md'])
    expect(read(file), file).toContain(`Node ${major} or newer`);
  await using folder = await temporaryFolder();
  const files = ['.npmrc', 'package.json', 'package-lock.json', 'scripts/node/package.json'];
  for (const file of files) await cp(join(ROOT, file), join(folder.path, file));
  // npm, which compares its own Node's version, takes this one for older.
  const older = join(folder.path, 'older.cjs');
  await writeFile(older, `Object.defineProperty(process, 'version', { value: 'v${major}.0.0' })`);
  const warnings = async (...flags: string[]) => {
    const npm = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--cache', join(folder.path, 'cache'), ...flags];
    const env = { PATH: process.env.PATH, NODE_OPTIONS: `--require=${older}` };
    return (await promisify(execFile)('npm', npm, { cwd: folder.path, env })).stderr;
  };
  expect(await warnings()).toBe('');
  // The check itself: packages do ask for a newer Node.
  expect(await warnings('--loglevel', 'warn')).toContain('EBADENGINE');
});

test('names of packages in the documents have the version of today', () => {
  const files = ['docs/install.md', 'docs/clients.md', 'clients/js/README.md'].map(read).join('\n');
  const names = [...files.matchAll(/platen(?:-client-|[-_])(\d+\.\d+\.\d+)/g)];
  expect(names.length).toBeGreaterThan(2);
  expect(new Set(names.map(([, named]) => named))).toEqual(new Set([version]));
});

const INSTALLING = ['README.md', 'docs/install.md', 'docs/clients.md', 'docs/edge.md', 'clients/js/README.md'];

test.each([...INSTALLING, 'clients/python/README.md'])(
  '%s says that nothing is published yet',
  // Nothing else could be installed by the name alone.
  (file) => {
    expect(read(file).replaceAll(/\s+/g, ' ')).toMatch(/(not|nothing is) \[?published/i);
    expect(read(file)).not.toMatch(/^(\/\/ )?(npm|pip) install (?!\.)/m);
  },
);

test('the packages name their repository', () => {
  for (const file of ['package.json', 'clients/js/package.json']) {
    expect(JSON.parse(read(file)), file).toMatchObject({ version, repository: { type: 'git' } });
  }
  expect(read('clients/python/pyproject.toml')).toContain(`version = "${version}"`);
});

/** Figures in the documents that are limits of the server: what a page says, and the line of the source that it is from. */
const LIMITS: readonly (readonly [page: string, says: string, file: string, line: string])[] = [
  [
    'docs/limits.md',
    "a request's body; of a batch | 4 MiB;",
    'src/http/middleware/body.ts',
    'MAX_BODY = 4 * 1024 * 1024',
  ],
  ['docs/limits.md', '; 8 MiB and 50 items', 'src/http/v1/batch.ts', 'MAX_BATCH_BODY = 8 * 1024 * 1024'],
  ['docs/limits.md', '15 MiB, 50 million px', 'src/images/limits.ts', 'MAX_IMAGE_BYTES = 15 * 1024 * 1024'],
  ['docs/limits.md', '15 MiB, 50 million px', 'src/images/limits.ts', 'MAX_IMAGE_PIXELS = 50_000_000'],
  ['docs/limits.md', 'an SVG 1 MiB', 'src/images/limits.ts', 'MAX_SVG_BYTES = 1024 * 1024'],
  ['docs/limits.md', 'one render | 128 MiB', 'src/renderer/load-resources.ts', 'MAX_TOTAL_BYTES = 128 * 1024 * 1024'],
  ['docs/limits.md', 'account | 5 MiB; 100', 'src/http/v1/fonts.ts', 'MAX_FONT = 5 * 1024 * 1024'],
  ['docs/limits.md', 'account | 5 MiB; 100', 'src/service/files/fonts.ts', 'MAX_FONTS = 100'],
  ['docs/limits.md', 'merged batch | 10,000', 'src/service/jobs/bulks.ts', 'MAX_ROWS = 10_000'],
  ['docs/limits.md', 'merged batch | 4 GiB, 1 GiB', 'src/service/jobs/bulks.ts', 'pdf: 1024 * 1024 * 1024'],
  ['docs/limits.md', 'merged batch | 4 GiB, 1 GiB', 'src/service/jobs/zip.ts', 'MAX_ZIP = 2 ** 32 - 1'],
  ['docs/webhooks.md', 'up to 10,000 items', 'src/service/jobs/bulks.ts', 'MAX_ROWS = 10_000'],
  ['docs/webhooks.md', 'A zip has at most 4 GiB', 'src/service/jobs/zip.ts', 'MAX_ZIP = 2 ** 32 - 1'],
  ['docs/webhooks.md', 'a PDF at most 1 GiB', 'src/service/jobs/bulks.ts', 'pdf: 1024 * 1024 * 1024'],
  ['docs/api.md', 'up to 10,000 items', 'src/service/jobs/bulks.ts', 'MAX_ROWS = 10_000'],
  ['docs/limits.md', '8,192 bytes of query', 'src/service/rendering/signed-url.ts', 'MAX_QUERY_LENGTH = 8_192'],
  ['docs/limits.md', '200 parameters', 'src/service/rendering/signed-url.ts', 'MAX_PARAMETERS = 200'],
  ['docs/html.md', '1,500 elements', 'src/html/parse-html.ts', 'MAX_ELEMENTS = 1_500'],
  ['docs/html.md', '60 levels', 'src/html/parse-html.ts', 'MAX_DEPTH = 60'],
  ['docs/html.md', '50,000 characters', 'src/html/compose-html.ts', 'MAX_TEXT = 50_000'],
  ['docs/html.md', 'and take 4 s', 'src/html/satori.ts', 'DEADLINE = 4_000'],
  ['docs/screenshots.md', 'at most 45 s', 'src/service/pages/screenshot-options.ts', 'MAX_TIMEOUT = 45_000'],
  ['docs/screenshots.md', '`delay` (at most 10 s)', 'src/service/pages/screenshot-options.ts', 'max(10_000)'],
  ['docs/webhooks.md', 'Any 2xx within 15 s', 'src/service/jobs/webhook-transport.ts', 'TIMEOUT = 15_000'],
  ['docs/api.md', 'at most 8,294,400 px', 'src/encoders/encode.ts', 'MOST_AVIF = 3_840 * 2_160'],
  ['docs/api.md', 'at most 64 MB of them', 'src/output/export.ts', 'MOST_EMBEDDED = 64_000_000'],
  ['docs/webhooks.md', 'running jobs get 25 s', 'src/server/listen.ts', 'DRAIN_TIME = 25_000'],
  ['docs/several-servers.md', 'up to 25 s', 'src/server/listen.ts', 'DRAIN_TIME = 25_000'],
  ['docs/edge.md', '16 million pixels, 48 MiB', 'src/edge/image-header.ts', 'MAX_EDGE_PIXELS = 16_000_000'],
  ['docs/edge.md', '48 MiB together', 'src/edge/images.ts', 'MAX_TOTAL_BYTES = 48 * 1024 * 1024'],
  ['docs/edge.md', 'at most 16 million pixels', 'src/edge/draw-list.ts', 'MAX_CANVAS_PIXELS = 16_000_000'],
  ['docs/moving.md', '16 MiB and 200 parts', 'src/http/gotenberg/routes.ts', 'bytes: 16 * 1024 * 1024, parts: 200'],
  ['docs/operating.md', 'at most 400 MB', 'src/renderer/canvas-memory.ts', 'TOTAL = 400_000_000'],
  ['docs/operating.md', 'four million px', 'src/renderer/canvas-memory.ts', 'LARGE = 4_000_000'],
  ['docs/operating.md', 'up to 15 s', 'src/renderer/canvas-memory.ts', 'PATIENCE = 15_000'],
  ['docs/studio.md', 'argon2id (19 MiB, two passes)', 'src/service/people/passwords.ts', 'MEMORY = 19_456'],
  ['docs/studio-editor.md', 'up to 50,000 rows', 'src/core/template/table-layer.ts', 'MAX_ROWS = 50_000'],
  ['docs/studio-editor.md', 'the first 500 of a list', 'src/studio/editor/scene/first-rows.ts', 'SHOWN = 500'],
  ['docs/studio-editor.md', '0.6 s after', 'src/studio/editor/state/autosave.ts', 'PAUSE = 600'],
  ['docs/studio-editor.md', '1.5 s after', 'src/studio/editor/state/autosave.ts', 'LONGEST = 1_500'],
  ['docs/fonts.md', 'at most 5 MiB', 'src/http/v1/fonts.ts', 'MAX_FONT = 5 * 1024 * 1024'],
  ['docs/api.md', 'more than 16 million px', 'src/encoders/encode.ts', 'MOST_LIBRARY_WEBP = 16_000_000'],
  ['docs/api.md', 'at most 20 and 2 KiB', 'src/service/rendering/warnings.ts', 'MAX_BYTES = 2_048'],
  ['docs/api.md', 'a string of at most 1,000 characters', 'src/service/rendering/metadata.ts', 'MAX_METADATA = 1_000'],
  ['docs/api.md', 'at most 20 strings', 'src/service/rendering/metadata.ts', 'MAX_METADATA_MEMBERS = 20'],
  ['docs/api.md', '(1,000 characters as JSON)', 'src/service/rendering/metadata.ts', 'MAX_METADATA = 1_000'],
  ['docs/configuration.md', 'to the system (150 MB)', 'bin/node-settings.mjs', '150 MB'],
  ['docs/edge.md', 'at most 50 of 15 MiB', 'src/edge/og/tree-pictures.ts', 'MAX_PICTURES = 50'],
  ['docs/edge.md', '15 MiB and 16 million pixels', 'src/images/limits.ts', 'MAX_IMAGE_BYTES = 15 * 1024 * 1024'],
  ['docs/edge.md', '48 MiB together', 'src/edge/og/tree-pictures.ts', 'MAX_TOTAL_BYTES = 48 * 1024 * 1024'],
  ['docs/edge.md', 'each within 10 s', 'src/edge/og/tree-pictures.ts', 'MAX_MS = 10_000'],
  ['docs/html.md', 'have 200,000 characters', 'src/html/tailwind/page-classes.ts', 'MAX_SHEET = 200_000'],
  ['docs/html.md', 'may have 2,000 different classes', 'src/html/tailwind/page-classes.ts', 'MAX_CLASSES = 2_000'],
  ['docs/html.md', '200 pictures', 'src/html/satori-tree.ts', 'MAX_PICTURES = 200'],
  ['docs/jobs-on-postgres.md', 'every 5 seconds', 'src/jobs/boss/open-boss.ts', 'TOUCHED_EVERY = 5_000'],
  ['docs/jobs-on-postgres.md', 'After 20 seconds without', 'src/jobs/boss/open-boss.ts', 'const HEARTBEAT = 20;'],
  ['docs/jobs-on-postgres.md', 'after 25 seconds', 'src/server/listen.ts', 'DRAIN_TIME = 25_000'],
  ['docs/jobs-on-postgres.md', '14 connections: 10 for', 'src/storage/postgres/connect.ts', 'CONNECTIONS = 10;'],
  ['docs/jobs-on-postgres.md', '3 for pg-boss', 'src/jobs/boss/open-boss.ts', 'max: 3,'],
  ['docs/limits.md', '16,384 px a side', 'src/images/limits.ts', 'MAX_IMAGE_SIDE = 16_384'],
  ['docs/limits.md', '8 MiB and 50 items', 'src/http/v1/batch.ts', 'MAX_ITEMS = 50'],
  [
    'docs/limits.md',
    'font files of one render | 128 MiB',
    'src/fonts/font-library.ts',
    'of one picture; default: 128 MiB',
  ],
  ['docs/limits.md', '10,000, and 8 MiB', 'src/http/v1/batch.ts', 'MAX_BATCH_BODY = 8 * 1024 * 1024'],
  ['docs/limits.md', '2 GiB of `free`', 'src/config/variables.ts', '"renderStorage":2048}'],
  [
    'docs/limits.md',
    '512 MiB of `free`, 10 GiB of',
    'src/config/variables.ts',
    '"storage":512,"renderStorage":2048},"pro":{"quota":5000,"blocks":false,"storage":10240}',
  ],
  [
    'docs/limits.md',
    'one account | 128 MiB each',
    'src/config/variables.ts',
    "PLATEN_BODY_MEMORY_MB: variable(\n    '256',",
  ],
  ['docs/moving.md', 'margins of 0.39 in', 'src/http/gotenberg/form-fields.ts', "MARGIN = '0.39'"],
  [
    'docs/observability.md',
    '0.005 to 30, since a cached picture takes 2 ms and a screenshot may take 45 s',
    'src/server/server-metrics.ts',
    'REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]',
  ],
  [
    'docs/observability.md',
    '0.0005, as most take less than 5 ms',
    'src/server/server-metrics.ts',
    'STAGE_BUCKETS = [0.0005,',
  ],
  [
    'docs/observability.md',
    '0.001 to 3,600, as a gate refuses after 30 s',
    'src/server/start-server.ts',
    'RENDER_DEADLINE = 30_000',
  ],
  ['docs/observability.md', 'screenshots within 5 s', 'docs/observability.md', 'le="5"'],
  ['docs/observability.md', '1 to 128 characters', 'src/observability/trace-context.ts', '{1,128}'],
  [
    'docs/operating.md',
    '100 wrong passwords in 15 minutes',
    'src/service/people/sign-in-throttle.ts',
    'MOST_PER_PROXY = 100',
  ],
  ['docs/operating.md', 'A body above 64 KiB', 'src/http/middleware/request-memory.ts', 'UNCOUNTED = 64 * 1024'],
  ['docs/operating.md', 'waits for up to 10 s', 'src/server/start-server.ts', 'MEMORY_PATIENCE = 10_000'],
  ['docs/quickstart.md', 'within 30 minutes', 'src/service/people/links.ts', 'setup: 30 * MINUTE'],
  ['docs/scaling.md', 'at most 1 GB per page', 'src/chromium/browsers.ts', 'jobMemory: 1024 ** 3'],
  ['docs/scaling.md', 'up to 25 s', 'src/server/listen.ts', 'DRAIN_TIME = 25_000'],
  ['docs/scaling.md', '(2 s)', 'src/config/variables.ts', "PLATEN_DRAIN_DELAY: variable(\n    '2',"],
  ['docs/scaling.md', 'at most 10 connections', 'src/storage/postgres/connect.ts', 'CONNECTIONS = 10;'],
  ['docs/screenshots.md', 'up to 120 million px', 'src/chromium/picture.ts', 'MAX_PIXELS = 120_000_000'],
  [
    'docs/screenshots.md',
    '16 to 2400 each',
    'src/service/pages/screenshot-options.ts',
    'width: z.int().min(16).max(2_400)',
  ],
  [
    'docs/screenshots.md',
    '(30 s, at most 45 s)',
    'src/service/pages/screenshot-options.ts',
    'DEFAULT_TIMEOUT = 30_000',
  ],
  [
    'docs/screenshots.md',
    'up to 500,000 characters',
    'src/service/pages/screenshot-options.ts',
    'html: z.string().min(1).max(500_000)',
  ],
  ['docs/screenshots.md', 'at most 200 in', 'src/core/template/page-setup.ts', 'MAX_SHEET_INCHES = 200'],
  ['docs/screenshots.md', 'each at most 1000 px', 'src/core/template/page-setup.ts', 'Margin = lengthUpTo(1_000)'],
  ['docs/screenshots.md', '100 MiB in 500 requests', 'src/net/proxy.ts', 'bytes: 100 * 1024 * 1024, requests: 500'],
  ['docs/screenshots.md', '1 GB of memory', 'src/chromium/browsers.ts', 'jobMemory: 1024 ** 3'],
  ['docs/limits.md', '2 GiB of `free`, any amount', 'src/config/variables.ts', '"renderStorage":2048}'],
  ['docs/modifications.md', 'at most 2,000 entries', 'src/core/template/repeat.ts', 'MAX_ENTRIES = 2_000'],
  [
    'docs/modifications.md',
    '2 million characters',
    'src/core/resolve/apply-modifications.ts',
    'MAX_REPEATED = 2_000_000',
  ],
  ['docs/studio-editor.md', '720 px', 'src/studio/editor/editor.tsx', 'LEAST_WIDTH = 720'],
  ['docs/studio-editor.md', 'at most 1.5 of 255', 'test/studio/editor/parity.heavy.ts', 'MOST_MEAN = 1.5'],
  [
    'docs/studio-editor.md',
    '48 in at most 0.1 %',
    'test/studio/editor/parity.heavy.ts',
    'sample: 0.001, fixture: 0.004',
  ],
  ['docs/studio-editor.md', 'within 0.4 %', 'test/studio/editor/parity.heavy.ts', 'sample: 0.001, fixture: 0.004'],
  ['docs/studio.md', 'within 30 minutes', 'src/service/people/links.ts', 'setup: 30 * MINUTE'],
  ['docs/studio.md', '12 characters or more', 'src/service/people/passwords.ts', 'MIN_PASSWORD = 12'],
  ['docs/studio.md', 'ten in 15 minutes', 'src/service/people/sign-in-throttle.ts', 'WINDOW = 15 * 60 * 1000'],
  ['docs/studio.md', 'rest of the 15 minutes', 'src/service/people/sign-in-throttle.ts', 'WINDOW = 15 * 60 * 1000'],
  ['docs/studio.md', 'within 180 days', 'src/service/people/known-browsers.ts', 'BROWSER_LASTS = 180 * 24'],
  ['docs/studio.md', 'A session lasts 30 days', 'src/service/people/sessions.ts', 'SESSION_LASTS = 30 * 24'],
  ['docs/one-design.md', 'at most 100 in one request', 'src/service/rendering/choices.ts', 'MAX_FILES = 100'],
  ['docs/one-design.md', 'further canvases, at most 20', 'src/core/template/size.ts', 'MAX_SIZES = 20'],
  ['docs/editor-module.md', 'a width of 720 px', 'src/studio/editor/editor.tsx', 'LEAST_WIDTH = 720'],
  ['docs/editor-module.md', 'at most 16 MiB', 'src/studio/module/page-fonts.ts', 'MAX_FONT_BYTES = 16 * 1024 * 1024'],
  ['docs/editor-module.md', 'at most 15 MiB', 'src/images/limits.ts', 'MAX_IMAGE_BYTES = 15 * 1024 * 1024'],
  ['docs/editor-module.md', 'at most 16 million pixels', 'src/edge/draw-list.ts', 'MAX_CANVAS_PIXELS = 16_000_000'],
  ['docs/embedding.md', 'at most 200 characters', 'src/service/accounts/editor-tokens.ts', 'MAX_USER = 200'],
  ['docs/one-design.md', 'up to 4 deep', 'src/core/design/nested-template.ts', 'MAX_NESTED = 4'],
  ['docs/one-design.md', 'at most 100 of its own', 'src/core/design/components.ts', 'MAX_COMPONENTS = 100'],
  ['docs/templates.md', '16,384 a side and 52 million px', 'src/core/template/size.ts', 'MAX_PIXELS = 52_000_000'],
  ['docs/templates.md', 'more than 1 px, or 2 %', 'src/core/paint/ink-outside.ts', 'SLACK = { px: 1, ofSize: 0.02 }'],
  ['docs/templates.md', '32,768 characters', 'src/service/rendering/render-request-record.ts', 'MAX_KEPT = 32 * 1024'],
  ['docs/documents.md', '5,000 pages', 'src/core/pages/paginate.ts', 'MAX_PAGES = 5_000'],
  ['docs/documents.md', '4 MB', 'src/http/middleware/body.ts', 'MAX_BODY = 4 * 1024 * 1024'],
  ['docs/documents.md', '20 series and 2,000 values', 'src/core/template/chart-layer.ts', 'MAX_VALUES = 2_000'],
  ['docs/documents.md', '50,000 rows and 300,000 cells', 'src/core/template/table-layer.ts', 'MAX_CELLS = 300_000'],
  ['docs/templates.md', '2,000 layers', 'src/core/template/template.ts', 'MAX_LAYERS = 2_000'],
  ['docs/templates.md', '12 levels', 'src/core/template/template.ts', 'MAX_DEPTH = 12'],
  ['docs/templates.md', '10,000 JSON values', 'src/http/middleware/body.ts', 'MAX_VALUES = 10_000'],
  ['docs/templates.md', '400,000 values more', 'src/http/middleware/body.ts', 'MAX_LISTED = 400_000'],
  ['docs/templates.md', '200,000 characters', 'src/core/resolve/check.ts', 'MAX_TEXT_IN_ALL = 200_000'],
  ['docs/templates.md', '(100,000 in a layer)', 'src/core/template/text-layer.ts', 'MAX_TEXT_LENGTH = 100_000'],
  [
    'docs/templates.md',
    '60,000 characters of path data',
    'src/core/template/template.ts',
    'MAX_PATH_DATA_IN_ALL = 60_000',
  ],
  ['docs/templates.md', 'codes of 20,000 characters', 'src/core/resolve/check.ts', 'MAX_CODE_CHARACTERS = 20_000'],
  ['docs/webhooks.md', '30 days after its end', 'src/service/files/assets.ts', 'JOB_KEPT = 30 * 24'],
  ['docs/webhooks.md', 'begins again within 31 s', 'src/jobs/embedded-queue.ts', 'LEASE = 30_000'],
  ['docs/webhooks.md', '±10 %', 'src/service/jobs/webhook-schedule.ts', 'JITTER = 0.1'],
  [
    'docs/webhooks.md',
    'up to 200 attempts, of which at most 50',
    'src/jobs/webhook-queue.ts',
    'concurrency: 200, perAccount: 50, perHost: 5',
  ],
  ['docs/webhooks.md', 'up to 255 characters', 'src/http/v1/idempotency.ts', '{1,255}'],
  ['docs/webhooks.md', 'within 24 hours', 'src/service/idempotency.ts', 'KEPT_FOR = 24 * 60 * 60 * 1000'],
  ['docs/webhooks.md', 'up to 50 renders', 'src/http/v1/batch.ts', 'MAX_ITEMS = 50'],
  ['docs/webhooks.md', 'the first 2 s', 'src/config/variables.ts', "PLATEN_DRAIN_DELAY: variable(\n    '2',"],
  ['docs/webhooks.md', 'within 250 ms', 'src/main.ts', 'SAME_STOP = 250'],
];

/** Figures that were measured, or that another test checks: with the program that measures or checks them. */
const MEASURED: readonly (readonly [page: string, says: string, by: string])[] = [
  ['docs/one-design.md', '72 files in 2 seconds', 'test/heavy/campaign.heavy.ts'],
  ['docs/one-design.md', 'take 3 seconds, and as many signed URLs 4 seconds', 'test/heavy/campaign.heavy.ts'],
  ['README.md', 'Milliseconds', 'bench/main.ts'],
  ['docs/configuration.md', 'saves 35 MB', 'bench/main.ts'],
  ['docs/documents.md', '794 × 1123 px is A4', 'test/docs/figures.test.ts'],
  ['docs/editor-module.md', 'document is 471 KB (gzip)', 'test/studio/module.heavy.ts'],
  ['docs/editor-module.md', 'and 529 KB with', 'test/studio/module.heavy.ts'],
  ['docs/edge.md', 'some 1.1 MB (gzip', 'test/heavy/edge.heavy.ts'],
  ['docs/edge.md', 'some 320 templates', 'test/heavy/edge.heavy.ts'],
  ['docs/edge.md', 'bundle is 2.5 MB (gzip)', 'test/heavy/edge.heavy.ts'],
  ['docs/edge.md', 'an isolate has 128 MB', 'test/heavy/edge.heavy.ts'],
  ['docs/fonts.md', 'take 107 MB on the disk', 'test/docs/figures.test.ts'],
  ['docs/fonts.md', '200 MB on the disk and 114 MB to fetch', 'test/docs/figures.test.ts'],
  ['docs/html.md', 'Of the 525 pages', 'scripts/satori-suite/main.ts'],
  ['docs/html.md', 'Of 249 static examples', 'test/html/tailwind/examples.heavy.ts'],
  ['docs/install.md', 'no install scripts | 145 MB', 'test/heavy/package.heavy.ts'],
  ['docs/install.md', 'it includes Node | 64 MB, unpacked 266 MB', 'test/heavy/release.heavy.ts'],
  ['docs/install.md', 'with systemd | 73 MB', 'test/heavy/release.heavy.ts'],
  ['docs/install.md', '112 MB compressed; 350 MB with Chromium', 'test/heavy/release.heavy.ts'],
  ['docs/install.md', '0.9 GB, with all fonts', 'test/heavy/package.heavy.ts'],
  ['docs/install.md', '114 MB to fetch, 200 MB on the disk', 'test/docs/figures.test.ts'],
  ['docs/install.md', '| 97 MB | 17.3 s | 1.7 s |', 'scripts/time-installs.ts'],
  ['docs/install.md', '| 64 MB | 3.8 s | 2.7 s |', 'scripts/time-installs.ts'],
  ['docs/install.md', '| 112 MB | 7.4 s | 0.8 s |', 'scripts/time-installs.ts'],
  ['docs/jobs-on-postgres.md', 'within 31 seconds', 'test/heavy/jobs-survive-kills.heavy.ts'],
  [
    'docs/object-storage.md',
    'within 10 s when the store refuses connections, and within some 25 s',
    'test/http/assets-on-s3.heavy.ts',
  ],
  ['docs/scaling.md', '20 requests a second', 'test/heavy/rolling-upgrade.heavy.ts'],
  ['docs/scaling.md', '11,906 requests', 'test/heavy/rolling-upgrade.heavy.ts'],
  ['docs/studio-overview.md', '34 starters', 'test/docs/figures.test.ts'],
  ['docs/studio-overview.md', 'some 410 templates', 'test/studio/editor/parity.heavy.ts'],
  ['docs/webhooks.md', '5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', 'test/docs/figures.test.ts'],
];

/** Sections whose figures all come from one program, from their heading to the next of its level. */
const MEASURED_SECTIONS: readonly (readonly [page: string, heading: string, by: string])[] = [
  ['docs/benchmarks.md', '# Benchmarks', 'bench/main.ts'],
  ['docs/scaling.md', '## What one server more brings', 'bench/nodes.ts'],
  ['docs/scaling.md', '## To 10,000 renders a second', 'bench/nodes.ts'],
];

/** A number with its unit, or with what it counts. */
const FIGURE =
  /(?<![\w.@/-])\d[\d,]*(?:\.\d+)?(?: to \d[\d,]*(?:\.\d+)?)? ?(?:[KMGT]i?B|ms|s|min|h|px|in|%|million \w+|billion|seconds?|minutes?|hours?|days?|items?|characters|bytes|elements|levels|pictures|layers|families|pages|templates|starters|rows|requests|connections|cores|times|attempts|images|fonts|renders|values|modules|parameters|parts|strings|servers)(?!\w)/g;

/** Keys on the keyboard, and words that only look like figures. */
const NO_FIGURES = /by 1 px|by 10 px|At 100 %/g;

/** The page as one line, without code, generated blocks and sections that were measured. */
function proseOf(page: string): string {
  let text = read(page)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g, '');
  for (const [of, heading] of MEASURED_SECTIONS.filter(([each]) => each === page)) {
    expect(text, of).toContain(`${heading}\n`);
    const from = text.indexOf(`${heading}\n`);
    const level = heading.split(' ')[0] ?? '';
    const next = text.slice(from + heading.length).search(new RegExp(`^${level} `, 'm'));
    text = text.slice(0, from) + (next < 0 ? '' : text.slice(from + heading.length + next));
  }
  return text.replaceAll(/\s+/g, ' ');
}

test.each(['README.md', ...globSync('docs/*.md', { cwd: ROOT }).sort()])(
  'each figure in %s is generated, tested or measured by a program',
  (page) => {
    const prose = proseOf(page).replaceAll(NO_FIGURES, '');
    const isKnown = Array.from(prose, () => false);
    for (const [, says] of [...LIMITS, ...MEASURED].filter(([each]) => each === page)) {
      for (let at = prose.indexOf(says); at >= 0; at = prose.indexOf(says, at + 1))
        isKnown.fill(true, at, at + says.length);
    }
    const blanked = prose.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length));
    const unknown = [...blanked.matchAll(FIGURE)].filter(({ index }) => !isKnown[index]);
    expect(
      unknown.map(({ index, 0: figure }) => `${figure}: …${prose.slice(Math.max(0, index - 40), index + 40)}…`),
    ).toEqual([]);
  },
);

test('what measures a figure is there, and the page still says it', () => {
  for (const [page, says] of MEASURED) expect(onOneLine(page).includes(says), `${page}: ${says}`).toBe(true);
  const programs = [...MEASURED, ...MEASURED_SECTIONS].map(([, , by]) => by);
  expect(programs.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('the size of A4 in px', () => {
  const px = [210, 297].map((mm) => Math.round((mm / 25.4) * 96));
  expect(read('docs/documents.md')).toContain(`a canvas of ${px.join(' × ')} px is A4`);
});

test('how many starters there are', () => {
  const { starters } = JSON.parse(read('starters/index.json'));
  expect(read('docs/studio-overview.md')).toContain(`${starters.length} starters`);
});

test.each(LIMITS)('%s: "%s" is as in %s', (page, says, file, line) => {
  expect([onOneLine(page).includes(says), read(file).includes(line)]).toEqual([true, true]);
});

test('the delays of webhooks are those of the schedule', () => {
  const delays = [...read('src/service/jobs/webhook-schedule.ts').matchAll(/^ {2}(\d+) \* (SECOND|MINUTE|HOUR),$/gm)];
  const units: Readonly<Record<string, string>> = { SECOND: 's', MINUTE: 'min', HOUR: 'h' };
  const words = delays.map(([, count, unit = '']) => `${count} ${units[unit]}`);
  const said = `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
  expect(read('docs/webhooks.md').replace(/\s+/g, ' ')).toContain(said);
});

/** The cells of a page's rows that begin with this text, in any case and with or without hyphens. */
function rowOf(file: string, name: string): readonly string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll('-', ' ');
  const row = read(file)
    .split('\n')
    .find((line) => plain(line).startsWith(`| ${plain(name)} `));
  return row?.split('|').map((cell) => cell.trim()) ?? [];
}

test.each(['photo card, png', 'photo card, webp', 'simple card, jpeg', 'dense card, png', 'dense card, pdf'])(
  'the README repeats the benchmark of %s',
  (name) => {
    const rounded = (cell = '') => cell.replace(/\((\d+\.\d+)×\)/, (_, times) => `(${Number(times).toFixed(1)}×)`);
    const [, , ours, satori, takumi, chromium] = rowOf('docs/benchmarks.md', name);
    expect(rowOf('README.md', name).slice(2, 6)).toEqual([ours, satori, takumi, chromium].map(rounded));
  },
);

test('how many times as long a peer takes follows from the milliseconds', () => {
  for (const line of read('docs/benchmarks.md').split('\n')) {
    const [, ours] = /^\| [\w-]+, \w+ \| ([\d.]+) \|/.exec(line) ?? [];
    if (ours === undefined) continue;
    for (const [, ms, times] of line.matchAll(/([\d.]+) \(([\d.]+)×\)/g)) {
      // Both were rounded after they were divided.
      expect(Math.abs(Number(ms) / Number(ours) - Number(times)), line).toBeLessThan(0.02 * Number(times));
    }
  }
});
