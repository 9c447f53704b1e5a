// The walk of an agency, with a real mouse and keyboard: a brand is made, a template moved to it, sizes are added, a
// client edits two texts in a page of the agency's own, the agency publishes, and twenty rows are rendered in two sizes.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signEditorToken } from '../../clients/js/editor-token.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';
import { accountOf, askStudio, claim, openStudioLab, press, type StudioLab, sees, type Watched } from './studio-lab.ts';

const CARD = {
  name: 'Offer',
  width: 1200,
  height: 628,
  background: '#ffffff',
  layers: [
    { name: 'band', type: 'shape', x: 0, y: 0, width: 1200, height: 200, fill: '#cc0000' },
    { name: 'title', type: 'text', x: 60, y: 240, width: 1080, text: 'Spring offers', fontSize: 96, fontWeight: 700 },
    { name: 'line', type: 'text', x: 60, y: 420, width: 1080, text: 'Until Sunday', fontSize: 48 },
  ],
};
const COLOR = '#0a7d4f';

describe.skipIf(!CHROMIUM)('an agency', () => {
  let lab: StudioLab;
  let page: Page;
  let watched: Watched;
  let account: string;
  let template: string;
  let here: string;
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(clientPage);
  });
  let clientPage = '';

  const api = (method: string, path: string, json?: unknown) => askStudio(page, method, path, json);
  const type = async (label: string, text: string) => {
    const field = await page.waitForSelector(`::-p-aria([name="${label}"])`, { visible: true });
    await field?.click({ count: 3 });
    await page.keyboard.type(text);
  };

  beforeAll(async () => {
    lab = await openStudioLab();
    ({ page, watched } = await lab.open(1440, 900));
    page.setDefaultTimeout(60_000);
    await claim(page, lab.setUpLink);
    account = accountOf(page);
    here = `${lab.server.url}/studio/a/${account}`;
    ({ id: template } = await api('POST', '/templates', { document: CARD }));
    await new Promise<void>((resolve) => site.listen(0, resolve));
  }, 240_000);

  afterAll(async () => {
    site.close();
    await lab?.[Symbol.asyncDispose]();
  });

  test('a brand is made', async () => {
    await page.goto(`${here}/brands`, { waitUntil: 'networkidle0' });
    await press(page, 'button', 'New brand');
    await type('Name', 'Meadow');
    await page.keyboard.press('Enter');
    await press(page, 'button', 'Add a color');
    const swatch = await page.waitForSelector('.brand-section .swatch', { visible: true });
    await swatch?.click();
    const css = await page.waitForSelector('input[aria-label$=", as CSS"]', { visible: true });
    await css?.click({ count: 3 });
    await page.keyboard.type(COLOR);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await press(page, 'button', 'Save');
    await sees(page, 'Saved as version 2');
    expect(await api('GET', '/brands/meadow')).toMatchObject({ version: 2, colors: { primary: COLOR } });
  }, 60_000);

  test('a template is moved to it, and has two more sizes', async () => {
    await page.goto(`${here}/templates/${template}/edit`, { waitUntil: 'networkidle0' });
    const canvas = await page.waitForSelector('.artboard g', { timeout: 60_000 });
    expect(canvas).not.toBeNull();
    const brand = await page.waitForSelector('select[aria-label="Brand"]', { visible: true });
    await brand?.select('meadow');
    const board = await page.$eval('.artboard', (one) => one.getBoundingClientRect().toJSON());
    await page.mouse.click(board.x + board.width / 2, board.y + board.height * 0.1);
    await (await page.waitForSelector('[data-property="fill"] .swatch', { visible: true }))?.click();
    const name = '::-p-xpath(//button[contains(@class, "brand-name")][contains(., "primary")])';
    await (await page.waitForSelector(name, { visible: true }))?.click();
    // Closes the picker, then ends the selection.
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('.popover'));
    await page.keyboard.press('Escape');
    for (const [size, measures] of [
      ['story', '1080 × 1920'],
      ['square', '1080 × 1080'],
    ]) {
      await press(page, 'button', 'Add a size');
      const entry = `::-p-xpath(//*[@role="menuitem"][contains(., "${measures}")])`;
      await (await page.waitForSelector(entry, { visible: true }))?.click();
      await page.waitForSelector(`::-p-xpath(//label[contains(@class, "views-size")][contains(., "${size}")])`);
    }
    await press(page, 'button', 'Publish');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    await sees(page, 'Version 2');
    const { document } = await api('GET', `/templates/${template}`);
    expect(document).toMatchObject({ brand: 'meadow@2', sizes: { story: { width: 1080 }, square: { width: 1080 } } });
    expect(document.layers[0]).toMatchObject({ name: 'band', fill: '$primary' });
  }, 120_000);

  test('a client edits two texts in a page of the agency', async () => {
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    const { secret } = await api('POST', '/secrets/signing/show');
    await api('PUT', '/embedding', { origins: [origin] });
    const expires = new Date(Date.now() + 3_600_000);
    const claims = { account, secret, user: 'client-7', origin, template, rights: 'texts-and-pictures' } as const;
    const token = await signEditorToken({ ...claims, save: 'draft', expires });
    clientPage = `<!doctype html><html lang="en"><title>Client</title><style>html,body,platen-editor{margin:0;height:100%}</style>
      <platen-editor src="${lab.server.url}/studio/embed/${account}" token="${token}"></platen-editor>
      <script type="module" src="${lab.server.url}/studio/platen-editor.js"></script>
      <script>window.saved = null; document.querySelector('platen-editor')
        .addEventListener('save', ({ detail }) => { window.saved = detail.document; });</script></html>`;
    const client = await lab.browser.newPage();
    await client.setViewport({ width: 1280, height: 800 });
    await client.goto(origin);
    const frame = await client.waitForFrame((one) => one.url().includes('/studio/embed/'), { timeout: 60_000 });
    await frame.waitForSelector('.artboard g g', { timeout: 60_000 });
    const areas = await frame.$$('.content-panel textarea');
    expect(areas).toHaveLength(2);
    for (const [index, words] of ['Summer offers', 'Until Friday at noon'].entries()) {
      await areas[index]?.click({ count: 3 });
      await client.keyboard.type(words);
    }
    await client.waitForFunction(
      () => JSON.stringify((globalThis as unknown as { saved: unknown }).saved ?? '').includes('Friday at noon'),
      { timeout: 30_000 },
    );
    await client.close();
    const { document } = await api('GET', `/templates/${template}/draft`);
    expect(document.layers.map(({ text }: { text?: string }) => text)).toEqual([
      undefined,
      'Summer offers',
      'Until Friday at noon',
    ]);
  }, 120_000);

  test('the agency publishes it', async () => {
    await page.goto(`${here}/templates/${template}/edit`, { waitUntil: 'networkidle0' });
    await page.waitForSelector('.artboard g g', { timeout: 60_000 });
    await press(page, 'button', 'Publish');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    await sees(page, 'Version 3');
    const { document } = await api('GET', `/templates/${template}`);
    expect(document).toMatchObject({ brand: 'meadow@2', layers: [{}, { text: 'Summer offers' }, {}] });
  }, 60_000);

  test('twenty rows are rendered in two sizes', async () => {
    await page.goto(`${here}/templates/${template}/use`, { waitUntil: 'networkidle0' });
    const area = await page.waitForSelector('::-p-aria([name="Or paste rows from a spreadsheet"])');
    const rows = Array.from({ length: 20 }, (_, i) => `Shop ${i + 1}\tSale of day ${i + 1}\tstory,square`);
    await area?.evaluate(
      (field, text) => {
        (field as HTMLTextAreaElement).value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      },
      ['title\tline\tsize', ...rows].join('\n'),
    );
    await press(page, 'button', 'Use these rows');
    await sees(page, '20 rows, 3 columns');
    await press(page, 'button', 'Render 20 rows');
    await sees(page, '40 files made');
    const { items } = await api('GET', '/renders?limit=50');
    expect(items).toHaveLength(40);
    const sizes = new Map<string, number>();
    for (const { url } of items) {
      const bytes = await page.evaluate(async (address: string) => {
        const answer = await fetch(address);
        return [...new Uint8Array(await answer.arrayBuffer())];
      }, url);
      const { data, info } = await sharp(Buffer.from(bytes)).raw().toBuffer({ resolveWithObject: true });
      const color = `#${data.subarray(0, 3).toString('hex')}`;
      const key = `${info.width}×${info.height} ${color}`;
      sizes.set(key, (sizes.get(key) ?? 0) + 1);
    }
    expect(Object.fromEntries(sizes)).toEqual({ [`1080×1920 ${COLOR}`]: 20, [`1080×1080 ${COLOR}`]: 20 });
    expect(watched.problems).toEqual([]);
  }, 240_000);
});
