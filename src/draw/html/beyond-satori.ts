// Finds what satori would leave out of a page, or draw otherwise than browsers do. Such a page is drawn whole by Platen's own
// engine, with a warning.
//
// Most are found by what the style sheets say, for any element; some by the cascade, as they depend on the elements around.

import { AppError } from '#base/errors.ts';
import { parseColor } from '#core/color.ts';
import { Cascade } from '#core/css/cascade.ts';
import {
  type Declaration,
  isImportant,
  readDeclarations,
  readStyleSheet,
  urlsOf,
  withoutImportant,
} from '#core/css/css-text.ts';
import { elementsOf, isElement } from '#core/css/selectors.ts';
import type { HtmlTemplate } from '#core/template/html-template.ts';
import type { HtmlElement } from './parse-html.ts';
import { OF_DRAWINGS } from './subset.ts';

/** Elements that satori does not lay out, or whose default styles it does not have. */
const ELEMENTS =
  /^(table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th|abbr|bdo|button|cite|del|details|dfn|font|input|ins|q|samp|select|strike|sub|summary|sup|textarea|tt|var)$/;
/** Attributes of old pages that stand for styles. */
const OLD_ATTRIBUTES = ['bgcolor', 'text', 'link'];

const WITH_IMAGES = /^(--.*|background(-image)?|list-style(-image)?|content)$/;
const NOTHING_SAID = /^(none|normal|auto|initial|unset|revert|revert-layer)$/i;
const SOMETHING = { test: (value: string) => !NOTHING_SAID.test(value) };

