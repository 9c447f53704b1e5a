// Drives `platen/editor` in Chromium: its samples in plain HTML, React and Vue, built by their own tools, and what the
// module promises to the page around it. The pages have a strict policy.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'puppeteer-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { compress } from 'wawoff2';
import type { PlatenEditor } from '../../src/editor.ts';
import { render } from '../../src/index.ts';
import { poppler, wordsOf } from '../golden/poppler.ts';
import { meanDifference } from '../heavy/edge/mean-difference.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { findings } from './accessibility.ts';
import { weigh } from './editor/weigh.ts';
import { launchChromium } from './studio-lab.ts';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLES = join(ROOT, 'samples/editor');
const FONTS = join(ROOT, 'node_modules/@expo-google-fonts/inter');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
/** Neither code from text, nor styles in the page, nor other sites. Vue has a policy of its own for Trusted Types. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "font-src 'self' blob:; connect-src 'self' data: blob:; require-trusted-types-for 'script'; trusted-types platen vue";

const CARD = JSON.parse(readFileSync(join(SAMPLES, 'shared/card.json'), 'utf8'));

/** What a page of the tests has: the module, and what it opened. */
interface Held {
  readonly blobs: Blob[];
  editor: PlatenEditor;
  openEditor(options?: object): Promise<void>;
}

