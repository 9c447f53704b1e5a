// Tests what balance and pretty guarantee for any text, compared with greedy lines. Chromium's own lines are in
// chromium/.

import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import { layOut, linesOf, style, textNode } from './faces.ts';

function check(textWrap: TextNode['textWrap'], text: string, width: number, expected: string[]): void {
  const node = textNode(text, { textWrap });
  expect(linesOf(node, layOut(node, width))).toEqual(expected);
}

test('balance evens out two lines', () =>
  check('balance', 'One two three four five', 160, ['One two ', 'three four five']));
test('each paragraph is balanced for itself', () =>
  check('balance', 'One two three four five\nsix', 160, ['One two ', 'three four five\n', 'six']));
test('pretty takes a second word down', () =>
  check('pretty', 'One two three four five', 145, ['One two three ', 'four five']));
test('pretty leaves two words that cannot stand on one line', () =>
  check('pretty', 'Donaudampf schiffahrt', 100, ['Donaudampf ', 'schiffahrt']));
test('a word wider than the line is cut where it would be', () =>
  check('balance', 'Donaudampfschifffahrt', 100, linesOf(textNode(LONG), layOut(textNode(LONG), 100))));
const LONG = 'Donaudampfschifffahrt';

test('never more lines, nor wider ones', () => {
  const text = 'It was the best of times, it was the worst of times, it was the age of wisdom and of foolishness.';
  for (let width = 40; width < 400; width += 7) {
    const plain = layOut(textNode(text), width);
    for (const textWrap of ['balance', 'pretty'] as const) {
      const { lines, size } = layOut(textNode(text, { textWrap }), width);
      expect(lines.length).toBe(plain.lines.length);
      expect(size.width).toBeLessThanOrEqual(width + 0.01);
      expect(lines.at(-1)?.end).toBe(text.length);
    }
  }
});

test('what maxLines cuts is not balanced', () => {
  const cut = { maxLines: 2, overflow: 'ellipsis' } as const;
  const text = 'One two three four five six seven eight nine ten';
  const plain = layOut(textNode(text, cut), 120);
  expect(layOut(textNode(text, { ...cut, textWrap: 'balance' }), 120)).toEqual(plain);
});

test('autoFit settles on the same size', () => {
  const spans = [
    { text: 'A headline that has to shrink', style: style({ fontSize: 60 }), link: null, counter: null, image: null },
  ];
  const fitted = (textWrap: TextNode['textWrap']) =>
    layOut(textNode(spans, { textWrap, autoFitMin: 8, maxLines: 2 }), 200, 100);
  expect(fitted('balance').scale).toBe(fitted('wrap').scale);
  expect(fitted('balance').overflows).toBe(false);
});

test('a text of many paragraphs or words keeps all of them', { timeout: 10_000 }, () => {
  for (const textWrap of ['balance', 'pretty'] as const) {
    const paragraphs = 'one two three\n'.repeat(4_000);
    expect(layOut(textNode(paragraphs, { textWrap }), 60).lines.at(-1)?.end).toBe(paragraphs.length);
    const words = 'word '.repeat(8_000);
    expect(layOut(textNode(words, { textWrap }), 8_000).lines.at(-1)?.end).toBe(words.length);
  }
});
