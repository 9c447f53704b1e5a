// Tests whole paragraphs: the contents of each line, and its position.

import { expect, test } from 'vitest';
import { layOut, linesOf, query, style, textNode } from './faces.ts';

function check(text: string, width: number | null, expected: string[]): void {
  const node = textNode(text);
  expect(linesOf(node, layOut(node, width))).toEqual(expected);
}

const FOX = 'The quick brown fox jumps over the lazy dog';
test('wraps at spaces, which stay on the line they end', () =>
  check(FOX, 120, ['The quick ', 'brown fox ', 'jumps over the ', 'lazy dog']));
test('does not wrap without a width', () => check(FOX, null, [FOX]));
test('breaks at a line feed and keeps an empty line', () => check('a\n\nb', null, ['a\n', '\n', 'b']));
test('a line feed at the end opens no line', () => check('a\n', null, ['a\n']));
test('empty text is one line', () => check('', 100, ['']));
test('a word wider than the line breaks between clusters', () =>
  check('Donaudampfschiff', 80, ['Donauda', 'mpfschiff']));
test('a wide word starts on a line of its own', () =>
  check('so Donaudampfschiff', 80, ['so ', 'Donauda', 'mpfschiff']));

test('a space after a letter that is wider than the line hangs', () => {
  check('mm in', 13, ['m', 'm ', 'i', 'n']);
  check('m  mi', 13, ['m  ', 'm', 'i']);
});

test('empty text is as high as a line', () =>
  expect(layOut(textNode(''), null).size).toEqual({ width: 0, height: 19.2 }));

test('the width of the widest line is the size, without trailing space', () => {
  const { size, lines } = layOut(textNode('Hello \nHi'), null);
  expect(size.width).toBe(lines[0]?.box.width);
  expect(size.width).toBe(layOut(textNode('Hello'), null).size.width);
});

test('a line is as tall as its largest span', () => {
  const spans = [
    { text: 'a', style: style(), link: null, counter: null, image: null },
    { text: 'B', style: style({ fontSize: 40 }), link: null, counter: null, image: null },
  ];
  const [line] = layOut(textNode(spans), null).lines;
  expect(line?.box.height).toBe(48);
  expect(new Set(line?.runs.map((run) => run.baseline)).size).toBe(1);
});

test('space between paragraphs is above each but the first', () => {
  const node = textNode('one\ntwo three\n\nfour', { paragraphSpacing: 10 });
  const paragraph = layOut(node, 40);
  const { lines, size } = paragraph;
  expect(linesOf(node, paragraph)).toEqual(['one\n', 'two ', 'three\n', '\n', 'four']);
  expect(lines.map(({ box }) => Math.round(box.y * 10) / 10)).toEqual([0, 29.2, 48.4, 77.6, 106.8]);
  expect(lines.map(({ box }) => box.height)).toEqual([19.2, 19.2, 19.2, 19.2, 19.2]);
  expect(size.height).toBeCloseTo(126, 5);
  // As much as it takes of a box.
  const clipped = textNode('one\ntwo', { paragraphSpacing: 10, overflow: 'ellipsis' });
  expect(layOut(clipped, 100, 45).lines).toHaveLength(1);
  expect(layOut(clipped, 100, 49).lines).toHaveLength(2);
  // It shrinks with the letters: two lines of 19.2 and the space take 48.4 px, so half of it.
  const fitted = textNode('one\ntwo', { paragraphSpacing: 10, autoFitMin: 4 });
  const { scale, lines: small } = layOut(fitted, 100, 24.2);
  expect(scale).toBeLessThanOrEqual(0.5);
  expect((small[1]?.box.y ?? 0) - (small[0]?.box.height ?? 0)).toBeCloseTo(10 * scale, 5);
});

