// Writes the figures of the documents that are limits of the program, from the constants that are these limits.
//
// A row is a phrase of a page with `{expression}` in place of each number, and the files whose top-level constants the
// expression is over; `name=FILE.json` is a parsed file. A phrase that its page has no longer, or a constant that is gone,
// is an error: who changes a sentence changes its row.

import { readFileSync } from 'node:fs';
import { type Context, createContext, runInContext } from 'node:vm';
import { VARIABLES } from '../../src/server/config/variables.ts';

const FIGURES: Readonly<Record<string, readonly (readonly [phrase: string, ...files: string[]])[]>> = {
  'ARCHITECTURE.md': [
    [
      '{SENDING.concurrency} at once, {SENDING.perAccount} of one account, {SENDING.perHost} to one host',
      'src/server/jobs/engine.ts',
    ],
    [
      '{count(frames)} recorded frames and {count(tables)} tables',
      'frames=test/core/layout/chromium/recorded.json',
      'tables=test/core/layout/table/recorded.json',
    ],
    ['{count(divisions)} recorded divisions', 'divisions=test/core/pages/chromium/recorded.json'],
    ['canvases {s(PATIENCE)} s', 'src/draw/renderer/canvas-memory.ts'],
  ],
  'docs/api.md': [
    ['up to {MAX_BATCH_ROWS} items', 'src/server/service/jobs/batches.ts'],
    ['at most {MOST_AVIF} px', 'src/draw/encoders/encode.ts'],
    ['at most {MB(MOST_EMBEDDED)} MB of them', 'src/draw/output/export.ts'],
    ['more than {million(MOST_LIBRARY_WEBP)} million px', 'src/draw/encoders/encode.ts'],
    ['at most 20 and {KiB(MAX_BYTES)} KiB', 'src/server/service/rendering/warnings.ts'],
    ['a string of at most {MAX_METADATA} characters', 'src/server/service/rendering/metadata.ts'],
    ['at most {MAX_METADATA_MEMBERS} strings', 'src/server/service/rendering/metadata.ts'],
    ['({MAX_METADATA} characters as JSON)', 'src/server/service/rendering/metadata.ts'],
  ],
  'docs/documents.md': [
    ['{MAX_PAGES} pages', 'src/core/pages/paginate.ts'],
    ['{MAX_SERIES} series and {MAX_VALUES} values', 'src/core/template/chart-layer.ts'],
    ['{MAX_ROWS} rows and {MAX_CELLS} cells', 'src/core/template/table-layer.ts'],
  ],
  'docs/edge.md': [
    ['{MiB(MAX_TOTAL_BYTES)} MiB together', 'src/edge/images.ts'],
    ['at most {million(MAX_CANVAS_PIXELS)} million pixels', 'src/edge/draw-list.ts'],
    ['at most {MAX_PICTURES} of 15 MiB', 'src/edge/og/tree-pictures.ts'],
    ['{MiB(MAX_IMAGE_BYTES)} MiB and 16 million pixels', 'src/draw/images/limits.ts'],
    ['{MiB(MAX_TOTAL_BYTES)} MiB together', 'src/edge/og/tree-pictures.ts'],
    ['each within {s(MAX_MS)} s', 'src/edge/og/tree-pictures.ts'],
    [
      '{million(MAX_EDGE_PIXELS)} million pixels, {MiB(MAX_TOTAL_BYTES)} MiB',
      'src/edge/image-header.ts',
      'src/edge/images.ts',
    ],
  ],
  'docs/editor-module.md': [
    ['OTF, WOFF or WOFF2, at most {MiB(MAX_FONT_BYTES)} MiB', 'src/studio/module/page-fonts.ts'],
    ['of a source, at most {MiB(MAX_IMAGE_BYTES)} MiB', 'src/draw/images/limits.ts'],
    ['at most {million(MAX_CANVAS_PIXELS)} million pixels', 'src/edge/draw-list.ts'],
    ['a width of {LEAST_WIDTH} px', 'src/studio/editor/editor.tsx'],
  ],
  'docs/embedding.md': [['at most {MAX_USER} characters', 'src/server/service/accounts/editor-tokens.ts']],
  'docs/fonts.md': [['at most {MiB(MAX_FONT)} MiB', 'src/server/http/v1/fonts.ts']],
  'docs/html.md': [
    ['{SATORI_LIMITS.elements} elements', 'src/draw/html/subset.ts'],
    ['{SATORI_LIMITS.depth} levels', 'src/draw/html/subset.ts'],
    ['levels, {MAX_TEXT} characters and', 'src/draw/html/compose-html.ts'],
    ['and take {s(DEADLINE)} s', 'src/draw/html/satori.ts'],
    ['have {MAX_SHEET} characters', 'src/draw/html/tailwind/page-classes.ts'],
    ['may have {MAX_CLASSES} different classes', 'src/draw/html/tailwind/page-classes.ts'],
    ['{MAX_PICTURES} pictures', 'src/draw/html/satori-tree.ts'],
  ],
  'docs/limits.md': [
    ["a request's body; of a batch | {MiB(MAX_BODY)} MiB;", 'src/server/http/middleware/body.ts'],
    ['an SVG {MiB(MAX_SVG_BYTES)} MiB', 'src/draw/images/limits.ts'],
    ['one render | {MiB(MAX_TOTAL_BYTES)} MiB', 'src/draw/renderer/load-resources.ts'],
    ['{MAX_QUERY_LENGTH} bytes of query', 'src/server/service/rendering/signed-url.ts'],
    ['{MAX_PARAMETERS} parameters', 'src/server/service/rendering/signed-url.ts'],
    ['{MAX_IMAGE_SIDE} px a side', 'src/draw/images/limits.ts'],
    ['{MiB(MAX_IMAGE_BYTES)} MiB, {million(MAX_IMAGE_PIXELS)} million px', 'src/draw/images/limits.ts'],
    ['account | {MiB(MAX_FONT)} MiB; {MAX_FONTS}', 'src/server/http/v1/fonts.ts', 'src/server/service/files/fonts.ts'],
    [
      'merged batch | {GiB(MAX_ZIP)} GiB, {GiB(MOST.pdf)} GiB',
      'src/server/service/jobs/zip.ts',
      'src/server/service/jobs/batches.ts',
    ],
    ['{MiB(MAX_BATCH_BODY)} MiB and {MAX_ITEMS} items', 'src/server/http/v1/instant-batch.ts'],
    [
      'merged batch | {MAX_BATCH_ROWS}, and {MiB(MAX_BATCH_BODY)} MiB',
      'src/server/service/jobs/batches.ts',
      'src/server/http/v1/instant-batch.ts',
    ],
    ['{GiB(plans.free.renderStorage * 2 ** 20)} GiB of `free`, any amount'],
    ['{plans.free.storage} MiB of `free`, {GiB(plans.pro.storage * 2 ** 20)} GiB of'],
    ['one account | {Number(defaults.PLATEN_BODY_MEMORY_MB) / 2} MiB each'],
  ],
  'docs/modifications.md': [
    ['at most {MAX_ENTRIES} entries', 'src/core/template/repeat.ts'],
    ['{million(MAX_REPEATED)} million characters', 'src/core/resolve/apply-modifications.ts'],
  ],
  'docs/moving.md': [
    ['{MiB(LIMITS.bytes)} MiB and {LIMITS.parts} parts', 'src/server/http/gotenberg/routes.ts'],
    ['margins of {Number(MARGIN)} in', 'src/server/http/gotenberg/form-fields.ts'],
  ],
  'docs/observability.md': [
    ['{REQUEST_BUCKETS[0]} to {REQUEST_BUCKETS.at(-1)}, since', 'src/server/server-metrics.ts'],
    ['{STAGE_BUCKETS[0]}, as most', 'src/server/server-metrics.ts'],
    [
      '{WAIT_BUCKETS[0]} to {WAIT_BUCKETS.at(-1)}, as a gate refuses after {s(RENDER_DEADLINE)} s',
      'src/server/server-metrics.ts',
      'src/server/start-server.ts',
    ],
  ],
  'docs/one-design.md': [
    ['at most {MAX_FILES} in one request', 'src/server/service/rendering/choices.ts'],
    ['further canvases, at most {MAX_SIZES}', 'src/core/template/size.ts'],
    ['up to {MAX_NESTED} deep', 'src/design/design.ts'],
    ['at most {MAX_COMPONENTS} of its own', 'src/design/components.ts'],
  ],
  'docs/operating.md': [
    ['the first {Number(defaults.PLATEN_DRAIN_DELAY)} s'],
    ['less than {SAME_STOP} ms apart', 'src/main.ts'],
    ['running jobs get {s(DRAIN_TIME)} s', 'src/server/listen.ts'],
    ['at most {MB(TOTAL)} MB', 'src/draw/renderer/canvas-memory.ts'],
    ['up to {s(PATIENCE)} s, accounts in turn', 'src/draw/renderer/canvas-memory.ts'],
    ['A body above {KiB(UNCOUNTED)} KiB', 'src/server/http/middleware/request-memory.ts'],
    ['waits for up to {s(MEMORY_PATIENCE)} s', 'src/server/start-server.ts'],
    ['{MOST_SHARED} wrong passwords in {min(WINDOW)} minutes', 'src/server/service/people/sign-in-throttle.ts'],
  ],
  'docs/quickstart.md': [['within {min(LASTS.setup)} minutes', 'src/server/service/people/links.ts']],
  'docs/screenshots.md': [
    ['up to {million(MAX_PIXELS)} million px', 'src/server/chromium/picture.ts'],
    ['at most {MAX_SHEET_INCHES} in', 'src/core/template/page-setup.ts'],
    ['{GB(DEFAULT_LIMITS.jobMemory)} GB of memory', 'src/server/chromium/browsers.ts'],
    ['{MiB(DEFAULT_BUDGET.bytes)} MiB in {DEFAULT_BUDGET.requests} requests', 'src/server/net/proxy.ts'],
    ['({s(DEFAULT_TIMEOUT)} s, at most {s(MAX_TIMEOUT)} s)', 'src/server/service/pages/screenshot-options.ts'],
  ],
  'docs/several-servers.md': [
    ['every {s(TOUCHED_EVERY)} seconds', 'src/server/jobs/boss/open-boss.ts'],
    ['After {HEARTBEAT} seconds without', 'src/server/jobs/boss/open-boss.ts'],
    ['14 connections: {CONNECTIONS} for', 'src/server/storage/postgres/connect.ts'],
    ['{BOSS_OPTIONS.max} for pg-boss', 'src/server/jobs/boss/open-boss.ts'],
    ['up to {s(DRAIN_TIME)} s', 'src/server/listen.ts'],
    ['({Number(defaults.PLATEN_DRAIN_DELAY)} s)'],
    ['at most {GB(DEFAULT_LIMITS.jobMemory)} GB per page', 'src/server/chromium/browsers.ts'],
  ],
  'docs/studio-editor.md': [
    ['up to {MAX_ROWS} rows', 'src/core/template/table-layer.ts'],
    ['the first {SHOWN} of a list', 'src/studio/editor/core/scene/compositor.ts'],
    ['{s(PAUSE)} s after you', 'src/studio/editor/core/state/autosave.ts'],
    ['latest {s(LONGEST)} s after', 'src/studio/editor/core/state/autosave.ts'],
    ['at most {MOST_MEAN} of 255', 'test/studio/editor/parity.heavy.ts'],
  ],
  'docs/studio.md': [
    ['{MIN_PASSWORD} characters or more', 'src/server/service/people/passwords.ts'],
    ['ten in {min(WINDOW)} minutes', 'src/server/service/people/sign-in-throttle.ts'],
    ['rest of the {min(WINDOW)} minutes', 'src/server/service/people/sign-in-throttle.ts'],
    ['within {days(BROWSER_LASTS)} days', 'src/server/service/people/known-browsers.ts'],
    ['A session lasts {days(SESSION_LASTS)} days', 'src/server/service/people/sessions.ts'],
    ['argon2id ({MEMORY / 1024} MiB, two passes)', 'src/server/service/people/passwords.ts'],
    ['within {min(LASTS.setup)} minutes', 'src/server/service/people/links.ts'],
  ],
  'docs/templates.md': [
    ['16,384 a side and {million(MAX_PIXELS)} million px', 'src/core/template/size.ts'],
    ['are longer than {MAX_KEPT} characters', 'src/server/service/rendering/render-request-record.ts'],
    ['{MAX_LAYERS} layers', 'src/core/template/template.ts'],
    ['{MAX_DEPTH} levels', 'src/core/template/template.ts'],
    ['{MAX_VALUES} JSON values', 'src/server/http/middleware/body.ts'],
    ['{MAX_LISTED} values more', 'src/server/http/middleware/body.ts'],
    ['{MAX_TEXT_IN_ALL} characters of text', 'src/core/resolve/resolve-any.ts'],
    ['({MAX_TEXT_LENGTH} in a layer)', 'src/core/template/text-layer.ts'],
    ['{MAX_PATH_DATA_IN_ALL} characters of path data', 'src/core/template/template.ts'],
    ['codes of {MAX_CODE_CHARACTERS} characters', 'src/core/resolve/resolve-any.ts'],
    ['more than {SLACK.px} px, or {percent(SLACK.ofSize)} %', 'src/core/paint/ink-outside.ts'],
  ],
  'docs/webhooks.md': [
    ['up to {MAX_BATCH_ROWS} items', 'src/server/service/jobs/batches.ts'],
    ['A zip has at most {GiB(MAX_ZIP)} GiB', 'src/server/service/jobs/zip.ts'],
    ['Any 2xx within {s(TIMEOUT)} s', 'src/server/service/jobs/webhook-transport.ts'],
    ['{days(JOB_KEPT)} days after its end', 'src/server/service/files/assets.ts'],
    ['±{percent(JITTER)} %', 'src/server/service/jobs/webhooks.ts'],
    ['within {h(KEPT_FOR)} hours', 'src/server/service/idempotency.ts'],
    ['up to {MAX_ITEMS} renders', 'src/server/http/v1/instant-batch.ts'],
    ['a PDF at most {GiB(MOST.pdf)} GiB', 'src/server/service/jobs/zip.ts', 'src/server/service/jobs/batches.ts'],
    ['up to {SENDING.concurrency} attempts, of which at most {SENDING.perAccount}', 'src/server/jobs/engine.ts'],
    ['begins again within {s(LEASE) + 1} s', 'src/server/jobs/embedded-engine.ts'],
  ],
};

