// Finds text of a satori page that is outside the canvas or cut off by a box, which every renderer tells of.
//
// Satori omits text that is completely outside, but reports the box of its element. The text is looked up in the page
// to find its layer.

import { elementsOf, isElement } from '#core/css/selectors.ts';
import { inflate, type Rect, rectContains, type Size } from '#core/geometry.ts';
import type { LostText } from '#core/resolve/resolve-html.ts';
import { isOrnament } from '#core/text/ornament.ts';
import type { XmlElement } from '#draw/images/xml.ts';
import type { HtmlNode } from './parse-html.ts';
import type { SatoriText } from './satori.ts';

/**
 * How far ink may extend beyond an area, in px and as a fraction of the font size: the same as in layered templates.
 */
const SLACK = { px: 1, ofSize: 0.02 };
/** px: a box of this size or smaller is intentional, such as text for screen readers. */
const HIDING = 2;

/** @param uniformColor returns the ink bounds of a `<text>`, in its coordinates; called only near an edge */
export function lostText(
  root: XmlElement,
  texts: readonly SatoriText[],
  page: readonly HtmlNode[],
  canvas: Size,
  uniformColor: (text: XmlElement) => Rect | null,
): readonly LostText[] {
  const found = new Map<string, LostText>();
  const whole = { x: 0, y: 0, ...canvas };
  const layers = layersOf(page);
  const add = (words: string, isCut: boolean) => {
    const { layer, text } = layers.find((each) => each.text.includes(words)) ?? { layer: null, text: words };
    const shown = text.trim().replace(/\s+/g, ' ').slice(0, 60);
    if (!found.has(shown)) found.set(shown, { layer, words: shown, isCut });
  };
  for (const { words, ...box } of texts) if (isApart(box, whole)) add(words, false);

  const hasEllipsis = layers.some(({ text }) => text.includes('…'));
  const clips = clipRects(root);
  for (const element of elementsOf(root.children)) {
    const words = element.children.filter((child) => typeof child === 'string').join('');
    if (element.name !== 'text' || words.trim() === '' || element.attributes.has('transform')) continue;
    const clip = clips.get(element.attributes.get('clip-path') ?? '');
    const around = aroundLetters(element);
    const isInside = [whole, clip ?? whole].every((area) => rectContains(area, around));
    const ink = isInside || isOrnament(words) ? null : uniformColor(element);
    const slack = Math.max(SLACK.px, SLACK.ofSize * (Number(element.attributes.get('font-size')) || 0));
    const isOut = (area: Rect) => ink !== null && !rectContains(inflate(area, slack), ink);
    if (isOut(whole)) add(words, false);
    else if ((clip && isOut(clip)) || (!hasEllipsis && words.endsWith('…'))) add(words.replace(/…$/, ''), true);
  }
  return [...found.values()];
}

/** Every text of the page with its layer. */
function layersOf(page: readonly HtmlNode[], layer: string | null = null): { text: string; layer: string | null }[] {
  return page.flatMap((node) =>
    isElement(node) ? layersOf(node.children, node.attributes.get('data-layer') ?? layer) : [{ text: node, layer }],
  );
}

/** A rectangle that contains the ink of nearly any letters. */
function aroundLetters({ attributes }: XmlElement): Rect {
  const at = (name: string) => Number(attributes.get(name)) || 0;
  const size = at('font-size');
  return inflate({ x: at('x'), y: at('y') - size, width: at('width'), height: size }, 1.5 * size);
}

/** By `url(#…)`: the rectangles that clip overflow. Clips of other shapes are intentional. */
function clipRects(root: XmlElement): ReadonlyMap<string, Rect> {
  const found = new Map<string, Rect>();
  for (const { name, attributes, children } of elementsOf(root.children)) {
    const [only] = children.filter((child) => typeof child !== 'string');
    if (name !== 'clipPath' || only?.name !== 'rect' || attributes.has('transform')) continue;
    const at = (key: string) => Number(only.attributes.get(key)) || 0;
    const rect = { x: at('x'), y: at('y'), width: at('width'), height: at('height') };
    if (Math.min(rect.width, rect.height) > HIDING) found.set(`url(#${attributes.get('id')})`, rect);
  }
  return found;
}

const isApart = (box: Rect, area: Rect): boolean =>
  box.width > 0 &&
  box.height > 0 &&
  (box.x >= area.x + area.width ||
    box.y >= area.y + area.height ||
    box.x + box.width <= area.x ||
    box.y + box.height <= area.y);
