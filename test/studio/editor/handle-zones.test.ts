// Tests what a press takes hold of, over random layers, sizes, rotations and zooms.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centreOf, type Point, rotation, transformPoint } from '#core/geometry.ts';
import { type HandleBox, radiusHandles, zoneAt } from '../../../src/studio/editor/core/gestures/handle-zones.ts';

/** A box of so many view px, and the point of it at these shares of its width and height, plus so many view px. */
function at(box: HandleBox, across: number, down: number, dx = 0, dy = 0): Point {
  const { rect, zoom, matrix } = box;
  return transformPoint(matrix, {
    x: rect.x + rect.width * across + dx / zoom,
    y: rect.y + rect.height * down + dy / zoom,
  });
}

function boxOf(
  width: number,
  height: number,
  zoom = 1,
  degrees = 0,
  radii: readonly number[] | null = null,
): HandleBox {
  const rect = { x: 40, y: 30, width: width / zoom, height: height / zoom };
  return { rect, matrix: rotation(degrees, centreOf(rect)), zoom, radii, arc: null };
}

const size = fc.double({ min: 8, max: 2_000, noNaN: true });
const Box = fc
  .tuple(size, size, fc.double({ min: 0.02, max: 64, noNaN: true }), fc.integer({ min: -180, max: 180 }), fc.boolean())
  .map(([width, height, zoom, degrees, round]) => boxOf(width, height, zoom, degrees, round ? [0, 9, 30, 4] : null));
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('a press inside a layer of at least 8 view px moves it, but for the radius handles of a large one', () => {
  fc.assert(
    fc.property(Box, share, share, (box, across, down) => {
      const zone = zoneAt(box, at(box, across, down));
      if (zone?.kind === 'radius') expect(radiusHandles(box)).toHaveLength(4);
      else expect(zone).toBeNull();
    }),
    { numRuns: 10_000 },
  );
});

test('nothing inside rotates, and nothing far outside does', () => {
  fc.assert(
    fc.property(Box, share, share, fc.integer({ min: 30, max: 90 }), (box, across, down, away) => {
      expect(zoneAt(box, at(box, across, down))?.kind).not.toBe('rotate');
      expect(zoneAt(box, at(box, 1, 1, away, away))).toBeNull();
    }),
    { numRuns: 10_000 },
  );
});

describe('a layer of 100 × 60 view px', () => {
  const box = boxOf(100, 60, 0.56, 30);
  const check = (point: Point, expected: unknown) => expect(zoneAt(box, point)).toEqual(expected);
  test('its corners resize', () => {
    check(at(box, 0, 0, -1, -1), { kind: 'resize', handle: { x: -1, y: -1 } });
    check(at(box, 1, 1, 6, 6), { kind: 'resize', handle: { x: 1, y: 1 } });
  });
  test('its sides resize', () => {
    check(at(box, 0.5, 0, 0, -4), { kind: 'resize', handle: { x: 0, y: -1 } });
    check(at(box, 1, 0.5, 4), { kind: 'resize', handle: { x: 1, y: 0 } });
  });
  test('beyond its corners it is rotated', () => {
    check(at(box, 0, 0, -12, -12), { kind: 'rotate' });
    check(at(box, 1, 0, 2, -15), { kind: 'rotate' });
  });
  test('its middle is itself', () => check(at(box, 0.5, 0.5), null));
});

test('a line is moved where it is pressed, and resized at its ends', () => {
  const line = boxOf(200, 0);
  expect(zoneAt(line, at(line, 0.5, 0, 0, 2))).toBeNull();
  expect(zoneAt(line, at(line, 1, 0, 3, 2))).toMatchObject({ kind: 'resize' });
  expect(zoneAt(line, at(line, 1, 0, -3))).toMatchObject({ kind: 'resize' });
  const short = boxOf(6, 6);
  expect(zoneAt(short, at(short, 0.5, 0.5))).toBeNull();
});
