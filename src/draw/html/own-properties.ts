// Places pictures where satori would have them elsewhere: by object-fit and object-position, and SVG without a size behind
// boxes.

import { replaceUrls, urlsOf } from '#core/css/css-text.ts';
import type { Size } from '#core/geometry.ts';
import { Cascade } from './cascade.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';
import { setDeclaration } from './style-attribute.ts';

/** Where a picture lies in its box, as satori does not know it. */
export interface OwnPlace {
  readonly fit: 'cover' | 'contain' | 'fill' | 'none' | 'scale-down';
  /** Per axis: a share of the room that is left, or px from the start. */
  readonly position: readonly [Distance, Distance];
}
type Distance = { readonly share: number } | { readonly px: number };

/** Begins the source of a picture with a place of its own: `placed 3 https://…`. */
export const PLACED = 'placed ';

const SAID = /aspect-ratio/i;
/** Whether a declaration places a picture as satori does not. */
const isPlacing = (declaration: string): boolean => {
  const at = declaration.search(/object-(?:position|fit)\s*:/i);
  return at >= 0 && /px|none/i.test(declaration.slice(at));
};

/**
 * Changes the sources of such pictures in place.
 *
 * @returns their places, by the number in their sources
 */
export function placePictures(page: readonly HtmlNode[], css: string, canvas: Size): readonly OwnPlace[] {
  const elements = [...elementsOf(page)];
  const texts = [
    css,
    ...elements.map(({ name, attributes, children }) =>
      name === 'style' ? children.join('') : (attributes.get('style') ?? ''),
    ),
  ];
  if (!texts.some((text) => SAID.test(text) || text.split(/[;}]/).some(isPlacing))) return [];
  const cascade = new Cascade(page, css, canvas, (property, value) =>
    /^(object-fit|object-position|aspect-ratio)$/.test(property) ? [[property, value]] : [],
  );
  const placed = elements.flatMap((element) => {
    const place = element.name === 'img' ? placeOf(element, cascade) : null;
    return place ? [[element, place] as const] : [];
  });
  for (const [index, [element]] of placed.entries()) {
    setOwn(element, 'src', `${PLACED}${index} ${element.attributes.get('src')?.trim()}`);
    setOwn(element, 'object-fit', 'fill');
    setOwn(element, 'object-position', '50% 50%');
  }
  return placed.map(([, place]) => place);
}

function setOwn({ attributes }: HtmlElement, property: string, value: string): void {
  if (property === 'src') attributes.set('src', value);
  else setDeclaration(attributes, property, `${value} !important`);
}

/**
 * Gives the backgrounds that show an SVG without a size, and have no size themselves, the one that CSS gives them: as
 * large as the box and the drawing's proportions allow (CSS Images 3 §4.4). Satori repeats them at the size of the
 * `viewBox`.
 *
 * @returns whether it could be done for all of them
 */
export function containBackgrounds(page: readonly HtmlNode[], css: string, canvas: Size, source: string): boolean {
  const cascade = new Cascade(page, css, canvas, (property, value) =>
    /^background(-image|-size)?$/.test(property) ? [[property, value]] : [],
  );
  const showing = [...elementsOf(page)].flatMap((element) => {
    const [image, whole] = ['background-image', 'background'].map((name) => cascade.declared(element, name) ?? '');
    const value = urlsOf(image ?? '').includes(source)
      ? image
      : urlsOf(whole ?? '').includes(source)
        ? whole
        : undefined;
    // A slash outside addresses comes before a size.
    const isSized =
      cascade.declared(element, 'background-size') !== null || replaceUrls(value ?? '', () => '').includes('/');
    return value === undefined || isSized
      ? []
      : [{ element, isOne: urlsOf(value).length === 1 && !/gradient\(/i.test(value) }];
  });
  if (!showing.every(({ isOne }) => isOne)) return false;
  for (const { element } of showing) setOwn(element, 'background-size', 'contain');
  return true;
}

const KEYWORDS: Readonly<Record<string, number>> = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 };

/** The place of an `<img>` that satori would draw otherwise; null = satori's is right. */
function placeOf(element: HtmlElement, cascade: Cascade): OwnPlace | null {
  const fit = cascade.declared(element, 'object-fit') ?? 'fill';
  const position = cascade.declared(element, 'object-position') ?? '50% 50%';
  const isKnown = /^(cover|contain|fill|none|scale-down)$/.test(fit) && element.attributes.get('src')?.trim();
  // Of an aspect ratio that the picture does not have, satori stretches it.
  const isCut = fit !== 'fill' && /\d/.test(cascade.declared(element, 'aspect-ratio') ?? '');
  if (!isKnown || (fit !== 'none' && !isCut && !/px/i.test(position))) return null;
  const [first = 'center', second = 'center'] = position.toLowerCase().split(/\s+/);
  const isSwapped = /^(top|bottom)$/.test(first) || /^(left|right)$/.test(second);
  const [x, y] = isSwapped ? [second, first] : [first, second];
  return { fit: fit as OwnPlace['fit'], position: [distance(x), distance(y)] };
}

function distance(text: string): Distance {
  const share = KEYWORDS[text];
  if (share !== undefined) return { share };
  const length = Number.parseFloat(text) || 0;
  return text.endsWith('%') ? { share: length / 100 } : { px: length };
}
