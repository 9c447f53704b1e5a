import { expect, test } from 'vitest';
import { fitRadii, grownOutlinePath, outlinePath } from '#core/paint/outline.ts';
import { pathBounds } from '#core/path.ts';
import type { Outline } from '#core/resolve/scene.ts';
import { pathString } from '#core/svg/syntax.ts';
import { corners } from '../scene-nodes.ts';
import { showRect } from './show-ops.ts';

const BOX = { x: 10, y: 20, width: 100, height: 40 };

function check(outline: Outline, expected: string): void {
  expect(pathString(outlinePath(outline, BOX))).toBe(expected);
}

test('a sharp rectangle', () => check({ kind: 'rect', radii: corners(0) }, 'M10 20L110 20L110 60L10 60Z'));
test('one round corner', () =>
  check(
    { kind: 'rect', radii: { ...corners(0), topLeft: 10 } },
    'M20 20L110 20L110 60L10 60L10 30C10 24.477 14.477 20 20 20Z',
  ));
test('an ellipse starts at the top', () =>
  check(
    { kind: 'ellipse' },
    'M60 20C87.614 20 110 28.954 110 40C110 51.046 87.614 60 60 60C32.386 60 10 51.046 10 40C10 28.954 32.386 20 60 20Z',
  ));
test('a line from corner to corner', () => check({ kind: 'line', points: null }, 'M10 20L110 60'));
test('points count from the box', () =>
  check(
    {
      kind: 'polygon',
      points: [
        { x: 0, y: 0 },
        { x: 5, y: 0 },
        { x: 0, y: 5 },
      ],
    },
    'M10 20L15 20L10 25Z',
  ));
test('a regular polygon stands on its base', () =>
  check({ kind: 'regular-polygon', sides: 4 }, 'M60 20L110 40L60 60L10 40Z'));
test('a star takes turns', () => check({ kind: 'star', tips: 2, innerRadius: 0.5 }, 'M60 20L85 40L60 60L35 40Z'));
test('a path is stretched over the box', () =>
  check(
    {
      kind: 'path',
      path: [
        ['M', 1, 1],
        ['L', 3, 2],
      ],
      viewBox: { x: 1, y: 1, width: 2, height: 1 },
    },
    'M10 20L110 60',
  ));
test('a path without a view box is in px', () =>
  check(
    {
      kind: 'path',
      path: [
        ['M', 1, 2],
        ['L', 3, 4],
      ],
      viewBox: null,
    },
    'M11 22L13 24',
  ));

test('radii that overlap shrink together', () =>
  expect(fitRadii(BOX, { topLeft: 80, topRight: 20, bottomRight: 0, bottomLeft: 0 })).toEqual({
    topLeft: 40,
    topRight: 10,
    bottomRight: 0,
    bottomLeft: 0,
  }));
test('radii larger than the box make a pill', () => expect(fitRadii(BOX, corners(500))).toEqual(corners(20)));
test('shares of a box are of its width and of its height', () => {
  const half = { x: 0, y: 0, ofWidth: 0.5, ofHeight: 0.5 };
  expect(fitRadii(BOX, corners(half))).toEqual(corners({ x: 50, y: 20 }));
  check(
    { kind: 'rect', radii: { ...corners(0), topLeft: { x: 30, y: 10 } } },
    'M40 20L110 20L110 60L10 60L10 30C10 24.477 23.431 20 40 20Z',
  );
});
test('radii of ellipses that overlap shrink together', () =>
  expect(fitRadii(BOX, corners({ x: 100, y: 10 }))).toEqual(corners({ x: 50, y: 5 })));
test('a corner without an extent along one axis is sharp', () =>
  expect(fitRadii(BOX, corners({ x: 10, y: 0 }))).toEqual(corners(0)));
test('an empty box has no radii', () => expect(fitRadii({ ...BOX, width: 0 }, corners(5))).toEqual(corners(0)));

function checkGrown(outline: Outline, by: number, expected: string): void {
  const path = grownOutlinePath(outline, BOX, by);
  expect(`${showRect(pathBounds(path))}, ${path.length} segments`).toBe(expected);
}

test('a sharp corner stays sharp as it grows', () =>
  checkGrown({ kind: 'rect', radii: corners(0) }, 8, '2,12 116×56, 5 segments'));
test('an outline shrinks', () => checkGrown({ kind: 'ellipse' }, -5, '15,25 90×30, 6 segments'));
test('nothing is left of one that shrinks too far', () =>
  checkGrown({ kind: 'rect', radii: corners(9) }, -20, 'nothing, 0 segments'));
test('a slightly round corner grows slowly', () => {
  // CSS Backgrounds 3: radius 4 and spread 8 make 4 + 8 × (1 + (0.5 − 1)³) = 11.
  const [start] = grownOutlinePath({ kind: 'rect', radii: corners(4) }, BOX, 8);
  expect(start).toEqual(['M', 2 + 11, 12]);
});
