// Draws reference tests of the web platform's suite with our own engine, test and reference, and compares the two pictures.
//
// node scripts/wpt/main.ts CHECKOUT [FOLDER…] [--only TEXT] [--chromium] [--look DIR] [--list FILE]
//
// CHECKOUT has the folders `css`, `fonts` and `images` of github.com/web-platform-tests/wpt. None of its files is kept here:
// differences.ts has the names of the tests that differ, with reasons. Ends with 1 if another differs, or a listed one does
// not. With --chromium, tests that differ are shown in Chromium, too.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { compose } from '#core/compose.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { openPageScene } from '#draw/renderer/page-scene.ts';
import { onFixturePages } from '../../test/core/html/chromium/on-fixture-pages.ts';
import { DIFFERENT } from './differences.ts';

const FOLDERS = [
  ...['normal-flow', 'floats', 'positioning', 'lists', 'tables'].map((name) => `css/CSS2/${name}`),
  'css/css-break',
  'css/css-page',
];
/** The viewport of the suite, px. */
const VIEWPORT = { width: 800, height: 600 };
/** Pixels that differ by more than so many levels, at most so many of them. */
const NEAR = 40;
const MAX_PIXELS = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    look: { type: 'string' },
    list: { type: 'string' },
    chromium: { type: 'boolean' },
  },
});
const [checkout = '', ...folders] = positionals;
const library = await openFontLibrary({ folders: [] });

interface Result {
  readonly test: string;
  /** `chromium`: it differs, and in Chromium, too. */
  readonly kind: 'same' | 'different' | 'chromium' | 'failed' | 'skipped';
  readonly detail: string;
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  css: 'text/css',
};

function fileOf(address: string, from: string): string | null {
  const [path = ''] = address.split(/[?#]/);
  if (path === '' || /^[a-z]+:/i.test(path)) return null;
  const file = path.startsWith('/') ? join(checkout, path) : resolve(dirname(from), path);
  return existsSync(file) ? file : null;
}

function dataOf(file: string): string {
  const type = TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  const bytes = type === 'text/css' ? Buffer.from(inlined(readFileSync(file, 'utf8'), file)) : readFileSync(file);
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** With the files that it names as data. */
const inlined = (text: string, from: string): string =>
  text
    .replace(/url\(\s*["']?([^"')\s]+)["']?\s*\)/g, (whole, address) => {
      const file = fileOf(address, from);
      return file ? `url("${dataOf(file)}")` : whole;
    })
    .replace(/\b(src|href)="([^"]*)"/g, (whole, name, address) => {
      const file = /\.(png|gif|jpg|svg|css)$/.test(address) ? fileOf(address, from) : null;
      return file ? `${name}="${dataOf(file)}"` : whole;
    });

const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|wbr)$/i;

/** As html: XHTML's own syntax is gone. */
function htmlOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  const plain = /\.xht(ml)?$/.test(file)
    ? text
        .replace(/<\?xml[^>]*\?>/, '')
        .replace(/<!DOCTYPE[^>]*>/i, '<!DOCTYPE html>')
        .replace(/<!\[CDATA\[|\]\]>/g, '')
        .replace(/(<\/?)svg:/g, '$1')
        .replace(/<style[^>]*>[^<]*/gi, (style) => style.replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
        .replace(/<([a-z0-9]+)(\s[^<>]*)?\/>/gi, (whole, name, rest = '') =>
          VOID.test(name) ? whole : `<${name}${rest}></${name}>`,
        )
    : text;
  return inlined(plain, file);
}

async function draw(file: string) {
  const css = 'html{height:auto}body{margin:8px;display:block;height:auto}html{font:16px serif}';
  const fields = { ...VIEWPORT, engine: 'html', renderer: 'platen', background: '#fff', html: htmlOf(file), css };
  const page = resolveHtml(HtmlTemplate.parse({ name: 'T', ...fields }), {});
  const own = await openPageScene(page, 'png', DEFAULT_EXPORT, () => Promise.reject(new Error('no network')));
  if (!own) throw new Error('no scene');
  const noFiles = { read: async (source: string) => new Uint8Array(await (await fetch(source)).arrayBuffer()) };
  const fonts = own.faces.length > 0 ? library.with(own.faces) : library;
  const { resources } = await loadResources(own.scene.needs, fonts, noFiles, AbortSignal.timeout(20_000));
  const { list, diagnostics } = compose(own.scene, resources);
  const { pixels } = await rasterize(list, resources, 1);
  return { pixels, diagnostics: [...own.diagnostics, ...diagnostics] };
}

type Drawn = Awaited<ReturnType<typeof draw>>;

/** Shows a page in Chromium. @returns RGBA */
type Chromium = (html: string) => Promise<Uint8Array>;

function differing(one: Uint8Array, other: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < one.length; i += 4)
    if ([0, 1, 2].some((c) => Math.abs((one[i + c] ?? 0) - (other[i + c] ?? 0)) > NEAR)) count += 1;
  return count;
}

