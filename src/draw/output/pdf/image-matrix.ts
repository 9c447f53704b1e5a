// Computes the matrix that maps an image XObject's unit square to the place of the upright picture (ISO 32000-1,
// 8.9.5).

import type { Matrix, Rect } from '#core/geometry.ts';

/** For x and y of the upright picture: the coefficients of the stored picture's across and down, and the offset. */
type Turned = readonly [
  x: readonly [across: number, down: number, start: number],
  y: readonly [number, number, number],
];

const UPRIGHT: Turned = [
  [1, 0, 0],
  [0, 1, 0],
];

/** By EXIF's orientation (CIPA DC-008, 4.6.5.1.4), 1 to 8. */
const TURNED: readonly Turned[] = [
  UPRIGHT,
  [
    [-1, 0, 1],
    [0, 1, 0],
  ],
  [
    [-1, 0, 1],
    [0, -1, 1],
  ],
  [
    [1, 0, 0],
    [0, -1, 1],
  ],
  [
    [0, 1, 0],
    [1, 0, 0],
  ],
  [
    [0, -1, 1],
    [1, 0, 0],
  ],
  [
    [0, -1, 1],
    [-1, 0, 1],
  ],
  [
    [0, 1, 0],
    [-1, 0, 1],
  ],
];

/** @param place of the upright picture, y down */
export function imageMatrix({ x, y, width, height }: Rect, orientation = 1): Matrix {
  const [[xAcross, xDown, xStart], [yAcross, yDown, yStart]] = TURNED[orientation - 1] ?? UPRIGHT;
  // The unit square has y up: the stored picture's first row is at 1.
  return [
    width * xAcross,
    height * yAcross,
    -width * xDown + 0,
    -height * yDown,
    x + width * (xDown + xStart),
    y + height * (yDown + yStart),
  ];
}
