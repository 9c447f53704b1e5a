// Tests autoFit: the font size that is chosen for a text.

import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import { layOut, style, textNode } from './faces.ts';

const headline = (text: string, more: Partial<TextNode>, fontSize = 72) =>
  textNode([{ text, style: style({ fontSize }), link: null, counter: null, image: null }], { autoFitMin: 8, ...more });

const size = (node: TextNode, width: number | null, height: number | null) => 72 * layOut(node, width, height).scale;

test('what fits keeps its size', () => expect(size(headline('Hi', {}), 300, 100)).toBe(72));
test('what has no box keeps its size', () => expect(size(headline('Hi', {}), null, null)).toBe(72));
test('without autoFit nothing shrinks', () =>
  expect(size(headline('A long headline', { autoFitMin: null }), 100, 50)).toBe(72));
test('it stops at the smallest size allowed', () => {
  const paragraph = layOut(headline('A long headline', { autoFitMin: 50 }), 100, 50);
  expect(72 * paragraph.scale).toBeCloseTo(50, 9);
  expect(paragraph.overflows).toBe(true);
});
test('a smallest size above the given one changes nothing', () =>
  expect(size(headline('A long headline', { autoFitMin: 90 }), 100, 50)).toBe(72));

test('the size found is the largest that fits, in eighths of a pixel', () => {
  for (const [width, height] of [
    [300, 100],
    [200, 200],
    [333, 47],
    [120, 400],
  ] as const) {
    const node = headline('Everything fits somewhere, sooner or later', {});
    const found = size(node, width, height);
    expect(found * 8).toBeCloseTo(Math.round(found * 8), 6);
    const at = (fontSize: number) =>
      layOut(headline('Everything fits somewhere, sooner or later', { autoFitMin: null }, fontSize), width, height);
    expect(at(found).overflows).toBe(false);
    const larger = at(found + 0.125);
    const splitsWord = larger.lines.some(
      (line) => !/\s|,/.test('Everything fits somewhere, sooner or later'.charAt(line.end - 1)) && line.end < 42,
    );
    expect(larger.overflows || splitsWord).toBe(true);
  }
});
test('words are not broken where a smaller size avoids it', () => {
  const { lines } = layOut(headline('Donaudampfschifffahrt voraus', {}), 200, 400);
  expect(lines).toHaveLength(2);
});
test('it fits maxLines', () => {
  const { lines, scale } = layOut(headline('A headline of several words in one line', { maxLines: 1 }), 400, null);
  expect(lines).toHaveLength(1);
  expect(scale).toBeLessThan(0.5);
});
test('all spans shrink together, with their spacing', () => {
  const spans = [
    { text: 'Large ', style: style({ fontSize: 60, letterSpacing: 6 }), link: null, counter: null, image: null },
    { text: 'and small', style: style({ fontSize: 30 }), link: null, counter: null, image: null },
  ];
  const { lines, scale } = layOut(textNode(spans, { autoFitMin: 5, maxLines: 1 }), 120, null);
  expect(scale).toBeLessThan(1);
  const runs = lines[0]?.runs.map(({ run }) => run) ?? [];
  expect(runs.map((run) => run.fontSize)).toEqual([60 * scale, 30 * scale]);
  const natural = layOut(textNode(spans), null).lines[0]?.box.width ?? 0;
  expect(lines[0]?.box.width).toBeCloseTo(natural * scale, 6);
});

const grown = (text: string, max: number | null, more: Partial<TextNode> = {}) =>
  headline(text, { autoFitMax: max, ...more });
test('a text grows to the largest size that fits, in eighths of a pixel', () => {
  const found = size(grown('Hi there', 2000), 600, 400);
  expect(found).toBeGreaterThan(72);
  const at = (fontSize: number) => layOut(headline('Hi there', { autoFitMin: null }, fontSize), 600, 400);
  expect(at(found).overflows).toBe(false);
  expect(at(found + 0.125).overflows).toBe(true);
});
test('it grows no further than `max`', () => expect(size(grown('Hi', 90.3), 600, 400)).toBeCloseTo(90.3, 9));
test('one line is fitted to the width, whatever its height', () => {
  const { lines, size: box, scale } = layOut(grown('One line', 500, { maxLines: 1 }), 700, null);
  expect([lines.length, scale > 1, box.width > 690 && box.width <= 700]).toEqual([1, true, true]);
});
test('a text that does not fit still shrinks', () =>
  expect(size(grown('A long headline', 500), 100, 50)).toBeLessThan(72));
test('without a width it keeps its size', () => expect(size(grown('Hi', 500), null, 300)).toBe(72));
test('a `max` below the size given changes nothing', () => expect(size(grown('Hi', 20), 600, 400)).toBe(72));
