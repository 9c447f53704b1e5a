// Finds HTML and CSS that the renderer without a browser does not support, before anything is drawn, and reports where
// it is: the contract asks for a clear 400 that names it.
//
// These are lists of what is supported: anything untested is refused by name rather than drawn wrong. Properties
// without effect on a still picture (cursors, transitions) are ignored.

import { AppError } from '#base/errors.ts';
import { parseColor } from '#core/color.ts';
import {
  type Declaration,
  mapDeclarations,
  readDeclarations,
  readStyleSheet,
  withoutImportant,
} from '#core/css/css-text.ts';
import { elementsOf } from '#core/css/selectors.ts';
import { type Diagnostic, quoted } from '#core/diagnostics.ts';
import { isTaken } from '#core/html/shorthands.ts';
import { nearestName } from '#core/nearest-name.ts';
import { isMisspelt, nearestProperty } from './css-properties.ts';
import type { HtmlElement, PageLimits } from './parse-html.ts';

/** Of a page by satori. Its layout takes several stack frames for each level. */
export const SATORI_LIMITS: PageLimits = { elements: 1_500, depth: 60 };

const MEND = 'change it, or use renderer "chromium"';

function refuse(place: string, what: string): never {
  throw new AppError('invalid_request', `${place}: ${what} cannot be drawn with renderer "satori"; ${MEND}.`);
}

const words = (text: string) => new Set(text.trim().split(/\s+/));

const UNSUPPORTED_ELEMENTS = words(
  `ruby rt rp iframe frame frameset object embed applet video audio
  canvas math marquee progress meter noscript fieldset legend map template portal slot`,
);

/** Properties that satori supports, and whose effect can be read back from its SVG. */
/** Whether browsers know a property, of those with a prefix also whether it has an effect. */
export const isProperty = (name: string): boolean =>
  name.startsWith('-')
    ? name.startsWith('--') || isTaken(name)
    : SUPPORTED.has(name) || name === 'string-set' || !isMisspelt(name);

const SUPPORTED = words(
  `align-content align-items align-self all aspect-ratio backdrop-filter -webkit-backdrop-filter background
  background-attachment background-blend-mode background-clip background-color background-image
  background-origin background-position background-position-x background-position-y background-repeat background-size
  block-size border border-block border-block-color border-block-end border-block-start border-block-style
  border-block-width border-block-end-color border-block-end-style border-block-end-width border-block-start-color
  border-block-start-style border-block-start-width border-bottom border-bottom-color border-bottom-left-radius border-bottom-right-radius
  border-bottom-style border-bottom-width border-collapse border-color border-end-end-radius border-end-start-radius border-inline
  border-inline-color border-inline-end border-inline-end-color border-inline-end-style border-inline-end-width
  border-inline-start border-inline-start-color border-inline-start-style border-inline-start-width border-inline-style border-inline-width border-left
  border-left-color border-left-style border-left-width border-radius border-right border-right-color
  border-right-style border-right-width border-spacing border-start-end-radius border-start-start-radius border-style border-top
  border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom
  box-shadow box-sizing caption-side clear clip-path color column-gap contain container container-name container-type content
  counter-increment counter-reset counter-set direction display empty-cells filter flex flex-basis flex-direction flex-flow
  flex-grow flex-shrink flex-wrap float font font-family font-feature-settings font-size font-style font-variant
  font-stretch font-variant-caps font-variant-east-asian font-variant-ligatures font-variant-numeric font-variant-position
  font-weight gap grid grid-area
  grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-gap grid-column-start
  grid-gap grid-row grid-row-end grid-row-gap grid-row-start grid-template grid-template-areas grid-template-columns
  grid-template-rows height image-rendering inline-size inset inset-block inset-block-end inset-block-start inset-inline
  inset-inline-end inset-inline-start isolation justify-content justify-items justify-self left letter-spacing
  line-clamp -webkit-line-clamp -webkit-box-orient line-height list-style list-style-image list-style-position
  list-style-type margin margin-block margin-block-end margin-block-start margin-bottom margin-inline
  margin-inline-end margin-inline-start margin-left margin-right margin-top mask mask-clip mask-composite mask-image
  mask-mode mask-origin mask-position mask-repeat mask-size mask-type -webkit-mask -webkit-mask-clip
  -webkit-mask-composite -webkit-mask-image -webkit-mask-origin -webkit-mask-position -webkit-mask-repeat
  -webkit-mask-size max-block-size max-height
  max-inline-size max-width min-block-size min-height min-inline-size min-width mix-blend-mode object-fit object-position opacity
  order outline outline-color outline-offset outline-style outline-width overflow overflow-wrap overflow-x overflow-y
  padding padding-block padding-block-end padding-block-start padding-bottom padding-inline padding-inline-end
  padding-inline-start padding-left padding-right padding-top place-content place-items place-self position right
  rotate row-gap scale tab-size table-layout text-align text-decoration text-decoration-color text-decoration-line
  text-decoration-style text-decoration-thickness text-indent text-overflow text-shadow text-transform text-wrap
  text-wrap-mode text-wrap-style text-underline-offset top transform transform-origin translate vertical-align
  visibility -webkit-background-clip -webkit-text-fill-color -webkit-text-stroke -webkit-text-stroke-color
  -webkit-text-stroke-width white-space white-space-collapse width word-break word-spacing word-wrap z-index`,
);