describe.skipIf(!CHROMIUM)('platen/editor', () => {
  let folder: TemporaryFolder;
  let browser: Browser;
  const servers: Server[] = [];
  const module = () => join(folder.path, 'platen/dist/editor');

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'platen'));
    // In processes of their own, as vitest's is no production.
    const env = { ...process.env, NODE_ENV: 'production' };
    const run = (args: readonly string[], cwd: string) => promisify(execFile)(process.execPath, args, { cwd, env });
    await run(['scripts/build-editor.ts', module()], ROOT);
    await copyFile(join(ROOT, 'package.json'), join(folder.path, 'platen/package.json'));
    const linked = join(SAMPLES, 'node_modules/platen');
    await rm(linked, { force: true });
    await symlink(join(folder.path, 'platen'), linked);
    const vite = join(SAMPLES, 'node_modules/vite/bin/vite.js');
    for (const sample of ['react', 'vue']) {
      const args = [vite, 'build', '--logLevel', 'error', '--outDir', join(folder.path, sample)];
      await run(args, join(SAMPLES, sample));
    }
    await rm(linked);
    await writeFile(join(folder.path, 'inter.woff2'), await compress(await readFile(font('Inter_400Regular.ttf'))));
    browser = await launchChromium();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) server.close();
    await folder?.[Symbol.asyncDispose]();
  });

  const font = (name: string) => join(FONTS, name.includes('700') ? '700Bold' : '400Regular', name);

  /** Where a path is in the plain sample and in the tests' own page; the others are folders that were built. */
  function fileOf(site: string, path: string): string {
    if (site !== 'html') return join(folder.path, site, path);
    if (path.startsWith('/platen/')) return join(module(), path.slice('/platen/'.length));
    if (path === '/fonts/inter.woff2') return join(folder.path, 'inter.woff2');
    if (path.startsWith('/fonts/')) return font(path.slice('/fonts/'.length));
    return join(SAMPLES, path);
  }

  /** Serves a site. @returns its origin */
  async function serve(site: string): Promise<string> {
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
      const own = pathname === '/own.html' ? OWN_PAGE : pathname === '/own.js' ? OWN_SCRIPT : null;
      const file = fileOf(site, path);
      const isThere = own !== null || existsSync(file);
      response.writeHead(isThere ? 200 : 404, {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': POLICY,
      });
      response.end(own ?? (isThere ? readFileSync(file) : ''));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  async function visit(address: string) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/error|warn/.test(message.type())) complaints.push(`${message.text()} ${message.location()?.url}`);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.evaluateOnNewDocument(() => {
      const blobs: Blob[] = [];
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        blobs.push(blob as Blob);
        return create(blob);
      };
      Object.assign(globalThis, { blobs });
    });
    await page.goto(address);
    return { page, complaints };
  }

  /** Waits until the canvas shows the document. @returns where it is, and its scale */
  async function artboard(page: Page): Promise<{ x: number; y: number; zoom: number }> {
    await page.waitForSelector('#editor >>> .artboard g g', { timeout: 60_000 });
    return page.$eval('#editor >>> .artboard', (element) => {
      const { x, y, width } = element.getBoundingClientRect();
      return { x, y, zoom: width / 600 };
    });
  }

  /** Double-clicks the title on the canvas and types other words. */
  async function retitle(page: Page, words: string): Promise<void> {
    const { x, y, zoom } = await artboard(page);
    await page.mouse.click(x + 120 * zoom, y + 115 * zoom, { count: 2, delay: 40 });
    await page.waitForSelector('#editor >>> .text-editor');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type(words);
    await page.keyboard.press('Escape');
  }

  /** Presses a button of a sample. @returns the file that it saves */
  async function saved(page: Page, output: string, type: string): Promise<Buffer> {
    const before = await page.evaluate(() => (globalThis as unknown as Held).blobs.length);
    await page.click(`[data-output=${output}]`);
    const found = await page.waitForFunction(
      (from, wanted) => (globalThis as unknown as Held).blobs.slice(from).find((blob) => blob.type.includes(wanted)),
      { timeout: 60_000 },
      before,
      type,
    );
    return bytesOf(page, found as never);
  }

  async function bytesOf(page: Page, blob: { evaluate: unknown }): Promise<Buffer> {
    const text = await page.evaluate(async (file) => {
      const bytes = new Uint8Array(await (file as unknown as Blob).arrayBuffer());
      return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    }, blob as never);
    return Buffer.from(text as string, 'latin1');
  }

  describe.each(['html', 'react', 'vue'])('the sample in %s', (sample) => {
    let page: Page;
    let complaints: string[];
    beforeAll(async () => {
      const origin = await serve(sample);
      ({ page, complaints } = await visit(sample === 'html' ? `${origin}/html/` : origin));
    });
    afterAll(() => page?.close());

    test('a text is double-clicked and typed into, and the page has the document', async () => {
      await retitle(page, 'Summer sale');
      await page.waitForFunction(() => localStorage.getItem('card')?.includes('Summer sale'));
      const kept = JSON.parse((await page.evaluate(() => localStorage.getItem('card'))) ?? '');
      const [band, title, ...others] = CARD.layers;
      expect(kept).toEqual({ ...CARD, layers: [band, { ...title, text: 'Summer sale' }, ...others] });
    });

    test('PNG, SVG and PDF are drawn in the page as the server draws them', async () => {
      const layers = CARD.layers.map((layer: { name: string }) =>
        layer.name === 'title'
          ? { ...layer, text: 'Summer sale' }
          : layer.name === 'photo'
            ? { ...layer, src: 'leaf.svg' }
            : layer,
      );
      const template = { ...CARD, layers };
      const server = await render(template, { scale: 2, folder: join(SAMPLES, 'shared') });
      const png = await saved(page, 'png', 'image/png');
      // But for the edges of the leaf, which the browser draws.
      expect(await meanDifference(png, server.bytes)).toBeLessThan(0.2);
      const svg = (await saved(page, 'svg', 'image/svg+xml')).toString();
      expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 600 320"/);
      expect(svg).not.toMatch(/<text/);
      const pdf = await saved(page, 'pdf', 'application/pdf');
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      if (poppler) expect(wordsOf(pdf)).toMatch(/Summer sale\s+Two weeks, all seeds\./);
      expect(complaints).toEqual([]);
    });
  });

  describe('in a page of its own', () => {
    let origin: string;
    beforeAll(async () => {
      origin = await serve('html');
    });
    let open: Page | null = null;
    afterEach(() => open?.close());

    async function own(options: Record<string, unknown> = {}) {
      const visited = await visit(`${origin}/own.html`);
      open = visited.page;
      await visited.page.waitForFunction(() => 'openEditor' in globalThis);
      await visited.page.evaluate((given) => (globalThis as unknown as Held).openEditor(given), options);
      return visited;
    }
    const refusal = (page: Page, options: object) =>
      page.evaluate(
        (given) =>
          (globalThis as unknown as Held).openEditor(given).then(
            () => '',
            (error: Error) => error.message,
          ),
        options,
      );
    const textOf = (page: Page, name: string) =>
      page.evaluate((wanted) => {
        const { layers } = (globalThis as unknown as Held).editor.getDocument() as unknown as {
          layers: { name: string; text: string }[];
        };
        return layers.find((layer) => layer.name === wanted)?.text ?? null;
      }, name);

    test('neither the page’s styles reach the editor, nor the editor’s the page, and no global is set', async () => {
      const { page, complaints } = await own();
      await artboard(page);
      const look = (selector: string) =>
        page.$eval(selector, (element) => {
          const { backgroundColor, borderRadius, fontFamily } = getComputedStyle(element);
          return [backgroundColor, borderRadius, fontFamily];
        });
      expect(await look('#save')).toEqual(['rgb(255, 215, 0)', '50px', 'fantasy']);
      const [background, radius, family] = await look('#editor >>> .top-bar .button-main');
      // The accent that the page sets, and the editor's own shape.
      expect([background, radius]).toEqual(['rgb(0, 128, 128)', '4px']);
      expect(family).toMatch(/^"Studio Sans"/);
      const globals = await page.evaluate(() => Object.keys(globalThis).filter((name) => /platen|zod/i.test(name)));
      expect(globals).toEqual([]);
      expect(complaints).toEqual([]);
    });

    test('keys outside the editor are the page’s; a menu that closes gives them back to the editor', async () => {
      const { page } = await own();
      const { x, y, zoom } = await artboard(page);
      await page.mouse.click(x + 120 * zoom, y + 115 * zoom, { button: 'right' });
      await page.waitForSelector('#editor >>> .menu:popover-open');
      await page.keyboard.press('Escape');
      await page.waitForSelector('#editor >>> .canvas:focus');
      await page.keyboard.down('Control');
      await page.keyboard.press('k');
      await page.keyboard.up('Control');
      await page.waitForSelector('#editor >>> dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('#editor >>> dialog[open]', { hidden: true });
      await page.mouse.click(x + 120 * zoom, y + 115 * zoom);
      await page.focus('#save');
      await page.keyboard.press('Delete');
      expect(await textOf(page, 'title')).toBe('Spring sale');
      await page.mouse.click(x + 120 * zoom, y + 115 * zoom);
      await page.keyboard.press('Delete');
      expect(await textOf(page, 'title')).toBeNull();
    });

    test('with texts and pictures, what is locked stays, and the page gives the picture', async () => {
      const { page, complaints } = await own({ rights: 'texts-and-pictures', locked: ['line'], asks: true });
      await page.waitForSelector('#editor >>> .content-panel');
      const names = await page.$$eval('#editor >>> .content-name', (all) => all.map((one) => one.textContent));
      expect(names).toEqual(['title', 'photo']);
      expect(await page.$('#editor >>> .toolbar')).toBeNull();
      await page.click('#editor >>> .content-picture button');
      await page.waitForFunction(() =>
        JSON.stringify((globalThis as unknown as Held).editor.getDocument()).includes('data:image/svg+xml'),
      );
      expect(await findings(page, { all: true })).toEqual([]);
      expect(complaints).toEqual([]);
    });

    test('another document and data are shown; what cannot be is refused with what is wrong', async () => {
      const { page } = await own();
      await artboard(page);
      const drawn = await page.evaluate(async () => {
        const { editor } = globalThis as unknown as Held;
        editor.load({
          name: 'Other',
          width: 200,
          height: 100,
          layers: [{ type: 'text', name: 'word', text: 'Hello', width: 180 }],
        } as never);
        editor.setData({ word: 'Hi' });
        return (await editor.download({ output: 'svg' })).text();
      });
      expect(drawn).toMatch(/viewBox="0 0 200 100"/);
      expect(await textOf(page, 'word')).toBe('Hello');
      const refused = await page.evaluate(async () => {
        const { editor } = globalThis as unknown as Held;
        const message = async (run: () => unknown) => {
          try {
            await run();
            return '';
          } catch (error) {
            return (error as Error).message;
          }
        };
        return [
          await message(() => editor.load({ name: 'No' } as never)),
          await message(() =>
            editor.load({
              name: 'No',
              width: 9,
              height: 9,
              layers: [{ type: 'text', name: 'a', fontSize: -1 }],
            } as never),
          ),
          await message(() => editor.download({ output: 'gif' as never })),
          await message(() => editor.download({ scale: 9 })),
        ];
      });
      expect(refused).toEqual([
        'load: must be a template of layers: an object with name, width, height and layers.',
        expect.stringMatching(/layers\[0\]\.fontSize/),
        'download: output must be one of png, jpeg, webp, svg, pdf.',
        'scale: must be from 0.1 to 3.',
      ]);
    });

    test('pictures of every format are drawn, to files of every format', async () => {
      const photo = sharp(join(ROOT, 'samples/assets/dandelion.jpg')).resize(200, 160, { fit: 'cover' });
      const formats = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;
      const layers = await Promise.all(
        formats.map(async (format, i) => {
          const file = await photo.clone().toFormat(format).toBuffer();
          const src = `data:image/${format};base64,${file.toString('base64')}`;
          return { type: 'image' as const, name: format, x: 110 * i, y: 0, width: 100, height: 80, src };
        }),
      );
      const template = { name: 'Pictures', width: 540, height: 80, background: '#fff', layers };
      const { page, complaints } = await own({ document: template });
      await artboard(page);
      const draw = async (output: string) => {
        const blob = await page.evaluateHandle(
          (wanted) => (globalThis as unknown as Held).editor.download({ output: wanted as 'png' }),
          output,
        );
        return bytesOf(page, blob);
      };
      const [png, jpeg, webp, pdf] = [await draw('png'), await draw('jpeg'), await draw('webp'), await draw('pdf')];
      expect(await meanDifference(png, (await render(template)).bytes)).toBeLessThan(1);
      for (const file of [jpeg, webp]) expect(await meanDifference(png, file)).toBeLessThan(4);
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
      const missing = await page.evaluate(async (given) => {
        const { editor } = globalThis as unknown as Held;
        editor.load({
          ...given,
          layers: [{ type: 'image', name: 'photo', src: 'data:image/png;base64,AAAA' }],
        } as never);
        return editor.download().catch((error: Error) => error.message);
      }, template as object);
      expect(missing).toBe(
        'Image of layer "photo" could not be loaded: it is not a PNG, JPEG, WebP, GIF, AVIF or SVG picture, nor a PDF.',
      );
      expect(complaints).toEqual([]);
    });

    test('two editors in one page have their own documents, keys, menus and messages', async () => {
      const { page, complaints } = await own();
      await artboard(page);
      await page.evaluate(async () => {
        const held = globalThis as unknown as Held & { second: PlatenEditor };
        const first = held.editor;
        const place = document.querySelector('main')?.appendChild(document.createElement('div'));
        document.querySelector('#editor')?.setAttribute('id', 'first');
        place?.setAttribute('id', 'editor');
        await held.openEditor({});
        Object.assign(held, { second: held.editor, editor: first });
      });
      // It stands below the first, out of sight.
      await page.$eval('#editor', (element) => element.scrollIntoView());
      const { x, y, zoom } = await artboard(page);
      await page.mouse.click(x + 120 * zoom, y + 115 * zoom);
      await page.keyboard.press('Delete');
      const names = (which: 'editor' | 'second') =>
        page.evaluate((of) => {
          const held = globalThis as unknown as Record<typeof of, PlatenEditor>;
          return held[of].getDocument().layers?.map(({ name }: { name: string }) => name);
        }, which);
      const all = CARD.layers.map(({ name }: { name: string }) => name);
      expect(await names('second')).toEqual(all.filter((name: string) => name !== 'title'));
      expect(await names('editor')).toEqual(all);
      await page.mouse.click(x + 30, y + 30, { button: 'right' });
      await page.waitForSelector('#editor >>> .menu:popover-open');
      expect(await page.$('#first >>> .menu')).toBeNull();
      await page.evaluate(() => (globalThis as unknown as Held).editor.destroy());
      expect(await page.$$('#editor >>> .artboard')).toHaveLength(1);
      expect(complaints).toEqual([]);
    });

    test('a font or an option that is wrong is named', async () => {
      const { page } = await own();
      await artboard(page);
      await page.evaluate(() => (globalThis as unknown as Held).editor.destroy());
      expect(await page.$eval('#editor', (element) => element.childElementCount)).toBe(0);
      const wrong: readonly (readonly [object, string | RegExp])[] = [
        [{ fonts: [] }, /^fonts: must be a list of 1 to 100 fonts/],
        [{ fonts: [{ family: 'Inter' }] }, 'fonts[0]: needs data or url.'],
        [{ fonts: [{ family: 'Inter', url: '/nowhere.ttf' }] }, 'fonts[0].url: /nowhere.ttf answered 404.'],
        [{ fonts: [{ family: 'Inter', url: '/own.js' }] }, /^fonts\[0\]: /],
        [{ rights: 'some' }, 'rights: must be "all" or "texts-and-pictures".'],
        [{ document: { name: 'No' } }, /^document: must be a template of layers/],
      ];
      for (const [options, message] of wrong) {
        if (typeof message === 'string') expect(await refusal(page, options)).toBe(message);
        else expect(await refusal(page, options)).toMatch(message);
      }
      // Then it opens again, with a compressed font.
      expect(await refusal(page, { fonts: [{ family: 'Inter', url: '/fonts/inter.woff2' }] })).toBe('');
      await artboard(page);
    });

    test.each(['harfbuzz', 'yoga', 'open'])('it ends by an error where its file %s cannot be had', async (name) => {
      const { page } = await visit('about:blank');
      open = page;
      await page.setRequestInterception(true);
      // As a development server that answers every path with its page.
      const instead = { status: 200, contentType: 'text/html', body: '<!doctype html>' };
      page.on('request', (request) => {
        const isIt = new RegExp(`/chunks/${name}-`).test(request.url());
        void (isIt ? request.respond(instead) : request.continue());
      });
      await page.goto(`${origin}/own.html`);
      await page.waitForFunction(() => 'openEditor' in globalThis);
      expect(await refusal(page, {})).toMatch(/^createEditor: the scripts or WebAssembly files .* cannot be loaded\./);
      expect(await page.$eval('#editor', (element) => element.childElementCount)).toBe(0);
    });

    test('aborting removes it, also while it is being opened', async () => {
      const { page, complaints } = await own();
      await page.evaluate(() => (globalThis as unknown as Held).editor.destroy());
      const reasons = await page.evaluate(async () => {
        const { openEditor: open } = globalThis as unknown as Held;
        const leaving = new AbortController();
        const opening = open({ signal: leaving.signal }).catch((error: Error) => error.name);
        leaving.abort();
        const again = new AbortController();
        await open({ signal: again.signal });
        const count = document.querySelector('#editor')?.childElementCount;
        again.abort();
        return [await opening, count, document.querySelector('#editor')?.childElementCount];
      });
      expect(reasons).toEqual(['AbortError', 1, 0]);
      expect(complaints).toEqual([]);
    });
  });

  test('weighs at most 514 KB before fonts, with its WebAssembly and its panels', () => {
    const weight = weigh(module(), ['main.ts', 'open.tsx']) / 1000;
    console.log(`platen/editor: ${weight.toFixed(1)} KB`);
    expect(weight).toBeLessThanOrEqual(514);
    const page = readFileSync(join(ROOT, 'docs/editor-module.md'), 'utf8');
    const said = Number(/is (\d+) KB \(gzip\) with/.exec(page)?.[1]);
    expect(Math.abs(weight - said)).toBeLessThan(3);
  });
});

