import { expect, test } from 'vitest';
import { fitImage, tileRects } from '#core/layout/image-fit.ts';
import type { ImageNode, Tiles } from '#core/resolve/scene.ts';

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

const px = (value: number) => ({ kind: 'px', value }) as const;
const percent = (value: number) => ({ kind: 'percent', value }) as const;

// CSS Backgrounds 3, 3.4 to 3.7, in a box of 100 by 50 px.
test.each<[string, Partial<Tiles>, string]>([
  ['once, in the middle', { repeat: ['no-repeat', 'no-repeat'], position: [percent(50), percent(50)] }, '45,35 30x20'],
  ['once, from the right', { repeat: ['no-repeat', 'no-repeat'], position: [percent(100), px(5)] }, '80,25 30x20'],
  [
    'across, from the corner',
    { repeat: ['repeat', 'no-repeat'] },
    '10,20 30x20; 40,20 30x20; 70,20 30x20; 100,20 30x20',
  ],
  [
    'across, moved',
    { repeat: ['repeat', 'no-repeat'], position: [px(40), px(0)] },
    '-10,20 30x20; 20,20 30x20; 50,20 30x20; 80,20 30x20',
  ],
  ['with space between', { repeat: ['space', 'no-repeat'] }, '10,20 30x20; 45,20 30x20; 80,20 30x20'],
  [
    'as many as are whole',
    { repeat: ['round', 'no-repeat'], size: [px(40), px(50)] },
    '10,20 33.33x50; 43.33,20 33.33x50; 76.67,20 33.33x50',
  ],
  ['as large as it can be', { size: 'contain', repeat: ['no-repeat', 'no-repeat'] }, '10,20 75x50'],
  ['over all', { size: 'cover', position: [px(0), percent(50)] }, '10,11.67 100x66.67'],
  ['half as wide', { size: [percent(50), null], repeat: ['no-repeat', 'no-repeat'] }, '10,20 50x33.33'],
  [
    'in an area inside of the box, and on around it',
    { area: { top: 10, right: 0, bottom: 20, left: 5 } },
    '-15,10 30x20; 15,10 30x20; 45,10 30x20; 75,10 30x20; 105,10 30x20; -15,30 30x20; 15,30 30x20; 45,30 30x20; 75,30 30x20; 105,30 30x20; -15,50 30x20; 15,50 30x20; 45,50 30x20; 75,50 30x20; 105,50 30x20',
  ],
  [
    'once, at the end of an area outside of the box',
    {
      area: { top: -4, right: -6, bottom: -4, left: -6 },
      repeat: ['no-repeat', 'no-repeat'],
      position: [percent(100), px(0)],
    },
    '86,16 30x20',
  ],
  ['too small to be seen', { size: [px(0), px(0)] }, ''],
  ['more than there can be', { size: [px(0.1), px(0.1)] }, 'too many'],
])('tiles: %s', (_, tiles, expected) => {
  const initial = { size: [null, null], position: [px(0), px(0)], repeat: ['repeat', 'repeat'] } as const;
  const rects = tileRects({ ...initial, ...tiles }, { width: 30, height: 20 }, BOX);
  const round = (value: number) => Math.round(value * 100) / 100;
  const shown = rects?.map((r) => `${round(r.x)},${round(r.y)} ${round(r.width)}x${round(r.height)}`).join('; ');
  expect(shown ?? 'too many').toBe(expected);
});
