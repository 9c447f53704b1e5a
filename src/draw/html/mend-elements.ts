// Sets declarations on elements whose computed values satori reads otherwise than browsers: the background of the
// canvas, line heights that are inherited, shadows with `calc()`, and the least width of pictures in flexbox. Warns of
// values that cannot be helped.

import { parseColor } from '#core/color.ts';
import { foldCalc } from '#core/css/calc.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Size } from '#core/geometry.ts';
import { Cascade } from './cascade.ts';
import { warning } from './page-warnings.ts';
import { completePage, elementsOf, type HtmlElement, type HtmlNode, isElement } from './parse-html.ts';
import { setDeclaration } from './style-attribute.ts';

const OF_INTEREST =
  /^(box-shadow|display|width|max-width|min-width|flex-direction|flex-flow|background(-[a-z-]+)?|border|color|font-size|line-height|vertical-align|(-webkit-)?line-clamp|font-weight|text-overflow|word-break)$/;
/** Elements that stand in a line of text. */
const INLINE =
  /^(a|abbr|b|bdi|bdo|big|br|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var)$/;

/** Elements, and text of style sheets, of which differences are sought. */
const UNLIKE_ELEMENTS = /^(bdo|input|textarea|select|button)$/;
const UNLIKE = /min-content|vertical-align|line-clamp|text-overflow|break-all/i;

/** Most warnings of each kind. */
const MAX_WARNINGS = 5;

/**
 * Changes the elements of the page in place.
 *
 * @returns a warning for each that is drawn otherwise and cannot be helped
 */
