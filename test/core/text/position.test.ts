// Tests superscripts and subscripts: their size, their shift, and what they do not affect.

import { expect, test } from 'vitest';
import { face, layOut, style, textNode } from './faces.ts';

const { superscript, subscript } = face('inter').metrics;
const words = (position: 'super' | 'sub', fontSize = 20) => [
  { text: 'x', style: style({ fontSize: 20 }), link: null, counter: null, image: null },
  { text: '2', style: style({ fontSize, position }), link: null, counter: null, image: null },
];

test('the face says how large and how high a superscript is', () => {
  const [letter, raised] = layOut(textNode(words('super')), null).lines[0]?.runs ?? [];
  expect(raised?.run.fontSize).toBeCloseTo(20 * superscript.size);
  expect((letter?.baseline ?? 0) - (raised?.baseline ?? 0)).toBeCloseTo(20 * superscript.rise);
});

test('a subscript stands below the baseline', () => {
  const [letter, lowered] = layOut(textNode(words('sub')), null).lines[0]?.runs ?? [];
  expect(subscript.rise).toBeLessThan(0);
  expect((letter?.baseline ?? 0) - (lowered?.baseline ?? 0)).toBeCloseTo(20 * subscript.rise);
});

test('the line is as high as without it', () => {
  const plain = layOut(
    textNode([{ text: 'x2', style: style({ fontSize: 20 }), link: null, counter: null, image: null }]),
    null,
  );
  expect(layOut(textNode(words('super')), null).size.height).toBe(plain.size.height);
  expect(layOut(textNode(words('sub')), null).size.height).toBe(plain.size.height);
});

test('autoFit scales both the size and the rise', () => {
  const { scale, lines } = layOut(textNode(words('super'), { autoFitMin: 5 }), 10);
  const [letter, raised] = lines[0]?.runs ?? [];
  expect(scale).toBeLessThan(1);
  expect((letter?.baseline ?? 0) - (raised?.baseline ?? 0)).toBeCloseTo(20 * superscript.rise * scale);
});
