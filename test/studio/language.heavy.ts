// Tests the language of the studio in Chromium: the browser's, the one that is chosen, and what is fetched for it.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountOf, askStudio, claim, openStudioLab, press, type StudioLab, type Watched } from './studio-lab.ts';

let lab: StudioLab;
let page: Page;
let watched: Watched;

beforeAll(async () => {
  lab = await openStudioLab();
  ({ page, watched } = await lab.open());
  await claim(page, lab.setUpLink);
}, 180_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

const lang = () => page.evaluate(() => document.documentElement.lang);
const sees = (selector: string) => page.waitForSelector(selector, { visible: true, timeout: 30_000 });
const chunks = () => watched.asked.filter((address) => /\/assets\/de-/.test(address)).length;

test('a browser in English fetches no other language; what is chosen is shown at once', {
  timeout: 120_000,
}, async () => {
  expect(await lang()).toBe('en');
  expect(chunks()).toBe(0);
  await page.click('.side-foot .side-account');
  await press(page, 'menuitemradio', 'Français');
  await page.waitForFunction(() => document.querySelector('.side-link')?.textContent === 'Modèles');
  expect(await lang()).toBe('fr');
  await page.click('.side-foot .side-account');
  await press(page, 'menuitemradio', 'Deutsch');
  await page.waitForFunction(() => document.querySelector('.side-link')?.textContent === 'Vorlagen');
  expect(await lang()).toBe('de');
  expect(chunks()).toBe(1);
});

test('the editor: toolbar, inspector, menu and dialog, also after it was loaded again', {
  timeout: 120_000,
}, async () => {
  await page.goto(`${await page.$eval('.card-name', (link) => (link as HTMLAnchorElement).href)}`);
  await sees('::-p-aria([name="Rahmen"][role="button"])');
  expect(await lang()).toBe('de');
  await page.waitForFunction(() => document.querySelector('.inspector')?.textContent?.includes('Zeichenfläche'));
  await page.click('.tree [role="treeitem"], .tree-row');
  await page.waitForFunction(() => document.querySelector('.inspector')?.textContent?.includes('Verankerung'));
  await page.click('.tree [role="treeitem"], .tree-row', { button: 'right' });
  expect(await page.$eval('[role="menuitem"]', (entry) => entry.textContent)).toMatch(/^Ausschneiden.*(?:Strg|⌘)/);
  await page.keyboard.press('Escape');
  await press(page, 'button', 'Veröffentlichen');
  await sees('::-p-aria([name="Was ist neu (optional)"])');
  await page.keyboard.press('Escape');
});

test('on a phone, the bar of the editor is whole and the canvas has room', { timeout: 120_000 }, async () => {
  await page.setViewport({ width: 390, height: 844 });
  const places = await page.$$eval('.top-bar :is(button, a, input)', (all) =>
    all.map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return { left, right, top, bottom, name: one.getAttribute('aria-label') ?? one.textContent };
    }),
  );
  const overlaps = places.filter((one, at) =>
    places
      .slice(at + 1)
      .some(
        (two) =>
          Math.min(one.right, two.right) > Math.max(one.left, two.left) + 1 &&
          one.top < two.bottom &&
          two.top < one.bottom,
      ),
  );
  expect(overlaps).toEqual([]);
  expect(places.filter(({ left, right }) => left < 0 || right > 390)).toEqual([]);
  const { width, height } = await page.$eval('.canvas', (canvas) => canvas.getBoundingClientRect().toJSON());
  expect(width).toBe(390);
  expect(height).toBeGreaterThan(250);
  await page.setViewport({ width: 1280, height: 800 });
});

test('German keeps the keys of commands', { timeout: 120_000 }, async () => {
  const layers = () => page.$$eval('.tree-row', (rows) => rows.length);
  await page.click('.tree-row');
  const before = await layers();
  await page.keyboard.press('Delete');
  await page.waitForFunction((count) => document.querySelectorAll('.tree-row').length < count, {}, before);
});

test('the warnings of a render are in German, and a failure that occurs again is told once', {
  timeout: 120_000,
}, async () => {
  await page.goto(`${lab.server.url}/studio/a/${accountOf(page)}/templates`, { waitUntil: 'networkidle0' });
  await page.setOfflineMode(true);
  for (let i = 0; i < 3; i++) {
    await page.click('.card button');
    await press(page, 'menuitem', 'Duplizieren');
    await sees('.toast');
  }
  expect(await page.$$eval('.toast', (toasts) => toasts.map(({ textContent }) => textContent))).toEqual([
    'Der Server ist nicht erreichbar. Bitte prüfen, ob er läuft, und erneut versuchen.',
  ]);
  await page.setOfflineMode(false);
  const { items } = await askStudio(page, 'GET', '/templates');
  const { id } = (items as { id: string; name: string }[]).find(({ name }) => name === 'Product ad: coffee') ?? {};
  await page.goto(`${lab.server.url}/studio/a/${accountOf(page)}/templates/${id}/use`);
  // What is rarely changed is folded, and found by its words.
  await sees('.values-group');
  await (await sees('::-p-aria([name="Felder durchsuchen"])'))?.type('HEADL');
  await page.waitForFunction(() => !document.querySelector('.values-group'));
  const headline = await sees('::-p-aria([name="headline"])');
  await headline?.type('Unwahrscheinlichkeiten '.repeat(9));
  await sees('.note.is-warn');
  expect(await page.$eval('.note.is-warn p', (one) => one.textContent)).toBe(
    'Ebene „headline“: Der Text hat keinen Platz und ist abgeschnitten; der Rest fehlt.',
  );
});

test('without a choice the browser decides, whatever its region', { timeout: 120_000 }, async () => {
  const { page: swiss } = await lab.open();
  await swiss.evaluateOnNewDocument(() => {
    localStorage.removeItem('platen-language');
    Object.defineProperty(navigator, 'languages', { value: ['rm', 'de-CH', 'en'] });
  });
  await swiss.goto(`${lab.server.url}/studio/sign-in`);
  await swiss.waitForFunction(() => document.documentElement.lang === 'de');
  await swiss.close();
});

test('no rule of its pages is broken', () => {
  expect(watched.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  expect(watched.strangers).toEqual([]);
});
