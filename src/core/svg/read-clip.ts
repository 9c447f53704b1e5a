// Clip paths and masks of SVG in, clips of the display list out.
//
// A display list has no masks: those that only say where something is, as satori's do for overflow and shadows, are
// outlines put together, and become clips. A mask that fades is refused.

import { type Matrix, multiply, type Point } from '../geometry.ts';
import type { Clip } from '../paint/display-list.ts';
import { type PathData, type PathSegment, transformPath } from '../path.ts';
import {
  elementsIn,
  matrixOf,
  numberOf,
  pathOf,
  referenceOf,
  type SvgDefs,
  type SvgElement,
  UnreadableSvg,
} from './read-attributes.ts';

/** Masks of masks, clips of clips. */
const MAX_DEPTH = 20;

/** What an element is cut to by its `clip-path` and `mask`: the area inside all of them, in the element's coordinates. */
export function clipsOf(element: SvgElement, defs: SvgDefs, depth = 0): readonly Clip[] {
  if (depth > MAX_DEPTH) throw new UnreadableSvg('overflow nested this deep');
  const clip = referenceOf(element, 'clip-path');
  const mask = referenceOf(element, 'mask');
  return [
    ...(clip === null ? [] : clipPathClips(defs.get(clip), defs, depth)),
    ...(mask === null ? [] : maskClips(defs.get(mask), defs, depth)),
  ];
}

interface Shape {
  readonly element: SvgElement;
  readonly path: PathData;
  /** Of the shape itself and the groups around it. */
  readonly clips: readonly Clip[];
}

/** The paths inside, with what the groups around them say. */
function shapesIn(parent: SvgElement, matrix: Matrix, defs: SvgDefs, depth: number): readonly Shape[] {
  return elementsIn(parent).flatMap((element) => {
    const inner = multiply(matrix, matrixOf(element, 'transform'));
    const own = clipsOf(element, defs, depth + 1).map(({ path, rule }) => ({ path: transformPath(path, inner), rule }));
    if (element.attributes.has('filter') || element.attributes.has('opacity')) throw fading();
    if (element.name === 'g') {
      return shapesIn(element, inner, defs, depth).map((shape) => ({ ...shape, clips: [...own, ...shape.clips] }));
    }
    if (element.name !== 'path') throw fading();
    return [{ element, path: transformPath(pathOf(element), inner), clips: own }];
  });
}

function clipPathClips(clipPath: SvgElement, defs: SvgDefs, depth: number): readonly Clip[] {
  if (clipPath.attributes.get('clipPathUnits') === 'objectBoundingBox') throw new UnreadableSvg('clip-path of a box');
  const outer = clipsOf(clipPath, defs, depth + 1);
  const shapes = shapesIn(clipPath, matrixOf(clipPath, 'transform'), defs, depth);
  const ruleOf = ({ element }: Shape) => (element.attributes.get('clip-rule') === 'evenodd' ? 'evenodd' : 'nonzero');
  const [only] = shapes;
  if (only && shapes.length === 1) return [...outer, ...only.clips, { path: only.path, rule: ruleOf(only) }];
  if (shapes.some((shape) => shape.clips.length > 0 || ruleOf(shape) === 'evenodd')) {
    throw new UnreadableSvg('clip-path of several parts');
  }
  // Nothing in it: nothing shows.
  return [...outer, { path: shapes.flatMap(({ path }) => path), rule: 'nonzero' }];
}

const fading = () => new UnreadableSvg('a mask that fades (mask-image)');

/** White shows and black hides, one painted over the other; anything between would be a fade. */
function maskClips(mask: SvgElement, defs: SvgDefs, depth: number): readonly Clip[] {
  const shapes = shapesIn(mask, matrixOf(mask, 'transform'), defs, depth);
  // Nothing is what a mask begins with: to hide that changes nothing.
  const start = shapes.findIndex((shape) => tone(shape, 'fill') !== 'black');
  const [first, ...others] = shapes.slice(Math.max(0, start));
  if (mask.attributes.get('mask-type') === 'alpha' || !first || tone(first, 'fill') !== 'white') throw fading();
  const clips: Clip[] = [...clipsOf(mask, defs, depth + 1), ...first.clips];
  let area: Clip = { path: first.path, rule: ruleOfFill(first) };
  for (const shape of [first, ...others]) {
    const isFirst = shape === first;
    if (!isFirst && shape.clips.length > 0) throw fading();
    const fill = tone(shape, 'fill');
    if (!isFirst && fill === 'white') {
      if (area.rule === 'evenodd') throw fading();
      area = { path: [...area.path, ...shape.path], rule: 'nonzero' };
    }
    // What is cut out lies inside what is there, or beyond the canvas, where it does not matter.
    if (fill === 'black') area = { path: [...area.path, ...shape.path], rule: 'evenodd' };
    const stroke = tone(shape, 'stroke');
    if (stroke === 'white' && numberOf(shape.element, 'stroke-width', 1) > 0) throw fading();
    if (stroke === 'black') {
      // A border, which hides all that lies outside of it too.
      clips.push({ path: insetPath(shape.path, numberOf(shape.element, 'stroke-width', 1) / 2), rule: 'nonzero' });
    }
  }
  return [...clips, area];
}

