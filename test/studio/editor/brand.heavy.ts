// Tests in Chromium, by mouse: a template takes its colours, text styles and fonts from its brand, and is taken from it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layerOf, selectLayers, setLayer } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

describe.skipIf(CHROMIUM === null)('a brand in the editor', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor('sample-campaign');
  }, 240_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });
  const select = (...names: readonly string[]) => selectLayers(lab.page, names);
  const layer = (name: string) => layerOf(lab.page, name);
  const undo = () => lab.page.evaluate(() => platenEditor.editor.undo());
  const svgHas = (text: string) =>
    lab.page.waitForFunction(
      (wanted) => platenEditor.editor.picture.value?.svg.join('').includes(wanted),
      { timeout: 20_000 },
      text,
    );

  test('the canvas shows what names stand for', async () => {
    await svgHas('#0b2545');
    expect(await layer('offer')).toMatchObject({ background: '$ink', borderRadius: '$radius' });
  });

  test('a colour, a number and a text style are chosen by name, and undone', async () => {
    await select('offer');
    await (await lab.page.waitForSelector('[data-property="background"] .swatch'))?.click();
    await (
      await lab.page.waitForSelector('::-p-xpath(//button[contains(@class, "brand-name")][contains(., "accent")])')
    )?.click();
    expect(await layer('offer')).toMatchObject({ background: '$accent' });
    await svgHas('#0077b6');
    await lab.page.keyboard.press('Escape');
    await undo();
    expect(await layer('offer')).toMatchObject({ background: '$ink' });
    await select('title');
    const style = await lab.page.waitForSelector('select[aria-label="Text style"]');
    await style?.select('$small');
    expect(await layer('title')).toMatchObject({ textStyle: '$small' });
    expect(await lab.page.$eval('.font-button', (button) => button.textContent)).toContain('Inter');
    await undo();
    await style?.select('');
    expect(await layer('title')).toMatchObject({ fontWeight: 800, lineHeight: 1.08, fontSize: 72 });
    expect(await layer('title')).not.toHaveProperty('textStyle');
    await undo();
  });

  test('words: the bar shows what their text style sets, and a word takes a color of the brand, which follows it', async () => {
    await lab.page.evaluate(() => platenEditor.editor.editText('title', [4, 7]));
    const bar = await lab.page.waitForSelector('.text-bar');
    expect(await bar?.$eval('.font-button', (button) => button.textContent)).toContain('Bricolage Grotesque');
    expect(await bar?.$eval('select', (weight) => weight.value)).toBe('800');
    expect(await bar?.$eval('input[aria-label="Font size"]', (size) => (size as HTMLInputElement).value)).toBe('72');
    await (await bar?.waitForSelector('.swatch'))?.click();
    await (
      await lab.page.waitForSelector('::-p-xpath(//button[contains(@class, "brand-name")][contains(., "second")])')
    )?.click();
    expect(await layer('title')).toMatchObject({ spans: [{ text: 'The ' }, { text: 'sea', color: '$second' }, {}] });
    await svgHas('#90e0ef');
    await lab.page.evaluate(() => platenEditor.editor.leave());
    await select();
    await (await lab.page.waitForSelector('select[aria-label="Brand"]'))?.select('ember');
    await svgHas('#ffc48c');
    await undo();
    await undo();
    expect(await layer('title')).not.toHaveProperty('spans');
  });

  test('a name that the brand does not have is shown with the nearest', async () => {
    await select('offer');
    await setLayer(lab.page, 'offer', { background: '$inc' });
    const shown = await lab.page.waitForSelector('[data-property="background"] .is-unknown');
    expect(await shown?.evaluate((element) => element.textContent)).toBe(
      'The brand has no "$inc"; did you mean "$ink"?',
    );
    await lab.page.waitForFunction(() => platenEditor.editor.problem.value !== null);
    await undo();
  });

  test('the newer version of the brand is offered in the library too, while a layer is selected', async () => {
    const name = await lab.page.evaluate(() => {
      const { editor } = platenEditor;
      const [own = ''] = String(editor.document.value.brand).split('@');
      // As if the one that there is were newer.
      editor.edit((document) => ({ ...document, brand: `${own}@0` }));
      editor.select(['title']);
      return own;
    });
    for (const role of ['tab', 'radio'] as const)
      await (
        await lab.page.waitForSelector(`.left-panel ::-p-aria([name="${role === 'tab' ? 'Library' : 'Brand'}"])`)
      )?.click();
    await (await lab.page.waitForSelector('.library ::-p-text(Use version 1)'))?.click();
    const brand = () => lab.page.evaluate(() => platenEditor.editor.document.value.brand);
    expect(await brand()).toBe(`${name}@1`);
    await undo();
    await undo();
    await (await lab.page.waitForSelector('.left-panel ::-p-aria([name="Layers"])'))?.click();
  });

  test('another brand is chosen, and none', async () => {
    await select();
    const brand = await lab.page.waitForSelector('select[aria-label="Brand"]');
    await brand?.select('ember');
    expect(await lab.page.evaluate(() => platenEditor.editor.document.value.brand)).toBe('ember@1');
    await undo();
    await brand?.select('');
    await lab.page.waitForFunction(() => platenEditor.editor.document.value.brand === undefined);
    expect(await layer('offer')).toMatchObject({ background: '#0b2545' });
    await undo();
    expect(lab.complaints).toEqual([]);
  });
});
