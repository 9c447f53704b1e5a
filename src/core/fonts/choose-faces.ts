// Chooses the chain of faces for one style: its own families, then the fewest fallbacks that show the rest of its text.
//
// Coverage is known in advance, so this is pure and no font is opened that the text does not need.

import type { FontNeed } from '../resolve/scene.ts';
import { isPlainText } from './coverage.ts';
import type { Families, Family } from './families.ts';
import { type FaceMatch, matchFace } from './match-face.ts';

export interface FaceChain {
  /** At least one. */
  readonly matches: readonly FaceMatch[];
  /** How many of them, from the first, are of families that the style names. */
  readonly named: number;
  /** The names that are not a family of this library. */
  readonly unknown: readonly string[];
  /** Code points that no face here has. */
  readonly uncovered: ReadonlySet<number>;
}

/**
 * The best face of each family that the style names, in its order; then the default family and the other families of
 * the library, if they have code points that no face before them has.
 *
 * Characters with default emoji presentation need an emoji family if no family that the style names has them; those
 * that U+FE0F makes emoji always do.
 */
export function chooseFaces({ query, text }: FontNeed, families: Families): FaceChain {
  const chosen = new Map<Family, FaceMatch>();
  const unknown: string[] = [];
  for (const name of query.families) {
    const family = families.find(name);
    if (!family) unknown.push(name);
    else if (!chosen.has(family)) chosen.set(family, matchFace(family.faces, query));
  }
  const named = [...chosen.values()];
  if (named.some(({ face }) => face.coverage.hasPlainText) && isPlainText(text)) {
    return { matches: named, named: named.length, unknown, uncovered: NONE };
  }

  const codePoints = codePointsOf(text);
  const open = new Set(codePoints.filter(needsGlyph));
  const cover = ({ face }: FaceMatch) => {
    for (const codePoint of open) if (face.coverage.has(codePoint)) open.delete(codePoint);
  };
  for (const match of named) cover(match);

  const emoji = codePoints.some((each) => isSelector(each) || (open.has(each) && asksForEmoji(each)))
    ? families.ofCategory('emoji')
    : null;
  if (emoji) {
    // Which character a selector follows is not known here; a face for symbols would show none of them better.
    const selected = codePoints.includes(EMOJI_SELECTOR);
    const wanted = (codePoint: number) => asksForEmoji(codePoint) || (selected && isPictograph(codePoint));
    const { coverage } = matchFace(emoji.faces, query).face;
    for (const codePoint of open) if (wanted(codePoint) && coverage.has(codePoint)) open.delete(codePoint);
  }

  const isComplete = chosen.size > 0 && open.size === 0 && emoji === null;
  if (isComplete) return { matches: named, named: named.length, unknown, uncovered: NONE };

  for (const family of fallbackOrder(families.all, hanScript(query.lang, codePoints))) {
    if (chosen.has(family)) continue;
    const match = matchFace(family.faces, query);
    const helps = [...open].some((codePoint) => match.face.coverage.has(codePoint));
    if (chosen.size > 0 && family !== emoji && !helps) continue;
    chosen.set(family, match);
    cover(match);
  }
  return { matches: [...chosen.values()], named: named.length, unknown, uncovered: open };
}

const NONE: ReadonlySet<number> = new Set();

/** Each code point of a text once, in order. */
function codePointsOf(text: string): readonly number[] {
  const found = new Set<number>();
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i) ?? 0;
    found.add(codePoint);
    if (codePoint > 0xffff) i++;
  }
  return [...found];
}

/** The library's order, except that the families for `script` come right after the default one. */
function fallbackOrder(all: readonly Family[], script: string | null): readonly Family[] {
  if (script === null) return all;
  const [initial, ...others] = all;
  if (!initial) return all;
  const { yes = [], no = [] } = Object.groupBy(others, ({ scripts }) => (scripts.includes(script) ? 'yes' : 'no'));
  return [initial, ...yes, ...no];
}

/**
 * Unicode has one code point for Han forms that differ by language. The text's language decides which forms are meant,
 * else its kana or hangul (kana, if it has both); null leaves it to the library's order.
 */
function hanScript(lang: string | null, codePoints: readonly number[]): string | null {
  const script = lang === null ? null : likelyScript(lang);
  if (script !== null && HAN_SCRIPTS.includes(script)) return script;
  const has = (pattern: RegExp) => codePoints.some((codePoint) => pattern.test(String.fromCodePoint(codePoint)));
  if (has(/[\p{Script=Hiragana}\p{Script=Katakana}]/u)) return 'Jpan';
  return has(/\p{Script=Hangul}/u) ? 'Kore' : null;
}

/** ISO 15924 codes of writing systems that use Han characters. */
const HAN_SCRIPTS: readonly string[] = ['Jpan', 'Kore', 'Hans', 'Hant', 'Hani'];

/** The script that a language is mostly written in (CLDR likely subtags): ja → Jpan, zh-TW → Hant. */
function likelyScript(lang: string): string | null {
  try {
    return new Intl.Locale(lang).maximize().script ?? null;
  } catch {
    return null;
  }
}

/**
 * False for characters without a glyph of their own: controls, joiners, variation selectors, unassigned code points.
 */
function needsGlyph(codePoint: number): boolean {
  return !/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/u.test(String.fromCodePoint(codePoint));
}

const EMOJI_SELECTOR = 0xfe0f;
const KEYCAP = 0x20e3;

function isPictograph(codePoint: number): boolean {
  return /\p{Extended_Pictographic}/u.test(String.fromCodePoint(codePoint));
}

/** Whether it requests emoji presentation of the character before it. */
function isSelector(codePoint: number): boolean {
  return codePoint === EMOJI_SELECTOR || codePoint === KEYCAP;
}

function asksForEmoji(codePoint: number): boolean {
  if (isSelector(codePoint)) return true;
  return /\p{Emoji_Presentation}/u.test(String.fromCodePoint(codePoint));
}
