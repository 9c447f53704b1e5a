// Tests in Chromium, by mouse: a brand is changed, the templates that use it are looked at before and after, and some are
// updated; a template says what is newer, and a component which templates show it.

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from './accessibility.ts';
import { accountOf, askStudio, claim, openStudioLab, type StudioLab, sees, type Watched } from './studio-lab.ts';

const CARD = {
  ...{ width: 600, height: 315, brand: 'harbour', background: '$primary' },
  layers: [
    { name: 'title', type: 'text', x: 40, y: 40, width: 520, text: 'Fresh coffee', fontSize: 64, color: '#fff' },
  ],
};

let lab: StudioLab;
let page: Page;
let watched: Watched;
let account: string;
let badge: string;
const ids: string[] = [];

beforeAll(async () => {
  lab = await openStudioLab();
  ({ page, watched } = await lab.open());
  await claim(page, lab.setUpLink);
  account = `${lab.server.url}/studio/a/${accountOf(page)}`;
  await askStudio(page, 'PUT', '/brands/harbour', {
    baseVersion: 0,
    brand: { colors: { primary: '#0b3d2e', accent: '#f4a261' } },
  });
  const named = (name: string, more: object = {}) => ({ document: { ...CARD, name, ...more } });
  for (const name of ['Autumn', 'Menu', 'Opening']) ids.push(await made(named(name)));
  ids.push(await made(named('Poster', { background: '$accent' })));
  badge = await made(named('Badge', { brand: undefined, background: '#0b3d2e' }));
  const layers = [{ name: 'badge', type: 'template', template: badge, x: 0, y: 0 }];
  await made(named('Page', { brand: undefined, background: '#ffffff', layers }));
}, 180_000);
afterAll(() => lab?.[Symbol.asyncDispose]());

const made = async (json: object) => String((await askStudio(page, 'POST', '/templates', json)).id);
const button = (text: string, within = '') =>
  page.waitForSelector(`::-p-xpath(${within}//button[normalize-space(.)="${text}"])`, { timeout: 30_000 });
const press = async (text: string, within = '') => (await button(text, within))?.click();
const named = () => page.$$eval('.outdated-use > header a', (links) => links.map((link) => link.textContent));

