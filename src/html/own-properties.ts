// Applies the properties of a page that satori does not know, and takes them out of its style sheets: masks,
// image-rendering, font-variant, and font-feature-settings, which satori only measures with.

import type { Size } from '#core/geometry.ts';
import { AppError } from '#errors';
import { Cascade } from './cascade.ts';
import { replaceUrls, withoutDeclarations } from './css-text.ts';
import { expandFont, FONT_PROPERTIES, featuresOf, taggedFamily } from './font-features.ts';
import { expandMask, MASK_PROPERTIES, type MaskLayers, maskOf } from './mask-properties.ts';
import { MAX_MASKS, markMasked } from './masked-groups.ts';
import { elementsOf, type HtmlElement, type HtmlNode } from './parse-html.ts';
import { setDeclaration } from './style-attribute.ts';

export interface OwnProperties {
  /** The style sheet without these properties. */
  readonly css: string;
  /** By the index with which their elements are marked. */
  readonly masks: readonly MaskLayers[];
}

/** Begins the source of a picture whose pixels stay hard. */
export const PIXELATED = 'pixelated ';

const SAID = /mask|image-rendering|font-feature-settings|font-variant/i;
const TAKEN_OUT = new RegExp(`${MASK_PROPERTIES.source}|^image-rendering$|^font-variant`);

/** Changes the elements of the page in place; a page without any of the properties stays as it is. */
export function applyOwnProperties(page: readonly HtmlNode[], css: string, canvas: Size): OwnProperties {
  const sheets = [...elementsOf(page)].filter(({ name }) => name === 'style');
  const isSaid =
    SAID.test(css) ||
    sheets.some(({ children }) => SAID.test(children.join(''))) ||
    [...elementsOf(page)].some(({ attributes }) => SAID.test(attributes.get('style') ?? ''));
  if (!isSaid) return { css, masks: [] };
  const cascade = new Cascade(page, css, canvas, expand);
  const shown = [...elementsOf(page)].filter(({ name }) => !/^(style|head|title|meta|link|script|base)$/.test(name));
  const drawn = shown.filter((element) => !isInDrawing(element, cascade));
  const pixelated = drawn.filter((element) =>
    cascade.inherited(element, 'image-rendering')?.match(/pixelated|crisp-edges/i),
  );
  const pictures = pixelated.map((element) => [element, picturesOf(element, cascade)] as const);
  const families = drawn.flatMap((element) => {
    const tagged = taggedFamily(element, cascade);
    return tagged === null ? [] : [[element, tagged, featuresOf(element, cascade)] as const];
  });
  const masked = drawn.flatMap((element) => {
    const layers = maskOf((property) => cascade.declared(element, property));
    return layers ? [[element, layers] as const] : [];
  });
  if (masked.length > MAX_MASKS) {
    throw new AppError(
      'invalid_request',
      `The page masks ${masked.length} elements; at most ${MAX_MASKS} are possible.`,
    );
  }
  for (const element of sheets) element.children = [withoutDeclarations(element.children.join(''), TAKEN_OUT)];
  for (const { attributes } of drawn) {
    const style = attributes.get('style');
    if (style !== undefined && SAID.test(style)) attributes.set('style', withoutDeclarations(style, TAKEN_OUT));
  }
  for (const [element, set] of pictures) for (const [property, value] of set) setOwn(element, property, value);
  for (const [element, family, features] of families) {
    setOwn(element, 'font-family', family);
    setOwn(element, 'font-feature-settings', features);
  }
  for (const [index, [element]] of masked.entries()) markMasked(element, index);
  return { css: withoutDeclarations(css, TAKEN_OUT), masks: masked.map(([, layers]) => layers) };
}

function expand(property: string, value: string): readonly (readonly [string, string])[] {
  if (MASK_PROPERTIES.test(property)) return expandMask(property, value);
  if (FONT_PROPERTIES.test(property)) return expandFont(property, value);
  return /^(image-rendering|background|background-image)$/.test(property) ? [[property, value]] : [];
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
