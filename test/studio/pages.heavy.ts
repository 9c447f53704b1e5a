// Tests every page of the studio in Chromium against the real server: no
// serious finding by axe, no violation of the content security policy, no request to another host, and a small
// download.

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ElementHandle, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../command.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findings } from './accessibility.ts';
import { inCodeEditor } from './code-editor.ts';
import { accountOf, askStudio, claim, openStudioLab, type StudioLab, sees, type Watched } from './studio-lab.ts';

let lab: StudioLab;
let page: Page;
let watched: Watched;
let account: string;
let template: string;

beforeAll(async () => {
  lab = await openStudioLab();
  ({ page, watched } = await lab.open());
  await claim(page, lab.setUpLink);
  account = `${lab.server.url}/studio/a/${accountOf(page)}`;
  template = (await page.$eval('.card-name', (link) => link.getAttribute('href') ?? '')).split('/').at(-2) ?? '';
}, 180_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

const PAGES = {
  templates: () => `${account}/templates`,
  starters: () => `${account}/templates?new=starters`,
  'blank presets': () => `${account}/templates?new=blank`,
  use: () => `${account}/templates/${template}/use`,
  versions: () => `${account}/templates/${template}/versions`,
  review: () => `${account}/templates/${template}/review`,
  renders: () => `${account}/renders`,
  deliveries: () => `${account}/deliveries`,
  brands: () => `${account}/brands`,
  'a new brand': () => `${account}/brands?new=1`,
  images: () => `${account}/images`,
  fonts: () => `${account}/fonts`,
  keys: () => `${account}/keys`,
  'a new key': () => `${account}/keys?new=key`,
  usage: () => `${account}/usage`,
  people: () => `${account}/people`,
  settings: () => `${account}/settings`,
  'your account': () => `${lab.server.url}/studio/account`,
  editor: () => `${account}/templates/${template}/edit`,
  'sign-in': () => `${lab.server.url}/studio/sign-in`,
  'back from the provider': () => `${lab.server.url}/studio/oidc?code=x&state=y`,
  'set-up': () => `${lab.server.url}/studio/setup`,
  'an invitation that is none': () => `${lab.server.url}/studio/join#nothing`,
  'a review link that is none': () => `${lab.server.url}/studio/review#nothing`,
  'no page': () => `${account}/nothing`,
} as const;

for (const [name, address] of Object.entries(PAGES)) {
  test(`${name}: accessible in both themes, and shown`, async () => {
    await page.goto(address(), { waitUntil: 'networkidle0' });
    await page.waitForSelector('h1, h2, .artboard g g', { timeout: 30_000 });
    await page.waitForFunction(() => !document.querySelector('.skeleton'), { timeout: 30_000 });
    const primaries = (root: string) =>
      page.$$eval(`${root} .button-main`, (buttons) => buttons.map((one) => one.textContent));
    const dialog = (await page.$('dialog[open]')) ? 'dialog[open]' : 'body';
    expect((await primaries(dialog)).length, 'primary actions').toBeLessThanOrEqual(1);
    expect(await findings(page, { bothThemes: true })).toEqual([]);
    expect(await page.evaluate(() => document.querySelector('.error-panel:not(.door *)')?.textContent ?? null)).toBe(
      null,
    );
  });
}

test('no violation of the policy, no error of a script, no answer of 500', () => expect(watched.problems).toEqual([]));
test('no request to another host', () => expect(watched.strangers).toEqual([]));

test('by keyboard alone: a key is made', async () => {
  await page.goto(PAGES.keys(), { waitUntil: 'networkidle0' });
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  for (let presses = 0; presses < 40 && (await focused()) !== 'New key'; presses++) await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.matches(':focus-visible'))).toBe(true);
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open] input', { timeout: 30_000 });
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Enter');
  const key = await page.waitForSelector('::-p-xpath(//dialog//code[starts-with(., "plt_live_")])', {
    timeout: 30_000,
  });
  expect(key).not.toBe(null);
  await page.keyboard.press('Escape');
  await page.waitForSelector('::-p-xpath(//td[contains(., "By keyboard")])', { timeout: 30_000 });
  expect(await page.$('dialog[open]')).toBe(null);
});