export const PAGES_WITH_FIGURES = Object.keys(FIGURES);

/** Numbers in the units of a phrase; milliseconds become seconds and more. */
const UNITS = {
  KiB: (bytes: number) => bytes / 1024,
  MiB: (bytes: number) => bytes / 1024 ** 2,
  // A limit of 32 bits is one less.
  GiB: (bytes: number) => Math.ceil(bytes / 1024 ** 2) / 1024,
  MB: (bytes: number) => bytes / 1e6,
  GB: (bytes: number) => Math.floor(bytes / 1e9),
  s: (ms: number) => ms / 1000,
  min: (ms: number) => ms / 60_000,
  h: (ms: number) => ms / 3_600_000,
  days: (ms: number) => ms / 86_400_000,
  million: (value: number) => value / 1e6,
  percent: (share: number) => share * 100,
  count: (values: object) => Object.keys(values).length,
  defaults: Object.fromEntries(Object.entries(VARIABLES).map(([name, { fallback }]) => [name, fallback])),
  plans: JSON.parse(VARIABLES.PLATEN_PLANS.fallback ?? '{}'),
};

const CONSTANT = /^(?:export )?const (\w+)(?::[^=]*)? =\s+([\s\S]*?);$/gm;

/** What follows a value in TypeScript alone. */
const TYPE = / (?:as|satisfies) [\s\S]*/;

