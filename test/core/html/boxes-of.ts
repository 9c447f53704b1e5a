// The boxes of a page, laid out by the engine of html.

import { elementsOf } from '#core/css/selectors.ts';
import type { Rect, Size } from '#core/geometry.ts';
import { union } from '#core/geometry.ts';
import { sceneOfPage } from '#core/html/page-scene.ts';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { pictureOf } from '#draw/html/page-pictures.ts';
import { parsePage } from '#draw/html/parse-html.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';

const fonts = openFontLibrary({ folders: [] });
const files = {
  async read(source: string): Promise<Uint8Array> {
    if (!source.startsWith('data:')) throw new Error(`no image "${source}"`);
    return new Uint8Array(await (await fetch(source)).arrayBuffer());
  },
};

/**
 * The border box of each element, in the order of `document.querySelectorAll('body, body *')`, in px of the viewport: for
 * an inline box the rectangle around all its fragments. Null for an element without a box.
 *
 * @param html a whole document, for screens
 * @param size the viewport
 */
export async function boxesOf(html: string, { width, height }: Size): Promise<readonly (Rect | null)[]> {
  const { html: page, isQuirky, isOld } = parsePage(html);
  const { scene, boxes } = sceneOfPage(
    { html: page, isQuirky, isOld, sheets: [], page: null, width, height, sourceOf: pictureOf },
    true,
  );
  const { resources } = await loadResources(scene.needs, await fonts, files, new AbortController().signal, 'header');
  const rects = new Map<string, Rect>();
  const visit = (box: LayoutBox) => {
    const { name } = box.node;
    rects.set(name, union(rects.get(name) ?? null, box.rect) ?? box.rect);
    if (box.kind === 'frame') box.children.forEach(visit);
    if (box.kind === 'text')
      for (const { box: own } of [...(box.inline?.behind ?? []), ...(box.inline?.among ?? [])]) visit(own);
  };
  layOut(scene, resources).boxes.forEach(visit);
  const [body] = [...elementsOf([page])].filter(({ name }) => name === 'body');
  return [...elementsOf(body ? [body] : [])].map((element) => {
    const node = boxes.get(element);
    if (node) return rects.get(node.name) ?? null;
    if (!/^t(head|body|foot)$/.test(element.name)) return null;
    // A group of rows is where its rows are.
    const rows = element.children.map((row) => (typeof row === 'string' ? undefined : boxes.get(row)));
    return rows.reduce<Rect | null>((all, row) => union(all, (row && rects.get(row.name)) ?? null), null);
  });
}
