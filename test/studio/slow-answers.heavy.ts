// Tests in a browser what pages do with answers that come late, or not at all, and with a press that ends elsewhere.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { CHROMIUM } from './editor/open-editor.ts';
import { accountOf, claim, openStudioLab, type StudioLab } from './studio-lab.ts';

let lab: StudioLab;
let page: Page;
let account: string;

beforeAll(async () => {
  if (!CHROMIUM) return;
  lab = await openStudioLab();
  page = (await lab.open()).page;
  await claim(page, lab.setUpLink);
  account = `${lab.server.url}/studio/a/${accountOf(page)}`;
}, 240_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers requests for renders: a first page of one, more of them late or never, and none that failed. */
function fakeRenders(): void {
  const { fetch } = globalThis;
  const render = (id: string) => ({
    id,
    kind: 'screenshot',
    page: id,
    template: null,
    status: 'done',
    output: 'png',
    size: 1,
    error: null,
    warnings: [],
    values: null,
    batch: null,
    createdAt: '2026-01-01T00:00:00Z',
  });
  let asked = 0;
  globalThis.fetch = async (...request) => {
    const { pathname, searchParams } = new URL(String(request[0]), location.href);
    if (!pathname.endsWith('/renders')) return fetch(...request);
    const json = (items: readonly string[], next: string | null) =>
      new Response(JSON.stringify({ items: items.map(render), next }));
    if (searchParams.get('status') === 'error') return json(['failed-one'], null);
    if (!searchParams.has('after')) return json(['first-one'], 'more');
    if (++asked === 1) throw new TypeError('The server is restarted.');
    await new Promise((resolve) => setTimeout(resolve, 700));
    return json(['late-one'], null);
  };
}

/** Answers requests for renders: 130 of them newest first, of which the 70th is under way, page by page. */
function fakeManyRenders(): void {
  const { fetch } = globalThis;
  const render = (id: string, status: string) => ({
    id,
    kind: 'screenshot',
    page: id,
    template: null,
    status,
    output: 'png',
    size: 1,
    error: null,
    warnings: [],
    values: null,
    batch: null,
    createdAt: '2026-01-01T00:00:00Z',
  });
  const rows = Array.from({ length: 130 }, (_, at) => render(`render-${at}`, at === 69 ? 'processing' : 'done'));
  const lab = { asked: [] as string[], add: () => rows.unshift(render(`new-${rows.length}`, 'done')), end: () => {} };
  lab.end = () => {
    const at = rows.findIndex(({ status }) => status === 'processing');
    rows[at] = render('render-69', 'done');
  };
  Object.assign(globalThis, { lab });
  globalThis.fetch = async (...request) => {
    const { pathname, searchParams } = new URL(String(request[0]), location.href);
    if (!pathname.endsWith('/renders')) return fetch(...request);
    lab.asked.push(searchParams.toString());
    const after = searchParams.get('after');
    const from = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1;
    const to = from + Number(searchParams.get('limit') ?? 50);
    const next = to < rows.length ? rows[to - 1]?.id : null;
    // As slow as a server at some distance, so that answers and requests cross.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return new Response(JSON.stringify({ items: rows.slice(from, to), next }));
  };
}

interface Lab {
  readonly asked: readonly string[];
  add(): void;
  end(): void;
}

describe.skipIf(!CHROMIUM)('pages', () => {
  test('a list that is refreshed while jobs run keeps the pages that were loaded, and its place', async () => {
    const tab = (await lab.open()).page;
    await tab.evaluateOnNewDocument(fakeManyRenders);
    await tab.goto(`${account}/renders`, { waitUntil: 'networkidle0' });
    const names = () => tab.$$eval('.table .cell-main', (list) => list.map(({ textContent }) => textContent));
    const more = async (count: number) => {
      await (await tab.waitForSelector('.table-more button', { visible: true }))?.click();
      await tab.waitForFunction((of) => document.querySelectorAll('.cell-main').length === of, {}, count);
    };
    const inLab = <T>(run: (held: Lab) => T) => tab.evaluate(`(${run})(globalThis.lab)`) as Promise<T>;
    const refreshed = async () => {
      const before = await inLab(({ asked }) => asked.length);
      await tab.waitForFunction((was) => (globalThis as never as { lab: Lab }).lab.asked.length > was, {}, before);
      await pause(500);
      return (await inLab(({ asked }) => asked.length)) - before;
    };
    expect(await names()).toHaveLength(50);
    await more(100);
    const place = () =>
      tab.$$eval('.table .cell-main', (list) => {
        const row = list.find(({ textContent }) => textContent === 'render-90');
        return row?.getBoundingClientRect().top ?? Number.NaN;
      });
    await tab.$$eval('.table .cell-main', (list) =>
      list.find(({ textContent }) => textContent === 'render-90')?.scrollIntoView({ block: 'center' }),
    );
    const before = await place();
    for (let round = 0; round < 3; round++) {
      await inLab((held) => held.add());
      await inLab((held) => held.add());
      // Of the rows that are not loaded, none is requested again and again.
      expect(await refreshed()).toBe(2);
    }
    const shown = await names();
    expect(shown).toHaveLength(106);
    expect(shown.slice(5, 7)).toEqual(['new-130', 'render-0']);
    expect(shown.at(-1)).toBe('render-99');
    expect(Math.abs((await place()) - before)).toBeLessThan(2);
    // What follows is neither left out nor doubled, though rows were added.
    await more(136);
    expect((await names()).at(-1)).toBe('render-129');
    expect(new Set(await names()).size).toBe(136);
    await refreshed();
    expect(await names()).toHaveLength(136);
    // Once the job has ended, nothing more is asked.
    await inLab((held) => held.end());
    await tab.waitForFunction(() => !/In progress/.test(document.querySelector('.table')?.textContent ?? ''));
    const asked = await inLab((held) => held.asked.length);
    await pause(2_500);
    expect(await inLab((held) => held.asked.length)).toBe(asked);
    await tab.close();
  }, 60_000);

  test('more of a list, asked for in vain, is said; what comes for another list is left out', async () => {
    const tab = (await lab.open()).page;
    await tab.evaluateOnNewDocument(fakeRenders);
    await tab.goto(`${account}/renders`, { waitUntil: 'networkidle0' });
    const more = () => tab.waitForSelector('.table-more button', { visible: true });
    await (await more())?.click();
    await tab.waitForSelector('.toast.is-bad', { timeout: 5_000 });
    await (await more())?.click();
    await tab.select('.bar select', 'error');
    await pause(1_500);
    const words = await tab.$eval('#content', (element) => element.textContent);
    expect(words).toContain('failed-one');
    expect(words).not.toContain('late-one');
    await tab.close();
  }, 60_000);

  test('a dialog stays when a selection in it ends outside, and closes when one presses there', async () => {
    await page.goto(`${account}/keys?new=key`, { waitUntil: 'networkidle0' });
    const text = await page.waitForSelector('dialog[open] .field-hint', { visible: true });
    const { x = 0, y = 0, height = 0 } = (await text?.boundingBox()) ?? {};
    await page.mouse.move(x + 60, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(4, 4, { steps: 4 });
    await page.mouse.up();
    await pause(300);
    expect(await page.$('dialog[open]')).not.toBeNull();
    await page.mouse.click(4, 4);
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  }, 60_000);

  test('the progress of a CSV goes on after the server was not reached once', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'rows.csv');
    await writeFile(file, 'title\nOne\nTwo\n');
    await page.goto(`${account}/templates`, { waitUntil: 'networkidle0' });
    const template = await page.$eval('.card-name', (link) => link.getAttribute('href')?.split('/').at(-2) ?? '');
    await page.goto(`${account}/templates/${template}/use`, { waitUntil: 'networkidle0' });
    await page.evaluate(() => {
      const { fetch } = globalThis;
      let asked = 0;
      globalThis.fetch = async (...request) => {
        if (String(request[0]).includes('/batches/') && ++asked === 1) throw new TypeError('The server is restarted.');
        return fetch(...request);
      };
    });
    const input = await page.waitForSelector('input[accept*="csv"]');
    await (input as never as { uploadFile(path: string): Promise<void> }).uploadFile(file);
    const button = await page.waitForSelector('::-p-xpath(//button[contains(., "Render 2 rows")])');
    await button?.click();
    await page.waitForSelector('.toast.is-bad', { timeout: 10_000 });
    await page.waitForFunction(() => /2 files made/.test(document.body.textContent ?? ''), { timeout: 20_000 });
  }, 60_000);
});
