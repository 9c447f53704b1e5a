// Tests what somebody who makes pictures from a template does in the studio, in Chromium against the real server: the
// files that are downloaded, with their names and sizes, and what the dialogs do.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../command.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { unzip } from '../unzip.ts';
import { findings } from './accessibility.ts';
import { accountOf, claim, openStudioLab, type StudioLab, type Watched } from './studio-lab.ts';

let lab: StudioLab;
let page: Page;
let watched: Watched;
let downloads: TemporaryFolder;
let pages: string;
let api: string;

beforeAll(async () => {
  lab = await openStudioLab();
  downloads = await temporaryFolder();
  ({ page, watched } = await lab.open());
  await claim(page, lab.setUpLink);
  const account = accountOf(page);
  pages = `${lab.server.url}/studio/a/${account}/templates`;
  api = `/v1/studio/accounts/${account}`;
  const browser = await lab.browser.target().createCDPSession();
  await browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads.path });
}, 180_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await downloads?.[Symbol.asyncDispose]();
});

const button = (name: string) => `::-p-aria([name="${name}"][role="button"])`;

async function press(selector: string): Promise<void> {
  const found = await page.waitForSelector(selector, { visible: true, timeout: 30_000 });
  await found?.click();
}

/** Presses the last key while the others are held. */
async function keys(...names: readonly string[]): Promise<void> {
  for (const key of names.slice(0, -1)) await page.keyboard.down(key as 'Control');
  await page.keyboard.press(names.at(-1) as 'a');
  for (const key of names.slice(0, -1)) await page.keyboard.up(key as 'Control');
}

/** Waits for a downloaded file of this name. */
async function downloaded(name: string): Promise<Buffer> {
  const path = join(downloads.path, name);
  for (let tries = 0; tries < 200 && !existsSync(path); tries++) await new Promise((done) => setTimeout(done, 50));
  expect(readdirSync(downloads.path)).toContain(name);
  return readFileSync(path);
}

/** Sends a request of the studio from its own page. */
async function ask<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
  const answer = await page.evaluate(
    async (method, path, body, headers) => {
      const response = await fetch(path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    },
    method,
    api + path,
    body,
    headers,
  );
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return (answer.text === '' ? null : JSON.parse(answer.text)) as T;
}

const text = (name: string, more: object = {}) => ({
  ...{ type: 'text', name, x: 20, y: 20, width: 360, height: 60, fontSize: 24 },
  ...more,
});

/** Makes a template of 400 × 200 px. */
async function make(name: string, more: object = {}): Promise<string> {
  const document = { name, width: 400, height: 200, background: '#ffffff', layers: [text('title', { text: 'Hello' })] };
  const { id } = await ask<{ id: string }>('POST', '/templates', { document: { ...document, ...more } });
  return id;
}

test('a template of the list is downloaded at twice its size, under its name', async () => {
  await make('Offer: 50 % / week');
  await page.goto(pages, { waitUntil: 'networkidle0' });
  await press(button('Actions for Offer: 50 % / week'));
  await press('::-p-aria([name="Download"][role="menuitem"])');
  await page.waitForSelector('dialog[open]');
  await page.select('dialog .field:nth-child(2) select', '2');
  await page.focus('dialog [type="submit"]');
  await page.keyboard.press('Enter');
  const file = await downloaded('Offer- 50 % - week@2x.png');
  expect(await sharp(file).metadata()).toMatchObject({ format: 'png', width: 800, height: 400 });
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
});

test('the editor downloads the draft, in every format', async () => {
  const id = await make('Poster');
  const draft = { name: 'Poster', width: 300, height: 100, background: '#ff0000', layers: [] };
  await ask('PUT', `/templates/${id}/draft`, { document: draft }, { 'if-match': '"0"' });
  await page.goto(`${pages}/${id}/edit`, { waitUntil: 'networkidle0' });
  for (const [output, name, format] of [
    ['png', 'Poster@3x.png', 'png'],
    ['jpeg', 'Poster@3x.jpg', 'jpeg'],
    ['webp', 'Poster@3x.webp', 'webp'],
    ['pdf', 'Poster.pdf', 'pdf'],
  ] as const) {
    await press(button('Download'));
    await page.waitForSelector('dialog[open]');
    await page.select('dialog .field:nth-child(1) select', output);
    if (output === 'png') await page.select('dialog .field:nth-child(2) select', '3');
    await press('::-p-xpath(//dialog//button[@type="submit"])');
    const file = await downloaded(name);
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    if (format === 'pdf') {
      expect(file.toString('latin1')).toMatch(/^%PDF-[\s\S]*%%EOF/);
      continue;
    }
    expect(await sharp(file).metadata()).toMatchObject({ format, width: 900, height: 300 });
    const { data } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)].map((channel) => Math.round(channel / 255))).toEqual([1, 0, 0]);
  }
});

