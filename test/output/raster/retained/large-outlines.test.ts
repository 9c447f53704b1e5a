// Outlines that are too large or too intricate to be covered here look as they do in one piece.

import { expect, test } from 'vitest';
import { parseTemplate } from '#core/template/template.ts';
import { deviation, placeTemplate, plainly, retained } from './both-ways.ts';

async function check(width: number, height: number, layer: object): Promise<void> {
  const layers = [{ name: 'outline', x: 4, y: 4, ...layer }];
  const template = parseTemplate({ name: 'Large', width, height, layers } as Parameters<typeof parseTemplate>[0]);
  const placed = await placeTemplate(template, {}, { read: () => Promise.reject(new Error('no pictures')) });
  const kept = await retained(placed);
  if (kept === null) throw new Error('was not drawn from kept rasters');
  const { most, share } = deviation(await plainly(placed), kept);
  // The rasteriser draws 8,191 px at a time; where one such part ends, a sample may fall to either side.
  expect(most).toBeLessThanOrEqual(64);
  expect(share).toBeLessThan(0.0005);
}

const triangle = { shape: 'polygon', points: 3 };
const fill = '#123456';

test('a shape as wide as a canvas can be', () =>
  check(16_000, 40, { type: 'shape', ...triangle, width: 15_900, height: 30, fill }));
test('a shape as high as a canvas can be', () =>
  check(40, 16_000, { type: 'shape', ...triangle, width: 30, height: 15_900, fill }));
test('a mask that reaches far beyond the canvas', () =>
  check(200, 100, { type: 'shape', width: 30_000, height: 80, fill, mask: triangle }));
test('a zigzag from top to bottom', () => {
  const d = `M0 0l${'.5 9 .5-9 '.repeat(300)}`;
  return check(330, 200, { type: 'shape', shape: 'path', d, viewBox: [0, 0, 300, 9], width: 300, height: 180, fill });
});
test('letters on one another, all along a canvas', () =>
  check(16_000, 40, { type: 'text', text: 'nowhere\u00a0'.repeat(450), fontSize: 16, letterSpacing: -3.5 }));
