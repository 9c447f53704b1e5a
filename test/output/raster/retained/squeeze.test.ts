import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { ellipsePath, rectPath, roundedRectPath } from '#core/paint/outline.ts';
import type { PathData } from '#core/path.ts';
import { squeezeBox } from '#output/raster/retained/squeeze.ts';
import { stretched } from '#output/raster/retained/stretch.ts';

const BOX = { x: 100.25, y: 50.5, width: 400, height: 300 };
const ROUND = { topLeft: 20, topRight: 20, bottomRight: 20, bottomLeft: 20 };
const AREA = { x: 60, y: 10, width: 480, height: 380 };

const fill = (path: PathData): PaintOp => ({
  kind: 'fill',
  path,
  rule: 'nonzero',
  brush: { kind: 'solid', color: { r: 0, g: 0, b: 0, a: 0.2 } },
});
const blurred = (path: PathData, sigma: number): PaintOp => ({
  kind: 'group',
  transform: [1, 0, 0, 1, 0, 0],
  opacity: 1,
  blend: 'normal',
  clip: null,
  text: null,
  filters: [{ kind: 'blur', sigma }],
  ops: [fill(path)],
});

/** The size of the smaller area, or `none`. */
function check(op: PaintOp, expected: string): void {
  const squeezed = squeezeBox(op, AREA);
  expect(squeezed ? `${squeezed.area.width}×${squeezed.area.height}` : 'none').toBe(expected);
}

test('a rounded box keeps its corners and two px', () => check(fill(roundedRectPath(BOX, ROUND)), '124×124'));
test('a sharp box', () => check(fill(rectPath(BOX)), '84×84'));
test('a shadow keeps how far it reaches as well', () => check(blurred(roundedRectPath(BOX, ROUND), 10), '184×184'));
test('a shadow that reaches the middle', () => check(blurred(roundedRectPath(BOX, ROUND), 60), 'none'));
test('an ellipse is curved all over', () => check(fill(ellipsePath(BOX)), 'none'));
test('a slanted side', () =>
  check(fill([['M', 100, 50], ['L', 500, 60], ['L', 500, 350], ['L', 100, 350], ['Z']]), 'none'));
test('a notch in the middle of a side', () =>
  check(
    fill([['M', 100, 50], ['L', 299, 50], ['L', 301, 80], ['L', 500, 50], ['L', 500, 350], ['L', 100, 350], ['Z']]),
    'none',
  ));

test('a column and a row in the middle are what is repeated', () => {
  const squeezed = squeezeBox(fill(rectPath({ x: 2, y: 2, width: 100, height: 96 })), {
    x: 0,
    y: 0,
    width: 104,
    height: 100,
  });
  if (!squeezed) throw new Error('not squeezed');
  const { width, height } = squeezed.area;
  // Each pixel says where it was.
  const pixels = Uint32Array.from({ length: width * height }, (_, i) => (i % width) + 1000 * Math.floor(i / width));
  const full = stretched(pixels, squeezed.stretch, { width: 104, height: 100 });
  const at = (x: number, y: number) => full[y * 104 + x];
  expect([at(0, 0), at(52, 50), at(60, 50), at(103, 50), at(103, 99)]).toEqual([
    0,
    4004,
    4004,
    width - 1 + 4000,
    width - 1 + 1000 * (height - 1),
  ]);
});