/** Properties for animation, interaction, printing and hints: they do not change a still picture. */
const WITHOUT_EFFECT =
  /^(animation|transition|scroll|overscroll|touch|-ms-|-moz-|-o-|-webkit-(font-smoothing|tap-highlight|user-select|animation|transition|appearance|print-color|overflow-scrolling|text-size-adjust|box-sizing))|^(appearance|caret-color|color-scheme|accent-color|cursor|font-display|font-optical-sizing|font-smooth|forced-color-adjust|orphans|page|page-break-(after|before|inside)|break-(after|before|inside)|pointer-events|print-color-adjust|resize|speak|text-rendering|text-size-adjust|user-select|widows|will-change|backface-visibility|text-decoration-skip-ink|hyphens|-webkit-hyphens|-webkit-text-decoration|syntax|inherits|initial-value)$/;

const AT_RULES = /^@(media|supports|container|layer|property|charset|keyframes|-webkit-keyframes|page)\b/i;
const PSEUDO_ELEMENTS =
  /::?(first-line|first-letter|marker|backdrop|file-selector-button|-webkit-[\w-]+|part|slotted)\b/i;

const SYSTEM_COLOR =
  /(?<![\w#-])(accentcolor|activetext|button(border|face)|canvas|field|graytext|highlight|linktext|mark|selecteditem|visitedtext|(button|accentcolor|canvas|field|highlight|mark|selecteditem)text)(?![\w-])/i;

/** Unsupported values of supported properties. */
const VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/^display$/, /\b(table|ruby|inline-table|math|flow-root list-item)/i],
  [/^mix-blend-mode$/, /\bplus-lighter\b/i],
  [/color$|^(background(-image)?|(box|text)-shadow|-webkit-text-stroke)$/, SYSTEM_COLOR],
  [/^(background|background-image|list-style|list-style-image|content)$/, /\b(image-set|cross-fade|element|paint)\(/i],
  [/^content$/, /\bvar\(/i],
  [/^grid-template(-columns|-rows)?$/, /\bsubgrid\b/i],
  [/^background-attachment$/, /\bfixed\b/i],
  [/^font-stretch$/, /^(?!normal$|100%$|initial$|unset$)/i],
  [/^(filter|clip-path|(-webkit-)?backdrop-filter)$/, /\burl\(/i],
  [/backdrop-filter$/, /\bdrop-shadow\(/i],
  // Only values that mean the default, or that do not show in a still picture.
  [/^contain$/, /\b(?!(?:none|style|inherit|initial|unset|revert|revert-layer)\b)[a-z]/i],
  [/^background-clip$|^-webkit-background-clip$/, /\bborder-area\b/i],
  [/^(-webkit-)?mask(-composite)?$/, /\b(exclude|subtract|xor|source-out|destination-[a-z]+)\b/i],
  [/^font-variant(-alternates|-emoji)?$/, /\b(historical-forms|text|emoji|unicode)\b|\(/i],
];

/** Words that any property takes. */
const ANYWHERE = /^(inherit|initial|unset|revert|revert-layer)$/;
const BLEND_MODES =
  'normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity';
const OVERFLOW = 'visible hidden clip scroll auto overlay';
/** The words of properties that take one word, in Chromium 156. */
const KEYWORDS: Readonly<Record<string, string>> = {
  'mix-blend-mode': `${BLEND_MODES} plus-lighter`,
  'background-blend-mode': BLEND_MODES,
  display:
    'none contents block inline inline-block flow-root flow list-item flex inline-flex grid inline-grid table inline-table table-row table-cell table-row-group table-header-group table-footer-group table-column table-column-group table-caption ruby ruby-text math -webkit-flex -webkit-inline-flex -webkit-box -webkit-inline-box',
  position: 'static relative absolute fixed sticky -webkit-sticky',
  float: 'none left right inline-start inline-end',
  clear: 'none left right both inline-start inline-end',
  visibility: 'visible hidden collapse',
  'box-sizing': 'border-box content-box',
  direction: 'ltr rtl',
  'flex-direction': 'row row-reverse column column-reverse',
  'flex-wrap': 'nowrap wrap wrap-reverse',
  overflow: OVERFLOW,
  'overflow-x': OVERFLOW,
  'overflow-y': OVERFLOW,
  'object-fit': 'fill contain cover none scale-down',
  'text-align':
    'left right center justify start end match-parent -webkit-left -webkit-center -webkit-right -webkit-auto',
  'text-transform': 'none capitalize uppercase lowercase full-width full-size-kana math-auto',
  'word-break': 'normal break-all keep-all break-word auto-phrase',
  'overflow-wrap': 'normal break-word anywhere',
  'word-wrap': 'normal break-word anywhere',
  'text-overflow': 'clip ellipsis',
  'font-style': 'normal italic oblique',
  'font-weight': 'normal bold bolder lighter',
  'vertical-align': 'baseline sub super text-top text-bottom middle top bottom -webkit-baseline-middle',
};

/**
 * @returns a warning that names the declarations that `isIgnored`
 * @throws AppError `invalid_request` naming the first construct that cannot be drawn, and its line
 */
export function checkPage(html: HtmlElement, css: string): readonly Diagnostic[] {
  const found = new Map<string, () => string | null>();
  const check: Check = (declaration, place) => {
    const unknown = unknownIn(declaration);
    if (unknown === null) checkDeclaration(declaration, place);
    else if (found.size < MAX_NAMED) found.set(`${place}: ${unknown.what}`, unknown.near ?? (() => null));
  };
  for (const element of elementsOf([html])) {
    checkElement(element, check);
    if (element.attributes.has('tw'))
      found.set(`html, line ${element.line}: "tw" is not an attribute without "tailwind": true`, () => null);
  }
  checkStyleSheet(css, 'css', 0, check);
  const named = [...found].map(([what, near]) => {
    const meant = near();
    return meant === null ? what : `${what}; did you mean "${meant}"?`;
  });
  if (named.length === 0) return [];
  const message = `${named.join('; ').replace(/\??$/, (end) => end || '.')} Browsers ignore that, and it was left out.`;
  return [{ code: 'unknown-property', layer: null, message }];
}

/** Most declarations that the warning names. */
const MAX_NAMED = 5;

type Check = (declaration: Declaration, place: string) => void;

/** Leaves out what browsers ignore. Changes the page in place. @returns its style sheet */
export function withoutIgnored(html: HtmlElement, css: string): string {
  const mend = (text: string) => mapDeclarations(text, (each) => (unknownIn(each) === null ? null : []));
  for (const element of elementsOf([html])) {
    const style = element.attributes.get('style');
    if (style !== undefined) element.attributes.set('style', mend(style));
    if (element.name === 'style') element.children = [mend(element.children.join(''))];
  }
  return mend(css);
}

/** Properties of SVG that HTML's elements do not have. */
export const OF_DRAWINGS =
  /^(fill|fill-opacity|fill-rule|clip-rule|stroke|stroke-(dasharray|dashoffset|linecap|linejoin|miterlimit|opacity|width)|stop-color|stop-opacity|paint-order)$/;

function checkElement(element: HtmlElement, check: Check): void {
  const { name, attributes, line } = element;
  const place = `html, line ${line}`;
  if (UNSUPPORTED_ELEMENTS.has(name)) refuse(place, `<${name}>`);
  if (name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel') ?? '')) {
    refuse(place, '<link rel="stylesheet"> (put its rules into css)');
  }
  if (name === 'svg') checkDrawing(element);
  if (name === 'style') checkStyleSheet(element.children.join(''), 'html', line - 1, check);
  for (const declaration of readDeclarations(attributes.get('style') ?? '')) check(declaration, place);
}

function checkDrawing(svg: HtmlElement): void {
  for (const { name, line } of elementsOf(svg.children)) {
    if (/^(text|tspan|textPath|foreignObject|script|style|animate\w*|set)$/.test(name)) {
      refuse(`html, line ${line}`, `<${name}> inside <svg>`);
    }
  }
}

function checkStyleSheet(css: string, source: string, linesBefore: number, check: Check): void {
  const { declarations, preludes } = readStyleSheet(css);
  for (const { text, line } of preludes) {
    const place = `${source}, line ${line + linesBefore}`;
    const [name] = text.split(/[\s({]/);
    if (text.startsWith('@') && !AT_RULES.test(text)) refuse(place, name ?? text);
    const [pseudo] = PSEUDO_ELEMENTS.exec(text.startsWith('@') ? '' : text) ?? [];
    if (pseudo !== undefined) refuse(place, pseudo);
  }
  for (const each of declarations) check(each, `${source}, line ${each.line + linesBefore}`);
}

type Said = Pick<Declaration, 'property' | 'value'>;

/** What of a declaration CSS does not have, and what may be meant; null = it has all. */
function unknownIn({ property, value }: Said): { readonly what: string; readonly near?: () => string | null } | null {
  if (property.startsWith('--') || WITHOUT_EFFECT.test(property) || OF_DRAWINGS.test(property)) return null;
  const name = property.slice(0, 80);
  if (!SUPPORTED.has(property)) {
    if (property.startsWith('-')) return { what: `"${name}" is not a property that renderer "satori" knows` };
    if (!isMisspelt(property)) return null;
    return { what: `"${name}" is not a CSS property`, near: () => nearestProperty(property, SUPPORTED) };
  }
  const color = wrongColor(property, value);
  if (color !== null && !SYSTEM_COLOR.test(color)) return { what: `${name}: ${quoted(color)} is not a color` };
  const word = withoutImportant(value).toLowerCase();
  const known = KEYWORDS[property]?.split(' ');
  if (known && /^-?[a-z][a-z-]*$/.test(word) && !known.includes(word) && !ANYWHERE.test(word)) {
    return { what: `${name}: "${word.slice(0, 80)}" is not a CSS value`, near: () => nearestName(word, known) };
  }
  const unit = word
    .replace(STRINGS, '')
    .match(/[\w#.+-]+/g)
    ?.find((each) => LENGTH.test(each) && !UNIT.test(each));
  return unit === undefined ? null : { what: `${name}: ${quoted(unit)} has no CSS unit` };
}

const STRINGS = /url\([^)]*\)?|"[^"]*"?|'[^']*'?/g;
const LENGTH = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[a-z]+$/;
const UNIT =
  /\d\.?(e[+-]?\d+)?(px|r?(em|ex|ch|ic|cap|lh)|[sld]?v([whib]|min|max)|cq([whib]|min|max)|cm|mm|q|in|pt|pc|deg|g?rad|turn|m?s|k?hz|dpi|dpcm|dppx|x|fr|e)$/;

function checkDeclaration({ property, value }: Declaration, place: string): void {
  if (property.startsWith('--') || WITHOUT_EFFECT.test(property) || OF_DRAWINGS.test(property)) return;
  if (!SUPPORTED.has(property)) refuse(place, `the property ${property}`);
  for (const [properties, values] of VALUES) {
    if (properties.test(property) && values.test(value)) refuse(place, `${property}: ${value.slice(0, 80)}`);
  }
}

// Finds invalid colours in CSS declarations.
//
// Satori accepts any word as a colour and draws unknown ones black or not at all, so a misspelt colour would go
// unnoticed. Values that only the cascade could resolve (`var()`, `calc()`, `from`) are left to satori.

/** Properties whose value consists of colours only. */
const COLORS =
  /^((border(-(top|right|bottom|left|block|inline)(-(start|end))?)?|background|outline|text-decoration)-)?color$|^-webkit-text-(fill|stroke)-color$/;
/** Properties with colours among lengths, and the keywords that are neither. */
const WITH_COLORS: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^(box|text)-shadow$/, words('inset none')],
  [/^-webkit-text-stroke$/, words('thin medium thick')],
];
const MAY_HOLD_GRADIENTS = /^(background|background-image|list-style|list-style-image|content)$/;
const OF_GRADIENTS = words(
  `to at from in top right bottom left center circle ellipse closest-side closest-corner farthest-side farthest-corner
  srgb srgb-linear display-p3 a98-rgb prophoto-rgb rec2020 lab oklab xyz xyz-d50 xyz-d65 hsl hwb lch oklch
  shorter longer increasing decreasing hue`,
);
const OF_ANY_COLOR = words('currentcolor inherit initial unset revert revert-layer');

/** Characters of a color, at most: the patterns of the color parser take quadratic time on longer ones. */
const LONGEST_COLOR = 200;

/** A function with its arguments, a string, or a word. */
const COMPONENT = /[\w-]*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)|"[^"]*"|'[^']*'|[^\s,/()"']+/g;
const componentsOf = (value: string): readonly string[] => value.match(COMPONENT) ?? [];

/** The first invalid colour in a value, or null. */
function wrongColor(property: string, value: string): string | null {
  const bare = withoutImportant(value).replace(/\s+/g, ' ');
  if (COLORS.test(property)) return firstWrong(componentsOf(bare), new Set());
  const [, others] = WITH_COLORS.find(([properties]) => properties.test(property)) ?? [];
  if (others) return firstWrong(componentsOf(bare), others);
  if (!MAY_HOLD_GRADIENTS.test(property)) return null;
  for (const component of componentsOf(bare)) {
    const [, inside] =
      /^(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\(([\s\S]*)\)$/i.exec(component) ?? [];
    const wrong = inside === undefined ? null : firstWrong(componentsOf(inside), OF_GRADIENTS);
    if (wrong !== null) return wrong;
  }
  return null;
}

function firstWrong(components: readonly string[], others: ReadonlySet<string>): string | null {
  return components.find((each) => !isKnown(each.toLowerCase(), others)) ?? null;
}

function isKnown(component: string, others: ReadonlySet<string>): boolean {
  // A number, a length, an angle.
  if (/^[+-]?\.?\d/.test(component) || others.has(component) || OF_ANY_COLOR.has(component)) return true;
  const isFunction = component.endsWith(')');
  if (isFunction && !/^(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/.test(component)) return true;
  if (isFunction && /\b(var|calc|min|max|clamp)\(|\bfrom\b/.test(component)) return true;
  return component.length <= LONGEST_COLOR && parseColor(component) !== null;
}
