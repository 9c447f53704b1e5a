// Tells whether a path encloses an area.
//
// PDF requires readers to paint something for every fill and to keep something of every clip, however thin (ISO
// 32000-1, 10.6.5). Some draw a hairline where SVG and the raster back end draw nothing.

import type { PathData } from '#core/path.ts';

/** Twice the area of a triangle, square px, up to which its corners count as collinear. */
const FLAT = 1e-9;

/** Whether any subpath encloses an area: its ends and control points do not all lie on one line. */
export function hasArea(path: PathData): boolean {
  let [startX, startY] = [0, 0];
  /**
   * The longest vector from the start so far. Compared with a short one, everything looks flat, and rounding leaves
   * circles a side of 1e-15 px.
   */
  let [alongX, alongY] = [0, 0];
  for (const segment of path) {
    if (segment[0] === 'M') {
      [, startX, startY] = segment;
      [alongX, alongY] = [0, 0];
      continue;
    }
    for (let i = 1; i < segment.length; i += 2) {
      const dx = Number(segment[i]) - startX;
      const dy = Number(segment[i + 1]) - startY;
      if (Math.abs(alongX * dy - alongY * dx) > FLAT) return true;
      if (dx * dx + dy * dy > alongX * alongX + alongY * alongY) [alongX, alongY] = [dx, dy];
    }
  }
  return false;
}