const references = new Map<string, Promise<Drawn>>();

/** The reference of a test, or why it is not compared. */
function referenceOf(test: string): { readonly file: string } | { readonly why: string } {
  const file = join(checkout, test);
  const text = readFileSync(file, 'utf8');
  const link = (text.match(/<link\b[^>]*>/gi) ?? []).find((each) => /rel=["'](mis)?match["']/i.test(each));
  const [, address = ''] = /href=["']([^"']+)/i.exec(link ?? '') ?? [];
  if (!link) return { why: 'it has no reference' };
  if (/mismatch/i.test(link)) return { why: 'its reference is one that must differ' };
  if (/<script/i.test(text)) return { why: 'it runs a script' };
  if (/-print\./.test(test)) return { why: 'it is on sheets' };
  const reference = fileOf(address, file);
  return reference ? { file: reference } : { why: 'its reference is not there' };
}

async function run(test: string, chromium: Chromium | null): Promise<Result> {
  const file = join(checkout, test);
  const reference = referenceOf(test);
  if ('why' in reference) return { test, kind: 'skipped', detail: reference.why };
  try {
    const ours = await draw(file);
    const theirs = references.get(reference.file) ?? draw(reference.file);
    references.set(reference.file, theirs);
    const count = differing(ours.pixels, (await theirs).pixels);
    const said = ours.diagnostics
      .map(({ message }) => message)
      .join('; ')
      .slice(0, 200);
    const detail = `${count} px${said ? `; ${said}` : ''}`;
    if (count <= MAX_PIXELS) return { test, kind: 'same', detail };
    if (chromium && differing(await chromium(htmlOf(file)), await chromium(htmlOf(reference.file))) > MAX_PIXELS)
      return { test, kind: 'chromium', detail };
    if (values.look !== undefined) await look(test, ours, await theirs);
    return { test, kind: 'different', detail };
  } catch (error) {
    return { test, kind: 'failed', detail: String(error).slice(0, 200) };
  }
}

async function look(test: string, a: Drawn, b: Drawn): Promise<void> {
  const { width, height } = VIEWPORT;
  const raw = ({ pixels }: Drawn) => ({
    input: Buffer.from(pixels),
    raw: { width, height, channels: 4 as const },
  });
  await mkdir(values.look ?? '', { recursive: true });
  const picture = sharp({ create: { width: width * 2 + 10, height, channels: 3, background: '#888' } }).composite([
    { ...raw(a), left: 0, top: 0 },
    { ...raw(b), left: width + 10, top: 0 },
  ]);
  await writeFile(join(values.look ?? '', `${test.replaceAll('/', '_')}.png`), await picture.png().toBuffer());
}

const tests = (folders.length > 0 ? folders : FOLDERS)
  .flatMap((folder) => globSync(`${folder}/**/*.{html,htm,xht}`, { cwd: checkout }).sort())
  .filter((test) => !/-ref\d*\.|\/reference\/|\/parsing\/|\/support\//.test(test) && test.includes(values.only ?? ''));
const results: Result[] = [];
async function runAll(chromium: Chromium | null): Promise<void> {
  for (const test of tests) results.push(await run(test, chromium));
}
if (values.chromium) {
  await onFixturePages(async (page, show) => {
    await runAll(async (html) => {
      await show(html, VIEWPORT);
      return new Uint8Array(
        await sharp(await page.screenshot())
          .ensureAlpha()
          .raw()
          .toBuffer(),
      );
    });
  });
} else await runAll(null);

const compared = results.filter(({ kind }) => kind !== 'skipped');
if (values.list !== undefined)
  await writeFile(values.list, compared.map(({ test, kind, detail }) => `${kind} ${test} (${detail})`).join('\n'));
for (const [folder, those] of Map.groupBy(results, ({ test }) => dirname(test))) {
  const kinds = (['same', 'chromium', 'different', 'failed', 'skipped'] as const).map(
    (kind) => `${kind} ${those.filter((each) => each.kind === kind).length}`,
  );
  console.log(`${folder}: ${kinds.join(', ')}`);
}
const listed = new Set(Object.values(DIFFERENT).flatMap(testsOf));
for (const { test, kind, detail } of compared) {
  const isDifferent = kind !== 'same';
  if (isDifferent === listed.has(test)) continue;
  console.log(`${isDifferent ? 'DIFFERENT, and not listed' : 'LISTED, and the same'}: ${test} (${detail})`);
  process.exitCode = 1;
}

/** The paths of tests in a text of folders with names. */
function testsOf(text: string): readonly string[] {
  let folder = '';
  return text.split(/\s+/).flatMap((word) => {
    if (word === '') return [];
    if (!word.endsWith(':')) return [`${folder}/${word}`];
    folder = word.slice(0, -1);
    return [];
  });
}
