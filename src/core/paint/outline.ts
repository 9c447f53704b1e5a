// Converts outlines relative to a box to paths on the canvas.
//
// Every closed outline runs clockwise from its top left or its top, so that dashes start where CSS and SVG start them.

import { type Corners, inflate, type Point, type Rect, rectToRect } from '../geometry.ts';
import { type PathData, type PathSegment, transformPath } from '../path.ts';
import type { Outline } from '../resolve/scene.ts';

export const SHARP: Corners = { topLeft: 0, topRight: 0, bottomRight: 0, bottomLeft: 0 };

export function isSharp({ topLeft, topRight, bottomRight, bottomLeft }: Corners): boolean {
  return topLeft === 0 && topRight === 0 && bottomRight === 0 && bottomLeft === 0;
}

export function outlinePath(outline: Outline, box: Rect): PathData {
  switch (outline.kind) {
    case 'rect':
      return roundedRectPath(box, outline.radii);
    case 'ellipse':
      return ellipsePath(box);
    case 'line':
      return polyline(outline.points ? at(box, outline.points) : [corner(box, 0, 0), corner(box, 1, 1)], false);
    case 'polygon':
      return polyline(at(box, outline.points), true);
    case 'regular-polygon':
      return polyline(onEllipse(box, outline.sides, [1]), true);
    case 'star':
      return polyline(onEllipse(box, outline.tips * 2, [1, outline.innerRadius]), true);
    case 'path': {
      const from = outline.viewBox ?? { x: 0, y: 0, width: box.width, height: box.height };
      return transformPath(outline.path, rectToRect(from, box));
    }
  }
}

/** Whether two outlines are the same in the same box. */
export function isSameOutline(a: Outline, b: Outline): boolean {
  if (a.kind !== 'rect' || b.kind !== 'rect') return a === b;
  const { topLeft, topRight, bottomRight, bottomLeft } = a.radii;
  const { radii } = b;
  return (
    topLeft === radii.topLeft &&
    topRight === radii.topRight &&
    bottomRight === radii.bottomRight &&
    bottomLeft === radii.bottomLeft
  );
}

/**
 * The outline of a box grown by `by` px on every side, or shrunk if negative, as by a shadow's spread.
 *
 * Corners follow CSS Backgrounds 3 §6.1; all but rectangles are stretched with their box. Empty when nothing is left.
 */
export function grownOutlinePath(outline: Outline, box: Rect, by: number): PathData {
  const grown = inflate(box, by);
  if (grown.width <= 0 || grown.height <= 0) return [];
  if (outline.kind === 'rect') return roundedRectPath(grown, grownRadii(fitRadii(box, outline.radii), by));
  return by === 0 ? outlinePath(outline, box) : transformPath(outlinePath(outline, box), rectToRect(box, grown));
}

export function rectPath({ x, y, width, height }: Rect): PathData {
  return [['M', x, y], ['L', x + width, y], ['L', x + width, y + height], ['L', x, y + height], ['Z']];
}

export function roundedRectPath(box: Rect, radii: Corners): PathData {
  if (isSharp(radii)) return rectPath(box);
  const { topLeft, topRight, bottomRight, bottomLeft } = fitRadii(box, radii);
  const { x, y } = box;
  const right = x + box.width;
  const bottom = y + box.height;
  const k = 1 - QUARTER;
  const path: PathSegment[] = [
    ['M', x + topLeft, y],
    ['L', right - topRight, y],
  ];
  if (topRight > 0) path.push(['C', right - topRight * k, y, right, y + topRight * k, right, y + topRight]);
  path.push(['L', right, bottom - bottomRight]);
  if (bottomRight > 0) {
    path.push(['C', right, bottom - bottomRight * k, right - bottomRight * k, bottom, right - bottomRight, bottom]);
  }
  path.push(['L', x + bottomLeft, bottom]);
  if (bottomLeft > 0) path.push(['C', x + bottomLeft * k, bottom, x, bottom - bottomLeft * k, x, bottom - bottomLeft]);
  path.push(['L', x, y + topLeft]);
  if (topLeft > 0) path.push(['C', x, y + topLeft * k, x + topLeft * k, y, x + topLeft, y]);
  path.push(['Z']);
  return path;
}

export function ellipsePath(box: Rect): PathData {
  const rx = box.width / 2;
  const ry = box.height / 2;
  const x = box.x + rx;
  const y = box.y + ry;
  const [kx, ky] = [rx * QUARTER, ry * QUARTER];
  return [
    ['M', x, y - ry],
    ['C', x + kx, y - ry, x + rx, y - ky, x + rx, y],
    ['C', x + rx, y + ky, x + kx, y + ry, x, y + ry],
    ['C', x - kx, y + ry, x - rx, y + ky, x - rx, y],
    ['C', x - rx, y - ky, x - kx, y - ry, x, y - ry],
    ['Z'],
  ];
}

/** CSS Backgrounds 3 §5.5: where curves would overlap, all radii shrink by the same factor. */
export function fitRadii({ width, height }: Rect, radii: Corners): Corners {
  const { topLeft, topRight, bottomRight, bottomLeft } = radii;
  const factor = Math.min(
    shareOf(width, topLeft + topRight),
    shareOf(width, bottomLeft + bottomRight),
    shareOf(height, topLeft + bottomLeft),
    shareOf(height, topRight + bottomRight),
  );
  return factor === 1 ? radii : mapCorners(radii, (radius) => radius * factor);
}

/** The factor by which two radii must shrink to fit on a side. */
function shareOf(side: number, both: number): number {
  return both > side ? side / both : 1;
}

/** The radii inside a border of this width. */
export function innerRadii(radii: Corners, width: number): Corners {
  if (width === 0) return radii;
  return mapCorners(radii, (radius) => Math.max(0, radius - width));
}

/** A sharp corner stays sharp; a radius smaller than `by` grows by CSS's curve, slowly at first. */
function grownRadii(radii: Corners, by: number): Corners {
  if (by <= 0) return innerRadii(radii, -by);
  return mapCorners(radii, (radius) => {
    if (radius >= by) return radius + by;
    return radius + by * (1 + (radius / by - 1) ** 3);
  });
}

function mapCorners(radii: Corners, map: (radius: number) => number): Corners {
  return {
    topLeft: map(radii.topLeft),
    topRight: map(radii.topRight),
    bottomRight: map(radii.bottomRight),
    bottomLeft: map(radii.bottomLeft),
  };
}

/** The handle of a cubic that follows a quarter of the unit circle; its radius errs by less than 0.03 %. */
export const QUARTER = (4 / 3) * (Math.SQRT2 - 1);

/** `count` points on the ellipse in the box, clockwise from the top, at these fractions of its radius in turn. */
function onEllipse(box: Rect, count: number, fractions: readonly number[]): readonly Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const fraction = fractions[i % fractions.length] ?? 1;
    return corner(box, (1 + fraction * Math.sin(angle)) / 2, (1 - fraction * Math.cos(angle)) / 2);
  });
}

function corner(box: Rect, fx: number, fy: number): Point {
  return { x: box.x + box.width * fx, y: box.y + box.height * fy };
}

function at(box: Rect, points: readonly Point[]): readonly Point[] {
  return points.map(({ x, y }) => ({ x: box.x + x, y: box.y + y }));
}

function polyline(points: readonly Point[], closed: boolean): PathData {
  const path: PathSegment[] = points.map(({ x, y }, i) => [i === 0 ? 'M' : 'L', x, y]);
  return closed ? [...path, ['Z']] : path;
}
