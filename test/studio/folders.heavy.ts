// Tests order in the studio with a real mouse: two templates are chosen, moved to a new folder, deleted, and brought back;
// the list is sorted, and a template renamed on its card; images are moved, searched, uploaded and used by folder.

import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../command.ts';
import { accountOf, askStudio, claim, openStudioLab, press, type StudioLab, sees, type Watched } from './studio-lab.ts';

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
  expect(await field?.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('Spring');
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/move.png` });
  await page.keyboard.press('Enter');
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

/** Uploads files as if somebody had chosen them. */
async function upload(selector: string, ...names: readonly string[]): Promise<void> {
  const input = (await page.waitForSelector(selector)) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(...names.map((name) => join(ROOT, 'samples', name)));
}
const shown = (selector: string, names: readonly string[]) =>
  page.waitForFunction(
    (of, expected) =>
      [...document.querySelectorAll(of)]
        .map((one) => one.getAttribute('title'))
        .toSorted()
        .join() === expected,
    { timeout: 30_000 },
    selector,
    names.toSorted().join(),
  );
const picture = async (name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
};

test('images are moved to a new folder, searched and uploaded in it, and used from it in the editor', {
  timeout: 120_000,
}, async () => {
  const account = accountOf(page);
  const tiles = '.picture .tile-name';
  const photos = ['dandelion.jpg', 'deep-field.jpg', 'espresso.jpg'];
  // Those of the samples are there already, without names.
  const { items } = (await askStudio(page, 'GET', '/images')) as { items: { id: string }[] };
  for (const { id } of items) await askStudio(page, 'DELETE', `/images/${id}`);
  await page.goto(`${lab.server.url}/studio/a/${account}/images`);
  await upload('.drop input[type=file]', ...photos.map((name) => `assets/${name}`));
  await shown(tiles, photos);
  expect(await page.$('::-p-aria([name="Folder"])')).toBeNull();

  for (const name of ['dandelion.jpg', 'espresso.jpg']) {
    const choice = await page.waitForSelector(`::-p-aria([name="Choose ${name}"][role="checkbox"])`);
    await choice?.hover();
    await choice?.click();
  }
  await sees(page, '2 images chosen');
  await picture('images-chosen');
  await press(page, 'button', 'Move');
  await (await page.waitForSelector('::-p-aria([name="Name of the folder"])', { visible: true }))?.type('Spring');
  await picture('images-move');
  await press(page, 'button', 'Move');
  await sees(page, '2 images moved to “Spring”');
  const folder = await page.waitForSelector('::-p-aria([name="Folder"])', { timeout: 30_000 });
  await folder?.select('Spring');
  await shown(tiles, ['dandelion.jpg', 'espresso.jpg']);
  await sees(page, 'here, into “Spring”');
  await picture('images-folder');

  const search = await page.waitForSelector('::-p-aria([name="Search images"])');
  await search?.type('ESP');
  await shown(tiles, ['espresso.jpg']);
  await search?.click({ count: 3 });
  await page.keyboard.press('Backspace');
  await shown(tiles, ['dandelion.jpg', 'espresso.jpg']);

  // An equal file stays where it is; another one goes into the folder that is open.
  await upload('.drop input[type=file]', 'assets/deep-field.jpg');
  await sees(page, 'deep-field.jpg is there already');
  await upload('.drop input[type=file]', 'rendered/studio-use.webp');
  await shown(tiles, ['dandelion.jpg', 'espresso.jpg', 'studio-use.webp']);
  await page.waitForFunction(() => document.querySelector('.bar option:checked')?.textContent === 'Spring (3)');

  await (await page.$('::-p-aria([name="Choose studio-use.webp"])'))?.click();
  await press(page, 'button', 'Delete');
  await shown(tiles, ['dandelion.jpg', 'espresso.jpg']);
  await page.$$eval('.toast', (toasts) => toasts.at(-1)?.querySelector('button')?.click());
  await shown(tiles, ['dandelion.jpg', 'espresso.jpg', 'studio-use.webp']);

  const card = { name: 'Card', width: 400, height: 300, layers: [] };
  const { id } = (await askStudio(page, 'POST', '/templates', { document: card })) as { id: string };
  await page.goto(`${lab.server.url}/studio/a/${account}/templates/${id}/edit`);
  await press(page, 'tab', 'Library');
  await press(page, 'radio', 'Pictures');
  const pictures = '.image-grid button';
  await shown(pictures, [...photos, 'studio-use.webp']);
  await (await page.waitForSelector('.library ::-p-aria([name="Folder"])'))?.select('Spring');
  await shown(pictures, ['dandelion.jpg', 'espresso.jpg', 'studio-use.webp']);
  await picture('library-folder');
  await (await page.waitForSelector('::-p-aria([name="Search in Pictures"])'))?.type('dand');
  await shown(pictures, ['dandelion.jpg']);
  await (await page.$(`${pictures}[title="dandelion.jpg"]`))?.click();
  await page.waitForSelector('.artboard image');
  await upload('.library input[type=file]', 'rendered/studio-templates.webp');
  await page.waitForFunction(() => platenEditor?.editor.document.value.layers?.length === 2, { timeout: 30_000 });
  await (await page.$('::-p-aria([name="Search in Pictures"])'))?.click({ count: 3 });
  await page.keyboard.press('Backspace');
  await shown(pictures, ['dandelion.jpg', 'espresso.jpg', 'studio-templates.webp', 'studio-use.webp']);
  await picture('library-used');

  // Where a picture is chosen for a value, too.
  const photo = {
    type: 'image',
    name: 'photo',
    src: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    width: 9,
    height: 9,
  };
  const made = { document: { ...card, name: 'Photo', layers: [photo] } };
  const { id: other } = (await askStudio(page, 'POST', '/templates', made)) as { id: string };
  await page.goto(`${lab.server.url}/studio/a/${account}/templates/${other}/use`);
  await press(page, 'button', 'photo: choose a picture');
  const choices = '.picture-choices button[title]';
  await (await page.waitForSelector('dialog ::-p-aria([name="Folder"])', { timeout: 30_000 }))?.select('Spring');
  await shown(choices, ['dandelion.jpg', 'espresso.jpg', 'studio-templates.webp', 'studio-use.webp']);
  await (await page.waitForSelector('dialog ::-p-aria([name="Search images"])'))?.type('espr');
  await shown(choices, ['espresso.jpg']);
  await picture('picture-choice');
  expect(watched.problems).toEqual([]);
});
