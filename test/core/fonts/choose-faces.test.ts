// Tests which families are in the font chain of a text: its own, then only the fallbacks that its characters need.

import { expect, test } from 'vitest';
import { chooseFaces } from '#core/fonts/choose-faces.ts';
import { Coverage } from '#core/fonts/coverage.ts';
import { Families } from '#core/fonts/families.ts';
import type { AvailableFace } from '#core/fonts/match-face.ts';
import { readCatalog } from '#draw/fonts/catalog.ts';

const catalog = readCatalog();
const everything = Families.of(catalog, () => String, []);
const withoutCjk = Families.of(catalog, (name) => (/-(jp|kr|sc)$/.test(name) ? null : String), []);
const withoutEmoji = Families.of(catalog, (name) => (name.endsWith('emoji') ? null : String), []);

function check(
  families: string,
  text: string,
  expected: string,
  library = everything,
  lang: string | null = null,
): void {
  const chain = chooseFaces(
    {
      query: { families: families.split(', '), weight: 700, style: 'normal', variations: {}, lang },
      text,
      layer: 'title',
    },
    library,
  );
  const unknown = chain.unknown.map((name) => `?${name}`);
  expect([...chain.matches.map(({ face }) => face.id), ...unknown].join(', ')).toBe(expected);
}

test('a family that covers the text stands alone', () => check('Playfair Display', 'Grüße', 'Playfair Display 700'));
test('names ignore case', () => check('playfair DISPLAY', 'a', 'Playfair Display 700'));
test('families keep their order', () =>
  check('Source Serif 4, JetBrains Mono', 'a', 'Source Serif 4 700, JetBrains Mono 700'));
test('a family named twice is taken once', () => check('Inter, inter', 'a', 'Inter 700'));
test('an unknown family leaves the default', () => check('Intre', 'a', 'Inter 700, ?Intre'));
test('an unknown family is not missed behind one that has all letters', () => {
  check('JetBrains Mono, Nope', 'a', 'JetBrains Mono 700');
  check('Inter, Nope', 'aש', 'Inter 700, Noto Sans Hebrew 700, ?Nope');
});
test('an unknown family is passed over', () => check('Nope, JetBrains Mono', 'a', 'JetBrains Mono 700, ?Nope'));
test('no text is the family alone', () => check('JetBrains Mono', '', 'JetBrains Mono 700'));

test('CSS serif', () => check('serif', 'a', 'Source Serif 4 700'));
test('CSS monospace', () => check('monospace', 'a', 'JetBrains Mono 700'));
test('CSS sans-serif', () => check('sans-serif', 'a', 'Inter 700'));

test('Greek under a face without it goes to the default', () =>
  check('Bricolage Grotesque', 'αβγ', 'Bricolage Grotesque 700, Inter 700'));
test('Hebrew', () => check('Inter', 'שלום', 'Inter 700, Noto Sans Hebrew 700'));
test('Arabic', () => check('Inter', 'مرحبا', 'Inter 700, Noto Sans Arabic 700'));
test('Devanagari', () => check('Inter', 'नमस्ते', 'Inter 700, Noto Sans Devanagari 700'));
test('Thai', () => check('Inter', 'สวัสดี', 'Inter 700, Noto Sans Thai 700'));
test('a display face need not drag the default along', () =>
  check('Playfair Display', 'שלום', 'Playfair Display 700, Noto Sans Hebrew 700'));
test('symbols', () => check('Inter', '⛁', 'Inter 700, Noto Sans Symbols 2 400'));

test('Han alone is Chinese', () => check('Inter', '漢字', 'Inter 700, Noto Sans SC 700'));
test('Han with kana is Japanese', () => check('Inter', '漢字かな', 'Inter 700, Noto Sans JP 700'));
test('Han with hangul is Korean', () => check('Inter', '漢字한글', 'Inter 700, Noto Sans KR 700'));
test('kana and hangul: Japanese first, Korean for the rest', () =>
  check('Inter', '漢字かな한글', 'Inter 700, Noto Sans JP 700, Noto Sans KR 700'));
test('Han that is said to be Japanese', () => check('Inter', '漢字', 'Inter 700, Noto Sans JP 700', everything, 'ja'));
test('Han that is said to be Korean, among kana', () =>
  check('Inter', '漢字か', 'Inter 700, Noto Sans KR 700', everything, 'ko-KR'));
test('a language that is not written in Han characters says nothing of them', () =>
  check('Inter', '漢字かな', 'Inter 700, Noto Sans JP 700', everything, 'en'));
test('a language tag that is none says nothing', () =>
  check('Inter', '漢字', 'Inter 700, Noto Sans SC 700', everything, 'a-tag-of-no-sense-aaaaaaaaa'));
test('without CJK faces nothing stands in for them', () => check('Inter', '漢字', 'Inter 700', withoutCjk));

