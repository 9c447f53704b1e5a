import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeBidi, type Direction } from '#core/text/bidi.ts';
import { itemize } from '#core/text/itemize.ts';
import { HOSTILE_TEXTS } from './hostile-text.ts';

/** Runs as `text script`, followed by the level if it is not 0, `emoji`, and the span if there are several. */
function check(text: string, expected: readonly string[], spanStarts: readonly number[] = [0]): void {
  const runs = itemize(analyzeBidi(text, 'auto'), spanStarts, new Uint8Array(text.length));
  const shown = runs.map(({ start, end, level, script, emoji, span }) =>
    [
      text.slice(start, end),
      emoji ? 'emoji' : script,
      ...(level > 0 ? [level] : []),
      ...(spanStarts.length > 1 ? [`#${span}`] : []),
    ].join(' '),
  );
  expect(shown).toEqual(expected);
}

test('empty text has no runs', () => check('', []));
test('Latin text is one run', () => check('Price: $12 (net)', ['Price: $12 (net) Latn']));
test('text without letters has no script', () => check('12,50 €', ['12,50 € Zyyy']));
test('what all scripts share goes with the text before', () => check('abc, где', ['abc,  Latn', 'где Cyrl']));
test('at the start it goes with the text after', () => check('«где»', ['«где» Cyrl']));
test('marks go with their letter', () => check('a\u0301б\u0301', ['a\u0301 Latn', 'б\u0301 Cyrl']));
test('a mark of another script stays with its letter', () => check('aि', ['aि Latn']));
test('a closing bracket follows its opener', () =>
  check('где (abc) x', ['где ( Cyrl', 'abc Latn', ')  Cyrl', 'x Latn']));
test('an unpaired bracket follows the text before', () => check('где) abc)', ['где)  Cyrl', 'abc) Latn']));
test('punctuation of several scripts joins any of them', () =>
  check('हिन्दी। বাংলা। abc।', ['हिन्दी।  Deva', 'বাংলা।  Beng', 'abc Latn', '। Deva']));
test('Japanese: the two kana are one run, Han another', () =>
  check('日本語のテキスト、ーです', ['日本語 Hani', 'のテキスト、ーです Hira']));
test('Katakana alone keeps its tag', () => check('カタカナー', ['カタカナー Kana']));
test('an ideographic comma after Latin letters is Chinese', () => check('abc、', ['abc Latn', '、 Hani']));
test('Korean with Han', () => check('한국(韓國)어', ['한국( Hang', '韓國 Hani', ')어 Hang']));
test('levels cut runs', () => check('abc שלום 12', ['abc  Latn', 'שלום  Hebr 1', '12 Hebr 2']));
test('Arabic with its own digits and comma', () => check('سعر ١٢، ثم', ['سعر  Arab 1', '١٢ Arab 2', '، ثم Arab 1']));
test('runs end with their paragraph', () => check('ab\n12\nгд', ['ab\n Latn', '12\n Zyyy', 'гд Cyrl']));
test('private use has no script of its own', () => check('a\ue000b', ['a\ue000b Latn']));

test('emoji by nature', () => check('Hi 😀🚀!', ['Hi  Latn', '😀🚀 emoji', '! Latn']));
test('emoji between words of one script', () => check('a😀b', ['a Latn', '😀 emoji', 'b Latn']));
test('text by nature', () => check('© 2024 ❤ ™', ['© 2024 ❤ ™ Zyyy']));
test('variation selectors decide', () => check('❤\ufe0f❤\ufe0e😀\ufe0e', ['❤\ufe0f emoji', '❤\ufe0e😀\ufe0e Zyyy']));
test('flags', () => check('🇫🇷🇩🇪 a', ['🇫🇷🇩🇪 emoji', ' a Latn']));
test('a flag of tags', () =>
  check('x🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', [
    'x Latn',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} emoji',
  ]));
test('keycaps, and digits that are none', () => check('1️⃣1 #️⃣', ['1️⃣ emoji', '1  Zyyy', '#️⃣ emoji']));
test('skin tones', () => check('👍🏽☝🏽', ['👍🏽☝🏽 emoji']));
test('joined emoji', () => check('👩‍👩‍👧 🏳️‍🌈 👁‍🗨', ['👩‍👩‍👧 emoji', '  Zyyy', '🏳️‍🌈 emoji', '  Zyyy', '👁‍🗨 emoji']));
test('a joiner that joins nothing stays with its emoji', () => check('😀\u200da', ['😀\u200d emoji', 'a Latn']));
test('a mark around an emoji stays with it', () => check('🚗\u20e0a', ['🚗\u20e0 emoji', 'a Latn']));
test('emoji in right-to-left text', () => check('שלום 😀 עולם', ['שלום  Hebr 1', '😀 emoji 1', ' עולם Hebr 1']));
test('emoji of tomorrow', () => check('\u{1fae9}', ['\u{1fae9} emoji']));

test('spans cut runs', () => check('abcdef', ['ab Latn #0', 'cdef Latn #1'], [0, 2]));
test('empty spans have no runs', () => check('abc', ['a Latn #2', 'bc Latn #4'], [0, 0, 0, 1, 1, 3]));

test('any UTF-16 is cut without gaps, in time', () => {
  const anyText = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'a1 \n(（)）日のカ한गিא١،。\u200d\ufe0f\ufe0e\u20e3\u0301👩🏽🇫❤#'),
      fc.constantFrom('\u{e0067}', '\u{e007f}', '🏴'),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    maxLength: 60,
  });
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom<Direction>('ltr', 'rtl', 'auto'),
      fc.array(fc.nat(40)),
      (text, direction, starts) => {
        const bidi = analyzeBidi(text, direction);
        const spanStarts = [0, ...starts.sort((a, b) => a - b)];
        let at = 0;
        for (const run of itemize(bidi, spanStarts, new Uint8Array(text.length))) {
          expect(run.start).toBe(at);
          expect(run.end).toBeGreaterThan(at);
          expect(new Set(bidi.levels.slice(run.start, run.end))).toEqual(new Set([run.level]));
          expect(run.start).toBeGreaterThanOrEqual(spanStarts[run.span] ?? 0);
          expect(run.end).toBeLessThanOrEqual(spanStarts[run.span + 1] ?? text.length);
          expect(run.script).toMatch(/^[A-Z][a-z]{3}$/);
          at = run.end;
        }
        expect(at).toBe(text.length);
      },
    ),
    { numRuns: 500 },
  );
});

test.each(Object.entries(HOSTILE_TEXTS))('%s take linear time', { timeout: 2_000 }, (_, text) => {
  expect(itemize(analyzeBidi(text, 'auto'), [0], new Uint8Array(text.length)).at(-1)?.end).toBe(text.length);
});
