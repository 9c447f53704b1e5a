// Tests that a new user gets from the printed link to an image rendered with an API key in at most 25 actions and
// without the terminal (issue 21, "What it must show" 1). An action is a click, a typed text, a chosen file or an
// opened address.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../command.ts';
import { postJson } from '../post-json.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { openStudioLab, PASSWORD, type StudioLab } from './studio-lab.ts';

let lab: StudioLab;
let folder: TemporaryFolder;
beforeAll(async () => {
  lab = await openStudioLab();
  folder = await temporaryFolder();
}, 180_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

/** Performs a person's actions and counts them. */
class Newcomer {
  readonly page: Page;
  readonly actions: string[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  async #find(selector: string): Promise<ElementHandle<Element>> {
    const found = await this.page.waitForSelector(selector, { visible: true, timeout: 30_000 });
    if (!found) throw new Error(`${selector} is not there.`);
    return found;
  }

  /** @param selector CSS, or one of puppeteer's, such as `::-p-aria` and `::-p-text` */
  async press(what: string, selector: string): Promise<void> {
    this.actions.push(what);
    await (await this.#find(selector)).click();
  }

  async type(what: string, selector: string, text: string): Promise<void> {
    this.actions.push(what);
    const field = await this.#find(selector);
    await field.evaluate((element) => (element as HTMLInputElement).select());
    await field.type(text);
    await field.press('Tab');
  }

  async choose(what: string, selector: string, file: string): Promise<void> {
    this.actions.push(what);
    const input = await this.page.waitForSelector(selector, { timeout: 30_000 });
    await (input as ElementHandle<HTMLInputElement>).uploadFile(file);
  }
}

const button = (name: string) => `::-p-aria([name="${name}"][role="button"])`;
const field = (name: string) => `::-p-aria([name="${name}"])`;
const layer = (name: string) => `::-p-xpath(//*[@role="treeitem"][normalize-space(.)="${name}"])`;

test('from the printed link to a picture, signed, by key and by CSV, and all of it in the usage', async () => {
  const { page, watched } = await lab.open(1440, 900);
  const newcomer = new Newcomer(page);

  // A link that is too old says so before the form is filled in.
  await page.goto(`${lab.server.url}/studio/setup#pll_${'x'.repeat(43)}`);
  await page.waitForSelector('::-p-text(This set-up link no longer works)', { timeout: 30_000 });
  expect(await page.$('form')).toBe(null);

  newcomer.actions.push('open the printed link');
  await page.goto('about:blank');
  await page.goto(lab.setUpLink);
  await newcomer.type('name', field('Your name'), 'Mara Lindqvist');
  await newcomer.type('e-mail', field('E-mail'), 'mara@example.com');
  await newcomer.type('password', field('Password'), PASSWORD);
  await newcomer.press('become the owner', button('Create account'));

  /** The titles of the first steps that the list of templates shows as done; null: the list of steps is gone. */
  const doneSteps = async () => {
    await page.goto(`${lab.server.url}/studio/`, { waitUntil: 'networkidle0' });
    await page.waitForSelector('.card-name');
    if ((await page.$('.first-steps')) === null) return null;
    return page.$$eval('.first-steps .is-done b', (titles) => titles.map((title) => title.textContent));
  };
  await page.waitForSelector('.first-steps');
  expect(await doneSteps()).toEqual([]);

  await newcomer.press('new template', button('New template'));
  await newcomer.press('a starter', '::-p-xpath(//button[contains(@class, "tile")][contains(., "Half page")])');
  await page.waitForSelector('.artboard g g', { timeout: 60_000 });

  await newcomer.press('the title', layer('title'));
  await newcomer.type('its words', field('Words'), 'Wake like the morning does');
  await newcomer.type('its colour', field('Color, as CSS'), '#ffd7a8');
  await newcomer.press('its font', '[aria-label^="Font family:"]');
  await newcomer.press(
    'another family',
    '::-p-xpath(//button[contains(@class, "font-option")][contains(., "Playfair Display")])',
  );
  await newcomer.press('the photo', layer('photo'));
  await newcomer.press('its picture', '::-p-xpath(//button[contains(@aria-label, "choose a picture")])');
  await newcomer.choose(
    'another photo',
    '.image-library input[type="file"]',
    join(ROOT, 'samples/assets/espresso.jpg'),
  );
  await newcomer.type('its focal point', field('Focal point, x'), '70');
  await newcomer.press('publish', button('Publish'));
  await newcomer.press('yes', 'dialog[open] button[type="submit"]');
  await page.waitForFunction(() => !document.querySelector('dialog[open]'), { timeout: 30_000 });

  const editor = page.url();
  expect(await doneSteps()).toEqual(['Design a template']);
  await page.goto(editor, { waitUntil: 'networkidle0' });

  await newcomer.press('use', '::-p-xpath(//a[normalize-space(.)="Use"])');
  // The page signs the URL without a click.
  await page.waitForSelector('.section[aria-busy="false"]', { timeout: 30_000 });
  const opened = new Promise<Page | null>((resolve) =>
    lab.browser.once('targetcreated', (target) => resolve(target.page())),
  );
  await newcomer.press('open it in a new tab', '::-p-xpath(//a[contains(., "Open in a new tab")])');
  const tab = await opened;
  const picture = await (await tab?.waitForSelector('img', { timeout: 30_000 }))?.evaluate((element) => {
    const { naturalWidth, naturalHeight } = element as HTMLImageElement;
    return [naturalWidth, naturalHeight];
  });
  expect(picture).toEqual([300, 600]);
  await tab?.close();

  const rows = [
    'title,brand',
    ...['Rest', 'Sleep', 'Dream', 'Doze', 'Nap'].map((word, at) => `${word} well,Halm ${at}`),
  ];
  await writeFile(join(folder.path, 'rows.csv'), rows.join('\n'));
  await newcomer.choose('a CSV', 'input[accept*="csv"]', join(folder.path, 'rows.csv'));
  await newcomer.press('render its rows', button('Render 5 rows'));
  await page.waitForSelector('::-p-xpath(//a[contains(., "Download the zip")])', { timeout: 60_000 });

  await newcomer.press('a new key', '::-p-xpath(//a[normalize-space(.)="New key"])');
  await newcomer.press('make it', button('Create key'));
  const command = await page.waitForSelector('::-p-xpath(//dialog//code[starts-with(., "plt_live_")])', {
    timeout: 30_000,
  });
  const key = (await command?.evaluate((element) => element.textContent)) ?? '';
  const template = await newestTemplate(key);
  const answer = await postJson(`${lab.server.url}/v1/renders`, key, { template, modifications: { title: 'By key' } });
  expect(answer.status).toBe(200);

  const usage = page.url().replace(/\/keys.*/, '/usage');
  expect(await doneSteps()).toBe(null);

  // The seventh render is that of the signed URL.
  await page.goto(usage);
  newcomer.actions.push('usage');
  const figure = await page.waitForSelector('.usage-figure', { timeout: 30_000 });
  expect(await figure?.evaluate((element) => element.textContent)).toBe('7');

  expect(newcomer.actions.length, newcomer.actions.join(' · ')).toBeLessThanOrEqual(25);
  expect(watched.problems).toEqual([]);
  expect(watched.strangers).toEqual([]);
}, 240_000);

async function newestTemplate(key: string): Promise<string> {
  const answer = await fetch(`${lab.server.url}/v1/templates`, { headers: { authorization: `Bearer ${key}` } });
  const { templates } = (await answer.json()) as { templates: { id: string; name: string }[] };
  return templates.find(({ name }) => name === 'Half page')?.id ?? '';
}
