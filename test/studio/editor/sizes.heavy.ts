// Tests in Chromium, by mouse and keys: sizes beside each other, edited apart and together, reset, added and removed;
// words of a language; and what is saved.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { press } from '../studio-lab.ts';
import { layerOf, selectLayers } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

interface Stored {
  readonly sizes?: Readonly<Record<string, { readonly changes?: Readonly<Record<string, unknown>> }>>;
  readonly texts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe.skipIf(CHROMIUM === null)('sizes and languages in the editor', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor('sample-campaign', { width: 1600, height: 900 });
    await lab.page.waitForSelector('.views-bar');
  }, 240_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });
  const select = (name: string) => selectLayers(lab.page, [name]);
  const layer = (name: string) => layerOf(lab.page, name);
  const stored = () => lab.page.evaluate(() => platenEditor.editor.stored.value) as Promise<Stored>;
  const undo = () => lab.page.evaluate(() => platenEditor.editor.undo());
  const choose = async (size: string) => {
    await (
      await lab.page.waitForSelector(`::-p-xpath(//label[contains(@class, "views-size")][contains(., "${size}")])`)
    )?.click();
    await lab.page.waitForFunction((wanted) => (platenEditor.editor.view.value.size ?? 'default') === wanted, {}, size);
  };
  const typeSize = async (text: string) => {
    const field = await lab.page.waitForSelector('input[aria-label="Font size"]');
    await field?.click({ count: 3 });
    await lab.page.keyboard.type(text);
    await lab.page.keyboard.press('Enter');
  };

  test('all sizes are drawn beside the template, and one that is pressed is edited', async () => {
    await lab.page.waitForFunction(() => document.querySelectorAll('.other-size svg[viewBox] path').length > 20, {
      timeout: 30_000,
    });
    expect((await lab.page.$$('.other-size')).length).toBe(Object.keys((await stored()).sizes ?? {}).length);
    await lab.page.$eval('.other-size[title="Edit story"]', (other) => (other as HTMLElement).click());
    await lab.page.waitForFunction(() => platenEditor.editor.picture.value?.scene.width === 1080);
    expect(await lab.page.evaluate(() => platenEditor.editor.document.value.height)).toBe(1920);
    expect(await layer('title')).toMatchObject({ fontSize: 124, textStyle: '$headline' });
  });

  test('apart: a change is of the size only, is marked, and is reset', async () => {
    await select('line');
    await typeSize('60');
    expect((await stored()).sizes?.story?.changes?.line).toMatchObject({ fontSize: 60 });
    expect(await layer('line')).toMatchObject({ fontSize: 60 });
    await lab.page.waitForSelector('[data-layer="line"] .tree-different');
    expect(await lab.page.$$eval('.difference', (all) => all.map((one) => one.textContent))).toEqual(['Font size']);
    await (await lab.page.$('.difference'))?.click();
    expect((await stored()).sizes?.story?.changes?.line).toBe(undefined);
    await undo();
    await undo();
    expect((await stored()).sizes?.story?.changes?.line).toEqual({ fontSize: 46 });
  });

  test('together: a change is of all sizes', async () => {
    await press(lab.page, 'radio', 'All sizes');
    await select('line');
    await typeSize('50');
    expect((await stored()).sizes?.story?.changes?.line).toBe(undefined);
    const inStory = await layer('line');
    expect(inStory).toMatchObject({ fontSize: 50 });
    await choose('default');
    expect(Number((await layer('line'))?.fontSize)).toBeCloseTo(50 / 0.9, 1);
    await choose('story');
    await undo();
    await press(lab.page, 'radio', 'This size');
  });

  test('a size is added, renamed, and deleted; each can be undone', async () => {
    await press(lab.page, 'button', 'Add a size');
    await (await lab.page.waitForSelector('::-p-xpath(//*[@role="menuitem"][contains(., "Leaderboard")])'))?.click();
    await lab.page.waitForFunction(() => platenEditor.editor.view.value.size === 'leaderboard');
    expect(await lab.page.evaluate(() => platenEditor.editor.document.value)).toMatchObject({ width: 728, height: 90 });
    await press(lab.page, 'button', 'Size leaderboard');
    await (await lab.page.waitForSelector('::-p-xpath(//*[@role="menuitem"][contains(., "Delete")])'))?.click();
    await lab.page.waitForFunction(() => platenEditor.editor.view.value.size === null);
    expect((await stored()).sizes).not.toHaveProperty('leaderboard');
    await undo();
    expect((await stored()).sizes).toHaveProperty('leaderboard');
    await undo();
    expect((await stored()).sizes).not.toHaveProperty('leaderboard');
  });

  test('a name that no size can have is refused at its field, by a sentence', async () => {
    await press(lab.page, 'button', 'Add a size');
    await (await lab.page.waitForSelector('::-p-xpath(//*[@role="menuitem"][contains(., "Custom size")])'))?.click();
    const name = await lab.page.waitForSelector('dialog[open] ::-p-aria([name="Name"])');
    await name?.type('Großes Format!');
    await lab.page.keyboard.press('Enter');
    await lab.page.waitForSelector('dialog[open] [role="alert"]');
    const told = await name?.evaluate((field) => {
      const ids = (field.getAttribute('aria-describedby') ?? '').split(' ');
      const words = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
      return [field.getAttribute('aria-invalid'), /^[A-Z].*\.$/.test(words.trim())];
    });
    expect(told).toEqual(['true', true]);
    await lab.page.keyboard.press('Escape');
    await lab.page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  });

  test('words that are typed in a language are its own', async () => {
    await (await lab.page.waitForSelector('select[aria-label="Language"]'))?.select('de');
    await lab.page.waitForFunction(() => platenEditor.editor.view.value.lang === 'de');
    expect(await layer('title')).toMatchObject({ text: 'Das Meer, ein langes Wochenende', lang: 'de' });
    await select('title');
    const words = await lab.page.waitForSelector('textarea[aria-label="Words"]');
    await words?.click({ count: 3 });
    await lab.page.keyboard.type('Ab ans Meer');
    const { texts } = await stored();
    expect(texts?.title).toMatchObject({ de: 'Ab ans Meer', fr: 'La mer, le temps d’un long week-end' });
    await (await lab.page.$('select[aria-label="Language"]'))?.select('');
    await lab.page.waitForFunction(() => platenEditor.editor.view.value.lang === null);
    expect(await layer('title')).toMatchObject({ text: 'The sea, for one long weekend' });
  });

  test('what is saved is the template with its sizes and texts', async () => {
    await lab.page.evaluate(() => platenEditor.autosave.flush());
    expect(lab.drafts.get('sample-campaign')?.document).toEqual(await stored());
    expect(lab.complaints).toEqual([]);
  });
});
