// Tests rendering a table in the studio with a real mouse and keyboard: rows are pasted, mapped, looked at, rendered, and
// reported row by row, also after a reload.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountOf, askStudio, claim, openStudioLab, press, type StudioLab, sees, type Watched } from './studio-lab.ts';

let lab: StudioLab;
let page: Page;
let watched: Watched;
let use: string;

const CARD = {
  name: 'Badge',
  width: 400,
  height: 200,
  background: '#ffffff',
  layers: [
    { name: 'headline', type: 'text', text: 'Hello', x: 20, y: 20, width: 360, height: 60, fontSize: 40, maxLines: 1 },
    { name: 'photo', type: 'image', src: '', optional: true, x: 20, y: 100, width: 80, height: 80 },
  ],
};

beforeAll(async () => {
  lab = await openStudioLab();
  ({ page, watched } = await lab.open());
  await claim(page, lab.setUpLink);
  const { id } = await askStudio(page, 'POST', '/templates', { document: CARD });
  use = `${lab.server.url}/studio/a/${accountOf(page)}/templates/${id}/use`;
}, 180_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

test('rows are pasted, mapped to layers, looked at and rendered; the report survives a reload', {
  timeout: 120_000,
}, async () => {
  await page.goto(use, { waitUntil: 'networkidle0' });
  const area = await page.waitForSelector('::-p-aria([name="Or paste rows from a spreadsheet"])');
  await area?.evaluate((field) => {
    const rows = [
      'Head Line\tcustomer\tname',
      'Ada\tA-1\tada',
      `${'Far too long '.repeat(9)}\tB-2\tbob`,
      'Cy\tC-3\tada',
    ];
    (field as HTMLTextAreaElement).value = rows.join('\n');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(page, 'button', 'Use these rows');
  await sees(page, '3 rows, 3 columns');
  const chosen = () =>
    page.$$eval('.batch-columns select', (selects) => selects.map((select) => (select as HTMLSelectElement).value));
  expect(await chosen()).toEqual(['headline', '', '']);
  await sees(page, 'Left out: “customer”');

  // Without a photo every row has a warning; the second also loses text.
  const layers = await page.$$('.batch-columns select');
  await layers[1]?.select('photo');
  await page.waitForFunction(() => !document.body.innerText.includes('Left out: “customer”'));
  await layers[1]?.select('');
  await page.waitForFunction(() => document.body.innerText.includes('Left out: “customer”'));
  const sentences = () => page.$eval('.batch-row [role="status"]', (status) => status.textContent ?? '');
  await page.waitForFunction(
    () => /photo/.test(document.querySelector('.batch-row [role="status"]')?.textContent ?? ''),
    {
      timeout: 30_000,
    },
  );
  expect(await sentences()).not.toMatch(/headline/);
  await press(page, 'button', 'Next');
  await page.waitForFunction(
    () => /headline/.test(document.querySelector('.batch-row [role="status"]')?.textContent ?? ''),
    { timeout: 30_000 },
  );
  expect(await page.$eval('.batch-row img', (image) => (image as HTMLImageElement).naturalWidth)).toBe(400);
  if (process.env.PICTURES) await pictures('prepared');

  await press(page, 'button', 'Render 3 rows');
  await sees(page, '3 files made, 3 with warnings');
  const reported = page.url();
  expect(reported).toContain('?batch=blk_');
  await page.reload({ waitUntil: 'networkidle0' });
  await sees(page, '3 files made, 3 with warnings');
  await sees(page, 'Row 2');
  const rows = await page.$$eval('.batch-report li', (items) => items.map((item) => (item as HTMLElement).innerText));
  expect(rows).toEqual([
    expect.stringMatching(/Row 1 ada\s+Done with 1 warning/),
    expect.stringMatching(/Row 2 bob\s+Done with 2 warnings[\s\S]*headline/),
    expect.stringMatching(/Row 3 ada-2\s+Done with 1 warning/),
  ]);
  // Each with its picture.
  const widths = () =>
    page.$$eval('.batch-report li img', (images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('.batch-report li img')].every(
      ({ naturalWidth }) => naturalWidth > 0,
    ),
  );
  expect(await widths()).toHaveLength(3);
  if (process.env.PICTURES) await pictures('report');

  // The list of renders shows picture, values and batch of each, and can be limited to one batch.
  const renders = page.url().replace(/\/templates\/.*/, '/renders');
  await page.goto(renders, { waitUntil: 'networkidle0' });
  await sees(page, 'Row 2');
  await sees(page, 'headline: Cy');
  if (process.env.PICTURES) await pictures('renders');
  const batch = await page.waitForSelector('::-p-xpath(//td//a[contains(., "Pasted rows")])');
  await batch?.click();
  await page.waitForFunction(
    () => document.querySelectorAll('tbody tr').length === 3 && /batch=blk_/.test(location.search),
  );
  const shown = await page.$$eval('.render-thumb img', (images) =>
    images.map((one) => (one as HTMLImageElement).complete),
  );
  expect(shown).toEqual([true, true, true]);
  await press(page, 'button', 'All batches');
  await page.waitForFunction(() => location.search === '');
  await page.goto(`${use}?batch=${new URL(reported).searchParams.get('batch')}`, { waitUntil: 'networkidle0' });

  // Another visit finds it among the earlier ones.
  await press(page, 'button', 'Other rows');
  await sees(page, 'Pasted rows');
  expect(watched.problems).toEqual([]);
});

test('rows become a sheet of labels: one PDF, of which the report says so, with a sign for each row', {
  timeout: 120_000,
}, async () => {
  await page.goto(use, { waitUntil: 'networkidle0' });
  const area = await page.waitForSelector('::-p-aria([name="Or paste rows from a spreadsheet"])');
  await area?.evaluate((field) => {
    (field as HTMLTextAreaElement).value = 'headline\nAda\nBob\nCy';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await press(page, 'button', 'Use these rows');
  const make = await page.waitForSelector('::-p-aria([name="Make"][role="combobox"])');
  await make?.focus();
  await page.keyboard.type('Sheets');
  // Its fields come below the choice, which so stays where the pointer is.
  const fields = await page.waitForSelector('.batch-labels');
  const [chosen, below] = await Promise.all([make?.boundingBox(), fields?.boundingBox()]);
  expect(below?.y).toBeGreaterThan(chosen?.y ?? Number.POSITIVE_INFINITY);
  await press(page, 'button', 'Render 3 rows');
  await sees(page, '3 files made, in one PDF');
  await sees(page, 'Row 3');
  expect(await page.$$eval('.batch-thumb > svg', (signs) => signs.length)).toBe(3);
  const start = await page.$eval('a[download].button-main', async (link) =>
    (await (await fetch((link as HTMLAnchorElement).href)).text()).slice(0, 5),
  );
  expect(start).toBe('%PDF-');
  expect(watched.problems).toEqual([]);
});

/** Writes pictures of the page to the folder `PICTURES`, in both themes. */
async function pictures(name: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((one) => {
      document.documentElement.dataset.theme = one;
    }, theme);
    await page.screenshot({ path: `${process.env.PICTURES}/${name}-${theme}.png`, fullPage: true });
  }
}
