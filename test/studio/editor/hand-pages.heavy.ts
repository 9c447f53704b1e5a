// Tests in Chromium, by mouse and keys: a picture becomes a carousel, whose pages are added, dragged to another place, seen as
// thumbnails and downloaded.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { press } from '../studio-lab.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

describe.skipIf(CHROMIUM === null)('pages made by hand', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor('sample-social-card', { width: 1440, height: 900 });
  }, 240_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });
  const names = () => lab.page.$$eval('.page-name', (all) => all.map((one) => one.textContent));
  const current = () => lab.page.$eval('.page-thumb[aria-current]', (one) => one.getAttribute('aria-label'));
  const waitFor = (count: number) =>
    lab.page.waitForFunction((wanted) => document.querySelectorAll('.page-picture > svg').length === wanted, {}, count);

  test('the picture becomes the first page, and each page has a thumbnail', async () => {
    await lab.page.focus('.canvas');
    await lab.page.keyboard.down('Control');
    await lab.page.keyboard.press('Enter');
    await lab.page.keyboard.up('Control');
    await waitFor(2);
    expect(await names()).toEqual(['page-1', 'page-2']);
    expect(await current()).toBe('2: page-2');
    await lab.page.waitForFunction(() => document.querySelectorAll('.page-thumb:first-child path').length > 5);
    await press(lab.page, 'button', 'Add a page');
    await waitFor(3);
    // The first has what the picture had, the others nothing but the background.
    const drawn = await lab.page.$$eval('.page-picture > svg', (all) =>
      all.map((svg) => svg.querySelectorAll('path, image, rect').length),
    );
    expect(drawn[0]).toBeGreaterThan(10);
    expect(drawn[1]).toBeLessThan(3);
  });

  test('a press goes to a page, and what is drawn there is on it', async () => {
    const [, second] = await lab.page.$$('.page-thumb');
    await second?.click();
    await lab.page.waitForFunction(() => platenEditor.editor.pageInSight.value === 1);
    const canvas = await (await lab.page.$('.canvas'))?.boundingBox();
    if (!canvas) throw new Error('There is no canvas.');
    const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
    await lab.page.keyboard.press('r');
    await lab.page.mouse.move(x - 80, y - 40);
    await lab.page.mouse.down();
    await lab.page.mouse.move(x + 80, y + 40, { steps: 4 });
    await lab.page.mouse.up();
    const children = () =>
      lab.page.evaluate(() => platenEditor.editor.layer('page-2')?.children?.map(({ name }) => name));
    expect(await children()).toEqual(['rectangle']);
    await lab.page.waitForFunction(() => document.querySelectorAll('li:nth-child(2) .page-picture path').length > 0);
  });

  test('a page is dragged before another', async () => {
    const [first, , third] = await Promise.all((await lab.page.$$('.page-thumb')).map((thumb) => thumb.boundingBox()));
    if (!first || !third) throw new Error('There are no thumbnails.');
    await lab.page.mouse.move(third.x + 20, third.y + 20);
    await lab.page.mouse.down();
    await lab.page.mouse.move(first.x + 40, first.y + 20, { steps: 5 });
    await lab.page.mouse.move(first.x + 4, first.y + 20, { steps: 5 });
    await lab.page.mouse.up();
    await lab.page.waitForFunction(() => document.querySelector('.page-name')?.textContent === 'page-3');
    expect(await names()).toEqual(['page-3', 'page-1', 'page-2']);
    expect(await current()).toBe('1: page-3');
  });

  test('all pages are one download: pictures of each, or a PDF', async () => {
    const asked: unknown[] = [];
    lab.page.on('request', (request) => {
      if (request.url().endsWith('/preview')) asked.push(JSON.parse(request.postData() ?? '{}').page);
    });
    await lab.page.keyboard.down('Control');
    await lab.page.keyboard.down('Shift');
    await lab.page.keyboard.press('e');
    await lab.page.keyboard.up('Shift');
    await lab.page.keyboard.up('Control');
    await press(lab.page, 'button', 'Download 3 files as a zip');
    await lab.page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    expect(asked).toEqual([1, 2, 3]);
    expect(lab.complaints).toEqual([]);
  });
});
