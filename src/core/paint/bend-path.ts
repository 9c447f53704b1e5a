// Bends a path from a straight line around a circle.
//
// Segments along the line become arcs, segments across it point to the centre. Of curves only the control points are
// bent: they are the corners of boxes, too small for the error to show.

import type { Point, Rect } from '../geometry.ts';
import type { PathData, PathSegment } from '../path.ts';

/** A line of text and the circle that it runs around. */
export interface Bend {
  readonly centre: Point;
  /** Of the line's baseline, px, > 0. */
  readonly radius: number;
  /** −1 where the tops of letters point outwards, 1 where they point to the centre. */
  readonly outward: 1 | -1;
  /** y of the straight baseline, px. */
  readonly baseline: number;
  /** The angle of a point at `x` on the straight line: radians clockwise from the top (inside: from the bottom). */
  readonly angleAt: (x: number) => number;
}

/** The longest arc that one cubic approximates to a thousandth of a pixel, radians. */
const LONGEST_ARC = Math.PI / 4;

/** The most turns around the circle that are drawn, radians: a second one covers the ends of the first. */
const MOST_TURN = 4 * Math.PI;

/**
 * An area without the part that would run around the circle a third time. All turns cover the same ring, and a long
 * line around a small circle would make hundreds of thousands of arcs.
 */
export function cutToRing(area: Rect, bend: Bend): Rect {
  const turn = turnOf(area, bend);
  return turn > MOST_TURN ? { ...area, width: (area.width * MOST_TURN) / turn } : area;
}

/** How far around the circle an area extends, radians. */
export function turnOf({ x, width }: Rect, { angleAt }: Bend): number {
  return Math.abs(angleAt(x + width) - angleAt(x));
}

/** @param path at most a few turns long, as `cutToRing` leaves areas */
export function bendPath(path: PathData, bend: Bend): PathData {
  const bent: PathSegment[] = [];
  let pen: Point = { x: 0, y: 0 };
  for (const segment of path) {
    switch (segment[0]) {
      case 'M': {
        pen = { x: segment[1], y: segment[2] };
        const { x, y } = bendPoint(pen, bend);
        bent.push(['M', x, y]);
        break;
      }
      case 'L': {
        const to = { x: segment[1], y: segment[2] };
        for (const piece of bendLine(pen, to, bend)) bent.push(piece);
        pen = to;
        break;
      }
      case 'C': {
        const [, x1, y1, x2, y2, x, y] = segment;
        const [a, b, c] = [
          bendPoint({ x: x1, y: y1 }, bend),
          bendPoint({ x: x2, y: y2 }, bend),
          bendPoint({ x, y }, bend),
        ];
        bent.push(['C', a.x, a.y, b.x, b.y, c.x, c.y]);
        pen = { x, y };
        break;
      }
      case 'Z':
        bent.push(['Z']);
    }
  }
  return bent;
}

function bendPoint({ x, y }: Point, bend: Bend): Point {
  return onCircle(bend, bend.angleAt(x), radiusAt(bend, y));
}

function radiusAt({ radius, outward, baseline }: Bend, y: number): number {
  return Math.max(0, radius + outward * (y - baseline));
}

function onCircle({ centre, outward }: Bend, angle: number, radius: number): Point {
  return { x: centre.x - outward * radius * Math.sin(angle), y: centre.y + outward * radius * Math.cos(angle) };
}

function bendLine(from: Point, to: Point, bend: Bend): readonly PathSegment[] {
  const [start, end] = [bend.angleAt(from.x), bend.angleAt(to.x)];
  const radius = radiusAt(bend, to.y);
  if (from.y !== to.y || start === end) {
    const { x, y } = bendPoint(to, bend);
    return [['L', x, y]];
  }
  const count = Math.ceil(Math.abs(end - start) / LONGEST_ARC);
  const step = (end - start) / count;
  // The tangent at an angle has the direction of the radius a quarter turn further on.
  const handle = (4 / 3) * Math.tan(step / 4) * radius;
  const tangent = (angle: number) => onCircle({ ...bend, centre: { x: 0, y: 0 } }, angle + Math.PI / 2, handle);
  return Array.from({ length: count }, (_, i): PathSegment => {
    const [before, after] = [start + i * step, start + (i + 1) * step];
    const [a, b] = [onCircle(bend, before, radius), onCircle(bend, after, radius)];
    const [leaving, arriving] = [tangent(before), tangent(after)];
    return ['C', a.x + leaving.x, a.y + leaving.y, b.x - arriving.x, b.y - arriving.y, b.x, b.y];
  });
}
