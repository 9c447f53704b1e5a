import { expect, test } from 'vitest';
import { fitImage } from '#core/layout/image-fit.ts';
import type { ImageNode } from '#core/resolve/scene.ts';

const BOX = { x: 10, y: 20, width: 100, height: 50 };

function check(
  fit: ImageNode['fit'],
  [width, height]: [number, number],
  [x, y]: [number, number],
  expected: string,
  zoom = 1,
) {
  const placed = fitImage({ width, height }, BOX, fit, { x, y }, zoom);
  const show = (r: typeof BOX) => `${r.x},${r.y} ${r.width}×${r.height}`;
  expect(placed ? `${show(placed.source)} → ${show(placed.dest)}` : 'nothing').toBe(expected);
}

test('fill stretches', () => check('fill', [30, 30], [0.5, 0.5], '0,0 30×30 → 10,20 100×50'));
test('cover crops the long side', () => check('cover', [200, 200], [0.5, 0.5], '0,50 200×100 → 10,20 100×50'));
test('cover keeps the focus', () => check('cover', [200, 200], [0.5, 0], '0,0 200×100 → 10,20 100×50'));
test('cover enlarges', () => check('cover', [10, 10], [0, 1], '0,5 10×5 → 10,20 100×50'));
test('contain rests at the focus', () => check('contain', [40, 40], [1, 0.5], '0,0 40×40 → 60,20 50×50'));
test('contain leaves bands', () => check('contain', [200, 50], [0.5, 0.5], '0,0 200×50 → 10,32.5 100×25'));
test('none keeps the size and crops', () => check('none', [140, 20], [0.5, 0.5], '20,0 100×20 → 10,35 100×20'));
test('scale-down is none when small', () => check('scale-down', [20, 10], [0.5, 0.5], '0,0 20×10 → 50,40 20×10'));
test('scale-down is contain when large', () => check('scale-down', [400, 100], [0, 0], '0,0 400×100 → 10,20 100×25'));
test('zoom shows less of the image, about the focus', () => {
  check('cover', [200, 200], [0.5, 0.5], '50,75 100×50 → 10,20 100×50', 2);
  check('cover', [200, 200], [1, 0], '100,0 100×50 → 10,20 100×50', 2);
  check('fill', [30, 30], [0, 0], '0,0 10×10 → 10,20 100×50', 3);
});
test('zoom of an image that leaves bands fills them first', () => {
  check('contain', [50, 50], [0.5, 0.5], '0,5 50×40 → 28.75,20 62.5×50', 1.25);
  check('contain', [50, 50], [0.5, 0.5], '0,12.5 50×25 → 10,20 100×50', 2);
});
test('a focus far outside moves the image out', () => check('contain', [50, 50], [3, 0], 'nothing'));
test('an empty image shows nothing', () => check('cover', [0, 10], [0.5, 0.5], 'nothing'));
