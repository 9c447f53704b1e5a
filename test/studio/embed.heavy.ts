// Drives the editor in a page of another site, in Chromium: rights, theme, events, methods, and what is refused.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EditorToken, signEditorToken } from '../../clients/js/editor-token.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';
import { findings } from './accessibility.ts';
import { accountOf, askStudio, claim, openStudioLab, type StudioLab } from './studio-lab.ts';

const CARD = {
  name: 'Spring card',
  width: 600,
  height: 320,
  background: '#fff4e5',
  layers: [
    { type: 'shape', name: 'band', x: 0, y: 0, width: 600, height: 60, fill: '#14532d' },
    { type: 'text', name: 'title', x: 40, y: 90, width: 520, text: 'Spring sale', fontSize: 48, fontWeight: 700 },
    { type: 'image', name: 'photo', x: 40, y: 180, width: 120, height: 100, src: '' },
    { type: 'text', name: 'legal', x: 40, y: 292, width: 520, text: 'Terms apply', fontSize: 12, locked: true },
  ],
};

/** A red pixel. */
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A page of a site, whose script notes the editor's events. */
const hostPage = (server: string, account: string, token: string, style: string) => `<!doctype html>
<html lang="en"><title>Shop</title>
<style>html,body{margin:0;height:100%}main{height:100%}platen-editor{height:100%;${style}}</style>
<main><h1 style="position:absolute;left:-999px">Shop</h1>
<platen-editor src="${server}/studio/embed/${account}" token="${token}"></platen-editor></main>
<script type="module" src="${server}/studio/platen-editor.js"></script>
<script>
  window.heard = [];
  const editor = document.querySelector('platen-editor');
  for (const name of ['ready', 'change', 'save', 'publish', 'expired', 'error'])
    editor.addEventListener(name, ({ detail }) => heard.push({ name, detail }));
  editor.addEventListener('picture-wanted', (event) => {
    heard.push({ name: 'picture-wanted', detail: { layer: event.detail.layer } });
    if (!window.picture) return;
    event.preventDefault();
    event.detail.choose(window.picture);
  });
</script></html>`;

interface Heard {
  readonly name: string;
  readonly detail: { readonly message?: string; readonly layer?: string; readonly document?: typeof CARD };
}

