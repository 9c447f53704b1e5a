// Makes the lines of a chart: straight, or as curves that never leave the range of the values between which they lie.
//
// The curves are monotone cubic (Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980), so no bump invents a value.

import type { Point } from '../geometry.ts';
import type { PathData, PathSegment } from '../path.ts';

/** @param points ascending in x */
export function linePath(points: readonly Point[], smooth: boolean): PathData {
  return points.length === 0 ? [] : [['M', points[0]?.x ?? 0, points[0]?.y ?? 0], ...segmentsTo(points, smooth)];
}

/** The area between a line and one below it, both from left to right. */
export function areaPath(line: readonly Point[], below: readonly Point[], smooth: boolean): PathData {
  const back = [...below].reverse();
  const [corner] = back;
  if (!corner) return [];
  return [...linePath(line, smooth), ['L', corner.x, corner.y], ...segmentsTo(back, smooth), ['Z']];
}

function segmentsTo(points: readonly Point[], smooth: boolean): readonly PathSegment[] {
  const slopes = smooth ? tangents(points) : [];
  return points.slice(1).map((to, i): PathSegment => {
    const from = points[i] ?? to;
    if (!smooth) return ['L', to.x, to.y];
    const third = (to.x - from.x) / 3;
    const [leaving, arriving] = [slopes[i] ?? 0, slopes[i + 1] ?? 0];
    return ['C', from.x + third, from.y + third * leaving, to.x - third, to.y - third * arriving, to.x, to.y];
  });
}

/** The slope of the curve at each point. */
function tangents(points: readonly Point[]): readonly number[] {
  const secants = points.slice(1).map((to, i) => {
    const from = points[i] ?? to;
    return to.x === from.x ? 0 : (to.y - from.y) / (to.x - from.x);
  });
  return points.map((_, i) => {
    const [before, after] = [secants[i - 1], secants[i]];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    if (before * after <= 0) return 0;
    // The harmonic mean keeps the curve monotone.
    return (2 * before * after) / (before + after);
  });
}
