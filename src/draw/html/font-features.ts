// Applies OpenType features of a page: font-feature-settings and font-variant (CSS Fonts 4 §6).
//
// Satori measures with font-feature-settings, but its drawing does not say which letters have them. So they become a
// family in the list of families, which the drawing repeats.

import type { Cascade } from './cascade.ts';
import type { HtmlElement } from './parse-html.ts';

/** Every property that `expandFont` reads. */
export const FONT_PROPERTIES = /^(font|font-family|font-feature-settings|font-variant(-[a-z-]+)?)$/;

/** Features by the words of font-variant and its longhands. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'font-variant-caps': {
    'small-caps': 'smcp',
    'all-small-caps': 'smcp c2sc',
    'petite-caps': 'pcap',
    'all-petite-caps': 'pcap c2pc',
    unicase: 'unic',
    'titling-caps': 'titl',
  },
  'font-variant-numeric': {
    'lining-nums': 'lnum',
    'oldstyle-nums': 'onum',
    'proportional-nums': 'pnum',
    'tabular-nums': 'tnum',
    'diagonal-fractions': 'frac',
    'stacked-fractions': 'afrc',
    ordinal: 'ordn',
    'slashed-zero': 'zero',
  },
  'font-variant-ligatures': {
    'common-ligatures': 'liga clig',
    'no-common-ligatures': '-liga -clig',
    'discretionary-ligatures': 'dlig',
    'no-discretionary-ligatures': '-dlig',
    'historical-ligatures': 'hlig',
    'no-historical-ligatures': '-hlig',
    contextual: 'calt',
    'no-contextual': '-calt',
    none: '-liga -clig -dlig -hlig -calt',
  },
  'font-variant-east-asian': {
    jis78: 'jp78',
    jis83: 'jp83',
    jis90: 'jp90',
    jis04: 'jp04',
    simplified: 'smpl',
    traditional: 'trad',
    'full-width': 'fwid',
    'proportional-width': 'pwid',
    ruby: 'ruby',
  },
  'font-variant-position': { sub: 'subs', super: 'sups' },
};
const LONGHANDS = Object.keys(WORDS);

/** Elements that the default style sheet sets in a family of its own. */
const MONOSPACED = /^(code|kbd|samp|pre|tt|listing|plaintext|xmp)$/;
const TAG = 'platen-features';

/** Whether a value of such a property is not supported. */
export function unsupportedVariant(property: string, value: string): boolean {
  if (!property.startsWith('font-variant') || /\bvar\(/i.test(value)) return false;
  const names = property === 'font-variant' ? LONGHANDS : [property];
  return wordsIn(value).some(
    (word) =>
      !/^(normal|none|inherit|initial|unset)$/.test(word) && !names.some((name) => WORDS[name]?.[word] !== undefined),
  );
}

/** What a declaration says of families and features. */
export function expandFont(property: string, value: string): readonly (readonly [string, string])[] {
  if (property === 'font') {
    const family = familiesIn(value);
    const reset = [...LONGHANDS, 'font-feature-settings'].map((name) => [name, 'normal'] as const);
    const caps = /\bsmall-caps\b/i.test(value) ? ([['font-variant-caps', 'small-caps']] as const) : [];
    return [...reset, ...caps, ['font-family', family ?? value]];
  }
  if (property !== 'font-variant') return [[property, value]];
  return LONGHANDS.map((name) => {
    const own = wordsIn(value).filter(
      (word) => WORDS[name]?.[word] !== undefined && (word !== 'none' || name === 'font-variant-ligatures'),
    );
    return [name, own.length > 0 ? own.join(' ') : 'normal'] as const;
  });
}

/** The families in a value of `font`: what follows its size and its line height; null = it has no size. */
function familiesIn(value: string): string | null {
  const parts = partsOf(value);
  for (const [i, { text }] of parts.entries()) {
    if (!/^[.\d].*|\)$|^(xx?-|xxx-)?(small|large)$|^(medium|smaller|larger)$/is.test(text)) continue;
    const next = parts[parts[i + 1]?.text === '/' ? i + 3 : i + 1];
    // What looks like a size was a weight or a width when a size follows.
    if (next && next.text !== '/' && !/^\d[\w.]*(px|em|%)/i.test(next.text)) return value.slice(next.at);
  }
  return null;
}

/** The words of a value, and the slashes between them, outside brackets. */
function partsOf(value: string): readonly { readonly text: string; readonly at: number }[] {
  const parts: { text: string; at: number }[] = [];
  let depth = 0;
  let begin = 0;
  const end = (at: number) => {
    if (at > begin) parts.push({ text: value.slice(begin, at), at: begin });
    begin = at + 1;
  };
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && (character === '/' || /\s/.test(character))) {
      end(at);
      if (character === '/') parts.push({ text: '/', at });
    }
  }
  end(value.length);
  return parts;
}

const wordsIn = (value: string) => value.trim().toLowerCase().split(/\s+/);

/** The features of an element's letters as font-feature-settings; `normal` = none. */
export function featuresOf(element: HtmlElement, cascade: Cascade): string {
  const features = settingsOf(element, cascade);
  if (features.size === 0) return 'normal';
  return [...features].map(([tag, value]) => `"${tag}" ${value}`).join(', ');
}

function settingsOf(element: HtmlElement, cascade: Cascade): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const name of LONGHANDS) {
    for (const word of wordsIn(cascade.inherited(element, name) ?? '')) {
      for (const tag of WORDS[name]?.[word]?.split(' ') ?? [])
        found.set(tag.replace('-', ''), tag.startsWith('-') ? 0 : 1);
    }
  }
  const settings = cascade.inherited(element, 'font-feature-settings') ?? '';
  for (const [, tag = '', value = '1'] of settings.matchAll(/["']([\x20-\x7e]{4})["']\s*(on|off|\d+)?/gi)) {
    if (/^[\w ]{4}$/.test(tag))
      found.set(tag, value === 'on' ? 1 : value === 'off' ? 0 : Math.min(9_999, Number(value)));
  }
  return found;
}

/**
 * The families of an element with its features among them; null where it takes both from its parent.
 */
export function taggedFamily(element: HtmlElement, cascade: Cascade): string | null {
  const own = [...LONGHANDS, 'font-feature-settings', 'font-family'];
  const isMonospaced = MONOSPACED.test(element.name);
  if (!isMonospaced && own.every((name) => cascade.declared(element, name) === null)) return null;
  const parent = cascade.parentOf(element);
  const features = settingsOf(element, cascade);
  if (features.size === 0 && (!parent || settingsOf(parent, cascade).size === 0)) return null;
  const family =
    (isMonospaced ? cascade.declared(element, 'font-family') : cascade.inherited(element, 'font-family')) ??
    (isMonospaced ? 'monospace' : 'serif');
  if (features.size === 0) return family;
  return `${family}, "${TAG} ${[...features].flat().join(' ')}"`;
}

/** The features that a family in the drawing stands for; null = it is a family. */
export function featuresIn(family: string): Readonly<Record<string, number>> | null {
  const name = family.trim().replace(/^["']|["']$/g, '');
  if (!name.toLowerCase().startsWith(`${TAG} `)) return null;
  const pairs = [...name.slice(TAG.length).matchAll(/ (.{4}) (\d+)/g)];
  return Object.fromEntries(pairs.map(([, tag, value]) => [tag ?? '', Number(value)]));
}
