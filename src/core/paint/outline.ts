// Converts outlines relative to a box to paths on the canvas.
//
// Every closed outline runs clockwise from its top left or its top, so that dashes start where CSS and SVG start them.

import { type Corners, inflate, type Point, type Radius, type Rect, rectToRect } from '../geometry.ts';
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
    isSameRadius(topLeft, radii.topLeft) &&
    isSameRadius(topRight, radii.topRight) &&
    isSameRadius(bottomRight, radii.bottomRight) &&
    isSameRadius(bottomLeft, radii.bottomLeft)
  );
}

function isSameRadius(a: Radius, b: Radius): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return a.x === b.x && a.y === b.y && a.ofWidth === b.ofWidth && a.ofHeight === b.ofHeight;
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
  const fitted = fitRadii(box, radii);
  const [tl, tr] = [axesOfRadius(fitted.topLeft), axesOfRadius(fitted.topRight)];
  const [br, bl] = [axesOfRadius(fitted.bottomRight), axesOfRadius(fitted.bottomLeft)];
  const { x, y } = box;
  const right = x + box.width;
  const bottom = y + box.height;
  const k = 1 - QUARTER;
  const path: PathSegment[] = [
    ['M', x + tl.x, y],
    ['L', right - tr.x, y],
  ];
  if (tr.x > 0) path.push(['C', right - tr.x * k, y, right, y + tr.y * k, right, y + tr.y]);
  path.push(['L', right, bottom - br.y]);
  if (br.x > 0) path.push(['C', right, bottom - br.y * k, right - br.x * k, bottom, right - br.x, bottom]);
  path.push(['L', x + bl.x, bottom]);
  if (bl.x > 0) path.push(['C', x + bl.x * k, bottom, x, bottom - bl.y * k, x, bottom - bl.y]);
  path.push(['L', x, y + tl.y]);
  if (tl.x > 0) path.push(['C', x, y + tl.y * k, x + tl.x * k, y, x + tl.x, y]);
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

/** Radii in px, without shares of the box. CSS Backgrounds 3 §5.5: where curves would overlap, all shrink by one factor. */
export function fitRadii({ width, height }: Rect, radii: Corners): Corners {
  const inPx = mapCorners(radii, (radius) => {
    if (typeof radius === 'number') return radius;
    const { x, y, ofWidth = 0, ofHeight = 0 } = radius;
    return ellipse(x + ofWidth * width, y + ofHeight * height);
  });
  const [tl, tr] = [axesOfRadius(inPx.topLeft), axesOfRadius(inPx.topRight)];
  const [br, bl] = [axesOfRadius(inPx.bottomRight), axesOfRadius(inPx.bottomLeft)];
  const factor = Math.min(
    shareOf(width, tl.x + tr.x),
    shareOf(width, bl.x + br.x),
    shareOf(height, tl.y + bl.y),
    shareOf(height, tr.y + br.y),
  );
  return factor === 1 ? inPx : mapCorners(inPx, (radius) => eachAxis(radius, (px) => px * factor));
}

/** Across and down, px, of a radius that has no share of its box. */
export const axesOfRadius = (radius: Radius): Point => (typeof radius === 'number' ? { x: radius, y: radius } : radius);

/** How far from both of its sides the deepest round corner reaches, px: of radius r, r (1 - √½). */
export function depthOf(radii: Corners): number {
  const longest = Math.max(
    ...Object.values(radii).map((radius) => Math.max(axesOfRadius(radius).x, axesOfRadius(radius).y)),
  );
  return longest * (1 - Math.SQRT1_2);
}

/** A corner without an extent along one axis is sharp. */
function ellipse(x: number, y: number): Radius {
  if (x <= 0 || y <= 0) return 0;
  return x === y ? x : { x, y };
}

/** Changes px across and down. */
export function eachAxis(radius: Radius, map: (px: number) => number): Radius {
  return typeof radius === 'number' ? map(radius) : ellipse(map(radius.x), map(radius.y));
}

/** The factor by which two radii must shrink to fit on a side. */
function shareOf(side: number, both: number): number {
  return both > side ? side / both : 1;
}

/** The radii inside a border of this width. */
export function innerRadii(radii: Corners, width: number): Corners {
  if (width === 0) return radii;
  return mapCorners(radii, (radius) => eachAxis(radius, (px) => Math.max(0, px - width)));
}

/** A sharp corner stays sharp; a radius smaller than `by` grows by CSS's curve, slowly at first. */
function grownRadii(radii: Corners, by: number): Corners {
  if (by <= 0) return innerRadii(radii, -by);
  const grown = (px: number) => (px >= by ? px + by : px + by * (1 + (px / by - 1) ** 3));
  return mapCorners(radii, (radius) => eachAxis(radius, grown));
}

export function mapCorners(radii: Corners, map: (radius: Radius) => Radius): Corners {
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
