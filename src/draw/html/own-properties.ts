// Applies the properties of a page that satori does not know, and takes them out of its style sheets: masks,
// image-rendering, font-variant, those of SVG, and font-feature-settings, which satori only measures with.

import { AppError } from '#base/errors.ts';
import { replaceUrls, urlsOf, withoutDeclarations } from '#core/css/css-text.ts';
import type { Size } from '#core/geometry.ts';
import { Cascade } from './cascade.ts';
import { drawingProperties, OF_DRAWINGS } from './drawing-properties.ts';
import { expandFont, FONT_PROPERTIES, featuresOf, taggedFamily } from './font-features.ts';
import { expandMask, MASK_PROPERTIES, type MaskLayers, masksOf } from './mask-properties.ts';
import { MAX_MASKS, markMasked } from './masked-groups.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';
import { setDeclaration } from './style-attribute.ts';

export interface OwnProperties {
  /** The style sheet without these properties. */
  readonly css: string;
  /** Those of each masked element, by the index with which it is marked. */
  readonly masks: readonly (readonly MaskLayers[])[];
  /** By the number in their sources. */
  readonly places: readonly OwnPlace[];
}

/** Where a picture lies in its box, as satori does not know it. */
export interface OwnPlace {
  readonly fit: 'cover' | 'contain' | 'fill' | 'none' | 'scale-down';
  /** Per axis: a share of the room that is left, or px from the start. */
  readonly position: readonly [Distance, Distance];
}
type Distance = { readonly share: number } | { readonly px: number };

/** Begins the source of a picture with a place of its own: `placed 3 https://…`. */
export const PLACED = 'placed ';

/** Begins the source of a picture whose pixels stay hard. */
export const PIXELATED = 'pixelated ';

const SAID = /mask|image-rendering|font-feature-settings|font-variant|aspect-ratio/i;
/** Whether a declaration places a picture as satori does not. */
const isPlacing = (declaration: string): boolean => {
  const at = declaration.search(/object-(?:position|fit)\s*:/i);
  return at >= 0 && /px|none/i.test(declaration.slice(at));
};
/** The same in style sheets only: in `style`, satori reads properties of SVG. */
const SAID_IN_SHEETS = /(^|[;{\s])(fill|stroke|stop|clip-rule|paint-order)[\w-]*\s*:/i;
const TAKEN_OUT = new RegExp(`${MASK_PROPERTIES.source}|^image-rendering$|^font-variant`);
const TAKEN_OUT_OF_SHEETS = new RegExp(`${TAKEN_OUT.source}|${OF_DRAWINGS.source}`);

/** Changes the elements of the page in place; a page without any of the properties stays as it is. */
export function applyOwnProperties(page: readonly HtmlNode[], css: string, canvas: Size): OwnProperties {
  const sheets = [...elementsOf(page)].filter(({ name }) => name === 'style');
  const rules = [css, ...sheets.map(({ children }) => children.join(''))];
  const texts = [...rules, ...[...elementsOf(page)].map(({ attributes }) => attributes.get('style') ?? '')];
  const isSaid =
    texts.some((text) => SAID.test(text) || text.split(/[;}]/).some(isPlacing)) ||
    rules.some((text) => SAID_IN_SHEETS.test(text));
  if (!isSaid) return { css, masks: [], places: [] };
  // Backgrounds matter to pictures with hard pixels alone.
  const unasked = texts.some((text) => /image-rendering/i.test(text)) ? /^$/ : /^background/;
  const cascade = new Cascade(page, css, canvas, (property, value) =>
    unasked.test(property) ? [] : expand(property, value),
  );
  const shown = [...elementsOf(page)].filter(({ name }) => !/^(style|head|title|meta|link|script|base)$/.test(name));
  const drawn = shown.filter((element) => !isInDrawing(element, cascade));
  const inDrawings = shown.flatMap((element) => {
    if (element.name !== 'svg' && !isInDrawing(element, cascade)) return [];
    return [[element, drawingProperties(element, cascade)] as const];
  });
  const pixelated = drawn.filter((element) =>
    cascade.inherited(element, 'image-rendering')?.match(/pixelated|crisp-edges/i),
  );
  const pictures = pixelated.map((element) => [element, picturesOf(element, cascade)] as const);
  const placed = drawn.flatMap((element) => {
    const place = element.name === 'img' ? placeOf(element, cascade) : null;
    return place ? [[element, place] as const] : [];
  });
  const families = drawn.flatMap((element) => {
    const tagged = taggedFamily(element, cascade);
    return tagged === null ? [] : [[element, tagged, featuresOf(element, cascade)] as const];
  });
  const masked = drawn.flatMap((element) => {
    const masks = masksOf((property) => cascade.declared(element, property));
    return masks && masks.length > 0 ? [[element, masks] as const] : [];
  });
  const count = masked.flatMap(([, masks]) => masks).length;
  if (count > MAX_MASKS) {
    throw new AppError('invalid_request', `The page has ${count} masks; at most ${MAX_MASKS} are possible.`);
  }
  for (const element of sheets)
    element.children = [withoutDeclarations(element.children.join(''), TAKEN_OUT_OF_SHEETS)];
  for (const { attributes } of drawn) {
    const style = attributes.get('style');
    if (style !== undefined && SAID.test(style)) attributes.set('style', withoutDeclarations(style, TAKEN_OUT));
  }
  for (const [{ attributes }, set] of inDrawings) {
    for (const [property, value] of set) setDeclaration(attributes, property, value);
  }
  for (const [element, set] of pictures) for (const [property, value] of set) setOwn(element, property, value);
  for (const [index, [element]] of placed.entries()) {
    setOwn(element, 'src', `${PLACED}${index} ${element.attributes.get('src')?.trim()}`);
    setOwn(element, 'object-fit', 'fill');
    setOwn(element, 'object-position', '50% 50%');
  }
  for (const [element, family, features] of families) {
    setOwn(element, 'font-family', family);
    setOwn(element, 'font-feature-settings', features);
  }
  for (const [index, [element]] of masked.entries()) markMasked(element, index);
  return {
    css: withoutDeclarations(css, TAKEN_OUT_OF_SHEETS),
    masks: masked.map(([, masks]) => masks),
    places: placed.map(([, place]) => place),
  };
}

function expand(property: string, value: string): readonly (readonly [string, string])[] {
  if (MASK_PROPERTIES.test(property)) return expandMask(property, value);
  if (FONT_PROPERTIES.test(property)) return expandFont(property, value);
  if (OF_DRAWINGS.test(property)) return [[property, value]];
  return /^(image-rendering|background|background-image|object-fit|object-position|aspect-ratio)$/.test(property)
    ? [[property, value]]
    : [];
}

/** Inside an `<svg>`, which is drawn as a file. */
function isInDrawing(element: HtmlElement, cascade: Cascade): boolean {
  for (let around = cascade.parentOf(element); around; around = cascade.parentOf(around)) {
    if (around.name === 'svg') return true;
  }
  return false;
}

/** The declarations of an element's pictures, and its `src`, with pixels that stay hard. */
function picturesOf(element: HtmlElement, cascade: Cascade): readonly (readonly [string, string])[] {
  const source = element.name === 'img' ? element.attributes.get('src')?.trim() : undefined;
  const found: (readonly [string, string])[] = source ? [['src', `${PIXELATED}${source}`]] : [];
  for (const property of ['background-image', 'background']) {
    const value = cascade.declared(element, property);
    if (value === null || !/url\(/i.test(value)) continue;
    found.push([property, replaceUrls(value, (url) => `${PIXELATED}${url}`)]);
    break;
  }
  return found;
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
