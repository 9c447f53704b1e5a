// Tests in Chromium the menus of a right click and of the menu key on the canvas and in the layer tree.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

interface Held {
  readonly editor: {
    readonly document: { readonly value: { readonly layers: readonly { name: string; fill?: string }[] } };
    readonly selection: { readonly value: readonly string[] };
    readonly picture: { readonly value: { readonly document: unknown } | null };
    replace(document: unknown): void;
    select(names: readonly string[]): void;
  };
  readonly viewport: { toView(point: { x: number; y: number }): { x: number; y: number } };
}

describe.skipIf(CHROMIUM === null)('menus', () => {
  let lab: OpenEditor;
  beforeAll(async () => {
    lab = await openEditor();
    await lab.page.evaluate(() => {
      const { editor } = (globalThis as never as { platenEditor: Held }).platenEditor;
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
    await lab.page.waitForFunction(() => {
      const { editor } = (globalThis as never as { platenEditor: Held }).platenEditor;
      return editor.picture.value?.document === editor.document.value;
    });
  }, 120_000);
  afterAll(async () => {
    await lab[Symbol.asyncDispose]();
  });

  const state = () =>
    lab.page.evaluate(() => {
      const { editor } = (globalThis as never as { platenEditor: Held }).platenEditor;
      return {
        selection: editor.selection.value,
        layers: editor.document.value.layers.map(({ name, fill }) => `${name} ${fill}`),
      };
    });
  const pointOf = (x: number, y: number) =>
    lab.page.evaluate(
      (at) => {
        const { viewport } = (globalThis as never as { platenEditor: Held }).platenEditor;
        const { left = 0, top = 0 } = document.querySelector('.canvas')?.getBoundingClientRect() ?? {};
        const point = viewport.toView(at);
        return { x: left + point.x, y: top + point.y };
      },
      { x, y },
    );
  const rightClick = async (x: number, y: number) => {
    const point = await pointOf(x, y);
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
      await page.evaluate(() => {
        (globalThis as never as { platenEditor: Held }).platenEditor.editor.select(['red']);
      });
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
