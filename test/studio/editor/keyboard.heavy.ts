// Walks through the editor's groups by keyboard: what a screen reader announces as radio buttons, tabs and tooltips is
// operated as such, each group is one stop of Tab, and axe finds nothing in them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../accessibility.ts';
import { selectLayers } from './editor-page.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

let editor: OpenEditor;
beforeAll(async () => {
  if (!CHROMIUM) return;
  editor = await openEditor('sample-campaign', { width: 1440, height: 900 });
}, 240_000);
afterAll(async () => {
  await editor?.[Symbol.asyncDispose]();
});

const GROUPS: readonly (readonly [group: string, layer: string | null, selector: string])[] = [
  ['the sizes above the canvas', null, '.views-sizes'],
  ['what changes of a size are for', null, '.views-end .segments'],
  ['the alignment of a text', 'title', '[data-property="align"] [role="radiogroup"]'],
  ['where the children of a frame are', 'words', '.align-grid'],
  // Its next layout is a grid, which has no such place.
  ['the layout of a frame', 'words', '[data-property="layout"] .segments[role="radiogroup"]'],
];

describe.skipIf(!CHROMIUM)('groups of the editor by keyboard', () => {
  for (const [group, layer, selector] of GROUPS) {
    test(`arrow keys choose ${group}, and Tab leaves it`, async () => {
      const { page } = editor;
      if (layer !== null) await selectLayers(page, [layer]);
      await page.waitForSelector(`${selector} [type="radio"]`);
      const state = () =>
        page.$$eval(`${selector} [type="radio"]`, (all) => ({
          radios: all.length,
          chosen: all.findIndex((one) => (one as HTMLInputElement).checked),
          focused: all.indexOf(document.activeElement as Element),
        }));
      await page.$$eval(`${selector} [type="radio"]`, (all) =>
        ((all.find((one) => (one as HTMLInputElement).checked) ?? all[0]) as HTMLInputElement).focus(),
      );
      const before = await state();
      expect(before.radios).toBeGreaterThan(1);
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(
        (within, was) =>
          [...document.querySelectorAll<HTMLInputElement>(`${within} [type="radio"]`)].findIndex(
            ({ checked }) => checked,
          ) !== was,
        {},
        selector,
        before.chosen,
      );
      const after = await state();
      const next = (Math.max(before.chosen, 0) + 1) % before.radios;
      expect(after).toMatchObject({ chosen: next, focused: next });
      await page.keyboard.press('Tab');
      expect((await state()).focused).toBe(-1);
      expect(await findings(page, { within: selector })).toEqual([]);
    });
  }

  test('each list of tabs has a panel that is named by its tab, and arrows go through it', async () => {
    const { page } = editor;
    const lists = await page.$$('[role="tablist"]');
    expect(lists.length).toBeGreaterThan(1);
    for (const list of lists) {
      const tabs = () =>
        list.$$eval('[role="tab"]', (all) =>
          all.map((tab) => {
            const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
            return {
              isChosen: tab.ariaSelected === 'true',
              isStop: (tab as HTMLElement).tabIndex === 0,
              isFocused: tab === document.activeElement,
              panel: panel?.role,
              isNamed: panel?.getAttribute('aria-labelledby') === tab.id,
            };
          }),
        );
      const begun = await tabs();
      expect(begun.filter(({ isChosen, isStop }) => isChosen && isStop)).toHaveLength(1);
      await (await list.$('[aria-selected="true"]'))?.focus();
      for (let step = 1; step <= begun.length; step++) {
        await page.keyboard.press('ArrowRight');
        const chosen = (begun.findIndex(({ isChosen }) => isChosen) + step) % begun.length;
        const now = await tabs();
        expect(now.findIndex(({ isChosen }) => isChosen)).toBe(chosen);
        expect(now[chosen]).toMatchObject({ isFocused: true, isStop: true, panel: 'tabpanel', isNamed: true });
      }
    }
    expect(await findings(page, { within: '[role="tablist"]' })).toEqual([]);
  });

  test('what a button without words does is shown when Tab reaches it, and when it is held', async () => {
    const { page } = editor;
    const tip = '.tip[role="tooltip"]:popover-open';
    await page.$eval('.toolbar button', (button) => (button as HTMLElement).focus());
    await page.keyboard.press('Tab');
    const title = await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[title]')?.title);
    expect(title).toMatch(/\w/);
    await page.waitForSelector(tip);
    expect(await page.$eval(tip, (one) => one.textContent)).toBe(title);
    expect(await findings(page, { within: '.tip' })).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForFunction((shown) => document.querySelector(shown) === null, {}, tip);
    const held = await page.waitForSelector('.toolbar button[title]');
    const box = await held?.boundingBox();
    const at = { x: (box?.x ?? 0) + 8, y: (box?.y ?? 0) + 8 };
    await page.touchscreen.touchStart(at.x, at.y);
    await page.waitForSelector(tip);
    expect(await page.$eval(tip, (one) => one.textContent)).toBe(
      await held?.evaluate((one) => (one as HTMLElement).title),
    );
    await page.touchscreen.touchEnd();
    await page.waitForFunction((shown) => document.querySelector(shown) === null, {}, tip);
  });
});
