// Tests vertical lines: which letters are upright, where they are placed, and which are turned with the line.

import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import { prepareText } from '#core/text/lay-out-text.ts';
import type { Paragraph } from '#core/text/paragraph.ts';
import { uprightUnits } from '#core/text/vertical-orientation.ts';
import { face, fontSet, layOut, linesOf, query, style, textNode } from './faces.ts';

const JA = style({ font: query('inter', 'japanese', 'arabic', 'emoji'), fontSize: 20, lineHeight: 1.5 });

function vertical(text: string, more: Partial<TextNode> = {}, look = JA): TextNode {
  const spans = [{ text, style: look, link: null, counter: null, image: null }];
  return textNode(spans, { writingMode: 'vertical-rl', ...more });
}

/** Each run's text, followed by ↓ if its letters are upright. */
function runsOf({ lines }: Paragraph): string {
  return lines
    .flatMap(({ runs }) => runs)
    .map(({ run }) => run.text + (run.direction === 'ttb' || run.direction === 'btt' ? '↓' : ''))
    .join('|');
}

const check = (text: string, expected: string, more: Partial<TextNode> = {}) =>
  expect(runsOf(layOut(vertical(text, more), null))).toBe(expected);

test('mixed: kana and Han stand, Latin is turned', () => check('縦ABC書', '縦↓|ABC|書↓'));
test('mixed: brackets and the long mark stand in their vertical forms', () => check('（ー）', '（ー）↓'));
test('mixed: digits and half-width kana are turned', () => check('１2ｱ', '１↓|2|ｱ'));
test('mixed: emoji and keycaps stand', () => check('A😀1️⃣', 'A|😀1️⃣↓'));
test('upright: all stand', () => check('縦A b', '縦↓|A b↓', { textOrientation: 'upright' }));
test('upright: right-to-left letters read downwards', () => check('اب', 'اب↓', { textOrientation: 'upright' }));
test('sideways: none stands', () => check('縦A', '縦|A', { textOrientation: 'sideways' }));
test('horizontal: none stands', () =>
  check('縦A', '縦|A', { writingMode: 'horizontal-tb', textOrientation: 'upright' }));

test('a mark stands with its letter', () => {
  const clusters = Uint8Array.from([1, 0, 1, 0, 1]);
  expect([...uprightUnits('か\u3099e\u0301', 'mixed', clusters)]).toEqual([1, 1, 0, 0]);
});

test('what has no form for vertical lines is turned', () => {
  // Inter has no wide bracket at all, so no vertical form of it; Noto Sans JP has vertical forms of brackets, but not
  // of quotation marks.
  expect(face('japanese').hasVerticalForm(0xff08, 'Hani')).toBe(true);
  expect(face('japanese').hasVerticalForm(0x201c, 'Hani')).toBe(false);
  expect(face('chinese').hasVerticalForm(0x201c, 'Hani')).toBe(true);
});

test('upright letters stand an em below one another, about the central baseline', () => {
  const [line] = layOut(vertical('縦書'), null).lines;
  const [run] = line?.runs ?? [];
  expect(run?.run.glyphs.map(({ x, y, advance }) => [x, y, advance])).toEqual([
    [-10, 17.6, 20],
    [-10, 37.6, 20],
  ]);
  expect(line?.baseline).toBe(15);
  expect(run?.baseline).toBe(15);
});

test('turned letters lie on the alphabetic baseline', () => {
  const [line] = layOut(vertical('縦x'), null).lines;
  const { ascent, descent } = face('inter').metrics;
  const below = (Math.round(20 * ascent) - Math.round(20 * descent)) / 2;
  expect((line?.runs[1]?.baseline ?? 0) - (line?.baseline ?? 0)).toBe(below);
});

test('a face without vertical metrics moves the pen by its ascent and descent', () => {
  const [run] = layOut(vertical('ab', { textOrientation: 'upright' }), null).lines[0]?.runs ?? [];
  const { ascent, descent } = face('inter').metrics;
  expect(run?.run.glyphs[0]?.advance).toBeCloseTo(20 * (ascent + descent), 2);
});

test('lines break along the height and follow one another across', () => {
  const node = vertical('縦書きの行');
  const paragraph = layOut(node, 60);
  expect(linesOf(node, paragraph)).toEqual(['縦書き', 'の行']);
  expect(paragraph.size).toEqual({ width: 60, height: 60 });
  expect(paragraph.lines.map(({ box }) => box.y)).toEqual([0, 30]);
});

test('vertical-lr puts the first line farthest from the upper side, which is the right', () => {
  const paragraph = layOut(vertical('縦書きの行', { writingMode: 'vertical-lr' }), 60);
  expect(paragraph.lines.map(({ box }) => box.y)).toEqual([30, 0]);
});

test('an odd level ends at the top', () => {
  const node = vertical('日本', { direction: 'rtl' });
  const prepared = prepareText(node, fontSet(JA));
  expect(prepared.bidi.paragraphs[0]?.level).toBe(1);
  expect(layOut(node, 100).lines[0]?.box.x).toBe(60);
});

test('letter spacing stands below letters, and none below the last', () => {
  const spaced = { ...JA, letterSpacing: 4 };
  const [line] = layOut(vertical('縦書き', {}, spaced), null).lines;
  expect(line?.box.width).toBe(68);
});

test('autoFit fits the columns across', () => {
  const { scale, size } = layOut(vertical('縦書きの長い行', { autoFitMin: 4 }), 60, 40);
  expect(scale).toBeLessThan(1);
  expect(size.height).toBeLessThanOrEqual(40);
});

test('a picture takes its height along the line, and stands about the middle', () => {
  const image = { image: 'picture', width: 24, height: 10, align: 'baseline' } as const;
  const spans = [
    { text: '絵', style: JA, link: null, counter: null, image: null },
    { text: '\ufffc', style: JA, link: null, counter: null, image },
  ];
  const node = textNode(spans, { writingMode: 'vertical-rl' });
  const prepared = prepareText(node, fontSet(JA), new Map([['picture', { width: 1, height: 1 }]]));
  expect(prepared.spans[1]?.box).toEqual({ width: 10, height: 24, above: 12, below: 12 });
});
