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
