import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BREAK_ALLOWED,
  BREAK_MANDATORY,
  BREAK_PROHIBITED,
  breakOpportunities,
  type LineBreakOptions,
} from '#core/text/line-break.ts';
import { LINE_BREAK_CLASS } from '#core/text/unicode-classes.ts';
import { LINE_BREAK_CLASS_OF, recordOf } from '#core/text/unicode-data.ts';
import { conformanceCases, parseBreaks } from '../../unicode/conformance-data.ts';
import { HOSTILE_TEXTS } from './hostile-text.ts';

const UAX_14: LineBreakOptions = {
  strictness: 'strict',
  wordBreak: 'normal',
  locale: null,
  dictionary: false,
  profile: 'unicode',
};
const BROWSER: LineBreakOptions = { ...UAX_14, strictness: 'auto', dictionary: true, profile: 'browser' };

test('LineBreakTest 15.0: every break', () => {
  const cases = conformanceCases('LineBreakTest');
  const wrong = cases.filter((line) => {
    const { text, boundaries } = parseBreaks(line);
    const actual = [...breakOpportunities(text, UAX_14).entries()].filter(
      ([, verdict]) => verdict !== BREAK_PROHIBITED,
    );
    return actual.map(([offset]) => offset).join() !== boundaries.join();
  });
  expect(wrong).toEqual([]);
  expect(cases.length).toBe(7_654);
});

const classOf = (character: string) => LINE_BREAK_CLASS_OF[recordOf(character.codePointAt(0) ?? 0)];

/** Where our line breaking differs from the conformance test, with the clause of UAX #14 (15.0) that permits it. */
const TAILORED: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  'LB1, resolving CJ': (before, after) => [before, after].some((side) => classOf(side) === LINE_BREAK_CLASS.CJ),
  '6.2, LB13 to LB31, between ASCII': (before, after) => /^[!-~]$/.test(before) && /^[!-~]$/.test(after),
  '6.2, LB21, a hyphen at the start of a word': (before, after) =>
    classOf(before) === LINE_BREAK_CLASS.HY &&
    [LINE_BREAK_CLASS.AL, LINE_BREAK_CLASS.SA].some((letters) => letters === classOf(after)),
  '6.2, LB21 and LB21a, a hyphen and Hebrew': (before, after) =>
    classOf(before) === LINE_BREAK_CLASS.HY && classOf(after) === LINE_BREAK_CLASS.HL,
};

test('LineBreakTest 15.0: where layout departs from it, a clause says that it may', () => {
  const unexplained: string[] = [];
  const used = new Map<string, number>();
  let differing = 0;
  for (const line of conformanceCases('LineBreakTest')) {
    const { text, boundaries } = parseBreaks(line);
    const breaks = breakOpportunities(text, BROWSER);
    const offsets = [...breaks.keys()].filter(
      (offset) => offset > 0 && (breaks[offset] !== BREAK_PROHIBITED) !== boundaries.includes(offset),
    );
    if (offsets.length > 0) differing++;
    for (const offset of offsets) {
      const after = String.fromCodePoint(text.codePointAt(offset) ?? 0);
      // Combining marks belong to the character before them (LB9).
      const before = Array.from(text.slice(0, offset).replace(/\p{M}+$/u, '')).at(-1) ?? '';
      const clause = Object.keys(TAILORED).find((name) => TAILORED[name]?.(before, after));
      if (clause) used.set(clause, (used.get(clause) ?? 0) + 1);
      else unexplained.push(`${line} at ${offset}`);
    }
  }
  expect(unexplained).toEqual([]);
  expect(differing).toBe(157);
  expect([...used.keys()].sort()).toEqual(Object.keys(TAILORED).sort());
});

const SIGNS = { [BREAK_PROHIBITED]: '', [BREAK_ALLOWED]: '|', [BREAK_MANDATORY]: '¶' } as Record<number, string>;

/** `|` marks a break opportunity, `¶` a mandatory break; the end of the text is left out. */
function check(options: Partial<LineBreakOptions>, expected: string): void {
  const text = expected.replace(/[|¶]/g, '');
  const breaks = breakOpportunities(text, { ...BROWSER, ...options });
  const shown = text.replace(/[\s\S]/g, (unit, offset) => SIGNS[breaks[offset] ?? BREAK_PROHIBITED] + unit);
  expect(shown).toBe(expected);
  expect(breaks.length).toBe(text.length + 1);
  expect(breaks[text.length]).toBe(BREAK_MANDATORY);
}

test('empty text', () => check({}, ''));
test('spaces stay with the word before', () => check({}, 'a |b  |c '));
test('spaces at the start are a line of their own', () => check({}, '  |a'));
test('explicit breaks', () => check({}, 'a\n¶b\r\n¶c\r¶\u2028¶d\u2029¶\v¶\f¶\u0085¶e'));
test('a soft hyphen and a zero width space', () => check({}, 'hy\u00ad|phen |zero\u200b|width'));
test('glue', () => check({}, '10\u00a0km |a\u2060b |non\u2011breaking'));
test('numbers with signs and currency', () => check({}, '$(12.50) |−3,5\u00a0% |€20'));
test('punctuation after a space stays before it', () => check({}, 'quoi ? |oui'));
test('emoji sequences', () => check({}, '👩‍👩‍👧|🇫🇷|🇩🇪|👍🏽|1️⃣'));
test('Hangul syllables', () => check({}, '한|국|어 |글|자'));
test('a mark at the start', () => check({}, '\u0301a |b'));