test('emoji', () => check('Inter', 'Hi 👋', 'Inter 700, Noto Color Emoji 400'));
test('an emoji that the family has itself', () => check('Noto Sans Symbols 2', '⚡', 'Noto Sans Symbols 2 400'));
test('emoji bring no other symbols along', () => check('Inter', '👩‍👩‍👧‍👦🏳️‍🌈1️⃣', 'Inter 700, Noto Color Emoji 400'));
test('flags', () => check('Inter', '🇨🇭', 'Inter 700, Noto Color Emoji 400'));
test('a heart that is asked to be an emoji', () => check('Inter', '❤️', 'Inter 700, Noto Color Emoji 400'));
test('a telephone that is not', () => check('Inter', '☎', 'Inter 700, Noto Sans Symbols 2 400'));
test('without an emoji face the symbols stand in', () =>
  check('Inter', '🎓', 'Inter 700, Noto Sans Symbols 2 400', withoutEmoji));

test('controls, joiners and selectors ask for nothing', () =>
  check('Bricolage Grotesque', 'a\n\u00ad\u200d\u2060\ufeff', 'Bricolage Grotesque 700'));
test('a lone surrogate or an unassigned code point asks for nothing', () =>
  check('Inter', '\ud800\u{e1234}', 'Inter 700'));

const own = (family: string, weight: number, codePoints: number[]): AvailableFace => ({
  id: `own ${family} ${weight}`,
  family,
  weight,
  width: 5,
  style: 'normal',
  axes: {},
  coverage: Coverage.of(codePoints),
  path: '',
});
const TELUGU_KA = 0xc15;
const withOwn = Families.of(catalog, () => String, [own('Brand Telugu', 700, [TELUGU_KA]), own('inter', 700, [65])]);

test('a face of the user’s own is the last to fall back to', () =>
  check('JetBrains Mono', 'క', 'JetBrains Mono 700, own Brand Telugu 700', withOwn));
test('a face of the user’s own wins over the catalogue’s of that family', () =>
  check('Inter', 'A', 'own inter 700, Inter 700', withOwn));

const divided = (...files: string[]) =>
  Families.of(
    catalog,
    () => String,
    files.map((letters, i) => ({
      ...own(
        'Brand',
        700,
        Array.from(letters, (each) => each.codePointAt(0) ?? 0),
      ),
      id: `${i}`,
    })),
  );
const ASCII = `${String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))}…`;
test('files of one face: those with letters of the text, the first of those that share one', () => {
  check('Brand', 'aš', '0, 1', divided(ASCII, 'šž', 'žш'));
  check('Brand', 'ž', '0, 1', divided(ASCII, 'šž', 'žш'));
  check('Brand', 'шž', '0, 1, 2', divided(ASCII, 'šž', 'žш'));
  check('Brand', 'ш', '0, 2', divided(ASCII, 'šž', 'žш'));
});
test('plain text needs the file that has it alone, whatever the order', () => {
  check('Brand', 'Hello', '0', divided(ASCII, ' š'));
  check('Brand', 'Hello', '1', divided(' š', ASCII));
  check('Brand', 'Hello', '1', divided('š', ASCII));
});
test('the file with the space is loaded for its metrics', () => check('Brand', 'š', '0, 1', divided('š', ASCII)));
test('one file for what another lacks, before another family', () => {
  check('Brand', 'šש', '0, 1, Noto Sans Hebrew 700', divided(ASCII, 'š'));
  check('JetBrains Mono', 'క', 'JetBrains Mono 700, 1', divided(ASCII, 'క'));
});

const withAxes = (min: number, max: number) =>
  Families.of(catalog, () => String, [{ ...own('Brand', 400, [65]), axes: { wght: { min, initial: 400, max } } }]);
const withWeights = (...weights: number[]) =>
  Families.of(catalog, () => String, [...weights.map((weight) => own('Brand', weight, [65]))]);
const warned = (library: Families, weight: number, families = ['Brand'], variations = {}) =>
  chooseFaces({ query: { families, weight, style: 'normal', variations, lang: null }, text: 'A', layer: 'a' }, library)
    .diagnostics.map(({ code, message }) => `${code} ${message.replace(/ Add a file .*/, '')}`)
    .join();
const missing = (weight: number, drawn: string) =>
  `missing-weight Layer "a": "Brand" has no weight ${weight}; ${drawn} is drawn`;

test('a weight that the family lacks is warned of, with the one that is drawn', () => {
  expect(warned(withWeights(400), 600)).toBe(`${missing(600, '400')}, made bolder.`);
  expect(warned(withWeights(400, 700), 600)).toBe(`${missing(600, '700')}.`);
  expect(warned(withWeights(400, 700), 300)).toBe(`${missing(300, '400')}.`);
  expect(warned(withAxes(300, 500), 900)).toBe(`${missing(900, '500')}, made bolder.`);
  expect(warned(withWeights(400), 600, ['Nowhere', 'Brand'])).toBe(`${missing(600, '400')}, made bolder.`);
});
test('a weight that the family has, or needs not have, is not', () => {
  expect(warned(withWeights(400, 600), 600)).toBe('');
  // As a family of one bold file is used without naming a weight.
  expect(warned(withWeights(700), 400)).toBe('');
  expect(warned(withAxes(300, 800), 650)).toBe('');
  expect(warned(withAxes(300, 800), 900, ['Brand'], { wght: 700 })).toBe('');
  expect(warned(withWeights(400), 600, ['Inter', 'Brand'])).toBe('');
  expect(warned(everything, 600, ['Noto Sans Symbols 2'])).not.toContain('missing-weight');
  expect(warned(everything, 600, ['Noto Color Emoji'])).not.toContain('missing-weight');
});