test('paragraphs of a list hang beside their markers, which are no part of the lines', () => {
  const node = textNode('one two\nthree\n \nfour\u2028more', { list: { style: 'decimal', indent: 30 } });
  const paragraph = layOut(node, 80);
  const { lines, size } = paragraph;
  expect(linesOf(node, paragraph)).toEqual(['one ', 'two\n', 'three\n', ' \n', 'four\u2028', 'more']);
  expect(lines.map(({ box }) => box.x)).toEqual([30, 30, 30, 30, 30, 30]);
  // A line without words is no item.
  expect(lines.map(({ item }) => item)).toEqual([1, 1, 2, undefined, 3, 3]);
  const markers = lines.map(({ runs }) => runs.filter(({ isMarker }) => isMarker));
  expect(markers.map((runs) => runs.map(({ run }) => run.text).join(''))).toEqual(['1.', '', '2.', '', '3.', '']);
  // As wide as its widest line with the indent; as wide as its own text it does not wrap.
  expect(size.width).toBeCloseTo(30 + layOut(textNode('three'), null).size.width, 5);
  expect(layOut(node, null).size.width).toBeCloseTo(30 + layOut(textNode('one two'), null).size.width, 5);
  // A marker and its space end where the words begin, in digits of one width.
  const tabular = style({ features: { tnum: 1 } });
  const spansOf = (text: string) => [{ text, style: tabular, link: null, counter: null, image: null }];
  const widthOf = (text: string) => layOut(textNode(spansOf(text)), null).size.width;
  const [first] = markers[0] ?? [];
  expect(first?.x).toBeCloseTo(30 - widthOf('1. x') + widthOf('x'), 5);
  expect(first?.baseline).toBe(lines[0]?.runs[1]?.baseline);
});

test('a list begins where its paragraphs do, and shrinks with its letters', () => {
  const list = { style: 'disc', indent: 30 } as const;
  const plain = { style: style({ font: query('hebrew', 'inter') }), link: null, counter: null, image: null };
  const [hebrew] = layOut(textNode([{ ...plain, text: 'שלום' }], { list }), 100).lines;
  const [marker, words] = hebrew?.runs ?? [];
  expect((words?.x ?? 0) + (words?.run.width ?? 0)).toBeCloseTo(70, 5);
  expect(marker?.x).toBeGreaterThan(70);
  const centred = layOut(textNode('mm', { list, align: 'center' }), 100).lines[0];
  const alone = layOut(textNode('mm'), null).size.width;
  expect(centred?.box.x).toBeCloseTo(30 + (70 - alone) / 2, 5);
  expect(centred?.runs[0]?.x).toBe(layOut(textNode('mm', { list }), 100).lines[0]?.runs[0]?.x);
  const fitted = layOut(textNode('one two three', { list, autoFitMin: 4 }), 60, 19.2);
  expect(fitted.lines[0]?.box.x).toBeCloseTo(30 * fitted.scale, 5);
  expect(fitted.scale).toBeLessThan(0.6);
});

test('the features of many spans are looked through once', () => {
  let looks = 0;
  const features = new Proxy<Record<string, number>>(
    { tnum: 1 },
    {
      ownKeys(target) {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  const spans = Array.from({ length: 1_000 }, () => ({
    text: 'a ',
    style: style({ features }),
    link: null,
    counter: null,
    image: null,
  }));
  expect(layOut(textNode(spans), null).lines[0]?.end).toBe(2_000);
  expect(looks).toBeLessThan(20);
});

test('a line of normal height has room for the letters of other fonts, as in Chromium', () => {
  const heights = (lineHeight: number | null) => {
    const lines = style({ font: query('inter', 'thai'), lineHeight });
    const spans = [{ text: 'a\nก', style: lines, link: null, counter: null, image: null }];
    return layOut(textNode(spans), null).lines.map(({ box }) => box.height);
  };
  // Inter has an ascent of 15.5 and a descent of 3.9, Noto Sans Thai of 17 and 7.2 px, each rounded.
  expect(heights(null)).toEqual([20, 24]);
  expect(heights(1.25)).toEqual([20, 20]);
});

test('text-align-last aligns the last line, and those before a forced break, by itself', () => {
  const xs = (more: object) => {
    const lines = layOut(textNode('one two three\nfour', { align: 'justify', ...more }), 80).lines;
    return lines.map(({ box }) => [Math.round(box.x), Math.round(box.width)].join(' '));
  };
  const [first, second, last] = xs({});
  expect([first, second, last].map((each) => each?.split(' ')[0])).toEqual(['0', '0', '0']);
  expect(
    xs({ alignLast: 'right' }).map((line) => line.split(' ').reduce((sum, each) => sum + Number(each), 0)),
  ).toEqual([80, 80, 80]);
});
