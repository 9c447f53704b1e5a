import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeBidi, type Direction, reorderLine, visualOrder } from '#core/text/bidi.ts';
import { conformanceCases } from '../../unicode/conformance-data.ts';
import { HOSTILE_TEXTS } from './hostile-text.ts';

test('BidiCharacterTest 15.0: every level and every order', () => {
  const cases = conformanceCases('BidiCharacterTest');
  const wrong: string[] = [];
  for (const line of cases) {
    const [codePoints = '', direction = '', paragraphLevel, levels = '', order] = line.split(';');
    const characters = codePoints.split(' ').map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
    const expected = levels.split(' ');
    const bidi = analyzeBidi(characters.join(''), (['ltr', 'rtl', 'auto'] as const)[Number(direction)] ?? 'auto');

    const characterAt = new Map<number, number>();
    let offset = 0;
    for (const [index, character] of characters.entries()) {
      characterAt.set(offset, index);
      offset += character.length;
    }
    const actual: string[] = [];
    const visual: number[] = [];
    for (const { start, end, level } of reorderLine(bidi, 0, offset)) {
      const run: number[] = [];
      for (let at = start; at < end; at++) {
        const index = characterAt.get(at);
        if (index === undefined) continue;
        // The file marks characters that rule X9 removes with x: they have no defined level, so it is not compared.
        actual[index] = expected[index] === 'x' ? 'x' : String(level);
        if (expected[index] !== 'x') run.push(index);
      }
      visual.push(...(level % 2 === 1 ? run.reverse() : run));
    }
    if (
      String(bidi.paragraphs[0]?.level) !== paragraphLevel ||
      actual.join(' ') !== levels ||
      visual.join(' ') !== order
    ) {
      wrong.push(line);
    }
  }
  expect(wrong).toEqual([]);
  expect(cases.length).toBe(91_707);
});

/** Levels as digits, paragraphs divided by `|`. */
function check(text: string, direction: Direction, expected: string): void {
  const { levels, paragraphs } = analyzeBidi(text, direction);
  expect(paragraphs.map(({ start, end }) => levels.slice(start, end).join('')).join('|')).toBe(expected);
}

test('Latin text is level 0', () => check('Hi, 1+1!', 'auto', '00000000'));
test('Latin text in a right-to-left paragraph', () => check('Hi!', 'rtl', '221'));
test('a paragraph takes its first strong direction', () => check('1 אב a', 'auto', '211112'));
test('each paragraph finds its own direction', () => check('a1\nא1\n1', 'auto', '000|121|0'));
test('a CR LF is one separator', () => check('א\r\nא', 'auto', '111|1'));
test('text may end in a separator', () => check('א\n', 'auto', '11'));
test('empty text is one paragraph', () => check('', 'rtl', ''));
test('a surrogate pair keeps one level', () => check('a𐤀𐤁😀 b', 'ltr', '011110000'));
test('a lone surrogate reads from left to right', () => check('א\ud800א\udc00', 'rtl', '1212'));
test('removed controls take the level before them', () => check('אב\u200dc\u200d', 'ltr', '11100'));
test('removed controls at the start take the level after them', () => check('\u202bאב\u202c', 'ltr', '1111'));
test('blanks before a tab take the paragraph level', () => check('אב 😀 \tג', 'ltr', '11111001'));

/** Compares the line's runs from left to right; runs of odd level are reversed. */
function checkLine(text: string, direction: Direction, line: [number, number], expected: string): void {
  const runs = reorderLine(analyzeBidi(text, direction), ...line);
  const show = (start: number, end: number, level: number) => {
    const slice = text.slice(start, end);
    return level % 2 === 1 ? [...slice].reverse().join('') : slice;
  };
  expect(runs.map(({ start, end, level }) => show(start, end, level)).join('|')).toBe(expected);
}

test('a run of Hebrew is reversed in place', () => checkLine('ab אבג cd', 'ltr', [0, 9], 'ab |גבא| cd'));
test('an order is of the line alone', () => checkLine('ab אבג דהו cd', 'ltr', [3, 7], 'גבא| '));
test('blanks at a line end go to the end side of the paragraph', () =>
  checkLine('אב cd  ', 'rtl', [0, 7], '  |cd| בא'));
test('an emoji at a line end is no blank', () => checkLine('אב😀', 'ltr', [0, 4], 'בא|😀'));
test('numbers run left to right among Arabic', () => checkLine('سعر 123 ريال', 'rtl', [0, 12], 'لاير |123| رعس'));
test('an empty line has no runs', () => checkLine('אב', 'auto', [1, 1], ''));

test('visualOrder follows L2', () => {
  expect(visualOrder([])).toEqual([]);
  expect(visualOrder([0, 0])).toEqual([0, 1]);
  expect(visualOrder([1, 1, 1])).toEqual([2, 1, 0]);
  expect(visualOrder([0, 1, 2, 1, 0])).toEqual([0, 3, 2, 1, 4]);
  expect(visualOrder([1, 2, 2, 1, 0, 1])).toEqual([3, 1, 2, 0, 4, 5]);
});

/** Arbitrary UTF-16, with many characters that the bidi algorithm treats specially. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'a א ب 1 ٣ ( ) [ ] \t \n \r + , $ \u0300'.split(' '), ' '),
      fc.constantFrom(...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200d\u200f\u2329\u3009'),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0, max: 0x10ffff }).map((codePoint) => String.fromCodePoint(codePoint)),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));
const anyDirection = fc.constantFrom<Direction>('ltr', 'rtl', 'auto');

test('any UTF-16 gets a level a unit, whole pairs and paragraphs without gaps', () => {
  fc.assert(
    fc.property(anyText, anyDirection, (text, direction) => {
      const { levels, paragraphs } = analyzeBidi(text, direction);
      expect(levels.length).toBe(text.length);
      let end = 0;
      for (const paragraph of paragraphs) {
        expect(paragraph.start).toBe(end);
        end = paragraph.end;
        for (let i = paragraph.start; i < end; i++) expect(levels[i]).toBeGreaterThanOrEqual(paragraph.level);
      }
      expect(end).toBe(text.length);
      for (const [index, level] of levels.entries()) {
        expect(level).toBeLessThanOrEqual(126);
        if (index > 0 && text.codePointAt(index - 1)! > 0xffff) expect(level).toBe(levels[index - 1]);
      }
    }),
    { numRuns: 500 },
  );
});

test('a line keeps every unit, whichever way it is ordered', () => {
  fc.assert(
    fc.property(anyText, anyDirection, (text, direction) => {
      const bidi = analyzeBidi(text, direction);
      for (const { start, end } of bidi.paragraphs) {
        const runs = reorderLine(bidi, start, end).sort((a, b) => a.start - b.start);
        let at = start;
        for (const run of runs) {
          expect(run.start).toBe(at);
          at = run.end;
        }
        expect(at).toBe(end);
      }
    }),
    { numRuns: 500 },
  );
});

test.each(Object.entries(HOSTILE_TEXTS))('%s take linear time', { timeout: 2_000 }, (_, text) => {
  const bidi = analyzeBidi(text, 'auto');
  for (const { start, end } of bidi.paragraphs) reorderLine(bidi, start, end);
  expect(bidi.levels.length).toBe(text.length);
});
