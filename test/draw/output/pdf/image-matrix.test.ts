import { expect, test } from 'vitest';
import { imageMatrix } from '#draw/output/pdf/draw.ts';

/**
 * Where the stored picture's top left corner lands, then the end of its first row, then the end of its first column.
 */
function corners(orientation: number): string {
  const [a, b, c, d, e, f] = imageMatrix({ x: 10, y: 20, width: 30, height: 40 }, orientation);
  const at = (u: number, v: number) => `${a * u + c * v + e},${b * u + d * v + f}`;
  return [at(0, 1), at(1, 1), at(0, 0)].join(' ');
}

test.each([
  [1, '10,20 40,20 10,60'],
  [2, '40,20 10,20 40,60'],
  [3, '40,60 10,60 40,20'],
  [4, '10,60 40,60 10,20'],
  [5, '10,20 10,60 40,20'],
  [6, '40,20 40,60 10,20'],
  [7, '40,60 40,20 10,60'],
  [8, '10,60 10,20 40,60'],
])('orientation %i', (orientation, expected) => expect(corners(orientation)).toBe(expected));