test('ASCII as Unicode has it', () => check({ profile: 'unicode' }, 'and/|or |2-3 |-|x |a?|b |{c}|(d)'));
test('ASCII as browsers have it', () => check({ profile: 'browser' }, 'and/or |2-|3 |-|x |-2 |a?|b |{c}|(d)'));
test('browsers keep addresses whole but for some signs', () => check({}, 'https://a.example/b-|c?|d=e&f'));

test('small kana begin no line in strict text', () => check({ strictness: 'strict' }, 'ちょっ|と|カー々'));
test('small kana may begin a line in normal text', () => check({ strictness: 'normal' }, 'ち|ょ|っ|と|カ|ー々'));
test('iteration marks may begin a line in loose text', () => check({ strictness: 'loose' }, '人|々|の…|…'));
test('strict Japanese hyphens', () => check({ strictness: 'strict', locale: 'ja' }, '一〜|二'));
test('normal Japanese hyphens', () => check({ strictness: 'normal', locale: 'ja' }, '一|〜|二'));
test('the same hyphens in no language', () => check({ strictness: 'normal' }, '一〜|二'));
test('normal Japanese punctuation', () => check({ strictness: 'normal', locale: 'ja' }, '「一・|二！」|三％'));
test('loose Japanese punctuation', () => check({ strictness: 'loose', locale: 'ja' }, '「一|・|二|！」|三|％'));
test('a hyphen after an ideograph, loose', () => check({ strictness: 'loose' }, '一|‐|二 |a‐|b'));

test('automatic Japanese hyphens', () => check({ strictness: 'auto', locale: 'ja' }, '一〜|二'));
test('automatic Chinese hyphens', () => check({ strictness: 'auto', locale: 'zh-Hans' }, '一|〜|二'));

test('quotation marks as Unicode 15 has them', () => check({ profile: 'unicode' }, '他|说“你|好”然|后'));
test('quotation marks among East Asian characters', () => check({}, '他|说|“你|好”|然|后|‘中’|文'));
test('quotation marks between East Asian and other characters', () => check({}, '日|本“abc”語'));
test('quotation marks in Chinese', () => check({ locale: 'zh' }, '日|本|“abc”|語 |it’s'));
test('a hyphen at the start of a word', () => check({}, '-été |–été |a-|été'));
test('a hyphen between Hebrew words', () => check({}, 'שלום-|עולם'));
test('a hyphen between Hebrew words as Unicode 15 has it', () => check({ profile: 'unicode' }, 'שלום-עולם'));

test('break-all breaks words', () => check({ wordBreak: 'break-all' }, 'a|b|c |1|2, |«d»'));
test('keep-all keeps words', () => check({ wordBreak: 'keep-all' }, '한국어 |日本語、|テキスト々|「か」'));

test('Thai breaks between words', () => check({}, 'ภาษา|ไทย|เป็น|ภาษา|ที่|สวยงาม |abc'));
test('Lao, Khmer and Burmese break between words', () => check({}, 'ພາສາ|ລາວ |ខ្ញុំ|ស្រឡាញ់|អ្នក |ကျွန်တော်|မြန်မာ|စကားပြောသည်'));
test('without a dictionary Thai breaks at spaces', () => check({ dictionary: false }, 'ภาษาไทย |ที่'));
test('keep-all still breaks Thai between words', () => check({ wordBreak: 'keep-all' }, 'ภาษา|ไทย'));
test('Tai Le, for which there is no dictionary, breaks at spaces', () => check({}, 'ᥖᥭᥰ |ᥖᥬᥲ'));

test('any UTF-16 has breaks between characters only, the same however it is tailored for explicit ones', () => {
  const anyOptions = fc.record<LineBreakOptions>({
    strictness: fc.constantFrom('auto', 'loose', 'normal', 'strict'),
    wordBreak: fc.constantFrom('normal', 'break-all', 'keep-all'),
    locale: fc.constantFrom(null, 'ja', 'zh-Hant', 'en'),
    dictionary: fc.boolean(),
    profile: fc.constantFrom('unicode', 'browser'),
  });
  const anyText = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...' \n\r\u00ad\u200b\u200d\u2028\u0301(（)-/$%1.aאกั日ァ々…‐한🇫👍🏽'),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    maxLength: 50,
  });
  const explicit = (breaks: Uint8Array) => breaks.map((verdict) => (verdict === BREAK_MANDATORY ? 1 : 0)).join('');
  fc.assert(
    fc.property(anyText, anyOptions, (text, options) => {
      const breaks = breakOpportunities(text, options);
      expect(breaks.length).toBe(text.length + 1);
      for (let offset = 1; offset < text.length; offset++) {
        if (text.codePointAt(offset - 1)! > 0xffff) expect(breaks[offset]).toBe(BREAK_PROHIBITED);
      }
      expect(explicit(breaks)).toBe(explicit(breakOpportunities(text, UAX_14)));
    }),
    { numRuns: 500 },
  );
});

test.each(Object.entries(HOSTILE_TEXTS))('%s take linear time', { timeout: 2_000 }, (_, text) => {
  expect(breakOpportunities(text, { ...BROWSER, locale: 'ja', strictness: 'loose' }).length).toBe(text.length + 1);
});
