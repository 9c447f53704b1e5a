import { expect, test } from 'vitest';
import { IDENTITY, type Matrix, multiply, type Rect, rotation, transformRect } from '#core/geometry.ts';
import type { Filter, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { placeImages } from '#draw/output/raster/place-images.ts';

const IMAGE: ImageResource = {
  key: 'photo',
  format: 'png',
  width: 200,
  height: 100,
  bytes: new Uint8Array(),
  hasAlpha: false,
  focus: null,
};
const WHOLE: Rect = { x: 0, y: 0, width: 200, height: 100 };

const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });
const show = (r: Rect) => [r.x, r.y, r.width, r.height].map((value) => +value.toFixed(2)).join(' ');

const image = (dest: Rect, source = WHOLE): PaintOp => ({ kind: 'image', image: 'photo', source, dest });

function group(ops: PaintOp[], rest: Partial<GroupOp> = {}): GroupOp {
  const plain = {
    kind: 'group',
    transform: [1, 0, 0, 1, 0, 0],
    opacity: 1,
    blend: 'normal',
    clip: null,
    text: null,
  } as const;
  return { ...plain, filters: [], ops, ...rest };
}

/** Checks how one picture on a canvas of 100 × 50 px is placed: `source → dest @ device size`. */
function check(op: PaintOp, expected: string | null, scale = 1): void {
  const list = { width: 100, height: 50, ops: [op] };
  const toDevice: Matrix = [scale, 0, 0, scale, 0, 0];
  const device = { width: 100 * scale, height: 50 * scale };
  const { images } = placeImages(list, toDevice, device, new Map([['photo', IMAGE]]));
  const [placed] = images;
  expect(images.size).toBe(expected === null ? 0 : 1);
  if (!placed) return;
  const [{ dest }, { source, size, isOnGrid }] = placed;
  // `dest` is on the device, except for a rotated picture, whose `dest` is in its own coordinates.
  const on = op.kind === 'group' ? multiply(toDevice, op.transform) : toDevice;
  const shown = isOnGrid ? transformRect(on, dest) : dest;
  expect(`${show(source)} → ${show(shown)} @ ${size.width}×${size.height}`).toBe(expected);
}

test('on the grid it stays as it is', () => check(image(rect(10, 10, 40, 20)), '0 0 200 100 → 10 10 40 20 @ 40×20'));
test('at twice the scale it has twice the pixels', () =>
  check(image(rect(10, 10, 40, 20)), '0 0 200 100 → 20 20 80 40 @ 80×40', 2));
test('half pixels are on the grid of scale 2', () =>
  check(image(rect(10.5, 10, 40, 20.5)), '0 0 200 100 → 21 20 80 41 @ 80×41', 2));
test('off the grid it moves to the nearest pixel, and none of it is cut off', () =>
  check(image(rect(10.3, 9.6, 40, 20)), '0 0 200 100 → 10 10 40 20 @ 40×20'));
test('inside a clip it grows outward, and the clip cuts it', () =>
  check(
    group([image(rect(10.5, 10, 40, 20), rect(50, 25, 100, 50))], { clip: { path: [], rule: 'nonzero' } }),
    '48.75 25 102.5 50 → 10 10 41 20 @ 41×20',
  ));
test('crumbs of arithmetic do not move it', () =>
  check(
    group([image(rect(10.0000001, 10, 39.9999998, 20))], { clip: { path: [], rule: 'nonzero' } }),
    '0 0 200 100 → 10 10 40 20 @ 40×20',
  ));
test('thinner than a pixel it is a pixel', () =>
  check(image(rect(10, 10.1, 40, 0.2)), '0 0 200 100 → 10 10 40 1 @ 40×1'));
test('what lies beyond the canvas is not scaled', () =>
  check(image(rect(-100, 0, 400, 200)), '50 0 50 25 → 0 0 100 50 @ 100×50'));
test('a picture a thousand times the canvas costs no more', () =>
  check(image(rect(-50_000, -50_000, 100_000, 100_000)), '100 50 0.2 0.05 → 0 0 100 50 @ 100×50'));
test('outside it is left out', () => check(image(rect(100, 0, 40, 20)), null));
test('of no size it is left out', () => check(image(rect(0, 0, 0, 20)), null));
test('a group moves and scales it', () =>
  check(group([image(rect(0, 0, 20, 10))], { transform: [2, 0, 0, 2, 10, 10] }), '0 0 200 100 → 10 10 40 20 @ 40×20'));

const blur: readonly Filter[] = [{ kind: 'blur', sigma: 5 }];
test('a blur draws in what lies beyond the canvas', () =>
  check(group([image(rect(-100, 0, 400, 200))], { filters: blur }), '42.5 0 65 32.5 → -15 0 130 65 @ 130×65'));

const turned: Matrix = rotation(45, { x: 50, y: 25 });
test('turned it is scaled to the length of its sides', () =>
  check(group([image(rect(10.5, 10, 40, 20.2))], { transform: turned }), '0 0 200 100 → 10.5 10 40 20.2 @ 40×21'));
test('turned and vast it is bounded', () =>
  check(
    group([image(rect(0, 0, 100_000, 100_000))], { transform: turned }),
    '0 0 200 100 → 0 0 100000 100000 @ 1000×1000',
  ));

test('what is not seen keeps its place in the list', () => {
  const list = { width: 100, height: 50, ops: [image(rect(100, 0, 40, 20)), group([])] };
  expect(placeImages(list, IDENTITY, list, new Map([['photo', IMAGE]])).list.ops).toHaveLength(2);
});
test('a picture that nobody loaded is a bug', () =>
  expect(() =>
    placeImages({ width: 9, height: 9, ops: [image(WHOLE)] }, IDENTITY, { width: 9, height: 9 }, new Map()),
  ).toThrow('No image "photo"'));