test('a list is a sheet: typed, pasted, moved, removed, of 500 rows, and a refused cell is named', async () => {
  const id = await make('Lines', {
    ...{ width: 600, height: 800, currency: 'EUR' },
    layers: [
      {
        ...{ type: 'table', name: 'lines', x: 20, y: 20, width: 560 },
        columns: ['fill', { width: 80, align: 'end' }, { width: 100, align: 'end' }],
        header: ['Item', 'Pieces', 'Amount'],
        row: [{ name: 'item' }, { name: 'pieces' }, { name: 'amount', format: 'currency' }],
        footer: [
          { text: 'Total', columnSpan: 2 },
          { calculate: { sum: 'amount' }, format: 'currency' },
        ],
        rows: [{ item: 'Hinge', pieces: 4, amount: '50.00' }],
      },
    ],
  });
  await page.goto(`${pages}/${id}/use`, { waitUntil: 'networkidle0' });
  const cell = (row: number, column: number) => `[data-cell="${row} ${column}"]`;
  const values = () =>
    page.$$eval('.rows-sheet tbody tr:has(input)', (rows) =>
      rows.map((row) => [...row.querySelectorAll('input')].map(({ value }) => value).join('|')),
    );
  const look = async (name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/rows-${name}.png` });
  };
  await page.waitForSelector(cell(0, 2));
  expect(await values()).toEqual(['Hinge|4|50.00']);

  // Enter edits a cell, and at the end of the last row adds one; arrows with Alt move it.
  await page.click(cell(0, 2));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${cell(1, 0)}:focus`);
  await page.keyboard.type('Board');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await page.keyboard.press('Tab');
  await page.keyboard.type('many');
  await page.waitForSelector(`${cell(1, 2)}[aria-invalid="true"]`, { timeout: 30_000 });
  expect(await page.$eval('.field-error', (error) => error.textContent)).toMatch(/^Row 2, Amount: must be a number/i);
  await look('refused');
  await page.$eval(cell(1, 2), (input) => (input as HTMLInputElement).select());
  await page.keyboard.type('140');
  await page.waitForFunction(() => !document.querySelector('.field-error'), { timeout: 30_000 });
  await page.keyboard.down('Alt');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.up('Alt');
  await page.waitForSelector(`${cell(0, 2)}:focus`);
  expect(await values()).toEqual(['Board|2|140', 'Hinge|4|50.00']);
  await page.click(cell(1, 0));
  await press(button('Remove row 2 (Ctrl+Backspace)'));
  expect(await values()).toEqual(['Board|2|140']);
  await keys('Control', 'z');
  expect(await values()).toEqual(['Board|2|140', 'Hinge|4|50.00']);
  await keys('Control', 'Shift', 'z');
  expect(await values()).toEqual(['Board|2|140']);

  // Rows of a spreadsheet: their titles name the columns.
  const rows = Array.from({ length: 500 }, (_, i) => `${i + 1}\tPart ${i + 1}`);
  await page.focus(cell(0, 0));
  const seen = await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const begun = performance.now();
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
      return performance.now() - begun;
    },
    ['Amount\tItem', ...rows].join('\n'),
  );
  expect(seen).toBeLessThan(1_000);
  await page.waitForSelector('::-p-xpath(//span[normalize-space(.)="Row 1 of 500"])');
  expect((await values()).length).toBeLessThan(40);
  expect((await values())[0]).toBe('Part 1|2|1');
  await page.$eval('.rows-box', (box) => {
    box.scrollTop = box.scrollHeight;
  });
  await page.waitForSelector(cell(499, 0));
  await page.click(cell(499, 1));
  await page.keyboard.type('12');
  await look('500');
  await page.keyboard.down('Control');
  await page.keyboard.press('Backspace');
  await page.keyboard.up('Control');
  await page.waitForSelector(`${cell(498, 1)}:focus`);
  await page.waitForSelector('::-p-xpath(//span[normalize-space(.)="Row 499 of 499"])');
  await press(button('Reset'));
  expect(await values()).toEqual(['Hinge|4|50.00']);

  // A file that is dropped is the whole list.
  await page.$eval('.rows-sheet', (sheet) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Item;amount\nNail;0.5\nScrew;0.7\n'], 'lines.csv', { type: 'text/csv' }));
    sheet.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.waitForSelector(cell(1, 0));
  expect(await values()).toEqual(['Nail||0.5', 'Screw||0.7']);
  await look('dropped');
});

