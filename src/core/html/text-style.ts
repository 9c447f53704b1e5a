// How letters and lines of a page look, and where boxes stand in a line, from the style of an element.

import { parseCssColor } from '../css/css-color.ts';
import { bolder, FEATURES } from '../resolve/resolve-text.ts';
import type { CharacterStyle, InlineAtom, RowLayout, TextDecoration, TextNode } from '../resolve/scene.ts';
import { parseMixed, parseNumber, parsePx } from './lengths.ts';
import { splitValue, tableOf, unquoted } from './shorthands.ts';
import { keyword, type Style } from './style.ts';
import { REPLACED } from './user-agent.ts';

const GENERIC = tableOf({
  'ui-sans-serif': 'sans-serif',
  'ui-serif': 'serif',
  'ui-monospace': 'monospace',
  'ui-rounded': 'sans-serif',
  '-apple-system': 'sans-serif',
  blinkmacsystemfont: 'sans-serif',
});

/** Most families of one element: each is looked for. */
const MOST_FAMILIES = 100;

function familiesOf(style: Style): readonly string[] {
  const value = style.get('font-family');
  const all = splitValue(value, ',');
  if (all.length > MOST_FAMILIES) style.lost('font-family', value);
  const families = all.slice(0, MOST_FAMILIES).map(unquoted);
  const known = families.filter((family) => family !== '').map((family) => GENERIC.get(family.toLowerCase()) ?? family);
  return known.length > 0 ? known : ['serif'];
}

function weightOf(style: Style): number {
  const value = style.word('font-weight');
  if (value === '' || value === 'normal') return 400;
  if (value === 'bold') return 700;
  // The words count from the weight around the element that says them.
  if (value === 'bolder' || value === 'lighter') {
    let from = style;
    while (from.parent && !from.declares('font-weight')) from = from.parent;
    const weight = from.parent ? weightOf(from.parent) : 400;
    return value === 'bolder' ? bolder(weight) : weight < 550 ? 100 : weight < 750 ? 400 : 700;
  }
  const number = Number(value);
  if (number >= 1 && number <= 1_000) return number;
  return style.parent ? weightOf(style.parent) : 400;
}

/** The least size of letters, px. */
const NEARLY_NONE = 0.01;

function lineHeightOf(style: Style): number | null {
  const value = style.word('line-height');
  if (value === '' || value === 'normal') return null;
  const factor = parseNumber(value);
  if (factor !== null) return Math.max(0, factor);
  const mixed = parseMixed(value, style.units);
  // Letters without a size have a line of this height, too.
  return (
    mixed && Math.max(0, (mixed.px + (mixed.percent / 100) * style.fontSize) / Math.max(style.fontSize, NEARLY_NONE))
  );
}

