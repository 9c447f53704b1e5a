import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findFocus } from '#draw/images/focus.ts';
import { inspectImage } from '#draw/images/inspect.ts';
import { svg } from './pictures.ts';

/** A white picture of 1000 × 500 px with an orange spot of 60 px centred at (x, y). */
async function spot(x: number, y: number): Promise<Buffer> {
  const orange = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#f60' } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 1000, height: 500, channels: 3, background: '#fff' } })
    .composite([{ input: orange, left: x - 30, top: y - 30 }])
    .png()
    .toBuffer();
}

/** Checks that the crop of this aspect ratio at the focus contains the whole spot, to within 4 px. */
async function check(by: 'attention' | 'entropy', at: [number, number], aspect: number): Promise<void> {
  const image = await inspectImage(await spot(...at));
  const focus = await findFocus(image, by, aspect);
  const scale = Math.min(image.width / aspect, image.height);
  const crop = { width: scale * aspect, height: scale };
  const left = (image.width - crop.width) * focus.x;
  const top = (image.height - crop.height) * focus.y;
  expect(left).toBeLessThanOrEqual(at[0] - 30 + 4);
  expect(left + crop.width).toBeGreaterThanOrEqual(at[0] + 30 - 4);
  expect(top).toBeLessThanOrEqual(at[1] - 30 + 4);
  expect(top + crop.height).toBeGreaterThanOrEqual(at[1] + 30 - 4);
}

test('attention, square, to the right', () => check('attention', [850, 200], 1));
test('attention, square, to the left', () => check('attention', [100, 200], 1));
test('attention, tall', () => check('attention', [700, 250], 0.5));
test('attention, wide, above', () => check('attention', [500, 60], 4));
test('attention, wide, below', () => check('attention', [500, 430], 4));
test('entropy, square', () => check('entropy', [850, 200], 1));

test('where nothing is cut the middle is kept', async () =>
  expect(await findFocus(await inspectImage(await spot(850, 100)), 'attention', 2)).toEqual({ x: 0.5, y: 0.5 }));
test('without an aspect', async () => {
  const { x } = await findFocus(await inspectImage(await spot(850, 200)), 'attention', null);
  expect(x).toBeGreaterThan(0.9);
});
test('extreme aspects stay in range', async () => {
  const image = await inspectImage(await spot(850, 200));
  for (const aspect of [0.001, 1000]) {
    const { x, y } = await findFocus(image, 'attention', aspect);
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(Math.max(x, y)).toBeLessThanOrEqual(1);
  }
});
test('SVG', async () => {
  const file = svg('width="40" height="20"', '<rect x="32" y="8" width="4" height="4" fill="#f60"/>');
  const { x } = await findFocus(await inspectImage(file), 'attention', 1);
  expect(x).toBeGreaterThan(0.8);
});
