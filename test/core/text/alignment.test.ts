// Tests where lines start in their box, and which spaces justification widens.

import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import { layOut, linesOf, query, style, textNode } from './faces.ts';

type Align = TextNode['align'];

const hebrew = style({ font: query('inter', 'hebrew') });
const ONE_LINE = layOut(textNode('Platen'), null).size.width;

function check(align: Align, text: string, expectedX: number, direction: TextNode['direction'] = 'auto'): void {
  const node = textNode([{ text, style: hebrew, link: null, counter: null, image: null }], { align, direction });
  const { lines } = layOut(node, 200);
  expect(lines[0]?.box.x).toBeCloseTo(expectedX, 6);
  expect(lines[0]?.runs[0]?.x).toBeCloseTo(expectedX, 6);
}

test('start is left in left-to-right text', () => check('start', 'Platen', 0));
test('end is right in left-to-right text', () => check('end', 'Platen', 200 - ONE_LINE));
test('right is right', () => check('right', 'Platen', 200 - ONE_LINE));
test('center is the middle', () => check('center', 'Platen', (200 - ONE_LINE) / 2));
test('start is right in a right-to-left paragraph', () => check('start', 'Platen', 200 - ONE_LINE, 'rtl'));
test('end is left in a right-to-left paragraph', () => check('end', 'Platen', 0, 'rtl'));
test('left is left in a right-to-left paragraph', () => check('left', 'Platen', 0, 'rtl'));
test('trailing spaces do not push text out of the centre', () => check('center', 'Platen   ', (200 - ONE_LINE) / 2));
test('leading spaces stay as typed', () => {
  const [line] = layOut(textNode('  Platen'), 200).lines;
  expect(line?.box.width).toBeGreaterThan(ONE_LINE + 5);
});
function checkTooWide(text: string, align: Align, leftOf: (width: number) => number): void {
  const node = textNode([{ text, style: { ...hebrew, fontSize: 100 }, link: null, counter: null, image: null }], {
    align,
  });
  const [line] = layOut(node, 10).lines;
  expect(line?.box.x).toBeCloseTo(leftOf(line?.box.width ?? 0), 6);
}
test('what is too wide reaches out at its end, even centred', () => checkTooWide('W', 'center', () => 0));
test('what is too wide reaches out at its end, even at the right', () => checkTooWide('W', 'right', () => 0));
test('what is too wide reaches out on the left, right to left', () => checkTooWide('ש', 'left', (width) => 10 - width));
test('without a width lines align to the widest', () => {
  const { lines, size } = layOut(textNode('Platen press\nink', { align: 'right' }), null);
  expect((lines[1]?.box.x ?? 0) + (lines[1]?.box.width ?? 0)).toBeCloseTo(size.width, 6);
});
test('each paragraph has a direction of its own', () => {
  const node = textNode([{ text: 'Platen\nשלום', style: hebrew, link: null, counter: null, image: null }]);
  const { lines } = layOut(node, 200);
  expect(lines.map((line) => line.box.x > 100)).toEqual([false, true]);
});

const FOX = 'The quick brown fox jumps over the lazy dog';
test('justify fills every line but the last', () => {
  const { lines } = layOut(textNode(FOX, { align: 'justify' }), 120);
  const widths = lines.map((line) => Math.round(line.box.width * 1000) / 1000);
  expect(widths.slice(0, -1)).toEqual(widths.slice(0, -1).map(() => 120));
  expect(widths.at(-1)).toBeLessThan(100);
});
test('justify leaves a line before an explicit break alone', () => {
  const { lines } = layOut(textNode('The quick\nbrown fox', { align: 'justify' }), 120);
  expect(lines.map((line) => line.box.width < 100)).toEqual([true, true]);
});
test('justify widens the spaces alone, all by as much', () => {
  const node = textNode(FOX, { align: 'justify' });
  const [line] = layOut(node, 130).lines;
  const [natural] = layOut(textNode(FOX), 130).lines;
  const advances = (of: typeof line) => of?.runs.flatMap(({ run }) => run.glyphs.map(({ advance }) => advance)) ?? [];
  const added = advances(line).map((advance, i) => Math.round((advance - (advances(natural)[i] ?? 0)) * 1000) / 1000);
  const text = linesOf(node, layOut(node, 130))[0] ?? '';
  expect(new Set([...text.trimEnd()].flatMap((character, i) => (character === ' ' ? [added[i]] : [])))).toHaveLength(1);
  expect([...text.trimEnd()].some((character, i) => character !== ' ' && added[i] !== 0)).toBe(false);
});
test('justify widens between ideographs', () => {
  const node = textNode(
    [{ text: '日本語組版処理', style: style({ font: query('japanese') }), link: null, counter: null, image: null }],
    {
      align: 'justify',
    },
  );
  const [line] = layOut(node, 90).lines;
  expect(line?.box.width).toBeCloseTo(90, 6);
  expect(line?.runs[0]?.run.glyphs.map(({ x }) => Math.round(x * 10) / 10)).toEqual([0, 18.5, 37, 55.5, 74]);
});
test('justify does not part a word that is alone on its line', () => {
  const { lines } = layOut(textNode('Extraordinary circumstances', { align: 'justify' }), 110);
  expect(lines[0]?.box.width).toBeLessThan(105);
});