/** What a property says of the tags of a font: `"smcp" on, "wght" 350`. */
const settingsOf = (style: Style, property: string): readonly (readonly [tag: string, value: string])[] =>
  splitValue(style.get(property), ',').flatMap((setting) => {
    const [, tag, value = ''] = /^["'](.{4})["']\s*(on|off|-?[\d.]{1,20})?$/i.exec(setting) ?? [];
    return tag === undefined ? [] : [[tag, value] as const];
  });

function featuresOf(style: Style): Readonly<Record<string, number>> {
  const words = ['', '-caps', '-numeric', '-ligatures', '-east-asian', '-position'].flatMap((kind) =>
    splitValue(style.word(`font-variant${kind}`)),
  );
  const found: Record<string, number> = {};
  for (const word of words) Object.assign(found, FEATURES[word] ?? {});
  for (const [tag, value] of settingsOf(style, 'font-feature-settings'))
    found[tag] = /^(on)?$/i.test(value) ? 1 : /^off$/i.test(value) ? 0 : Number(value);
  if (style.word('font-kerning') === 'none') found.kern = 0;
  return found;
}

function variationsOf(style: Style): Readonly<Record<string, number>> {
  const settings = settingsOf(style, 'font-variation-settings').filter(([, value]) => /\d/.test(value));
  return Object.fromEntries(settings.map(([tag, value]) => [tag, Number(value)]));
}

function synthesisOf(style: Style): Pick<CharacterStyle['font'], 'synthesis'> {
  const words = splitValue(style.word('font-synthesis'));
  const [weight, slant] = [words.includes('weight'), words.includes('style')];
  if (words.length === 0 || (weight && slant)) return {};
  return { synthesis: weight ? 'weight' : slant ? 'style' : 'none' };
}

/** The lines that an element draws through, over and under all words in it; null = none of its own. */
export function decorationsOf(style: Style): readonly TextDecoration[] | null {
  const lines = splitValue(style.word('text-decoration-line')).filter((line) =>
    /^(underline|overline|line-through)$/.test(line),
  );
  if (lines.length === 0) return null;
  const own = parseCssColor(style.get('text-decoration-color') || 'currentcolor', style.color) ?? style.color;
  const color = style.veiled(own);
  const given = parsePx(style.get('text-decoration-thickness'), style.units);
  // As Chromium has it: a tenth of the letters' size, and whole px.
  const thickness = Math.max(1, Math.floor(given ?? style.fontSize / 10));
  const below = parsePx(style.get('text-underline-offset'), style.units);
  const offset = below === null ? Math.max(1, Math.ceil((given ?? style.fontSize / 10) / 2)) : Math.round(below);
  const kind = style.word('text-decoration-style');
  if (kind !== '' && kind !== 'solid') style.lost('text-decoration-style', kind);
  const raise = raiseOf(style, null);
  return lines.map((line) => ({
    ...(raise !== 0 && { raise }),
    ...{ line: line as TextDecoration['line'], fill: { kind: 'solid', color } as const, thickness, offset },
  }));
}

/** @param isMarker whether it is that of a list's marker, whose numbers stand below each other */
export function characterStyle(
  style: Style,
  decorations: readonly TextDecoration[],
  lang: string | null,
  isMarker = false,
): CharacterStyle {
  const slant = style.word('font-style');
  const strokeWidth = parsePx(style.get('-webkit-text-stroke-width'), style.units) ?? 0;
  const isOver = !/^(stroke|markers stroke)\b/.test(style.word('paint-order'));
  const stroke =
    strokeWidth > 0 ? (parseCssColor(style.get('-webkit-text-stroke-color'), style.color) ?? style.color) : null;
  const fill = style.get('-webkit-text-fill-color');
  const filled = (fill !== '' && parseCssColor(fill, style.color)) || style.color;
  const spacing = (property: string) => parsePx(style.get(property), style.units) ?? 0;
  const isHidden = style.word('visibility') === 'hidden' || style.word('visibility') === 'collapse';
  return {
    font: {
      families: familiesOf(style),
      weight: weightOf(style),
      style: /^(italic|oblique)/.test(slant) ? 'italic' : 'normal',
      variations: variationsOf(style),
      ...synthesisOf(style),
      lang,
    },
    // No text is set in no size; what small letters there are is not seen.
    fontSize: Math.max(style.fontSize, NEARLY_NONE),
    lineHeight: lineHeightOf(style),
    letterSpacing: spacing('letter-spacing'),
    wordSpacing: spacing('word-spacing'),
    textTransform: keyword(style.word('text-transform'), ['uppercase', 'lowercase', 'capitalize'], 'none'),
    decorations: isHidden ? [] : decorations,
    position: 'normal',
    features: isMarker ? { tnum: 1, ...featuresOf(style) } : featuresOf(style),
    fill: { kind: 'solid', color: isHidden ? { ...filled, a: 0 } : style.veiled(filled) },
    stroke: stroke ? { fill: { kind: 'solid', color: style.veiled(stroke) }, width: strokeWidth, isOver } : null,
    lang,
  };
}

const ALIGN = ['start', 'end', 'left', 'right', 'center', 'justify'] as const;

/** What a block says of its lines. */
export function linesOf(style: Style) {
  const alignLast = keyword(style.word('text-align-last'), ALIGN, null);
  const wraps = style.word('overflow-wrap');
  const breaks = style.word('word-break');
  const clamp = style.number('line-clamp');
  const isClamped = clamp !== null && clamp >= 1;
  const isCut = style.word('overflow-x') !== 'visible' && style.word('text-overflow').startsWith('ellipsis');
  const isOneLine = isCut && /^(nowrap|pre)$/.test(whiteSpaceOf(style));
  const balance = style.word('text-wrap') || style.word('text-wrap-style');
  const given = style.get('text-indent') || '0';
  const [first = ''] = splitValue(given);
  const indent = parseMixed(first, style.units);
  if (first !== given || indent?.percent) style.lost('text-indent', given);
  const isAnywhere = breaks === 'break-word' || wraps === 'anywhere' || (isOneLine && wraps !== 'break-word');
  return {
    align: keyword(style.word('text-align').replace(/^-webkit-/, ''), ALIGN, 'start'),
    ...(alignLast && { alignLast }),
    direction: style.word('unicode-bidi') === 'plaintext' ? 'auto' : style.word('direction') === 'rtl' ? 'rtl' : 'ltr',
    ...tabSizeOf(style),
    hyphens: keyword(style.word('hyphens'), ['auto', 'none'], 'manual'),
    textIndent: indent?.px ?? 0,
    wordBreak: keyword(breaks, ['break-all', 'keep-all'], 'normal'),
    lineBreak: keyword(style.word('line-break'), ['loose', 'normal', 'strict'], 'auto'),
    overflowWrap: isAnywhere ? 'anywhere' : keyword(wraps, ['break-word'], 'normal'),
    maxLines: isClamped ? Math.floor(clamp) : isOneLine ? 1 : null,
    overflow: isOneLine || isClamped ? 'ellipsis' : 'visible',
    textWrap: /balance/.test(balance) ? 'balance' : /pretty/.test(balance) ? 'pretty' : 'wrap',
    writingMode: keyword(style.word('writing-mode'), ['vertical-rl', 'vertical-lr'], 'horizontal-tb'),
    textOrientation: keyword(style.word('text-orientation'), ['upright', 'sideways'], 'mixed'),
  } satisfies Partial<TextNode>;
}

function tabSizeOf(style: Style): Pick<TextNode, 'tabSize'> {
  const spaces = style.number('tab-size');
  if (spaces !== null) return { tabSize: { kind: 'spaces', value: Math.max(0, spaces) } };
  const px = parsePx(style.get('tab-size'), style.units);
  return px === null ? {} : { tabSize: { kind: 'px', value: Math.max(0, px) } };
}

/** The characters around words that keep to themselves, or have another direction (CSS Writing Modes 4, 2.4.2). */
export function bidiMarks(style: Style): readonly [string, string] | null {
  const isRtl = style.word('direction') === 'rtl';
  const override = isRtl ? '\u202e' : '\u202d';
  const bidi = style.word('unicode-bidi');
  if (bidi === 'isolate') return [isRtl ? '\u2067' : '\u2066', '\u2069'];
  if (bidi === 'plaintext') return ['\u2068', '\u2069'];
  if (bidi === 'embed') return [isRtl ? '\u202b' : '\u202a', '\u202c'];
  if (bidi === 'bidi-override') return [override, '\u202c'];
  return bidi === 'isolate-override' ? [`\u2068${override}`, '\u202c\u2069'] : null;
}

export function whiteSpaceOf(style: Style): string {
  const value = style.word('white-space');
  const mode = style.word('text-wrap-mode') || style.word('text-wrap');
  return mode === 'nowrap' && value === 'normal' ? 'nowrap' : value;
}

/** Whether what is in an element may be in a line of what is around it. */
export const staysInLine = (style: Style): boolean =>
  /^inline/.test(style.word('display')) || style.element.name.startsWith('::');

/** The baseline of words above that of the line that they are in, px (CSS 2, 10.8.1). */
export function raiseOf(style: Style, around: Style | null): number {
  let raise = 0;
  for (let each: Style | null = style; each && each !== around; each = each.parent) {
    if (!staysInLine(each)) break;
    raise += ownRaise(each);
  }
  return raise;
}

function ownRaise(style: Style): number {
  const value = style.word('vertical-align');
  const outer = style.parent?.fontSize ?? style.fontSize;
  if (/^(|baseline|top|bottom|text-top|text-bottom)$/.test(value)) return 0;
  if (value === 'sub') return -(outer / 5 + 1);
  if (value === 'super') return outer / 3 + 1;
  if (value === 'middle') {
    const isWords = style.word('display') === 'inline' && !REPLACED.test(style.element.name);
    return isWords ? outer * 0.26 - style.fontSize * 0.38 : 0;
  }
  const mixed = style.mixed('vertical-align');
  const lineHeight = style.fontSize * (style.number('line-height') ?? 1.2);
  return mixed ? mixed.px + (mixed.percent / 100) * lineHeight : 0;
}

export const alignOf = (style: Style): Extract<InlineAtom, { kind: 'box' }>['align'] =>
  keyword(style.word('vertical-align'), ['middle', 'top', 'bottom', 'text-top', 'text-bottom'], 'baseline');

export const cellAlignment = (style: Style | null): RowLayout['cells'][number]['align'] =>
  keyword(style?.word('vertical-align') ?? '', ['top', 'middle', 'bottom'], 'baseline');
