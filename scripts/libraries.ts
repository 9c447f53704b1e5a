// Every library that the product imports: what it is for, and its one door, the only file or folder that may import it.
// A test compares the doors with the imports, and CONTRIBUTING.md has the table (`npm run docs`).

export interface LibraryUse {
  /** The only file or folder that may import it; two where one decodes and another encodes, or a browser has its own. */
  readonly door: string | readonly string[];
  readonly purpose: string;
}

/** Those that were chosen from the first, in that order; what is said is also what they are not used for. */
const CHOSEN: Readonly<Record<string, LibraryUse>> = {
  satori: {
    door: ['src/draw/html/satori-worker.ts', 'src/edge/og/satori.ts'],
    purpose: 'lays out html without a browser; letters and pictures in it are ours',
  },
  '@resvg/resvg-js': {
    door: 'src/draw/images/simplify-svg.ts',
    purpose: 'simplifies SVG pictures (usvg), which our painter then draws; it paints nothing',
  },
  sharp: {
    door: ['src/draw/images/', 'src/draw/encoders/'],
    purpose: 'decodes and scales photos; encodes JPEG and AVIF, and whatever `compression: "small"` asks for',
  },
  'opentype.js': {
    door: 'src/draw/fonts/',
    purpose: 'reads names, styles and axes of font files; it shapes nothing, as it fails on fonts that we ship',
  },
  'yoga-layout': {
    door: ['src/core/layout/yoga-tree.ts', 'src/draw/renderer/thread-entry.ts'],
    purpose: 'lays out flex frames; grids, texts and what it does not know (wrapping with baselines, %) are ours',
  },
  koa: { door: 'src/server/http/', purpose: 'serves HTTP' },
  '@koa/router': { door: 'src/server/http/', purpose: 'finds the route of a request in our tables' },
  zod: { door: 'src/', purpose: 'schemas of templates and requests, from which the contract is written' },
  knex: { door: 'src/server/storage/', purpose: 'SQL for SQLite and PostgreSQL, with clients of our own' },
  'p-queue': {
    door: 'src/server/jobs/fetch-loop.ts',
    purpose: 'performs the entries that a queue has fetched; nothing else waits in it',
  },
  'puppeteer-core': { door: 'src/server/chromium/', purpose: 'puppeteer without its download: drives Chromium' },
};