function ruleOfFill({ element }: Shape): Clip['rule'] {
  return element.attributes.get('fill-rule') === 'evenodd' ? 'evenodd' : 'nonzero';
}

function tone({ element }: Shape, name: 'fill' | 'stroke'): 'white' | 'black' | 'none' {
  const paint = element.attributes.get(name) ?? (name === 'fill' ? '#000000' : 'none');
  if (paint === 'none') return 'none';
  if (numberOf(element, `${name}-opacity`, 1) !== 1) throw fading();
  if (paint === '#ffffff') return 'white';
  if (paint === '#000000') return 'black';
  throw fading();
}

/**
 * A box with round corners, drawn clockwise, made smaller by `by` on every side (CSS Backgrounds 3 §5.2: the padding
 * edge's curve). What is no such box is left as it is where it is open.
 */
export function insetPath(path: PathData, by: number): PathData {
  const moved: PathSegment[] = [];
  let from: Point = { x: 0, y: 0 };
  const at = ({ x, y }: Point, [nx, ny]: readonly [number, number]): Point => ({ x: x + nx * by, y: y + ny * by });
  for (const [i, segment] of path.entries()) {
    if (segment[0] === 'Z') {
      moved.push(segment);
      continue;
    }
    const [x = 0, y = 0] = (segment.slice(-2) as number[]) ?? [];
    const to = { x, y };
    if (segment[0] === 'M') {
      const next = path[i + 1];
      const ahead = next && next[0] !== 'Z' ? { x: next[1] as number, y: next[2] as number } : to;
      const start = at(to, inward(to, ahead));
      moved.push(['M', start.x, start.y]);
    } else if (segment[0] === 'L') {
      const normal = inward(from, to);
      const [a, b] = [at(from, normal), at(to, normal)];
      moved.push(['L', a.x, a.y], ['L', b.x, b.y]);
    } else {
      moved.push(...insetCorner(from, segment, by));
    }
    from = to;
  }
  return moved;
}

function insetCorner(
  from: Point,
  corner: Extract<PathSegment, readonly ['C', ...number[]]>,
  by: number,
): PathSegment[] {
  const [, x1, y1, x2, y2, x, y] = corner;
  const to = { x, y };
  const [sx, sy] = inward(from, { x: x1, y: y1 });
  const [ex, ey] = inward({ x: x2, y: y2 }, to);
  const [a, b] = [
    { x: from.x + sx * by, y: from.y + sy * by },
    { x: to.x + ex * by, y: to.y + ey * by },
  ];
  // How much of the corner is left along the way in and the way out.
  const share = (p: Point, q: Point, before: Point, after: Point) => {
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    const length = dx * dx + dy * dy;
    return length === 0 ? 0 : ((q.x - p.x) * dx + (q.y - p.y) * dy) / length;
  };
  const left = share(a, b, from, to);
  // The sides cross in what the mask's own box cuts off.
  if (left <= 0)
    return [
      ['L', a.x, a.y],
      ['L', b.x, b.y],
    ];
  return [
    ['L', a.x, a.y],
    [
      'C',
      a.x + (x1 - from.x) * left,
      a.y + (y1 - from.y) * left,
      b.x + (x2 - to.x) * left,
      b.y + (y2 - to.y) * left,
      b.x,
      b.y,
    ],
  ];
}

/** The unit normal on the right of a way: inside, where the way goes clockwise with y down. */
function inward(from: Point, to: Point): readonly [number, number] {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length === 0 ? [0, 0] : [-(to.y - from.y) / length, (to.x - from.x) / length];
}
