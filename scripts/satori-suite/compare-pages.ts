// Compares recorded pages drawn without a browser and by Chromium, with a verdict for each.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import PQueue from 'p-queue';
import sharp from 'sharp';
import { AppError } from '#base/errors.ts';
import { compose } from '#core/compose.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { HtmlTemplate } from '#core/template/html-template.ts';
import { parse } from '#core/template/validation.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { composeHtml } from '#draw/html/compose-html.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { openPageScene } from '#draw/renderer/page-scene.ts';
import { Browsers } from '#server/chromium/browsers.ts';
import { drawHtml } from '#server/chromium/draw-html.ts';
import { Guard } from '#server/net/guard.ts';
import type { OutboundClient } from '#server/net/outbound-client.ts';
import { DEFAULT_PORTS } from '#server/net/outbound-url.ts';
import { outsideImages } from '#server/service/files/image-sources.ts';
import { pageFiles } from '#server/service/pages/page-files.ts';
import type { RecordedNode, RecordedPage } from './recorder.ts';
import { htmlOf } from './to-html.ts';

export interface Verdict {
  /** Such as `017`; its picture has the same name. */
  readonly name: string;
  readonly test: string;
  readonly kind: 'same' | 'different' | 'warned' | 'refused' | 'inexpressible' | 'failed';
  /** The reason, or the size of the difference. */
  readonly detail: string;
}

/** Side of the squares whose mean colours are compared, px. Edges of letters may differ by a fraction of a px. */
const CELL = 4;
/** The largest difference of a square's mean in levels, and the share of squares that may exceed it. */
const NEAR = 28;
export const MAX_SHARE = 0.02;

/** Tolerated displacement, px: Chromium rounds the ascent and the descent of each line. */
const REACH = 2;
const STEPS = Array.from({ length: 2 * REACH + 1 }, (_, i) => i - REACH);
const SHIFTS = STEPS.flatMap((dx) => STEPS.map((dy) => [dx, dy] as const)).toSorted(
  ([ax, ay], [bx, by]) => Math.hypot(ax, ay) - Math.hypot(bx, by),
);

export const PHOTO = `data:image/jpeg;base64,${readFileSync(join(import.meta.dirname, '../../fixtures/assets/photo.jpg')).toString('base64')}`;
/** Chromium and satori have different fonts; both have the catalogue's. */
const CSS = 'body { font-family: Inter }';

const library = await openFontLibrary({ folders: [] });
const guard = new Guard({ ports: DEFAULT_PORTS, allow: [], linkLocal: false });

type HtmlPage = ReturnType<typeof resolveHtml>;

/** Both engines, with the fonts of the catalogue. @param fileAt there is no other network; null = nothing is there */
export function openEngines(fileAt: (address: string) => Uint8Array | null = () => null) {
  const get = async (address: string) => {
    const bytes = fileAt(address);
    if (!bytes) throw new AppError('invalid_request', 'There is no network.');
    return { bytes };
  };
  const sources = outsideImages({ get } as unknown as OutboundClient);
  const own = pageFiles(library, sources, 'http://host.example');
  const files = {
    ...own,
    read(url: URL) {
      const bytes = fileAt(url.href);
      const type = mediaType(url.pathname);
      return bytes ? Promise.resolve({ type, bytes }) : own.read(url);
    },
  };
  const browsers = new Browsers({
    chromiumPath: process.env.CHROMIUM_PATH ?? null,
    programFolders: [],
    fonts: library,
  });
  return {
    async withoutBrowser(page: HtmlPage) {
      const read = (source: string) => sources.read(source, AbortSignal.timeout(20_000));
      const scene = await openPageScene(page, 'png', DEFAULT_EXPORT, read);
      const fonts = scene && scene.faces.length > 0 ? library.with(scene.faces) : library;
      const load = (needs: Parameters<Parameters<typeof composeHtml>[1]>[0]) =>
        loadResources(needs, fonts, sources, AbortSignal.timeout(20_000));
      if (!scene) {
        const { list, resources, diagnostics } = await composeHtml(page, load);
        return { bytes: await exportAs('png', [list], resources, DEFAULT_EXPORT), diagnostics };
      }
      const { resources, diagnostics } = await load(scene.scene.needs);
      const { list, diagnostics: found } = compose(scene.scene, resources);
      const bytes = await exportAs('png', [list], resources, DEFAULT_EXPORT);
      return { bytes, diagnostics: [...scene.diagnostics, ...found, ...diagnostics] };
    },
    byChromium: (page: HtmlPage) =>
      browsers.run(20_000, (browser) => drawHtml(browser, guard, page, 'png', DEFAULT_EXPORT, 10_000, files)),
    [Symbol.asyncDispose]: () => browsers[Symbol.asyncDispose](),
  };
}

type Engines = ReturnType<typeof openEngines>;

const TYPES: Readonly<Record<string, string>> = { css: 'text/css', svg: 'image/svg+xml', jpg: 'image/jpeg' };

/** Of a file by its name: browsers look at others themselves. */
export const mediaType = (path: string): string => TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/** @param look receives our picture and Chromium's side by side */
export async function comparePages(
  pages: readonly RecordedPage[],
  renderer: 'satori' | 'platen',
  look: (name: string, picture: Uint8Array) => Promise<void>,
): Promise<readonly Verdict[]> {
  await using engines = openEngines();
  const queue = new PQueue({ concurrency: 2 });
  return await queue.addAll(
    pages.map((page, index) => async () => {
      const name = String(index).padStart(3, '0');
      try {
        return await compare(page, name, renderer, engines, look);
      } catch (error) {
        return { name, test: page.test, kind: 'failed' as const, detail: String(error) };
      }
    }),
  );
}