/** Whether an object is placed by lengths, or from sides that are named. */
function isPlacedOtherwise(value: string): boolean {
  const places = value.split(/\s+/);
  return places.length > 2 || places.some((place) => /^[+-]?[\d.]|\(/.test(place) && !place.endsWith('%'));
}

/** Whether a picture may be an SVG without a size, which fills its box in browsers. */
const mayLackSize = (url: string): boolean =>
  !url.startsWith('#') && !/^data:image\/(png|jpe?g|gif|webp|avif)\b|\.(png|jpe?g|gif|webp|avif)([?#]|$)/i.test(url);

const both = (one: RegExp, other: RegExp) => ({ test: (value: string) => one.test(value) && other.test(value) });

/** Values that satori ignores, or reads otherwise than browsers. */
const VALUES: readonly (readonly [properties: RegExp, values: { test(value: string): boolean }])[] = [
  [/^(-webkit-)?mask(-image)?$|^font-variant(-[a-z-]+)?$|^font-feature-settings$/, SOMETHING],
  // It cuts not all of the element, or another shape.
  [/^clip-path$/, SOMETHING],
  [/^(-webkit-)?background-clip$|^background$/, /\btext\b/i],
  [/^image-rendering$/, /pixelated|crisp-edges/i],
  // A line height with a unit is in `isInheritedHeight`.
  [/^font$/, /\bsmall-caps\b/i],
  [/^font(-weight)?$/, /\b(bolder|lighter)\b/i],
  [/^opacity$/, /%$/],
  [/^text-wrap(-mode)?$/, /^nowrap$/i],
  [/^transform-origin$/, /^-?[\d.]+[a-z%]*$/i],
  [/^object-fit$/, /^none$/i],
  [/^object-position$/, { test: isPlacedOtherwise }],
  [/^(min-|max-)?width$/, /\bmin-content\b/i],
  [/^vertical-align$/, /^((text-)?(top|bottom)|middle)$/i],
  [/^word-break$/, /^break-all$/i],
  // It begins at the outer edge of the border.
  [/^(--.*|box-shadow)$/, /\binset\b/i],
  [/^(--.*|(backdrop-)?filter)$/, /\bsaturate\(/i],
  [WITH_IMAGES, /conic-gradient\(|repeating-radial-gradient\(/i],
  // It takes px for shares of the width of the box.
  [WITH_IMAGES, both(/radial-gradient\(/i, /[\d.](px|r?em|v[wh]|pt|cm|mm|in)\b/i)],
  [/^(--.*|background(-image)?)$/, { test: (value) => urlsOf(value).some(mayLackSize) }],
  [
    /^(--.*|(backdrop-)?filter|(box|text)-shadow|opacity|rotate|scale|transform|background(-image)?|mask(-image)?)$/,
    /\bcalc\(/i,
  ],
  [/(?:)/, both(/\bcalc\(/i, /\binfinity\b/i)],
];

type Place = readonly [source: string, line: number];

/** What style sheets and `style` attributes say, in the order of the page. */
function* saidIn(html: HtmlElement, css: string): Generator<{ readonly said: Declaration; readonly place: Place }> {
  for (const { name, attributes, children, line } of elementsOf([html])) {
    for (const said of readDeclarations(attributes.get('style') ?? '')) yield { said, place: ['html', line] };
    if (name !== 'style') continue;
    for (const said of readStyleSheet(children.join('')).declarations)
      yield { said, place: ['html', line - 1 + said.line] };
  }
  for (const said of readStyleSheet(css).declarations) yield { said, place: ['css', said.line] };
}

/**
 * The first of what a page has and satori neither lays out nor draws, though Platen's own engine does: a sentence without
 * its end, `html, line 3: <table> is`. null = the page has no such thing.
 *
 * @param html the page, filled in
 */
export function beyondSatori(
  html: HtmlElement,
  css: string,
  { tailwind, width, height }: Pick<HtmlTemplate, 'tailwind' | 'width' | 'height'>,
): string | null {
  if (tailwind) return 'tailwind: the classes of Tailwind CSS are';
  const elements = [...elementsOf([html])];
  const hasDrawings = elements.some(({ name }) => name === 'svg');
  const properties = new Set<string>();
  const important = new Set<string>();
  for (const {
    said,
    place: [source, line],
  } of saidIn(html, css)) {
    const { property, selectors } = said;
    const value = withoutImportant(said.value).trim();
    const isOfDrawing = hasDrawings && OF_DRAWINGS.test(property);
    if (isOfDrawing || VALUES.some(([names, values]) => names.test(property) && values.test(value)))
      return `${source}, line ${line}: ${property} is`;
    properties.add(property);
    if (isImportant(said.value)) important.add(selectors === '' ? 'attribute' : 'sheet');
  }
  // It stretches a picture of another aspect ratio.
  if (properties.has('aspect-ratio') && properties.has('object-fit')) return 'css: aspect-ratio with object-fit is';
  if (properties.has('text-shadow') && properties.has('-webkit-text-fill-color'))
    return 'css: text-shadow with -webkit-text-fill-color is';
  if (important.size > 1) return 'css: !important in both style sheets and style attributes is';
  const styles = new Cascade([html], [css, ...elements.flatMap(sheetOf)], { width, height }, OPTIONS);
  const language = html.attributes.get('lang') ?? '';
  for (const element of elements) {
    const reason = beyondElement(element, styles, language);
    if (reason !== null) return `html, line ${element.line}: ${reason} is`;
  }
  return hasSmallCanvas(html, styles, { width, height })
    ? 'css: a background of a body that does not fill the canvas is'
    : null;
}

const sheetOf = ({ name, children }: HtmlElement) => (name === 'style' ? [children.join('')] : []);

const OF_INTEREST =
  /^(align-(items|self)|background(-color|-image)?|border(-.*)?|(box|text)-shadow|color|display|flex-(direction|flow)|font-(size|weight)|(max-|min-)?(height|width)|(-webkit-)?line-clamp|line-height|margin(-.*)?|overflow(-[xy])?|padding(-.*)?|text-overflow)$/;

const OPTIONS = {
  expand: (property: string, value: string) =>
    property === 'font' ? fontOf(value) : OF_INTEREST.test(property) ? ([[property, value]] as const) : [],
  refusal: (what: string) =>
    new AppError('invalid_request', `css: ${what} cannot be drawn with renderer "satori"; change it.`),
} as const;

/** What `font` says of sizes and weights. */
function fontOf(value: string): readonly (readonly [string, string])[] {
  const [, line = 'normal'] = /\/\s*(\S+)/.exec(value) ?? [];
  const [weight = 'normal'] = /\b(bold|[1-9]00)\b/i.exec(value) ?? [];
  return Object.entries({ 'font-size': value, 'line-height': line, 'font-weight': weight });
}

type Styles = Cascade<HtmlElement>;

function beyondElement(element: HtmlElement, styles: Styles, language: string): string | null {
  const { name, attributes, children } = element;
  const says = (property: string, values: RegExp) => values.test(styles.declared(element, property) ?? '');
  if (ELEMENTS.test(name)) return `<${name}>`;
  if (name === 'body') for (const each of OLD_ATTRIBUTES) if (attributes.has(each)) return `the attribute ${each}`;
  if ((attributes.get('lang') ?? language) !== language) return 'another language';
  if (/^(b|strong)$/.test(name) && around(element, styles, isHeavy))
    return `<${name}> in text that is not of weight 400`;
  // It fades with the color of the letters, and is cast twice by inline text.
  if (says('text-shadow', /\d/) && (INLINE.test(name) || !isOpaque(styles.inherited(element, 'color'))))
    return 'text-shadow of translucent letters, or of a part of a text,';
  if (says('box-shadow', /\d/) && around(element, styles, cutsOverflow)) return 'box-shadow inside overflow';
  if (isInheritedHeight(element, styles)) return 'an inherited line-height with a unit';
  const isCut =
    ['line-clamp', '-webkit-line-clamp'].some((each) => says(each, /\d/)) || says('text-overflow', /ellipsis/i);
  if (isCut && children.some((child) => isElement(child) && INLINE.test(child.name)))
    return 'an element in text that is cut by an ellipsis';
  if (name === 'img' && !attributes.get('src')?.trim()) return null;
  return name === 'img' || name === 'svg' ? beyondPicture(element, styles) : null;
}

/** Elements that stand in a line of text. */
const INLINE = /^(a|b|big|br|code|em|i|kbd|label|mark|s|small|span|strong|time|u)$/;

const around = (element: HtmlElement, styles: Styles, is: (outer: HtmlElement, styles: Styles) => boolean): boolean => {
  const parent = styles.parentOf(element);
  return parent !== null && (is(parent, styles) || around(parent, styles, is));
};

/** Bold is relative to what is around it (CSS Fonts 4 §2.2.1); satori takes it for 700. */
const isHeavy = (element: HtmlElement, styles: Styles): boolean =>
  !/^(400|normal|inherit)$/i.test(
    styles.declared(element, 'font-weight') ?? (/^(h[1-6]|b|strong)$/.test(element.name) ? 'bold' : 'normal'),
  );

const isOpaque = (color: string | null): boolean => color === null || (parseColor(color)?.a ?? 1) === 1;

/** Satori cuts a shadow before it blurs it. */
const cutsOverflow = (element: HtmlElement, styles: Styles): boolean =>
  ['overflow', 'overflow-x', 'overflow-y'].some((each) =>
    /hidden|clip|auto|scroll/i.test(styles.declared(element, each) ?? ''),
  );

/** A line height with a unit is inherited in px (CSS 2.1 §10.8.1); satori passes its ratio to the font size on. */
function isInheritedHeight(element: HtmlElement, styles: Styles): boolean {
  const hasSize = styles.declared(element, 'font-size') !== null || /^(h[1-6]|small|big)$/.test(element.name);
  if (!hasSize || styles.declared(element, 'line-height') !== null) return false;
  return /[a-z%)]$/i.test((styles.inherited(element, 'line-height') ?? 'normal').replace(/^normal$/i, ''));
}

/** Satori gives a picture without a size all the width there is, and neither stretches nor keeps one as an item of flexbox. */
function beyondPicture(element: HtmlElement, styles: Styles): string | null {
  const { name, attributes } = element;
  const said = (property: string) => styles.declared(element, property);
  const lacks = (side: 'width' | 'height') => !attributes.has(side) && said(side) === null;
  if (name === 'img' && lacks('width') && lacks('height')) return '<img> without a size';
  const parent = styles.parentOf(element);
  const around = (property: string) => (parent && styles.declared(parent, property)) ?? '';
  if (!/\bflex\b/i.test(around('display'))) return null;
  const isRow = !/column/i.test(`${around('flex-direction')} ${around('flex-flow')}`);
  const isStretched = /^(normal|stretch)?$/i.test(said('align-self') ?? around('align-items'));
  if (isStretched && lacks(isRow ? 'height' : 'width')) return `<${name}> that flexbox stretches`;
  const width = said('width') ?? '%';
  return isRow && /\d/.test(width) && !width.includes('%') && said('min-width') === null
    ? `<${name}> of a width in a row of flexbox`
    : null;
}

/** The background of the body covers the canvas (CSS Backgrounds 3 §2.11.2); satori paints the box of the body. */
function hasSmallCanvas(
  html: HtmlElement,
  styles: Styles,
  { width, height }: Pick<HtmlTemplate, 'width' | 'height'>,
): boolean {
  const body = html.children.find((child) => isElement(child) && child.name === 'body') as HtmlElement | undefined;
  const hasBackground = (element: HtmlElement) =>
    ['background', 'background-color', 'background-image'].some(
      (each) => !/^(none|transparent)?$/i.test(styles.declared(element, each) ?? ''),
    );
  if (!body || hasBackground(html) || !hasBackground(body)) return false;
  const fills = (side: string, px: number) =>
    ['100%', '100vw', '100vh', `${px}px`, 'auto'].includes(styles.declared(body, side) ?? 'auto');
  const isAway = (element: HtmlElement) =>
    [...styles.namesOf(element)].some(
      (each) =>
        (/^margin/.test(each) || (element === html && /^(padding|border|width|height|max-)/.test(each))) &&
        /[1-9]|auto/.test(styles.declared(element, each) ?? ''),
    );
  return (
    isAway(html) ||
    isAway(body) ||
    !fills('width', width) ||
    !fills('height', height) ||
    /\d/.test(styles.declared(body, 'max-width') ?? '')
  );
}