test('of the six columns of an invoice five are in sight, the others behind a shadow, and the row’s number stays', async () => {
  const { name: _, ...invoice } = JSON.parse(readFileSync(join(ROOT, 'samples/documents/invoice.json'), 'utf8'));
  const id = await make('Invoice', invoice);
  await page.goto(`${pages}/${id}/use`, { waitUntil: 'networkidle0' });
  await page.waitForSelector('[data-cell="0 5"]');
  const seen = () =>
    page.$eval('.rows-box', (box) => {
      const { left, right } = box.getBoundingClientRect();
      const inside = (element: Element | null) => {
        const rect = element?.getBoundingClientRect();
        return rect !== undefined && rect.left >= left - 1 && rect.right <= right + 1;
      };
      const titles = [...box.querySelectorAll('thead th:not(.rows-number)')];
      return {
        titles: titles.filter(inside).map((title) => title.textContent),
        number: inside(box.querySelector('tbody .rows-number')),
      };
    });
  expect(await seen()).toEqual({ titles: ['Item', 'Quantity', 'unit', 'Price', 'Amount'], number: true });
  await page.focus('[data-cell="0 4"]');
  await page.keyboard.press('ArrowRight');
  const { titles, number } = await seen();
  expect([titles.at(-1), number]).toEqual(['section', true]);
  expect(await findings(page, { within: '.rows-sheet' })).toEqual([]);
});

test('the form shows the colors of the brand, and takes the values of a chart', async () => {
  await ask('PUT', '/brands/acme', { baseVersion: 0, brand: { colors: { primary: '#1d4ed8' } } });
  const id = await make('Figures', {
    brand: 'acme',
    layers: [
      { type: 'shape', name: 'band', x: 0, y: 0, width: 400, height: 20, fill: '$primary' },
      { type: 'chart', name: 'sales', x: 0, y: 20, width: 400, height: 180, data: [{ label: 'May', value: 12 }] },
    ],
  });
  await page.goto(`${pages}/${id}/use`, { waitUntil: 'networkidle0' });
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('.values [type="color"]')?.value === '#1d4ed8',
  );
  const chart = '::-p-aria([name="sales"][role="textbox"])';
  const typeValues = async (lines: string) => {
    await page.click(chart);
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type(lines);
  };
  expect(await page.$eval(chart, (field) => (field as HTMLTextAreaElement).value)).toBe('May, 12');
  const drawn = page.waitForResponse(
    (response) => /preview$/.test(response.url()) && /July/.test(response.request().postData() ?? ''),
  );
  await typeValues('June, 20\nJuly, 25');
  const answer = await drawn;
  expect(answer.status()).toBe(200);
  expect(JSON.parse(answer.request().postData() ?? '{}').modifications).toEqual({
    sales: [
      { label: 'June', value: 20 },
      { label: 'July', value: 25 },
    ],
  });
  await typeValues('June, many');
  await page.waitForSelector('::-p-text(Line 1: “many” is not a number.)');
});

test('Enter publishes, and a message is above the scrim of a dialog', async () => {
  const id = await make('Published by Enter');
  const draft = { name: 'Published by Enter', width: 300, height: 100, layers: [] };
  await ask('PUT', `/templates/${id}/draft`, { document: draft }, { 'if-match': '"0"' });
  await page.goto(`${pages}/${id}/edit`, { waitUntil: 'networkidle0' });
  await press(button('Publish'));
  await page.waitForSelector('dialog[open]');
  // Somebody else discards the draft, so publishing it fails.
  await ask('DELETE', `/templates/${id}/draft`, undefined, { 'if-match': '"1"' });
  await page.keyboard.type('A note');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.toast.is-bad', { visible: true });
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  const toast = await page.$eval('.toast.is-bad', (element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return { x: left + 6, y: top + height / 2, color: getComputedStyle(element).backgroundColor };
  });
  const spot = await page.screenshot({ clip: { x: toast.x, y: toast.y, width: 2, height: 2 } });
  const [red, green, blue] = await sharp(spot).removeAlpha().raw().toBuffer();
  expect(`rgb(${red}, ${green}, ${blue})`).toBe(toast.color);
});

