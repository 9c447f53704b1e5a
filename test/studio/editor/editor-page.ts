// What tests ask of the editor in a page, and do with it past its controls.

import type { Page } from 'puppeteer-core';
import type { RawLayer } from '#studio/editor/core/document/document.ts';

/** The layer of this name, as the template has it; null: there is none. */
export const layerOf = (page: Page, name: string) => page.evaluate((of) => platenEditor.editor.layer(of), name);

export const selectLayers = (page: Page, names: readonly string[]) =>
  page.evaluate((list) => platenEditor.editor.select(list), names);

/** Sets properties of a layer, as the inspector does. */
export const setLayer = (page: Page, name: string, patch: Readonly<Record<string, unknown>>) =>
  page.evaluate(
    (of, by) => {
      const { editor, edits } = platenEditor;
      editor.edit(edits.setLayer(of, by));
    },
    name,
    patch,
  );

/** Adds layers before all others. */
export const addLayers = (page: Page, layers: readonly object[]) =>
  page.evaluate((list) => {
    const { editor, edits } = platenEditor;
    editor.edit((document) => edits.insertLayers(document, list as readonly RawLayer[], null).document);
  }, layers);

/** Waits until the canvas shows the document. */
export const drawn = (page: Page) =>
  page.waitForFunction(() => {
    const { editor } = globalThis.platenEditor ?? {};
    return editor !== undefined && editor.picture.value?.document === editor.document.value;
  });

/** Where a point of the document is, px of the page. */
export const viewPoint = (page: Page, x: number, y: number) =>
  page.evaluate(
    (point) => {
      const at = platenEditor.viewport.toView(point);
      const { left, top } = document.querySelector('.canvas')?.getBoundingClientRect() ?? new DOMRect();
      return { x: at.x + left, y: at.y + top };
    },
    { x, y },
  );

/** The centre of a layer, px of the page. */
export async function middleOf(page: Page, name: string) {
  const { x, y } = await page.evaluate((of) => {
    const rect = platenEditor.editor.picture.value?.byName.get(of)?.rect ?? new DOMRect();
    return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  }, name);
  return viewPoint(page, x, y);
}