const OWN_PAGE = `<!doctype html>
<html lang="en"><title>Shop</title><link rel="stylesheet" href="/shared/page.css">
<main><h1>Shop</h1><button id="save">Save</button><div id="editor"></div></main>
<script type="module" src="/own.js"></script></html>`;

/** `openEditor` takes options over the sample's. */
const OWN_SCRIPT = `
import { createEditor } from '/platen/editor.js';
const sheet = new CSSStyleSheet();
sheet.replaceSync('body { font-family: fantasy } button { background: rgb(255, 215, 0); border-radius: 50px; font-family: fantasy } #editor { height: 600px; --platen-accent: rgb(0, 128, 128) } div { color: red !important }');
document.adoptedStyleSheets = [sheet];
const card = await (await fetch('/shared/card.json')).json();
const leaf = await (await fetch('/shared/leaf.svg')).text();
globalThis.openEditor = async ({ asks, ...given }) => {
  globalThis.editor = await createEditor(document.querySelector('#editor'), {
    document: card,
    fonts: [{ family: 'Inter', url: '/fonts/Inter_400Regular.ttf' }, { family: 'Inter', weight: 700, url: '/fonts/Inter_700Bold.ttf' }],
    images: { load: async () => new Blob([leaf], { type: 'image/svg+xml' }) },
    ...(asks && { onPictureWanted: async () => 'data:image/svg+xml,' + encodeURIComponent(leaf) }),
    ...given,
  });
};
`;