const PARAMETERS = [
  { layer: 'title', label: 'Headline', required: true, maxLength: 12 },
  { layer: 'band', label: 'Band' },
  { layer: 'photo', label: 'Photo' },
];
const LAYERS = [
  { type: 'shape', name: 'band', width: 200, height: 200, fill: '#00ff00' },
  { type: 'image', name: 'photo', x: 200, width: 200, height: 200, src: '', optional: true, fit: 'cover' },
  text('title', { text: 'Example' }),
];

/** The colour, each channel from 0 to 5, at a point of the canvas in the picture on the page, once that shows what was typed. */
async function pictureAt(x: number, y: number): Promise<readonly number[]> {
  await page.waitForSelector('.use-picture[aria-busy="false"]', { timeout: 30_000 });
  return page.$eval(
    '.use-picture img',
    async (element, x, y) => {
      const image = element as HTMLImageElement;
      await image.decode();
      const context = new OffscreenCanvas(400, 200).getContext('2d');
      context?.drawImage(image, 0, 0, 400, 200);
      const { data } = context?.getImageData(x, y, 1, 1) ?? {};
      // WebP changes colours a little.
      return [...(data ?? [])].slice(0, 3).map((channel) => Math.round(channel / 51));
    },
    x,
    y,
  );
}

async function type(label: string, words: string): Promise<void> {
  const field = await page.waitForSelector(`::-p-aria([name="${label}"][role="textbox"])`, { timeout: 30_000 });
  await field?.evaluate((element) => (element as HTMLInputElement).select());
  await field?.type(words);
}