const OTHERS: Readonly<Record<string, LibraryUse>> = {
  '@codemirror/autocomplete': { door: 'src/studio/editor/', purpose: 'completes names in the code editor' },
  '@codemirror/commands': { door: 'src/studio/editor/', purpose: 'the code editor’s keys' },
  '@codemirror/lang-html': { door: 'src/studio/editor/', purpose: 'html in the code editor' },
  '@codemirror/lang-json': { door: 'src/studio/editor/', purpose: 'JSON in the code editor' },
  '@codemirror/language': { door: 'src/studio/editor/', purpose: 'the code editor’s syntax' },
  '@codemirror/lint': { door: 'src/studio/editor/', purpose: 'problems beside their lines' },
  '@codemirror/search': { door: 'src/studio/editor/', purpose: 'search in the code editor' },
  '@codemirror/state': { door: 'src/studio/editor/', purpose: 'the code editor’s document' },
  '@codemirror/view': { door: 'src/studio/editor/', purpose: 'the code editor' },
  '@fastify/busboy': { door: 'src/server/http/middleware/upload.ts', purpose: 'parses uploads of forms' },
  '@jsquash/jpeg': {
    door: ['src/edge/decode-picture.ts', 'src/edge/encode-picture.ts'],
    purpose: 'decodes and encodes JPEG at the edge',
  },
  '@jsquash/png': { door: 'src/edge/decode-picture.ts', purpose: 'decodes PNG at the edge' },
  '@jsquash/webp': { door: 'src/edge/decode-picture.ts', purpose: 'decodes WebP at the edge' },
  '@lezer/highlight': { door: 'src/studio/editor/', purpose: 'colours of the code editor' },
  '@modelcontextprotocol/server': { door: 'src/server/mcp/', purpose: 'tools for assistants' },
  '@opentelemetry/api': {
    door: 'src/server/observability/open-telemetry.ts',
    purpose: 'traces, where they are wanted',
  },
  '@opentelemetry/exporter-trace-otlp-http': {
    door: 'src/server/observability/open-telemetry.ts',
    purpose: 'sends traces as JSON',
  },
  '@opentelemetry/exporter-trace-otlp-proto': {
    door: 'src/server/observability/open-telemetry.ts',
    purpose: 'sends traces as protobuf',
  },
  '@opentelemetry/resources': {
    door: 'src/server/observability/open-telemetry.ts',
    purpose: 'names the server in traces',
  },
  '@opentelemetry/sdk-trace': { door: 'src/server/observability/open-telemetry.ts', purpose: 'collects traces' },
  '@preact/signals': { door: 'src/studio/', purpose: 'the studio’s state' },
  '@resvg/resvg-wasm': { door: 'src/edge/og/resvg.ts', purpose: 'simplifies SVG pictures at the edge' },
  '@simplewebauthn/server': { door: 'src/server/service/people/passkeys.ts', purpose: 'checks passkeys' },
  aws4fetch: { door: 'src/server/storage/s3/', purpose: 'signs requests to S3' },
  'bwip-js': { door: ['src/draw/renderer/encode-barcode.ts', 'src/studio/editor/'], purpose: 'encodes barcodes' },
  commander: { door: 'src/cli/', purpose: 'the command line’s options' },
  'csv-parse': { door: 'src/server/service/jobs/csv.ts', purpose: 'parses CSV' },
  culori: { door: 'src/core/color.ts', purpose: 'parses and converts CSS colours' },
  harfbuzzjs: {
    door: ['src/core/text/font-face.ts', 'src/draw/renderer/thread-entry.ts', 'src/studio/module/page-fonts.ts'],
    purpose: 'shapes text, and gives the outlines of letters',
  },
  hyphen: {
    door: ['src/core/text/hyphenator.ts', 'src/draw/renderer/load-resources.ts', 'src/studio/editor/'],
    purpose: 'patterns of hyphenation',
  },
  '@iconify-json/lucide': {
    door: ['src/studio/parts/icons.ts', 'src/studio/editor/icons.ts'],
    purpose: 'the icons of Lucide',
  },
  'openid-client': { door: 'src/server/service/people/single-sign-on.ts', purpose: 'signs in by OpenID Connect' },
  parse5: { door: 'src/draw/html/parse-html.ts', purpose: 'parses html by the rules of browsers, which mend it' },
  pg: { door: 'src/server/storage/postgres/', purpose: 'PostgreSQL' },
  'pg-boss': { door: 'src/server/jobs/boss/open-boss.ts', purpose: 'runs jobs of several servers' },
  pino: { door: 'src/server/observability/log.ts', purpose: 'logs' },
  preact: { door: 'src/studio/', purpose: 'the studio’s pages' },
  'preact-iso': { door: 'src/studio/', purpose: 'the studio’s addresses' },
  tailwindcss: {
    door: 'src/draw/html/tailwind/compile-classes.ts',
    purpose: 'writes the style sheets of utility classes',
  },
  'third-party-web': { door: 'src/server/chromium/unwanted-hosts.ts', purpose: 'hosts of advertisements and trackers' },
  undici: { door: 'src/server/net/', purpose: 'HTTP to guarded addresses' },
  uqr: { door: 'src/core/resolve/', purpose: 'encodes QR codes' },
  wawoff2: { door: ['src/base/runtime.ts', 'src/edge/platform/runtime.ts'], purpose: 'unpacks WOFF2' },
};

export const LIBRARIES: Readonly<Record<string, LibraryUse>> = { ...CHOSEN, ...OTHERS };

/** Libraries of the first choice that no file of `src` imports. */
const ELSEWHERE: Readonly<Record<string, readonly [place: string, purpose: string]>> = {
  sqlite3: [
    'knex loads it',
    'SQLite without blocking the thread that answers; Node’s own, where it could not be built',
  ],
  pdfkit: ['`bench/`', 'the writer that ours is compared with: ours keeps shaped runs as text'],
  vitest: ['`test/`', 'runs the tests'],
};

/** The table of CONTRIBUTING.md. */
export function librariesTable(): string {
  const code = (place: string) => `\`${place.replace(/^src\/(?=.)/, '')}\``;
  const row = (name: string, { door, purpose }: LibraryUse) =>
    `| ${name} | ${[door].flat().map(code).join(', ')} | ${purpose} |`;
  const others = Object.entries(OTHERS).filter(([name]) => !/^@(codemirror|opentelemetry|jsquash)\//.test(name));
  return [
    '| library | its door, under `src/` | what for |',
    '|---|---|---|',
    ...Object.entries(CHOSEN).map(([name, use]) => row(name, use)),
    ...Object.entries(ELSEWHERE).map(([name, [place, purpose]]) => `| ${name} | ${place} | ${purpose} |`),
    ...others.map(([name, use]) => row(name, use)),
    row('@codemirror/… (9)', { door: 'src/studio/editor/', purpose: 'the code editor' }),
    row('@jsquash/… (3)', { door: 'src/edge/', purpose: 'decodes photos at the edge, and encodes JPEG' }),
    row('@opentelemetry/… (5)', {
      door: 'src/server/observability/open-telemetry.ts',
      purpose: 'traces, where wanted',
    }),
  ].join('\n');
}
