// Tests order in the studio with a real mouse: two templates are chosen, moved to a new folder, deleted, and brought back;
// the list is sorted, and a template renamed on its card.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claim, openStudioLab, press, type StudioLab, sees, type Watched } from './studio-lab.ts';

let lab: StudioLab;
let page: Page;
let watched: Watched;

beforeAll(async () => {
  lab = await openStudioLab();
  ({ page, watched } = await lab.open());
  await claim(page, lab.setUpLink);
}, 180_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

const cards = () => page.$$eval('.card-name', (names) => names.map(({ textContent }) => textContent ?? ''));
const shows = (count: number) =>
  page.waitForFunction((of) => document.querySelectorAll('.card-name').length === of, { timeout: 30_000 }, count);

test('templates are chosen, moved to a new folder, deleted, and brought back', { timeout: 120_000 }, async () => {
  const all = (await cards()).length;
  await sees(page, `${all} templates`);
  const [first = '', second = ''] = await cards();
  for (const name of [first, second]) {
    const choice = await page.waitForSelector(`::-p-aria([name="Choose ${name}"][role="checkbox"])`);
    await choice?.hover();
    await choice?.click();
  }
  await sees(page, '2 templates chosen');
  expect(page.url()).not.toContain('/edit');
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/chosen.png` });
  await press(page, 'button', 'Move');
  const field = await page.waitForSelector('::-p-aria([name="Name of the folder"])', { visible: true });
  await field?.type('Spring');
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/move.png` });
  await page.$eval('dialog[open] .button-main', (button) => (button as HTMLElement).click());
  await sees(page, '2 templates moved to “Spring”');
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  const folder = await page.waitForSelector('::-p-aria([name="Folder"])', { timeout: 30_000 });
  await folder?.select('Spring');
  await shows(2);
  expect(new Set(await cards())).toEqual(new Set([first, second]));

  for (const name of [first, second]) await (await page.$(`::-p-aria([name="Choose ${name}"])`))?.click();
  await sees(page, '2 templates chosen');
  await press(page, 'button', 'Delete');
  await sees(page, '2 templates deleted');
  await shows(0);
  // The toast before offers to undo the move.
  await page.$$eval('.toast', (toasts) => toasts.at(-1)?.querySelector('button')?.click());
  await shows(2);
  await folder?.select('');
  await shows(all);
  expect(watched.problems).toEqual([]);
});

test('the list is sorted by name, and a template is renamed on its card', { timeout: 60_000 }, async () => {
  const sort = await page.waitForSelector('::-p-aria([name="Sort"])');
  await sort?.select('name');
  await page.waitForFunction(() => {
    const names = [...document.querySelectorAll('.card-name')].map(
      ({ textContent }) => textContent?.toLowerCase() ?? '',
    );
    return names.length > 1 && names.every((name, i) => i === 0 || (names[i - 1] ?? '') <= name);
  });
  const [before = ''] = await cards();
  await page.focus('.card-name');
  await page.keyboard.press('F2');
  const field = await page.waitForSelector(`::-p-aria([name="New name of ${before}"])`);
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.selectionEnd);
  await field?.type('A poster');
  await page.keyboard.press('Enter');
  await sees(page, 'A poster');
  expect(await cards()).not.toContain(before);
  expect((await cards())[0]).toBe('A poster');
  expect(watched.problems).toEqual([]);
});