test('Use: the picture follows what is typed, errors stand at their fields, and the same is downloaded', async () => {
  const id = await make('Summer card', { layers: LAYERS, parameters: PARAMETERS });
  await page.goto(`${pages}/${id}/use`, { waitUntil: 'networkidle0' });
  expect(await pictureAt(10, 190)).toEqual([0, 5, 0]);

  await press(button('Download'));
  await page.waitForSelector('::-p-xpath(//*[@role="alert"][contains(., "“Headline” is required")])');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
  const asked = watched.asked.filter((address) => address.endsWith('/preview')).length;
  await type('Headline (required)', 'Far too long a headline');
  await page.waitForSelector('::-p-xpath(//*[@role="alert"][contains(., "at most 12 characters, this has 23")])');
  await type('Headline (required)', 'Short');
  await type('Band', '#0000ff');
  expect(await pictureAt(10, 190)).toEqual([0, 0, 5]);
  // Fewer requests than letters: they wait until somebody pauses.
  expect(watched.asked.filter((address) => address.endsWith('/preview')).length - asked).toBeLessThan(20);

  await press(button('Photo: choose a picture'));
  const input = await page.waitForSelector('dialog[open] input[type="file"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(join(ROOT, 'samples/assets/deep-field.jpg'));
  await page.waitForFunction(() => !document.querySelector('dialog[open]'), { timeout: 30_000 });
  expect(await pictureAt(390, 190)).not.toEqual([5, 5, 5]);

  await page.select('.use-side .field:nth-child(1) select', 'png');
  await page.select('.use-side .field:nth-child(2) select', '2');
  await press(button('Download'));
  const { data, info } = await sharp(await downloaded('Summer card@2x.png'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([800, 400]);
  const corner = (info.height - 10) * info.width * 3 + 30;
  expect([...data.subarray(corner, corner + 3)]).toEqual([0, 0, 255]);

  // Programs get the same values.
  const curl = await page.$eval('[aria-label="The request, curl"]', (element) => element.textContent);
  expect(curl).toMatch(/"title": "Short",[\s\S]*"band": "#0000ff"/);
  await page.waitForSelector('.section[aria-busy="false"]', { timeout: 30_000 });
  const url = await page.$eval('[aria-label="The signed URL"]', (element) => element.textContent ?? '');
  const answer = await fetch(url.match(/http\S+/)?.[0] ?? '');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('Use pages through a document that is made of pages, and says how large they are', async () => {
  const sheet = (name: string, fill: string) => ({
    ...{ name, type: 'frame', width: '100%', height: '100%', breakBefore: 'page', background: fill },
    children: [{ name: `${name}-title`, type: 'text', text: name }],
  });
  const flow = [
    { name: 'pages', type: 'frame', flow: true, children: [sheet('one', '#ff0000'), sheet('two', '#0000ff')] },
  ];
  const id = await make('Two pages', {
    width: undefined,
    height: undefined,
    page: { size: ['200px', '100px'] },
    layers: flow,
  });
  await page.goto(`${pages}/${id}/use`, { waitUntil: 'networkidle0' });
  expect(await pictureAt(150, 80)).toEqual([5, 0, 0]);
  await page.waitForSelector('::-p-text(Page 1 of 2)');
  await press(button('Next page'));
  await page.waitForSelector('::-p-text(Page 2 of 2)');
  await expect.poll(() => pictureAt(150, 80), { timeout: 10_000 }).toEqual([0, 0, 5]);
  expect(await page.$eval('.use-side', (side) => side.textContent)).toContain('200 × 100 px');
});

test('every size and language comes out: by the form, as a zip, by URL, by code, from the editor and for many rows', {
  timeout: 120_000,
}, async () => {
  const id = await make('Fair', {
    lang: 'en',
    layers: [text('title', { spans: [{ text: 'Spring ' }, { text: 'fair', color: '#ff0000' }] })],
    sizes: { story: { width: 200, height: 400, changes: { title: { width: 160 } } } },
    texts: { title: { de: 'Frühlingsmarkt' } },
  });
  await page.goto(`${pages}/${id}/use`, { waitUntil: 'networkidle0' });
  await page.select('.use-form .field:nth-child(1) select', 'story');
  await page.select('.use-form .field:nth-child(2) select', 'de');
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('.values input')?.value === 'Frühlingsmarkt',
  );
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('.use-picture[aria-busy="false"] img')?.naturalHeight === 400,
  );
  await page.select('.use-side .field:nth-child(1) select', 'png');
  await page.select('.use-side .field:nth-child(2) select', '1');
  await press(button('Download'));
  const one = await downloaded('Fair - story 200x400 - de.png');
  expect(await sharp(one).metadata()).toMatchObject({ width: 200, height: 400 });

  await press('::-p-xpath(//label[contains(., "All 2 sizes, not only story")])');
  await press('::-p-xpath(//label[contains(., "All 2 languages, not only German")])');
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, 'use-views.png') });
  await press(button('Download 4 files as a zip'));
  const files = unzip(await downloaded('Fair.zip'));
  const names = ['400x200 - en', 'story 200x400 - en', '400x200 - de', 'story 200x400 - de'].map(
    (view) => `Fair - ${view}.png`,
  );
  expect([...files.keys()]).toEqual(names);
  expect(files.get('Fair - story 200x400 - de.png')).toEqual(one);
  const sides = [...files.values()].map(async (file) => (await sharp(file).metadata()).width);
  expect(await Promise.all(sides)).toEqual([400, 200, 400, 200]);
  expect(new Set([...files.values()].map((file) => file.toString('base64'))).size).toBe(4);

  const curl = await page.$eval('[aria-label="The request, curl"]', (element) => element.textContent);
  expect(curl).toMatch(/"size": "story",\s+"lang": "de"/);
  await page.waitForSelector('.section[aria-busy="false"]', { timeout: 30_000 });
  const url = await page.$eval('[aria-label="The signed URL"]', (element) => element.textContent ?? '');
  const answer = await fetch(url.match(/http\S+/)?.[0] ?? '');
  expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 200, height: 400 });

  // Two rows with a column of languages, in both sizes.
  const area = await page.waitForSelector('::-p-aria([name="Or paste rows from a spreadsheet"])');
  await area?.evaluate((field) => {
    (field as HTMLTextAreaElement).value = 'title\tLanguage\nOne\tde\nTwo\ten';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(button('Use these rows'));
  const chosen = '::-p-xpath(//section[@aria-labelledby="batch"]//label[.="Size"]/following-sibling::select)';
  const size = (await page.waitForSelector(chosen)) as ElementHandle<HTMLSelectElement>;
  await size.select('all');
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, 'batch-views.png') });
  await press(button('Render 4 files'));
  await page.waitForFunction(() => document.body.innerText.includes('4 files made'), { timeout: 60_000 });
  await page.waitForFunction(() => document.querySelectorAll('.batch-report li').length === 4);
  const made = await page.$$eval('.batch-report li', (rows) => rows.map((row) => (row as HTMLElement).innerText));
  expect(made.join()).toMatch(/row-1-de-default[\s\S]*row-1-de-story[\s\S]*row-2-en-default[\s\S]*row-2-en-story/);

  // The editor's draft, from the view that its canvas shows; what this tab chose last is still chosen.
  await page.goto(`${pages}/${id}/edit`, { waitUntil: 'networkidle0' });
  await press(button('Download'));
  await press('::-p-xpath(//dialog//label[contains(., "All 2 sizes, not only default")])');
  await press('::-p-xpath(//dialog//label[contains(., "All 2 languages, not only English")])');
  rmSync(join(downloads.path, 'Fair.zip'));
  await press('::-p-xpath(//dialog//button[@type="submit"][contains(., "Download 4 files")])');
  expect(unzip(await downloaded('Fair.zip'))).toEqual(files);
});

