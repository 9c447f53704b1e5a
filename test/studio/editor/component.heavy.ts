// Tests in Chromium: a component is made of a selection, filled, undone, and drawn at every size.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layerOf, selectLayers } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

describe.skipIf(CHROMIUM === null)('components in the editor', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor('sample-campaign');
  }, 240_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });
  const layer = (name: string) => layerOf(lab.page, name);

  test('a frame becomes a template, and its words are fields', async () => {
    await selectLayers(lab.page, ['offer']);
    await lab.page.focus('.canvas');
    await lab.page.keyboard.down('Control');
    await lab.page.keyboard.down('Alt');
    await lab.page.keyboard.press('KeyK');
    await lab.page.keyboard.up('Alt');
    await lab.page.keyboard.up('Control');
    await lab.page.waitForFunction(() => platenEditor.editor.layer('offer')?.type === 'template', { timeout: 20_000 });
    const made = String((await layer('offer'))?.template).split('@')[0] ?? '';
    expect(lab.drafts.get(made)?.document).toMatchObject({
      ...{ name: 'offer', brand: 'coast', texts: { from: { de: 'ab' } } },
      layers: [{ type: 'frame', name: 'offer', x: 0, y: 0, children: [{ name: 'from' }, { name: 'price' }] }],
    });
    await lab.page.waitForFunction(
      () => {
        const { picture } = platenEditor.editor;
        return picture.value?.document.layers?.at(-1)?.children?.[0]?.name === 'offer/offer';
      },
      { timeout: 20_000 },
    );
    const field = await lab.page.waitForSelector('textarea[aria-label="price"]');
    await field?.click({ count: 3 });
    await lab.page.keyboard.type('199');
    expect(await layer('offer')).toMatchObject({ modifications: { price: '199' } });
    expect(await lab.page.evaluate(() => platenEditor.editor.problem.value?.message ?? null)).toBe(null);
  });

  test('a newer version is offered when nothing is selected, and taken wherever it is shown', async () => {
    const [id = ''] = String((await layer('offer'))?.template).split('@');
    const draft = lab.drafts.get(id);
    if (draft) draft.version = 2;
    await lab.page.evaluate(() => {
      platenEditor.editor.select([]);
    });
    const use = await lab.page.waitForSelector('button[aria-label="Use version 2 of offer"]', { timeout: 20_000 });
    await use?.click();
    await lab.page.waitForFunction(() => String(platenEditor.editor.layer('offer')?.template).endsWith('@2'), {
      timeout: 20_000,
    });
    await lab.page.waitForFunction(() => !document.body.innerText.includes('Use version 2'), { timeout: 20_000 });
    await lab.page.evaluate(() => platenEditor.editor.undo());
    expect(await layer('offer')).toMatchObject({ template: `${id}@1`, modifications: { price: '199' } });
  });

  test('the library puts it on the canvas by a click and by a drag, and it is detached by its keys', async () => {
    const { page } = lab;
    await page.evaluate(() => platenEditor.editor.select([]));
    await page.focus('.canvas');
    await page.keyboard.down('Shift');
    await page.keyboard.press('KeyI');
    await page.keyboard.up('Shift');
    const card = await page.waitForSelector('.library-card[aria-label="offer"]', { timeout: 20_000 });
    await card?.click();
    await page.waitForFunction(() => platenEditor.editor.layer('offer-2') !== null, { timeout: 20_000 });
    const middle = async (selector: string) => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await (await page.$(selector))?.boundingBox()) ?? {};
      return { x: x + width / 2, y: y + height / 2 };
    };
    const drag = async (selector: string, to: { readonly x: number; readonly y: number }) => {
      const from = await middle(selector);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    };
    const { x, y } = await middle('.canvas');
    await drag('.library-card', { x, y });
    await page.waitForFunction(() => platenEditor.editor.layer('offer-3') !== null, { timeout: 20_000 });
    const at = await page.evaluate(
      (point) => {
        const { left, top } = document.querySelector('.canvas')?.getBoundingClientRect() ?? { left: 0, top: 0 };
        return platenEditor.viewport.toCanvas({ x: point.x - left, y: point.y - top });
      },
      { x, y },
    );
    const box = await page.evaluate(() => platenEditor.editor.boxesOf(['offer-3'])[0]?.rect);
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - at.x)).toBeLessThan(2);
    expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) / 2 - at.y)).toBeLessThan(2);
    for (const key of ['Control', 'Alt'] as const) await page.keyboard.down(key);
    await page.keyboard.press('KeyB');
    for (const key of ['Control', 'Alt'] as const) await page.keyboard.up(key);
    await page.waitForFunction(() => platenEditor.editor.layer('offer-3/price') !== null, { timeout: 20_000 });
    expect(await layer('offer-3/offer')).toMatchObject({ type: 'frame', background: '$ink' });
    await page.click('.library [aria-label="Fonts"]');
    await page.type('.font-list input', 'lobs');
    const add = await page.waitForSelector('[aria-label="Add Lobster"] .font-sample');
    await add?.click();
    await page.waitForFunction(() => document.querySelector('.font-option.is-addable') === null, { timeout: 20_000 });
    await page.evaluate(() => {
      for (let i = 0; i < 3; i += 1) platenEditor.editor.undo();
    });
    expect(await layer('offer-2')).toBe(null);
  }, 60_000);

  test('it is undone', async () => {
    await lab.page.evaluate(() => {
      const { editor } = platenEditor;
      editor.undo();
      editor.undo();
    });
    expect(await layer('offer')).toMatchObject({ type: 'frame', background: '$ink' });
    expect(lab.complaints).toEqual([]);
  });
});
