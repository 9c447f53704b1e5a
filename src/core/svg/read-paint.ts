// Converts SVG gradients to brushes, and reads stroke properties. Patterns are in read-svg.ts.
//
// A gradient's transform, and that of the box to which it may be relative, are applied to the brush's coordinates.

import type { GradientStop } from '../color.ts';
import { type Matrix, multiply, type Point, type Rect, transformPoint } from '../geometry.ts';
import type { Brush, Stroke } from '../paint/display-list.ts';
import {
  attributeMatrix,
  colorOf,
  elementsIn,
  numberOf,
  numbersOf,
  type SvgElement,
  UnreadableSvg,
} from './read-attributes.ts';

/** The most stops that a repeated gradient is expanded to. */
const MAX_STOPS = 2_000;

/**
 * @param bounds of the painted shape: a gradient may be relative to it, and a repeated one must cover it
 * @returns null where nothing is painted
 */
export function gradientBrush(gradient: SvgElement, bounds: Rect): Brush | null {
  const matrix = multiply(
    unitMatrix(gradient, 'gradientUnits', bounds),
    attributeMatrix(gradient, 'gradientTransform'),
  );
  const stops = stopsOf(gradient);
  const [first] = stops;
  if (!first) return null;
  if (stops.length === 1) return { kind: 'solid', color: first.color };
  const spread = gradient.attributes.get('spreadMethod') ?? 'pad';
  if (gradient.name === 'linearGradient') return linear(gradient, matrix, stops, spread, bounds);
  if (gradient.name === 'radialGradient') return radial(gradient, matrix, stops, spread, bounds);
  throw new UnreadableSvg(`<${gradient.name}>`);
}

/** The matrix from the units of a definition to px. */
export function unitMatrix(element: SvgElement, name: string, { x, y, width, height }: Rect): Matrix {
  return element.attributes.get(name) === 'userSpaceOnUse' ? [1, 0, 0, 1, 0, 0] : [width, 0, 0, height, x, y];
}

function linear(
  element: SvgElement,
  matrix: Matrix,
  stops: readonly GradientStop[],
  spread: string,
  bounds: Rect,
): Brush {
  const start = { x: numberOf(element, 'x1', 0), y: numberOf(element, 'y1', 0) };
  const end = { x: numberOf(element, 'x2', 1), y: numberOf(element, 'y2', 0) };
  const from = transformPoint(matrix, start);
  const to = transformPoint(matrix, end);
  // Lines of equal colour are perpendicular to the gradient line before the transform, but not always after it.
  const across = { x: -(end.y - start.y), y: end.x - start.x };
  const lean = { x: matrix[0] * across.x + matrix[2] * across.y, y: matrix[1] * across.x + matrix[3] * across.y };
  const normal = { x: lean.y, y: -lean.x };
  const length = normal.x ** 2 + normal.y ** 2;
  if (length === 0) return { kind: 'solid', color: (stops.at(-1) as GradientStop).color };
  const share = ((to.x - from.x) * normal.x + (to.y - from.y) * normal.y) / length;
  const way = { x: normal.x * share, y: normal.y * share };
  const ends = { x: from.x + way.x, y: from.y + way.y };
  if (spread === 'pad') return { kind: 'linear', from, to: ends, stops };

  const wayLength = way.x ** 2 + way.y ** 2;
  const at = (p: Point) => ((p.x - from.x) * way.x + (p.y - from.y) * way.y) / wayLength;
  const turns = cornersOf(bounds).map(at);
  const [low, high] = [Math.floor(Math.min(...turns)), Math.ceil(Math.max(...turns))];
  const point = (turn: number) => ({ x: from.x + way.x * turn, y: from.y + way.y * turn });
  return { kind: 'linear', from: point(low), to: point(high), stops: repeated(stops, low, high, spread === 'reflect') };
}

function radial(
  element: SvgElement,
  matrix: Matrix,
  stops: readonly GradientStop[],
  spread: string,
  bounds: Rect,
): Brush {
  const [cx, cy, r] = [numberOf(element, 'cx', 0.5), numberOf(element, 'cy', 0.5), numberOf(element, 'r', 0.5)];
  if (numberOf(element, 'fx', cx) !== cx || numberOf(element, 'fy', cy) !== cy) {
    throw new UnreadableSvg('a radial gradient with a focus of its own');
  }
  const transform = multiply(matrix, [r, 0, 0, r, cx, cy]);
  if (spread === 'pad') return { kind: 'radial', transform, stops };
  const [a, b, c, d, e, f] = transform;
  const scale = Math.sqrt(Math.abs(a * d - b * c)) || 1;
  const reach = Math.max(...cornersOf(bounds).map((p) => Math.hypot(p.x - e, p.y - f)));
  const squeeze = Math.min(Math.hypot(a, b), Math.hypot(c, d)) || scale;
  const turns = Math.max(1, Math.ceil(reach / squeeze));
  const grown = multiply(transform, [turns, 0, 0, turns, 0, 0]);
  return { kind: 'radial', transform: grown, stops: repeated(stops, 0, turns, spread === 'reflect') };
}

function cornersOf({ x, y, width, height }: Rect): readonly Point[] {
  return [0, 1].flatMap((i) => [0, 1].map((j) => ({ x: x + i * width, y: y + j * height })));
}

/** The stops of all repetitions from `low` to `high`, whole numbers, as those of one gradient. */
function repeated(
  stops: readonly GradientStop[],
  low: number,
  high: number,
  reflects: boolean,
): readonly GradientStop[] {
  const count = high - low;
  if (!(count >= 1) || count * stops.length > MAX_STOPS) throw new UnreadableSvg('a gradient that repeats this often');
  return Array.from({ length: count }, (_, i) => {
    const isBack = reflects && Math.abs(low + i) % 2 === 1;
    const turn = isBack ? stops.map(({ offset, color }) => ({ offset: 1 - offset, color })).reverse() : stops;
    return turn.map(({ offset, color }) => ({ offset: (i + offset) / count, color }));
  }).flat();
}

function stopsOf(gradient: SvgElement): readonly GradientStop[] {
  let least = 0;
  return elementsIn(gradient)
    .filter(({ name }) => name === 'stop')
    .map((stop) => {
      least = Math.min(1, Math.max(least, numberOf(stop, 'offset', 0)));
      return { offset: least, color: colorOf(stop, 'stop-color', 'stop-opacity') };
    });
}

/** null where the element has no stroke. */
export function strokeOf(element: SvgElement): Stroke | null {
  const paint = element.attributes.get('stroke') ?? 'none';
  const width = numberOf(element, 'stroke-width', 1);
  if (paint === 'none' || width <= 0) return null;
  const dash = numbersOf(element.attributes.get('stroke-dasharray') ?? '').filter(Number.isFinite);
  if (numberOf(element, 'stroke-dashoffset', 0) !== 0) throw new UnreadableSvg('a dashed line with an offset');
  return {
    width,
    cap: keyword(element, 'stroke-linecap', ['butt', 'round', 'square']),
    join: keyword(element, 'stroke-linejoin', ['miter', 'round', 'bevel']),
    miterLimit: numberOf(element, 'stroke-miterlimit', 4),
    dash: element.attributes.has('stroke-dasharray') ? dash : [],
  };
}

function keyword<K extends string>(element: SvgElement, name: string, [initial, ...others]: readonly [K, ...K[]]): K {
  const value = element.attributes.get(name);
  return others.find((other) => other === value) ?? initial;
}
