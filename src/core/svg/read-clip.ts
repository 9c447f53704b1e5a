// Converts SVG clip paths and masks to clips of the display list.
//
// Masks made only of opaque outlines, like satori's for overflow and shadows, become clips, which cost less. Those that
// fade are read by read-svg.ts; inside other masks and clips they are refused.

import { type Matrix, multiply, type Point } from '../geometry.ts';
import type { Clip } from '../paint/display-list.ts';
import { type PathData, type PathSegment, transformPath } from '../path.ts';
import {
  attributeMatrix,
  elementsIn,
  numberOf,
  pathOf,
  referenceOf,
  type SvgDefs,
  type SvgElement,
  UnreadableSvg,
} from './read-attributes.ts';

/** Nesting of masks in masks and of clips in clips. */
const MAX_DEPTH = 20;

/** The clips of an element's `clip-path`, in the element's coordinates. */
export function clipPathOf(element: SvgElement, defs: SvgDefs): readonly Clip[] {
  const clip = referenceOf(element, 'clip-path');
  return clip === null ? [] : clipPathClips(defs.get(clip), defs, 0);
}

/** A mask as clips; null where it fades. */
export function outlinesOf(mask: SvgElement, defs: SvgDefs): readonly Clip[] | null {
  try {
    return maskClips(mask, defs, 0);
  } catch (error) {
    if (error instanceof FadingMask) return null;
    throw error;
  }
}

/**
 * The clips of an element's `clip-path` and `mask`, in the element's coordinates; the area inside all of them shows.
 */
function clipsOf(element: SvgElement, defs: SvgDefs, depth: number): readonly Clip[] {
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
  /** Clips of the shape itself and of the groups around it. */
  readonly clips: readonly Clip[];
}

/** The paths inside, with the transforms and clips of the groups around them applied. */
function shapesIn(parent: SvgElement, matrix: Matrix, defs: SvgDefs, depth: number): readonly Shape[] {
  return elementsIn(parent).flatMap((element) => {
    const inner = multiply(matrix, attributeMatrix(element, 'transform'));
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
  const shapes = shapesIn(clipPath, attributeMatrix(clipPath, 'transform'), defs, depth);
  const ruleOf = ({ element }: Shape) => (element.attributes.get('clip-rule') === 'evenodd' ? 'evenodd' : 'nonzero');
  const [only] = shapes;
  if (only && shapes.length === 1) return [...outer, ...only.clips, { path: only.path, rule: ruleOf(only) }];
  if (shapes.some((shape) => shape.clips.length > 0 || ruleOf(shape) === 'evenodd')) {
    throw new UnreadableSvg('clip-path of several parts');
  }
  // A clip path without shapes shows nothing.
  return [...outer, { path: shapes.flatMap(({ path }) => path), rule: 'nonzero' }];
}

class FadingMask extends UnreadableSvg {}

const fading = () => new FadingMask('a mask that fades, inside another mask or a clip-path,');

/** White shows and black hides, one painted over the other; any other colour would be a fade. */
function maskClips(mask: SvgElement, defs: SvgDefs, depth: number): readonly Clip[] {
  const shapes = shapesIn(mask, attributeMatrix(mask, 'transform'), defs, depth);
  // A mask starts by showing nothing, so black shapes at its start have no effect.
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
    // A hole lies inside the area, or beyond the canvas, where it does not matter.
    if (fill === 'black') area = { path: [...area.path, ...shape.path], rule: 'evenodd' };
    const stroke = tone(shape, 'stroke');
    if (stroke === 'white' && numberOf(shape.element, 'stroke-width', 1) > 0) throw fading();
    if (stroke === 'black') {
      // A border, which also hides everything outside it.
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
 * Insets a box with round corners, or part of one, drawn clockwise, by `by` px; the corner radii shrink as much (CSS
 * Backgrounds 3 §5.2, the curve of the padding edge).
 */
export function insetPath(path: PathData, by: number): PathData {
  const points = verticesOf(path);
  const moved = points.map(({ at, arrives, leaves }): Point => {
    const [a, b] = [arrives ?? leaves, leaves ?? arrives];
    if (!a || !b) return at;
    // The intersection of the two adjacent sides, each moved along its own normal.
    const k = by / Math.max(1e-3, 1 + a.x * b.x + a.y * b.y);
    return { x: at.x + (a.x + b.x) * k, y: at.y + (a.y + b.y) * k };
  });
  let index = -1;
  return path.flatMap((segment): PathSegment[] => {
    if (segment[0] === 'Z') return [segment];
    index += 1;
    const to = moved[index] as Point;
    if (segment[0] !== 'C') return [[segment[0], to.x, to.y]];
    return corner(points[index - 1]?.at as Point, segment, moved[index - 1] as Point, to);
  });
}

interface Vertex {
  readonly at: Point;
  /** Inward normals of the segments to and from it; null at the ends of an open path. */
  readonly arrives: Point | null;
  readonly leaves: Point | null;
}

function verticesOf(path: PathData): Vertex[] {
  const drawn = path.filter((segment) => segment[0] !== 'Z');
  const at = drawn.map((segment): Point => ({ x: Number(segment.at(-2)), y: Number(segment.at(-1)) }));
  const isClosed = path.at(-1)?.[0] === 'Z';
  return at.map((here, i): Vertex => {
    const own = drawn[i];
    const next = drawn[i + 1];
    const ahead = next ? { x: Number(next[1]), y: Number(next[2]) } : isClosed ? (at[0] ?? here) : null;
    const before = i > 0 ? (at[i - 1] ?? here) : isClosed ? (at.at(-1) ?? here) : null;
    const last = own?.[0] === 'C' ? { x: own[3], y: own[4] } : before;
    return { at: here, arrives: last && inward(last, here), leaves: ahead && inward(here, ahead) };
  });
}

/** A corner between the moved points `a` and `b`; it ran from `from` to the end of `segment`. */
function corner(
  from: Point,
  segment: Extract<PathSegment, readonly ['C', ...number[]]>,
  a: Point,
  b: Point,
): PathSegment[] {
  const [, x1, y1, x2, y2, x, y] = segment;
  const [dx, dy] = [x - from.x, y - from.y];
  // The share of the corner that is left: nothing if the border is as thick as the corner's radius.
  const left = ((b.x - a.x) * dx + (b.y - a.y) * dy) / Math.max(1e-6, dx * dx + dy * dy);
  if (left <= 0) {
    const [px, py] = [x1 - from.x, y1 - from.y];
    const along = ((b.x - a.x) * px + (b.y - a.y) * py) / Math.max(1e-6, px * px + py * py);
    return [
      ['L', a.x + px * along, a.y + py * along],
      ['L', b.x, b.y],
    ];
  }
  const scaled = (end: Point, px: number, py: number, was: Point) =>
    [end.x + (px - was.x) * left, end.y + (py - was.y) * left] as const;
  return [['C', ...scaled(a, x1, y1, from), ...scaled(b, x2, y2, { x, y }), b.x, b.y]];
}

/** The unit normal to the right of a segment, which points inside a clockwise path (y down); null without length. */
function inward(from: Point, to: Point): Point | null {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return length === 0 ? null : { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
}