export function mendElements(page: readonly HtmlNode[], css: string, canvas: Size): readonly Diagnostic[] {
  const [html, , body] = completePage(page);
  const elements = [...elementsOf(page)];
  const texts = [
    css,
    ...elements.map(({ name, attributes, children }) =>
      name === 'style' ? children.join('') : (attributes.get('style') ?? ''),
    ),
  ];
  const says = (what: RegExp) => texts.some((text) => what.test(text));
  const expand = (property: string, value: string) =>
    property === 'font' ? fontOf(value) : OF_INTEREST.test(property) ? ([[property, value]] as const) : [];
  const cascade = new Cascade(page, css, canvas, expand, 'ignore');
  for (const element of says(/box-shadow/i) && says(/\bcalc\(/i) ? elements : []) {
    const shadow = cascade.declared(element, 'box-shadow');
    if (shadow?.includes('calc(')) {
      setDeclaration(element.attributes, 'box-shadow', `${foldCalc(shadow)} !important`);
    }
  }
  for (const element of says(/\bflex\b/i) ? elements.filter(({ name }) => name === 'img') : []) {
    const least = leastWidth(element, cascade);
    if (least !== null) setDeclaration(element.attributes, 'min-width', least);
  }
  if (says(/\bbackground/i)) spreadBackground(html, body, cascade);
  for (const element of says(/line-height|\bfont\s*:/i) ? elements : []) keepLineHeight(element, cascade);
  const isRelative = says(/\b(bolder|lighter)\b/i) ? /(?:)/ : /^(b|strong)$/;
  for (const element of elements.filter(({ name }) => isRelative.test(name))) {
    const weight = relativeWeight(element, cascade);
    if (weight !== null) setDeclaration(element.attributes, 'font-weight', weight);
  }
  const asked = says(UNLIKE) || elements.some(({ name }) => UNLIKE_ELEMENTS.test(name)) ? elements : [];
  const said = asked.flatMap((element) => differencesOf(element, cascade).map((sentence) => ({ element, sentence })));
  const kinds = Map.groupBy(said, ({ sentence }) => sentence);
  return [...kinds].flatMap(([sentence, found]) =>
    found.slice(0, MAX_WARNINGS).map(({ element }) => warning(element, sentence)),
  );
}

/** What `font` says of sizes and weights. */
function fontOf(value: string): readonly (readonly [string, string])[] {
  const [, before = '', size = '', line = 'normal'] =
    /^((?:[\w-]+\s+)*?)([\d.]+(?:[a-z]+|%)|(?:xx?x?-)?(?:small|large)|medium|smaller|larger)(?:\s*\/\s*(\S+))?\s/i.exec(
      `${value.trim()} `,
    ) ?? [];
  if (size === '') return [];
  const [weight = 'normal'] = /\b(bold(er)?|lighter|\d+)\b/i.exec(before) ?? [];
  return Object.entries({ 'font-size': size, 'line-height': line, 'font-weight': weight });
}

/**
 * The background of the root element, or of the body where that has none, covers the canvas (CSS Backgrounds 3
 * §2.11.2). Satori paints the box of the element.
 */
function spreadBackground(html: HtmlElement, body: HtmlElement, cascade: Cascade): void {
  const backgroundOf = (element: HtmlElement) =>
    [...cascade.namesOf(element)]
      .filter((property) => property.startsWith('background'))
      .map((property) => [property, cascade.declared(element, property) ?? 'initial'] as const);
  const isSeen = ([property, value]: readonly [string, string]) =>
    /^background(-color|-image)?$/.test(property) && !/^(none|initial)$/i.test(value) && parseColor(value)?.a !== 0;
  if (backgroundOf(html).some(isSeen)) return;
  const size = fontSizeOf(body, cascade);
  for (const [property, value] of backgroundOf(body)) {
    const own = value
      .replace(/\bcurrentcolor\b/gi, cascade.inherited(body, 'color') ?? 'black')
      .replace(/[\w.#-]+/g, (word) => (/^-?[\d.]+em$/.test(word) ? `${Number.parseFloat(word) * size}px` : word));
    setDeclaration(html.attributes, property, `${own} !important`);
    setDeclaration(body.attributes, property, 'initial !important');
  }
}

const UA_SIZES: Readonly<Record<string, string>> = {
  ...{ h1: '2em', h2: '1.5em', h3: '1.17em', h5: '.83em', h6: '.67em', button: '13.3333px' },
  ...{ small: 'smaller', sub: 'smaller', sup: 'smaller', big: 'larger' },
};
const NAMED_SIZES: Readonly<Record<string, number>> = {
  ...{ 'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32, 'xxx-large': 48 },
};

/** px; NaN where only layout knows it. */
function fontSizeOf(element: HtmlElement, cascade: Cascade): number {
  const parent = cascade.parentOf(element);
  const around = parent ? fontSizeOf(parent, cascade) : 16;
  const said = cascade.declared(element, 'font-size') ?? UA_SIZES[element.name] ?? '1em';
  return lengthOf(said.toLowerCase(), around);
}

/** px of a length, or of the name of a font size. */
function lengthOf(said: string, em: number): number {
  const [, count, unit = ''] = /^([\d.]+)(px|pt|r?em|%)$/.exec(said) ?? [];
  if (count !== undefined)
    return Number(count) * ({ px: 1, pt: 4 / 3, rem: 16, em, '%': em / 100 }[unit] ?? Number.NaN);
  return said === 'inherit'
    ? em
    : said === 'smaller'
      ? em / 1.2
      : said === 'larger'
        ? em * 1.2
        : (NAMED_SIZES[said] ?? Number.NaN);
}

/** A line height with a unit is inherited in px (CSS 2.1 §10.8.1); satori passes its ratio to the font size on. */
function keepLineHeight(element: HtmlElement, cascade: Cascade): void {
  const hasSize = cascade.declared(element, 'font-size') !== null || UA_SIZES[element.name] !== undefined;
  if (!hasSize || cascade.declared(element, 'line-height') !== null) return;
  const height = lineHeightOf(element, cascade);
  if (height !== null) setDeclaration(element.attributes, 'line-height', `${height}px`);
}

/** px of the nearest line height around an element; null = a number, or only layout knows it. */
function lineHeightOf(element: HtmlElement, cascade: Cascade): number | null {
  for (let around: HtmlElement | null = element; around; around = cascade.parentOf(around)) {
    const said = cascade.declared(around, 'line-height')?.toLowerCase();
    if (said === undefined || said === 'inherit') continue;
    const height = lengthOf(said, fontSizeOf(around, cascade));
    return height >= 0 ? height : null;
  }
  return null;
}

/** CSS Fonts 4 §2.2.1, also of `<b>` and `<strong>`, which satori takes for 700; null = as satori takes it. */
function relativeWeight(element: HtmlElement, cascade: Cascade): string | null {
  const said = cascade.declared(element, 'font-weight') ?? (/^(b|strong)$/.test(element.name) ? 'bolder' : '');
  const parent = cascade.parentOf(element);
  if (!/^(bolder|lighter)$/i.test(said) || !parent) return null;
  const around = weightOf(parent, cascade);
  if (/^bolder$/i.test(said)) return around < 350 ? '400' : around < 550 ? '700' : '900';
  return around < 550 ? '100' : around < 750 ? '400' : '700';
}

function weightOf(element: HtmlElement, cascade: Cascade): number {
  const relative = relativeWeight(element, cascade);
  const said =
    relative ??
    cascade.declared(element, 'font-weight')?.toLowerCase() ??
    (/^(h[1-6]|th)$/.test(element.name) ? 'bold' : 'inherit');
  const parent = cascade.parentOf(element);
  if (said === 'inherit') return parent ? weightOf(parent, cascade) : 400;
  return said === 'bold' ? 700 : Number(said) || 400;
}

const CLOSING = /[、。，．！？：；）」』】〉》]/;

/** What is drawn otherwise than in browsers, and cannot be helped. */
function differencesOf(element: HtmlElement, cascade: Cascade): readonly string[] {
  const { name, attributes, children } = element;
  const said = (property: string) => cascade.declared(element, property)?.toLowerCase() ?? '';
  const inside = children.find((child) => isElement(child) && INLINE.test(child.name));
  const found: string[] = [];
  if (said('width') === 'min-content' && flexOf(element, cascade) === 'column') {
    found.push('in a column of flexbox, width: min-content makes it as high as one line; give it a width in px.');
  }
  const align = said('vertical-align');
  if (/^(text-)?(top|bottom)$|^middle$/.test(align) && INLINE.test(name) && /^(inline)?$/.test(said('display'))) {
    found.push(`vertical-align: ${align} leaves <${name}> on the baseline; give it a length.`);
  }
  const clamp = [said('-webkit-line-clamp'), said('line-clamp')].find((value) => /^\d+$/.test(value));
  if (clamp !== undefined && inside) {
    const line = lineHeightOf(element, cascade);
    if (line !== null) {
      setDeclaration(attributes, 'max-height', `${Number(clamp) * line}px`);
      setDeclaration(attributes, 'overflow', 'hidden');
    }
    found.push(
      `line-clamp ${line === null ? 'does nothing' : 'cuts without an ellipsis'} where an element stands in the text; leave the element out${line === null ? ', or give the text a line-height in px' : ''}.`,
    );
  }
  if (said('text-overflow') === 'ellipsis' && inside) {
    found.push('text-overflow: ellipsis cuts without an ellipsis where an element stands in the text; leave it out.');
  }
  const words = children.filter((child) => !isElement(child)).join('');
  if (CLOSING.test(words) && cascade.inherited(element, 'word-break')?.toLowerCase() === 'break-all') {
    found.push('word-break: break-all may begin a line with a closing mark such as "。"; leave it out.');
  }
  if (name === 'bdo')
    found.push('<bdo> does not change the direction of its text; write the letters in the order shown.');
  if (/^(input|textarea|select)$/.test(name) && attributes.get('type') !== 'hidden') {
    found.push(`<${name}> is not drawn as browsers draw it; write what it should show as text in a <span>.`);
  }
  if (name === 'button' && said('border') === '' && said('background') === '') {
    found.push('<button> has a plain border instead of the one that browsers draw; give it a border and a background.');
  }
  return found;
}

/** The direction of the flexbox that an element stands in; null = it stands in none. */
function flexOf(element: HtmlElement, cascade: Cascade): 'row' | 'column' | null {
  const parent = cascade.parentOf(element);
  if (!parent || !/^(inline-)?flex$/i.test(cascade.declared(parent, 'display') ?? '')) return null;
  const said = ['flex-direction', 'flex-flow'].map((property) => cascade.declared(parent, property) ?? '');
  return /column/i.test(said.join(' ')) ? 'column' : 'row';
}

/** The automatic minimum of a picture in a row (CSS Flexbox 1 §4.5): the width that it is given. Satori has none. */
function leastWidth(element: HtmlElement, cascade: Cascade): string | null {
  if (flexOf(element, cascade) !== 'row') return null;
  if (!/^(auto)?$/i.test(cascade.declared(element, 'min-width') ?? '')) return null;
  const width = cascade.declared(element, 'width');
  if (width === null || !/\d/.test(width) || width.includes('%')) return null;
  const most = cascade.declared(element, 'max-width');
  return most !== null && /\d/.test(most) && !most.includes('%') ? `min(${width}, ${most})` : width;
}