test('a family is found by a German word, and opened with its brand; a second copy uses the same brand', async () => {
  const copies = async () => {
    const { items } = await askStudio(page, 'GET', '/templates');
    return items.filter(({ name }: { name: string }) => name === 'Café special');
  };
  for (const many of [1, 2]) {
    await page.goto(PAGES.starters(), { waitUntil: 'networkidle0' });
    await (await page.waitForSelector('.gallery input[type="search"]'))?.type('rösterei kaffee');
    await sees(page, 'No starter matches');
    await (await page.$('.gallery input[type="search"]'))?.evaluate((field) => (field as HTMLInputElement).select());
    await page.keyboard.type('kaffee');
    await page.waitForFunction(() => document.querySelectorAll('.gallery .tile').length === 1);
    expect(await page.$eval('.gallery .tile', (tile) => tile.textContent)).toContain('4 sizes · EN, DE');
    await (await page.$('.gallery .tile'))?.click();
    await page.waitForFunction(() => location.pathname.endsWith('/edit'), { timeout: 60_000 });
    expect(await copies()).toHaveLength(many);
  }
  const { items } = await askStudio(page, 'GET', '/brands');
  expect(items.filter(({ name }: { name: string }) => name === 'roast')).toMatchObject([{ version: 1 }]);
});

test('in the html editor, typing over everything is no violation of the policy', async () => {
  await page.goto(PAGES.starters(), { waitUntil: 'networkidle0' });
  const released = Promise.withResolvers<void>();
  const hold = async (request: HTTPRequest) => {
    if (request.url().endsWith('/preview')) await released.promise;
    await request.continue();
  };
  page.on('request', hold);
  await page.setRequestInterception(true);
  await (
    await page.waitForSelector('::-p-xpath(//button[contains(@class, "tile")][contains(., "HTML card")])')
  )?.click();
  const code = await inCodeEditor(page, '.cm-content', 60_000);
  // What stands for the picture until it is drawn is as large as the picture.
  const sides = async (selector: string) => {
    const measure = (one: string) => {
      const { width, height } = document.querySelector(one)?.getBoundingClientRect() ?? new DOMRect();
      return width > 0 && [width, height].map(Math.round);
    };
    return (await page.waitForFunction(measure, { timeout: 60_000 }, selector)).jsonValue();
  };
  const expected = await sides('.html-page .skeleton');
  released.resolve();
  expect(await sides('.html-page img')).toEqual(expected);
  page.off('request', hold);
  await page.setRequestInterception(false);
  const before = watched.problems.length;
  await code.click();
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyA');
  await page.keyboard.up('Control');
  await page.keyboard.type('<p data-layer="title">Typed over</p>');
  const typed = () =>
    document.querySelector('.json-host')?.shadowRoot?.querySelector('.cm-content')?.textContent?.includes('Typed over');
  await page.waitForFunction(typed);
  expect(await page.evaluate(typed)).toBe(true);
  expect(watched.problems.slice(before)).toEqual([]);
});

test('the html editor undoes, has the sides of the page, and says what its parameters are', async () => {
  await page.waitForSelector('::-p-text(Parameters: title)');
  const undo = await page.waitForSelector('::-p-aria([name="Undo"][role="button"])');
  const code = await inCodeEditor(page, '.cm-content', 60_000);
  for (let i = 0; i < 9 && (await code.evaluate((one) => one.textContent?.includes('Typed over'))); i++)
    await undo?.click();
  expect(await code.evaluate((one) => one.textContent)).not.toContain('Typed over');
  const width = await page.waitForSelector('.html-bar ::-p-aria([name="Width"])');
  await width?.click({ count: 3 });
  await page.keyboard.type('640');
  await page.keyboard.press('Enter');
  // The page is drawn as wide, once a key press is some time ago.
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.html-page img')?.naturalWidth === 640);
});

test('in the html editor, a switch gives the page Tailwind’s classes', async () => {
  /** Waits for another picture than the one that is shown when it is called. */
  const redrawn = async (change: () => Promise<void>) => {
    const shown = await page.$eval('.html-page img', (image) => (image as HTMLImageElement).src);
    await change();
    const isOther = (known: string) => document.querySelector<HTMLImageElement>('.html-page img')?.src !== known;
    await page.waitForFunction(isOther, {}, shown);
  };
  await (await inCodeEditor(page, '.cm-content', 60_000)).click();
  await redrawn(async () => {
    await page.keyboard.down('Control');
    await page.keyboard.press('KeyA');
    await page.keyboard.up('Control');
    // The editor closes the element itself.
    await page.keyboard.type('<p class="text-8xl">Large');
  });
  const input = await page.waitForSelector('.html-bar [role="switch"]');
  await redrawn(async () => input?.click());
  expect(await input?.evaluate((one) => (one as HTMLInputElement).checked)).toBe(true);
});