test('the editor chooses what the form offers, and its rules', async () => {
  const id = await make('Chosen', { layers: LAYERS });
  await page.goto(`${pages}/${id}/edit`, { waitUntil: 'networkidle0' });
  await press('::-p-aria([name="Data"][role="tab"])');
  await press(button('Choose the parameters'));
  await press('::-p-xpath(//button[@aria-expanded][contains(., "title")])');
  await type('Label', 'Headline');
  await type('Longest', '12');
  await page.keyboard.press('Tab');
  await press('::-p-xpath(//label[contains(., "Required")]/input)');
  await press(button('Headline: up'));
  interface Draft {
    readonly document: { readonly parameters?: unknown };
  }
  const wanted = [{ layer: 'title', label: 'Headline', maxLength: 12, required: true }, { layer: 'photo' }];
  for (let tries = 0; tries < 100; tries++) {
    const { document } = await ask<Draft>('GET', `/templates/${id}/draft`);
    if (JSON.stringify(document.parameters) === JSON.stringify(wanted)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  expect((await ask<Draft>('GET', `/templates/${id}/draft`)).document.parameters).toEqual(wanted);
});

test('a draft: seen in the list, compared, replaced by a restored version, published under the right number, discarded', async () => {
  const id = await make('Drafted', { background: '#ff0000', layers: [] });
  const draft = { name: 'Drafted', width: 400, height: 200, background: '#0000ff', layers: [] };
  const save = (document: object, revision: number) =>
    ask('PUT', `/templates/${id}/draft`, { document }, { 'if-match': `"${revision}"` });
  const live = async () => (await ask<{ version: number }>('GET', `/templates/${id}`)).version;
  await save(draft, 0);
  await page.goto(pages, { waitUntil: 'networkidle0' });
  const shown = await page.$eval(`::-p-xpath(//article[contains(., "Drafted")])`, (card) => ({
    words: card.textContent,
    picture: card.querySelector('img')?.getAttribute('src'),
  }));
  expect(shown).toEqual({ words: expect.stringContaining('Draft'), picture: expect.stringMatching(/\?draft=1$/) });

  // Somebody saves version 2 by the API, then this draft is looked at.
  await ask('POST', `/templates/${id}/versions/1/restore`);
  await page.goto(`${pages}/${id}/versions`, { waitUntil: 'networkidle0' });
  const rows = await page.$$eval('.version', (all) => all.map((row) => row.querySelector('b')?.textContent));
  expect(rows).toEqual(['Draft', 'Version 2', 'Version 1']);
  await page.waitForSelector('::-p-xpath(//dd[del="#ff0000"][ins="#0000ff"])', { timeout: 30_000 });
  await press(button('Publish the draft'));
  await page.waitForSelector('::-p-xpath(//dialog//*[contains(., "saved version 2")])', { timeout: 30_000 });
  await press(button('Publish over version 2'));
  await page.waitForSelector('::-p-xpath(//*[contains(@class, "toast")][contains(., "Version 3 is live")])');
  expect(await live()).toBe(3);

  // Restoring asks, changes nothing live, and is published as the next version.
  await press('::-p-xpath(//button[contains(@class, "version")][contains(., "Version 1")])');
  await press(button('Restore'));
  await press(button('Restore as draft'));
  await page.waitForSelector('::-p-xpath(//button[contains(@class, "version")][contains(., "Draft")])');
  expect(await live()).toBe(3);
  await press(button('Publish the draft'));
  await page.waitForSelector(button('Publish version 4'));
  await page.keyboard.press('Escape');

  // Discarding asks too.
  await press(button('Discard'));
  await press('::-p-xpath(//dialog//button[@type="submit"])');
  await page.waitForFunction(() => document.querySelector('.version b')?.textContent === 'Version 3');
  expect(await ask('GET', `/templates/${id}`)).toMatchObject({ version: 3, draft: null });
});

test('no violation of the policy, no error of a script, no answer of 500', () => expect(watched.problems).toEqual([]));