/** The constants at the top of some files that can be computed from numbers, texts and each other. */
function constantsOf(files: readonly string[]): Context {
  const context = createContext({ ...UNITS });
  for (const file of files) {
    const [name, json] = file.split('=');
    if (json !== undefined) {
      context[name ?? ''] = JSON.parse(readFileSync(json, 'utf8'));
      continue;
    }
    for (const [, constant = '', value] of readFileSync(file, 'utf8').matchAll(CONSTANT)) {
      try {
        context[constant] = runInContext(`(${value?.replace(TYPE, '')})`, context);
      } catch {
        // A schema, a function, or what depends on another file.
      }
    }
  }
  return context;
}

const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?';
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+');

/**
 * The text of a page with each figure as the program has it.
 *
 * @throws Error naming the page and the phrase, if one is not there or a constant is not
 */
export function withFigures(page: string, text: string): string {
  let written = text;
  for (const [phrase, ...files] of FIGURES[page] ?? []) {
    const constants = constantsOf(files);
    const parts = phrase.split(/\{(.*?)\}/);
    const numbers = parts.filter((_, i) => i % 2 === 1).map((expression) => numberOf(expression, constants, phrase));
    const pattern = parts.map((part, i) => (i % 2 === 1 ? NUMBER : `(${escaped(part)})`)).join('');
    const isThere = new RegExp(pattern, 'g');
    const found = new Set((written.match(isThere) ?? []).map((each) => each.replaceAll(/\s+/g, ' ')));
    if (found.size !== 1) {
      const places = found.size === 0 ? 'nowhere' : `in several ways: ${[...found].join('; ')}`;
      throw new Error(`${page} has ${JSON.stringify(phrase)} ${places}.`);
    }
    written = written.replaceAll(isThere, (_, ...texts: string[]) =>
      [...numbers, ''].map((number, i) => `${texts[i]}${number}`).join(''),
    );
  }
  return written;
}

function numberOf(expression: string, constants: Context, phrase: string): string {
  let value: unknown;
  try {
    value = runInContext(expression, constants);
  } catch (cause) {
    throw new Error(`The figure ${JSON.stringify(phrase)} is of no constant that can be computed.`, { cause });
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${phrase}: {${expression}} is no number.`);
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
