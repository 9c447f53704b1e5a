// Chooses the chain of faces for one style: its own families, then the fewest fallbacks that show the rest of its text.
//
// Coverage is known in advance, so this is pure and no font is opened that the text does not need.

import type { Diagnostic } from '../diagnostics.ts';
import type { FontNeed } from '../resolve/scene.ts';
import { hasCommonSigns } from './coverage.ts';
import type { Families, Family } from './families.ts';
import { type FaceMatch, matchFaces, nearestWeight, SPACE } from './match-face.ts';

export interface FaceChain {
  /** At least one. */
  readonly matches: readonly FaceMatch[];
  /** How many of them, from the first, are of families that the style names. */
  readonly named: number;
  /** The names that are not a family of this library, but those behind families that have all letters of the text. */
  readonly unknown: readonly string[];
  /** Code points that no face here has. */
  readonly uncovered: ReadonlySet<number>;
  /** A weight that the style's first family lacks, and letters of its families that another one draws. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The best faces of each family that the style names, in its order: its main file, and those of its files that have
 * other characters of the text. Then the default family and the other families of the library, if they have code points
 * that no face before them has.
 *
 * Characters with default emoji presentation need an emoji family if no family that the style names has them; those
 * that U+FE0F makes emoji always do.
 */
export function chooseFaces(need: FontNeed, families: Families): FaceChain {
  const { query, text } = need;
  const chosen = new Map<Family, readonly FaceMatch[]>();
  const [missed, spare]: [string[], string[]] = [[], []];
  for (const name of query.families) {
    const family = families.find(name);
    if (!family) (chosen.size === 0 ? missed : spare).push(name);
    else if (!chosen.has(family)) chosen.set(family, matchFaces(family.faces, query));
  }
  const asked = [...chosen.values()];
  const [first] = chosen;
  const diagnostics = first ? missingWeight(need, first[0], first[1][0]) : [];
  const complete = (named: readonly FaceMatch[]): FaceChain => {
    return { matches: named, named: named.length, unknown: missed, uncovered: NONE, diagnostics };
  };
  const hasPlainText = ([first]: readonly FaceMatch[]) => first?.face.coverage.hasPlainText === true;
  if (asked.some(hasPlainText) && hasCommonSigns(text) && asked.every((one) => one.length === 1 || hasPlainText(one))) {
    return complete(asked.flatMap((matches) => matches.slice(0, 1)));
  }

  // Of a divided family, one file may have a letter, another its mark, and a third the composed letter.
  const codePoints = codePointsOf(asked.some(({ length }) => length > 1) ? text + text.normalize('NFC') : text);
  const open = new Set(codePoints.filter(needsGlyph));
  const named: FaceMatch[] = [];
  for (const [family, matches] of chosen) {
    const main = matches.find(({ face }) => face.coverage.has(SPACE)) ?? matches[0];
    const files = matches.length > 1 ? filesWith(open, matches, main) : matches;
    for (const { face } of files) for (const each of open) if (face.coverage.has(each)) open.delete(each);
    chosen.set(family, files);
    named.push(...files);
  }
  const lacking = new Set(open);
  const unknown = lacking.size > 0 ? [...missed, ...spare] : missed;

  const emoji = codePoints.some((each) => isSelector(each) || (open.has(each) && asksForEmoji(each)))
    ? families.ofCategory('emoji')
    : null;
  if (emoji) {
    // Which character a selector follows is not known here; a face for symbols would show none of them better.
    const selected = codePoints.includes(EMOJI_SELECTOR);
    const wanted = (codePoint: number) => asksForEmoji(codePoint) || (selected && isPictograph(codePoint));
    const files = matchFaces(emoji.faces, query);
    for (const each of open) if (wanted(each) && files.some(({ face }) => face.coverage.has(each))) open.delete(each);
  }

  const isComplete = chosen.size > 0 && open.size === 0 && emoji === null;
  if (isComplete) return complete(named);

  const matches = [...named];
  for (const family of fallbackOrder(families.all, hanScript(query.lang, codePoints))) {
    if (chosen.has(family)) continue;
    const equal = matchFaces(family.faces, query);
    const helpful = filesWith(family === emoji ? codePoints : open, equal);
    if (chosen.size > 0 && family !== emoji && helpful.length === 0) continue;
    const files = helpful.length > 0 ? helpful : equal.slice(0, 1);
    for (const { face } of files) for (const each of open) if (face.coverage.has(each)) open.delete(each);
    chosen.set(family, files);
    matches.push(...files);
  }
  const lent = [...lacking].filter((each) => !open.has(each));
  const borrowed = borrowedLetters(need, [...chosen], named, lent);
  const all = borrowed ? [...diagnostics, borrowed] : diagnostics;
  return { matches, named: named.length, unknown, uncovered: open, diagnostics: all };
}

/** What nobody has asked for lacks nothing: CSS's initial weight. */
const INITIAL_WEIGHT = 400;

/** Emoji and symbols have one weight, whatever is around them; an axis that is set by hand is drawn as it is set. */
function missingWeight({ layer, query }: FontNeed, family: Family, main: FaceMatch | undefined): Diagnostic[] {
  if (!main || family.category === 'emoji' || family.category === 'symbols' || query.variations.wght) return [];
  const drawn = nearestWeight(main.face, query.weight);
  if (drawn === query.weight || query.weight === INITIAL_WEIGHT) return [];
  const bolder = main.embolden ? ', made bolder' : '';
  const message =
    `Layer ${JSON.stringify(layer)}: ${JSON.stringify(family.name)} has no weight ${query.weight}; ` +
    `${drawn} is drawn${bolder}. Add a file of that weight, or ask for one that it has.`;
  return [{ code: 'missing-weight', layer, message }];
}

const NONE: ReadonlySet<number> = new Set();

/** Those that have some of the code points and, in their order, are the first to have them; and `main`. */
function filesWith(codePoints: Iterable<number>, matches: readonly FaceMatch[], main?: FaceMatch): FaceMatch[] {
  const open = new Set(codePoints);
  return matches.filter((match) => {
    const before = open.size;
    for (const each of open) if (match.face.coverage.has(each)) open.delete(each);
    return match === main || open.size < before;
  });
}

/** Letters that are named in a warning. */
const NAMED_LETTERS = 5;

/**
 * A family of the catalogue is asked only for letters of the scripts that it is meant for, since the others complete it;
 * a family of somebody's own is asked for all letters.
 *
 * @param lent code points that no face of `named` has, but another of the chain
 */
function borrowedLetters(
  { layer }: FontNeed,
  chosen: readonly (readonly [Family, readonly FaceMatch[]])[],
  named: readonly FaceMatch[],
  lent: readonly number[],
): Diagnostic | null {
  const isNamed = ([, files]: (typeof chosen)[number]) => files.some((match) => named.includes(match));
  const asked = chosen.filter(isNamed).map(([family]) => family);
  const letters = lent
    .map((each) => String.fromCodePoint(each))
    .filter((letter) => {
      // A composed letter is drawn as its parts by a face that has these.
      const parts = Array.from(letter.normalize('NFD'), (part) => part.codePointAt(0) ?? 0);
      const isWhole = named.some(({ face }) => parts.every((part) => face.coverage.has(part)));
      return /\p{L}/u.test(letter) && !isWhole && asked.some(({ scripts }) => isMeantFor(scripts, letter));
    });
  if (letters.length === 0) return null;
  const lenders = chosen.filter(
    ([family, files]) =>
      !asked.includes(family) &&
      files.some(({ face }) => letters.some((letter) => face.coverage.has(letter.codePointAt(0) ?? 0))),
  );
  const list = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words);
  const shown = letters.slice(0, NAMED_LETTERS).map((letter) => JSON.stringify(letter));
  const more = letters.length > shown.length ? [`${letters.length - shown.length} more`] : [];
  const quoted = (family: Family) => JSON.stringify(family.name);
  const message =
    `Layer ${JSON.stringify(layer)}: ${list([...shown, ...more])} ${letters.length === 1 ? 'is' : 'are'} not in ` +
    `${list(asked.slice(0, 3).map(quoted))} and drawn with ${list(lenders.slice(0, 3).map(([family]) => quoted(family)))}. ` +
    'Add a file that has them, or name another family after it.';
  return { code: 'borrowed-letters', layer, message };
}

/** @param scripts of a family: as in the catalogue, of which some stand for several scripts; none = all of them */
function isMeantFor(scripts: readonly string[], letter: string): boolean {
  const isOf = (script: string) =>
    /^(Latn|Grek|Cyrl|Arab|Hebr|Deva|Beng|Taml|Thai|Laoo|Khmr|Mymr|Armn|Geor)$/.test(script);
  return (
    scripts.length === 0 || scripts.filter(isOf).some((script) => new RegExp(`\\p{sc=${script}}`, 'u').test(letter))
  );
}

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