/** The colour in the corner of each picture that is shown, once all are there. */
async function cornersOf(within: string) {
  await page.waitForFunction(
    (root) => {
      const images = [...document.querySelectorAll<HTMLImageElement>(`${root} img`)];
      return images.length > 0 && images.every((one) => one.complete && one.naturalWidth > 0);
    },
    { timeout: 30_000 },
    within,
  );
  return page.$$eval(`${within} img`, (images) =>
    images.map((image) => {
      const canvas = new OffscreenCanvas(1, 1);
      const context = canvas.getContext('2d');
      context?.drawImage(image as HTMLImageElement, 0, 0, 4, 4, 0, 0, 1, 1);
      const [r = 0, g = 0, b = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
      return r > 200 && b > 200 ? 'white' : r > 150 ? 'red' : g > b ? 'green' : 'blue';
    }),
  );
}

async function accessible() {
  expect(await findings(page, { bothThemes: true })).toEqual([]);
}

test('a changed brand is offered, and updates the templates that are ticked', async () => {
  await page.goto(`${account}/brands?open=harbour`, { waitUntil: 'networkidle0' });
  const color = await page.waitForSelector('.brand-color-field input:not([type="checkbox"])');
  await color?.click({ count: 3 });
  await page.keyboard.type('b3261e');
  await page.keyboard.press('Tab');
  await (await page.waitForSelector('button[aria-label="Remove accent"]'))?.click();
  await press('Save');
  await sees(page, '4 templates use an older version of this brand.');
  await accessible();
  await (await page.waitForSelector('::-p-xpath(//a[.="See before and after"])'))?.click();
  await sees(page, '4 templates use an older version');
  expect(await named()).toEqual(['Autumn', 'Menu', 'Opening', 'Poster']);
  expect(await cornersOf('.outdated-use:nth-child(1)')).toEqual(['green', 'red']);
  // Poster uses the colour that was removed.
  await sees(page, 'background: the brand "harbour@2" has no "$accent"');
  await accessible();
  for (const name of ['Autumn', 'Opening']) await (await page.$(`input[aria-label="Choose ${name}"]`))?.click();
  await press('Update 2 templates');
  await press('Update', '//dialog');
  await sees(page, '2 templates updated to version 2');
  await sees(page, '2 templates use an older version');
  expect(await named()).toEqual(['Menu', 'Poster']);
  await press('Update all 2');
  await press('Update', '//dialog');
  await sees(page, '1 template could not be updated. The reason is shown at each.');
  await sees(page, '1 template uses an older version');
  expect(await named()).toEqual(['Poster']);
  expect(await page.$$eval('[role="alert"]', (all) => all.map((one) => one.textContent))).toEqual([
    'background: the brand "harbour@2" has no "$accent"',
  ]);
});

test('the list of brands counts them', async () => {
  await page.goto(`${account}/brands`, { waitUntil: 'networkidle0' });
  await sees(page, '1 template to update');
  await accessible();
});

test('a template says what is newer, shows both, and is updated', async () => {
  await askStudio(page, 'PUT', '/brands/harbour', { baseVersion: 2, brand: { colors: { primary: '#1d4ed8' } } });
  await page.goto(`${account}/templates/${ids[0]}/versions`, { waitUntil: 'networkidle0' });
  await sees(page, 'The brand harbour has version 3. The published template uses version 2.');
  await press('Compare');
  expect(await cornersOf('dialog .before-after')).toEqual(['red', 'blue']);
  await accessible();
  await press('Update to version 3');
  await sees(page, 'The template uses version 3 now');
  await page.waitForFunction(() => !document.body.innerText.includes('The brand harbour has version 3'));
  await sees(page, 'Updated to version 3 of harbour');
  // One that cannot be updated says why, in the dialog.
  await page.goto(`${account}/templates/${ids[3]}/versions`, { waitUntil: 'networkidle0' });
  await press('Compare');
  await press('Update to version 3');
  const problem = await page.waitForSelector('dialog .error-panel', { timeout: 30_000 });
  expect(await problem?.evaluate((panel) => panel.textContent)).toBe(
    'background: the brand "harbour@3" has no "$accent"',
  );
});

test('a component says which templates show an older version of it', async () => {
  const document = { ...CARD, name: 'Badge', brand: undefined, background: '#1d4ed8' };
  await askStudio(page, 'PUT', `/templates/${badge}/name`, { name: 'Badge 2' });
  await page.evaluate(
    async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      const { revision } = await (await fetch(`${path}/draft`)).json();
      const match = (one: number) => ({ ...headers, 'if-match': `"${one}"` });
      const saved = await fetch(`${path}/draft`, { method: 'PUT', body, headers: match(revision) });
      const next = (await saved.json()).revision;
      await fetch(`${path}/publish`, { method: 'POST', body: '{}', headers: match(next) });
    },
    `/v1/studio/accounts/${accountOf(page)}/templates/${badge}`,
    JSON.stringify({ document }),
  );
  await page.goto(`${account}/templates/${badge}/versions`, { waitUntil: 'networkidle0' });
  await sees(page, '1 template shows an older version of this one.');
  await (await page.waitForSelector('::-p-xpath(//a[.="See before and after"])'))?.click();
  expect(await cornersOf('.outdated-use')).toEqual(['green', 'blue']);
  await accessible();
  await press('Update 1 template');
  await press('Update', '//dialog');
  await sees(page, 'All templates are up to date');
});

test('no violation of the policy, no error of a script, no answer of 500', () => expect(watched.problems).toEqual([]));