test('a refused upload and import name the file', async () => {
  await using folder = await temporaryFolder();
  const give = async (at: string, selector: string, name: string, text: string) => {
    await writeFile(join(folder.path, name), text);
    await page.goto(at, { waitUntil: 'networkidle0' });
    const input = await page.waitForSelector(selector);
    await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder.path, name));
    const toast = await page.waitForSelector('.toast-text', { timeout: 30_000 });
    return toast?.evaluate((one) => one.textContent);
  };
  expect(await give(PAGES.images(), 'input[type="file"]', 'broken.png', 'no picture')).toMatch(/^broken\.png: /);
  expect(await give(PAGES.fonts(), 'input[type="file"]', 'broken.ttf', 'no font')).toMatch(/^broken\.ttf: /);
  expect(await give(PAGES.templates(), 'input[type="file"]', 'rows.csv', 'title\nHello')).toBe(
    'rows.csv is a table. To render its rows, open a template and choose Use.',
  );
});

test('an imported template keeps its name; one without takes that of the file', async () => {
  await using folder = await temporaryFolder();
  const document = { width: 100, height: 100, layers: [] };
  for (const [content, name] of [
    [{ ...document, name: 'Launch card' }, 'Launch card'],
    [document, 'download'],
  ] as const) {
    await writeFile(join(folder.path, 'download.json'), JSON.stringify(content));
    await page.goto(PAGES.templates(), { waitUntil: 'networkidle0' });
    const input = await page.waitForSelector('input[type="file"]');
    await (input as ElementHandle<HTMLInputElement>).uploadFile(join(folder.path, 'download.json'));
    const title = await page.waitForSelector('.title-field', { timeout: 60_000 });
    expect(await title?.evaluate((one) => (one as HTMLInputElement).value)).toBe(name);
  }
});

test('a custom size stands above the presets, and says what it accepts', async () => {
  await page.goto(PAGES['blank presets'](), { waitUntil: 'networkidle0' });
  const width = await page.waitForSelector('::-p-aria([name="Width, px"])');
  expect(await width?.evaluate((field) => field.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  await width?.click({ count: 3 });
  await page.keyboard.type('99999');
  await page.waitForSelector('::-p-text(From 1 to 16,384 px.)');
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).pathname).toMatch(/templates$/);
  await width?.click({ count: 3 });
  await page.keyboard.type('640');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname.endsWith('/edit'), { timeout: 30_000 });
});

test('a size is typed in mm, which a change of the unit keeps, and is made in px', async () => {
  await page.goto(PAGES['blank presets'](), { waitUntil: 'networkidle0' });
  const unit = await page.waitForSelector('.own-size select');
  await unit?.select('mm');
  const width = await page.waitForSelector('::-p-aria([name="Width, mm"])');
  // 1200 px are 317.5 mm.
  expect(await width?.evaluate((field) => (field as HTMLInputElement).value)).toBe('317.5');
  await width?.click({ count: 3 });
  await page.keyboard.type('85,6');
  const height = await page.waitForSelector('::-p-aria([name="Height, mm"])');
  await height?.click({ count: 3 });
  await page.keyboard.type('53.98');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.pathname.endsWith('/edit'), { timeout: 30_000 });
  const id = /tpl_\w+/.exec(page.url())?.[0];
  const made = await askStudio(page, 'GET', `/templates/${id}`);
  // A card: 85.6 × 53.98 mm.
  expect([made.width, made.height]).toEqual([324, 204]);
});

test('the palette finds a template by its name, from anywhere', async () => {
  await page.goto(PAGES.usage(), { waitUntil: 'networkidle0' });
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyK');
  await page.keyboard.up('Control');
  await page.waitForSelector('.palette input');
  await page.keyboard.type('quote');
  await page.waitForSelector('::-p-xpath(//*[@role="option"][contains(., "Quote card") and contains(., "Template")])');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /\/templates\/tpl_\w+\/edit$/.test(location.pathname));
});

