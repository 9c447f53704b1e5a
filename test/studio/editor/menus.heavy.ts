// Tests in Chromium the menus of a right click and of the menu key on the canvas and in the layer tree.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawn, selectLayers, viewPoint } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

describe.skipIf(CHROMIUM === null)('menus', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor();
    await lab.page.evaluate(() => {
      const { editor } = platenEditor;
      const rect = { type: 'shape', shape: 'rect', y: 50, width: 100, height: 100 };
      editor.replace({
        name: 'Menus',
        width: 600,
        height: 400,
        layers: [
          { ...rect, name: 'red', x: 50, fill: '#ff0000' },
          { ...rect, name: 'blue', x: 250, fill: '#0000ff' },
        ],
      });
    });
    await drawn(lab.page);
  }, 120_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });

  const state = () =>
    lab.page.evaluate(() => {
      const { editor } = platenEditor;
      return {
        selection: editor.selection.value,
        layers: editor.document.value.layers?.map(({ name, fill }) => `${name} ${fill}`),
      };
    });
  const rightClick = async (x: number, y: number) => {
    const point = await viewPoint(lab.page, x, y);
    await lab.page.mouse.click(point.x, point.y, { button: 'right' });
    await lab.page.waitForSelector('[role="menu"]:popover-open');
  };
  const choose = async (name: string) => {
    const item = await lab.page.waitForSelector(
      `[role="menu"]:popover-open ::-p-aria([role="menuitem"]) ::-p-text(${name})`,
    );
    await item?.click();
    await lab.page.waitForFunction(() => document.querySelector('[role="menu"]') === null);
  };

  test('a right click selects what lies there; the style goes from layer to layer', async () => {
    await rightClick(100, 100);
    expect((await state()).selection).toEqual(['red']);
    await choose('Copy the style');
    await rightClick(300, 100);
    expect((await state()).selection).toEqual(['blue']);
    await choose('Paste the style');
    expect((await state()).layers).toEqual(['red #ff0000', 'blue #ff0000']);
    await lab.page.keyboard.down('Control');
    await lab.page.keyboard.press('z');
    await lab.page.keyboard.up('Control');
    expect((await state()).layers).toEqual(['red #ff0000', 'blue #0000ff']);
  });

  test('beside the layers, the menu is about the canvas', async () => {
    await rightClick(500, 300);
    const names = await lab.page.$$eval('[role="menu"] [role="menuitem"] .truncate', (items) =>
      items.map(({ textContent }) => textContent),
    );
    expect(names.slice(0, 2)).toEqual(['Paste here', 'Select all']);
    expect((await state()).selection).toEqual([]);
    await choose('Select all');
    expect((await state()).selection).toEqual(['red', 'blue']);
  });

  test('by keys: Shift+F10, arrows, Enter, Escape, and the focus returns', async () => {
    const { page } = lab;
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    const pressMenu = async () => {
      await page.keyboard.down('Shift');
      await page.keyboard.press('F10');
      await page.keyboard.up('Shift');
      await page.waitForSelector('[role="menu"]:popover-open');
    };
    for (const place of ['.canvas', '.layer-tree'] as const) {
      await selectLayers(page, ['red']);
      await page.focus(place);
      await pressMenu();
      expect(await focused()).toMatch(/^Cut/);
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toMatch(/^Copy/);
      await page.keyboard.press('End');
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.querySelector('[role="menu"]') === null);
      expect(await page.evaluate((css) => document.activeElement === document.querySelector(css), place)).toBe(true);
    }
    await pressMenu();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^Duplicate/);
    await page.keyboard.press('Enter');
    expect((await state()).layers).toHaveLength(3);
    expect(lab.complaints).toEqual([]);
  });
});