async function compare(
  page: RecordedPage,
  name: string,
  renderer: 'satori' | 'platen',
  engines: Engines,
  look: (name: string, picture: Uint8Array) => Promise<void>,
): Promise<Verdict> {
  const verdict = (kind: Verdict['kind'], detail: string): Verdict => ({ name, test: page.test, kind, detail });
  const obstacle = obstacleOf(page);
  if (obstacle !== null) return verdict('inexpressible', obstacle);
  const ours = await drawn(page, renderer, engines);
  if ('refusal' in ours) return verdict('refused', ours.refusal.replace(/^(html|css), line \d+: /, ''));
  const theirs = await drawn(page, 'chromium', engines);
  if ('refusal' in theirs) return verdict('failed', `Chromium: ${theirs.refusal}`);
  const share = await differingShare(ours.bytes, theirs.bytes);
  if (share <= MAX_SHARE) return verdict('same', '');
  await look(name, await sideBySide(ours.bytes, theirs.bytes));
  const by = `${(share * 100).toFixed(1)} % of its squares`;
  return ours.warnings.length > 0 ? verdict('warned', ours.warnings[0] ?? '') : verdict('different', by);
}

function obstacleOf({ width, height, options, tree }: RecordedPage): string | null {
  if (width === null || height === null) return 'the canvas has no size of its own';
  if (options.length > 0) return `the option ${options[0]}`;
  return usesTailwind(tree) ? 'tw' : null;
}

const usesTailwind = (nodes: readonly RecordedNode[]): boolean =>
  nodes.some((node) => typeof node !== 'string' && ('tw' in node.props || usesTailwind(node.children)));

/** Warnings about the page itself, not about how it is drawn. */
const OF_THE_PAGE: ReadonlySet<string> = new Set([
  'text-overflow',
  'content-outside',
  'unknown-family',
  'satori-subset',
]);

type Drawn = { readonly bytes: Uint8Array; readonly warnings: readonly string[] } | { readonly refusal: string };

async function drawn(page: RecordedPage, renderer: 'satori' | 'platen' | 'chromium', engines: Engines): Promise<Drawn> {
  try {
    const html = htmlOf(page.tree).replace(/https?:\/\/(?!www\.w3\.org)[^\s"'&)]+/g, PHOTO);
    const document = { name: 'T', width: page.width, height: page.height, engine: 'html', renderer, html, css: CSS };
    const filled = resolveHtml(parse(HtmlTemplate, { ...document, background: '#fff' }), {});
    const drawing = renderer === 'chromium' ? await engines.byChromium(filled) : await engines.withoutBrowser(filled);
    const told = drawing.diagnostics.filter(({ code }) => !OF_THE_PAGE.has(code));
    return { bytes: drawing.bytes, warnings: told.map(({ message }) => message) };
  } catch (error) {
    if (!(error instanceof AppError || error instanceof ValidationError)) throw error;
    return { refusal: error.message };
  }
}

/** The share of squares whose mean colours differ visibly, at the best displacement within a px or two. */
export async function differingShare(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [one, other] = [await pixelsOf(a), await pixelsOf(b)];
  const { width, height } = one;
  let [differing, count] = [0, 0];
  for (let y = 0; y < height; y += CELL) {
    for (let x = 0; x < width; x += CELL) {
      count += 1;
      const mean = cellMean(one, x, y);
      const isNear = SHIFTS.some(([dx, dy]) =>
        cellMean(other, x + dx, y + dy).every((level, i) => Math.abs(level - (mean[i] ?? 0)) <= NEAR),
      );
      if (!isNear) differing += 1;
    }
  }
  return differing / count;
}

type Pixels = Awaited<ReturnType<typeof pixelsOf>>;

function cellMean({ data, width, height }: Pixels, left: number, top: number): readonly number[] {
  const sums = [0, 0, 0];
  let pixels = 0;
  for (let y = Math.max(0, top); y < Math.min(height, top + CELL); y += 1) {
    for (let x = Math.max(0, left); x < Math.min(width, left + CELL); x += 1) {
      pixels += 1;
      for (let i = 0; i < 3; i += 1) sums[i] = (sums[i] ?? 0) + (data[(y * width + x) * 3 + i] ?? 0);
    }
  }
  return sums.map((sum) => sum / Math.max(1, pixels));
}

async function pixelsOf(png: Uint8Array) {
  const { data, info } = await sharp(png)
    .flatten({ background: '#fff' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

export async function sideBySide(ours: Uint8Array, theirs: Uint8Array): Promise<Uint8Array> {
  const { width = 0, height = 0 } = await sharp(ours).metadata();
  return sharp({ create: { width: width * 2 + 10, height, channels: 3, background: '#888' } })
    .composite([
      { input: await onWhite(ours), left: 0, top: 0 },
      { input: await onWhite(theirs), left: width + 10, top: 0 },
    ])
    .png()
    .toBuffer();
}

const onWhite = (png: Uint8Array) => sharp(png).flatten({ background: '#fff' }).png().toBuffer();