test('a render is run again, and opened in the editor with its values', async () => {
  const api = `/v1/studio/accounts/${account.split('/').at(-1)}`;
  const words = 'Opened with these words';
  const render = await page.evaluate(
    async (base, id, words) => {
      interface Layer {
        readonly name: string;
        readonly type: string;
        readonly children?: readonly Layer[];
      }
      const { document } = await (await fetch(`${base}/templates/${id}`)).json();
      const all = (layers: readonly Layer[]): readonly Layer[] =>
        layers.flatMap((layer) => [layer, ...all(layer.children ?? [])]);
      const { name } = all(document.layers).find(({ type }) => type === 'text') ?? { name: '' };
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ modifications: { [name]: words } });
      const answer = await fetch(`${base}/templates/${id}/render`, { method: 'POST', headers, body });
      return (await answer.json()).id as string;
    },
    api,
    template,
    words,
  );
  await page.goto(`${account}/renders?open=${render}`, { waitUntil: 'networkidle0' });
  const again = await page.waitForSelector('::-p-aria([name="Run again"][role="button"])', { timeout: 30_000 });
  await again?.click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length >= 2, { timeout: 30_000 });

  await page.goto(`${account}/renders?open=${render}`, { waitUntil: 'networkidle0' });
  const open = await page.waitForSelector('::-p-aria([name="Open in the editor"][role="link"])', { timeout: 30_000 });
  await open?.click();
  const isFilled = (text: string) =>
    [...document.querySelectorAll('input, textarea')].some((field) => (field as HTMLInputElement).value === text);
  await page.waitForFunction(isFilled, { timeout: 60_000 }, words);
  expect(new URL(page.url()).search).toBe(`?values=${render}`);
  await page.reload();
  await page.waitForFunction(isFilled, { timeout: 60_000 }, words);
});

test('no secret stands in an address, in what the browser keeps, or in a page after it was shown', async () => {
  const secret = /(?:plt_(?:live|test)|pls|pll|plc|sgn|whsec)_[\w+/]{8}/;
  await page.goto(PAGES.keys(), { waitUntil: 'networkidle0' });
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  expect(await page.content()).not.toMatch(secret);
  expect(kept).not.toMatch(secret);
  expect(watched.asked.filter((address) => secret.test(address.replace(/#.*/, '')))).toEqual([]);
  const history = await (await page.createCDPSession()).send('Page.getNavigationHistory');
  const fragments = history.entries.filter(({ url }) => secret.test(url) && !url.includes('/studio/setup#'));
  expect(fragments).toEqual([]);
});

test('the start page of somebody who is not signed in: accessible in both themes, with its pictures', async () => {
  const context = await lab.browser.createBrowserContext();
  const stranger = await context.newPage();
  const problems: string[] = [];
  stranger.on('console', (message) => problems.push(message.text()));
  for (const value of ['light', 'dark']) {
    await stranger.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
    for (const width of [1280, 390]) {
      await stranger.setViewport({ width, height: 800 });
      await stranger.goto(lab.server.url, { waitUntil: 'networkidle0' });
      const isWhole = () => [...document.images].every(({ naturalWidth }) => naturalWidth > 0);
      expect(await stranger.evaluate(isWhole)).toBe(true);
      expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect(await findings(stranger), `${value}, ${width}`).toEqual([]);
    }
  }
  expect(problems).toEqual([]);
  await context.close();
  await page.goto(lab.server.url, { waitUntil: 'networkidle0' });
  expect(new URL(page.url()).pathname).toMatch(/^\/studio\/a\/\w+\/templates$/);
});

test('what has no session sees nothing but the way in', async () => {
  const context = await lab.browser.createBrowserContext();
  const stranger = await context.newPage();
  await stranger.goto(`${account}/keys`, { waitUntil: 'networkidle0' });
  expect(new URL(stranger.url()).pathname).toBe('/studio/sign-in');
  expect(new URL(stranger.url()).searchParams.get('next')).toContain('/keys');
  await context.close();
});

test('sign-in is at most 50 KB of scripts and styles, gzip', () => {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(ROOT, 'dist/studio/manifest.json'), 'utf8'));
  const weigh = (...entries: readonly string[]) => {
    const files = new Set(['index.html', 'theme.js', ...entries.flatMap((entry) => [...filesOf(manifest, entry)])]);
    return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(ROOT, 'dist/studio', file))).length, 0);
  };
  const signIn = weigh('index.html', 'pages/sign-in/sign-in.tsx');
  expect(signIn).toBeLessThan(50_000);
});

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

function filesOf(manifest: Readonly<Record<string, Chunk>>, entry: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[entry];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) seen.add(file);
  for (const next of chunk.imports ?? []) filesOf(manifest, next, seen);
  return seen;
}