describe.skipIf(!CHROMIUM)('the editor in a page of another site', () => {
  let lab: StudioLab;
  let account: string;
  let template: string;
  let secret: string;
  let owner: Page;
  /** By path. */
  const pages = new Map<string, string>();
  const site = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(pages.get(request.url ?? '') ?? '');
  });
  const originOf = (host: string) => `http://${host}:${(site.address() as AddressInfo).port}`;

  const api = (method: string, path: string, json?: unknown) => askStudio(owner, method, path, json);

  beforeAll(async () => {
    lab = await openStudioLab();
    const opened = await lab.open();
    owner = opened.page;
    await claim(owner, lab.setUpLink);
    account = accountOf(owner);
    await new Promise<void>((resolve) => site.listen(0, resolve));
    ({ secret } = await api('POST', '/secrets/signing/show'));
    await api('PUT', '/embedding', { origins: [originOf('localhost')] });
    ({ id: template } = await api('POST', '/templates', { document: CARD }));
  }, 240_000);

  afterAll(async () => {
    site.close();
    await lab?.[Symbol.asyncDispose]();
  });

  const sign = (claims: Partial<EditorToken> = {}) =>
    signEditorToken({ account, secret, user: 'user-1', origin: originOf('localhost'), template, ...claims });

  /** Opens the page of a site, which shows the editor. @param host not that of the server, so another site */
  async function visit(token: string, { host = 'localhost', style = '', width = 1280, height = 800 } = {}) {
    const path = `/${pages.size}`;
    pages.set(path, hostPage(lab.server.url, account, token, style));
    const page = await lab.browser.newPage();
    await page.setViewport({ width, height });
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(originOf(host) + path);
    const heard = () => page.evaluate(() => (globalThis as unknown as { heard: Heard[] }).heard);
    const hear = async (name: string) => {
      await page.waitForFunction(
        (name) => (globalThis as unknown as { heard: Heard[] }).heard.some((one) => one.name === name),
        { timeout: 60_000 },
        name,
      );
      return (await heard()).findLast((one) => one.name === name)?.detail ?? {};
    };
    const inside = async (): Promise<Frame> => {
      const frame = page.frames().find((one) => one.url().includes('/studio/embed/'));
      if (!frame) throw new Error('The page shows no editor.');
      await frame.waitForSelector('.artboard g g', { timeout: 60_000 });
      return frame;
    };
    return { page, problems, heard, hear, inside };
  }

  test('the words of a text are changed, saved as the draft and told to the page; nothing else can be', async () => {
    const { page, problems, hear, inside } = await visit(await sign({ rights: 'texts-and-pictures', save: 'draft' }));
    expect(await hear('ready')).toEqual({ template, rights: 'texts-and-pictures', save: 'draft' });
    const frame = await inside();
    const fields = await frame.$$eval('.content-panel .content-name', (names) => names.map((one) => one.textContent));
    expect(fields).toEqual(['title', 'photo']);
    expect(await frame.$('.toolbar')).toBeNull();
    await frame.click('.content-panel textarea', { count: 3 });
    await page.keyboard.type('Summer sale');
    const saved = (await hear('save')).document;
    expect(saved?.layers[1]).toMatchObject({ name: 'title', text: 'Summer sale' });
    expect((await api('GET', `/templates/${template}/draft`)).document.layers[1].text).toBe('Summer sale');

    // A drag on the canvas moves nothing, and a key that draws a layer draws none.
    const box = await frame.evaluate(() => document.querySelector('.artboard')!.getBoundingClientRect().toJSON());
    await page.mouse.move(box.x + 80, box.y + 120);
    await page.mouse.down();
    await page.mouse.move(box.x + 180, box.y + 170, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.press('Delete');
    const after = (await page.evaluate(() => document.querySelector('platen-editor')!.getDocument())) as typeof CARD;
    expect(after.layers.map(({ name, x, y }) => [name, x, y])).toEqual(
      CARD.layers.map(({ name, x, y }) => [name, x, y]),
    );
    expect(problems).toEqual([]);
    await page.close();
  }, 120_000);

  test('words are typed for the language and the size that are shown', async () => {
    const { id } = await api('POST', '/templates', {
      document: {
        ...CARD,
        lang: 'en',
        sizes: {
          square: { width: 300, height: 300 },
          banner: { width: 900, height: 200, changes: { title: { text: 'Sale' } } },
        },
        texts: { title: { fr: 'Soldes' }, legal: { de: 'Es gelten Bedingungen' } },
      },
    });
    const token = await sign({ rights: 'texts-and-pictures', save: 'draft', template: id });
    const { page, problems, inside } = await visit(token, { width: 390, height: 700 });
    const frame = await inside();
    const field = '.content-panel textarea';
    const title = () => frame.$eval(field, (one) => (one as HTMLTextAreaElement).value);
    const type = async (words: string) => {
      await frame.click(field, { count: 3 });
      await page.keyboard.type(words);
    };
    const stored = () =>
      page.evaluate(() => document.querySelector('platen-editor')!.getDocument()) as Promise<
        typeof CARD & Readonly<Record<'texts' | 'sizes', unknown>>
      >;
    await frame.waitForSelector('.views-language');
    await frame.select('.views-language', 'de');
    await frame.waitForSelector('.content-missing');
    await type('Ausverkauf');
    await frame.waitForSelector('.content-missing', { hidden: true });
    await frame.select('.views-language', 'fr');
    await frame.waitForFunction(
      (at) => (document.querySelector(at) as HTMLTextAreaElement).value === 'Soldes',
      {},
      field,
    );
    await frame.select('.views-language', '');
    await frame.waitForFunction(
      (at) => (document.querySelector(at) as HTMLTextAreaElement).value === 'Spring sale',
      {},
      field,
    );
    await (await frame.$('::-p-xpath(//label[contains(@class, "views-size")][contains(., "banner")])'))?.click();
    await frame.waitForFunction(
      (at) => (document.querySelector(at) as HTMLTextAreaElement).value === 'Sale',
      {},
      field,
    );
    await type('Sale!');
    await (await frame.$('::-p-xpath(//label[contains(@class, "views-size")][contains(., "default")])'))?.click();
    await frame.waitForFunction(
      (at) => (document.querySelector(at) as HTMLTextAreaElement).value === 'Spring sale',
      {},
      field,
    );
    expect(await title()).toBe('Spring sale');
    const { texts, sizes, layers } = await stored();
    expect([texts, sizes, layers[1]]).toMatchObject([
      { title: { fr: 'Soldes', de: 'Ausverkauf' }, legal: { de: 'Es gelten Bedingungen' } },
      { banner: { changes: { title: { text: 'Sale!' } } } },
      { text: 'Spring sale' },
    ]);
    await page.waitForFunction(() =>
      (globalThis as unknown as { heard: Heard[] }).heard.some(({ name }) => name === 'save'),
    );
    await expect
      .poll(async () => (await api('GET', `/templates/${id}/draft`)).document.sizes.banner.changes.title.text, {
        timeout: 20_000,
      })
      .toBe('Sale!');
    const bar = await frame.$eval('.views-bar', (one) => one.scrollWidth - one.clientWidth);
    expect(bar).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  }, 120_000);

  test('the page gives the picture, its data, its own document, and takes a file', async () => {
    const { page, problems, heard, hear, inside } = await visit(await sign({ rights: 'texts-and-pictures' }));
    const frame = await inside();
    await page.evaluate((pixel) => void Object.assign(globalThis, { picture: pixel }), PIXEL);
    await frame.click('.content-panel button');
    expect(await hear('picture-wanted')).toEqual({ layer: 'photo' });
    expect((await hear('change')).document?.layers[2]).toMatchObject({ name: 'photo', src: PIXEL });

    // Without the page's answer, the editor's own dialog; uploads are not allowed, so it takes an address.
    await page.evaluate(() => void Object.assign(globalThis, { picture: null }));
    await frame.click('.content-panel button');
    await frame.waitForSelector('dialog[open] input');
    expect(await frame.$('dialog[open] .drop-zone')).toBeNull();
    await page.keyboard.press('Escape');

    const results = await page.evaluate(async (card) => {
      const editor = document.querySelector('platen-editor')!;
      const outcome = (work: Promise<unknown>) =>
        work.then(
          () => 'done',
          (error: Error) => error.message,
        );
      const wider = { ...card, width: 900 };
      await editor.setData({ title: 'Autumn' });
      const file = await editor.download({ output: 'png' });
      return {
        wider: await outcome(editor.load(wider)),
        wrong: await outcome(editor.load([] as never)),
        file: [file.type, file.size > 1_000],
        bad: await outcome(editor.download({ output: 'gif' as 'png' })),
      };
    }, CARD);
    expect(results).toEqual({
      wider: 'Only texts and pictures may be changed here, not the template’s "width".',
      wrong: 'load takes a template: an object with name, width, height, layers.',
      file: ['image/png', true],
      bad: 'download: output must be one of png, jpeg, webp, avif, svg, pdf.',
    });
    await frame.waitForFunction(() => document.querySelector('.artboard') !== null);
    await frame.evaluate(() =>
      [...document.querySelectorAll('button')].find((one) => one.textContent === 'Done')?.click(),
    );
    await hear('save');
    expect((await heard()).some(({ name }) => name === 'error')).toBe(false);
    expect(problems).toEqual([]);
    await page.close();
  }, 120_000);

  test('with all rights the whole editor designs an empty canvas, and publishes a template', async () => {
    const blank = { width: 300, height: 200, name: 'Badge' };
    const empty = await visit(await sign({ template: undefined, blank }));
    await empty.hear('ready');
    const frame = empty.page.frames().find((one) => one.url().includes('/studio/embed/'))!;
    await frame.waitForSelector('.toolbar');
    await frame.click('.toolbar [aria-label="Rectangle"]');
    const canvas = await frame.evaluate(() => document.querySelector('.artboard')!.getBoundingClientRect().toJSON());
    await empty.page.mouse.move(canvas.x + 40, canvas.y + 40);
    await empty.page.mouse.down();
    await empty.page.mouse.move(canvas.x + 140, canvas.y + 100, { steps: 4 });
    await empty.page.mouse.up();
    expect((await empty.hear('change')).document?.layers).toMatchObject([{ type: 'shape' }]);
    expect(empty.problems).toEqual([]);
    await empty.page.close();

    const { page, problems, hear, inside } = await visit(await sign({ save: 'publish' }));
    const opened = await inside();
    await opened.evaluate(() =>
      [...document.querySelectorAll('button')].find((one) => one.textContent === 'Publish')?.click(),
    );
    expect(await hear('publish')).toMatchObject({ version: 2 });
    expect(problems).toEqual([]);
    await page.close();
  }, 120_000);

  test('the page’s custom properties and language reach the editor, and nothing that loads', async () => {
    const style =
      '--platen-accent: rgb(0, 90, 200); --platen-color-scheme: dark; --platen-surface: url(https://x.example/)';
    const { page, hear, inside } = await visit(await sign(), { style });
    await hear('ready');
    const frame = await inside();
    const look = () =>
      frame.evaluate(() => {
        const button = document.querySelector('.button-main')!;
        const { theme } = document.documentElement.dataset;
        const surface = document.documentElement.style.getPropertyValue('--surface');
        return [getComputedStyle(button).backgroundColor, theme, surface, button.textContent];
      });
    expect(await look()).toEqual(['rgb(0, 90, 200)', 'dark', '', 'Done']);
    await page.evaluate(() => {
      const editor = document.querySelector('platen-editor')!;
      editor.style.setProperty('--platen-accent', '#00aa00');
      editor.lang = 'de';
    });
    await frame.waitForFunction(() => document.querySelector('.button-main')?.textContent === 'Fertig');
    // The panels of the editor too, although it is open.
    expect(await frame.evaluate(() => document.documentElement.lang)).toBe('de');
    expect(await frame.$eval('.toolbar [aria-pressed="false"]', (tool) => tool.getAttribute('aria-label'))).toBe(
      'Hand',
    );
    expect(await frame.$$eval('[role="tab"]', (tabs) => tabs.map(({ textContent }) => textContent))).toEqual([
      'Ebenen',
      'Bibliothek',
      'Design',
      'Daten',
      'JSON',
    ]);
    // Colours change gradually.
    await frame.waitForFunction(() => {
      const button = document.querySelector('.button-main');
      return button !== null && getComputedStyle(button).backgroundColor === 'rgb(0, 170, 0)';
    });
    expect(await look()).toEqual(['rgb(0, 170, 0)', 'dark', '', 'Fertig']);
    await page.close();
  }, 120_000);

  test('a token that is altered, expired or of another origin is refused, and another origin shows nothing', async () => {
    const message = async (token: string) => {
      const { page, hear } = await visit(token);
      const { message } = await hear('error');
      await page.close();
      return message;
    };
    const good = await sign();
    expect(await message(`${good.slice(0, -4)}AAAA`)).toMatch(/was not signed with a valid secret/);
    const past = { issued: new Date(Date.now() - 7_200_000), expires: new Date(Date.now() - 3_600_000) };
    expect(await message(await sign(past))).toMatch(/has expired/);
    expect(await message(await sign({ origin: 'https://other.example' }))).toMatch(
      /does not allow the editor in pages/,
    );

    const stranger = await visit(good, { host: '127.0.0.2' });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await stranger.heard()).toEqual([]);
    expect(stranger.problems.join()).toMatch(/frame-ancestors|refused to connect|Framing/i);
    await stranger.page.close();
  }, 120_000);

  test('a token that is revoked stops the work, and a new one lets it go on', async () => {
    const user = 'user-9';
    const issued = new Date(Date.now() - 60_000);
    const { page, hear, inside } = await visit(
      await sign({ user, issued, rights: 'texts-and-pictures', save: 'draft' }),
    );
    const frame = await inside();
    await api('POST', '/embedding/revoke', { user, before: new Date(Date.now() - 5_000).toISOString() });
    await frame.click('.content-panel textarea', { count: 3 });
    await page.keyboard.type('Winter sale');
    await hear('expired');
    const fresh = await sign({ user, rights: 'texts-and-pictures', save: 'draft' });
    await page.evaluate((token) => document.querySelector('platen-editor')!.setAttribute('token', token), fresh);
    expect((await hear('save')).document?.layers[1]).toMatchObject({ text: 'Winter sale' });
    await page.close();
  }, 120_000);

  test('axe finds nothing, at three widths', async () => {
    for (const rights of ['texts-and-pictures', 'all'] as const) {
      for (const width of [390, 1280, 1600]) {
        const { page, inside } = await visit(await sign({ rights }), { width });
        const frame = await inside();
        expect(await findings(frame, { all: true }), `${rights}, ${width}`).toEqual([]);
        if (process.env.PICTURES)
          await page.screenshot({ path: `${process.env.PICTURES}/embed-${rights}-${width}.png` });
        await page.close();
      }
    }
  }, 240_000);
});
