// Applies an SVG filter to display-list operations.
//
// Each filter primitive transforms the operations that are its input: a blur, an offset or a colour matrix is a group
// around them, a merge is a concatenation, a flood composited "in" a shape is that shape's silhouette.

import { BLACK, type Color } from '../color.ts';
import { isIdentity, translation } from '../geometry.ts';
import type { Brush, Filter, PaintOp } from '../paint/display-list.ts';
import { blurred } from '../paint/filter.ts';
import { group } from '../paint/group.ts';
import { rectPath } from '../paint/outline.ts';
import { type PathData, pathBounds } from '../path.ts';
import { colorOf, elementsIn, numberOf, numbersOf, type SvgElement, UnreadableSvg } from './read-attributes.ts';

/** A distance beyond every edge of any canvas, px. */
const FAR = 50_000;
const LUMINANCE = [0.2126, 0.7152, 0.0722] as const;

/** The result of a filter primitive: operations, or a flood of one colour. */
type Result = { readonly ops: readonly PaintOp[] } | { readonly flood: Color };

/** @throws UnreadableSvg naming a filter primitive that operations cannot express */
export function filteredOps(filter: SvgElement, source: readonly PaintOp[]): readonly PaintOp[] {
  const results = new Map<string, Result>([
    ['SourceGraphic', { ops: source }],
    ['SourceAlpha', { ops: filtered([silhouette({ r: 0, g: 0, b: 0, a: 1 })], source) }],
  ]);
  let last: Result = { ops: source };
  for (const step of elementsIn(filter)) {
    const input = (name: string): Result => {
      const wanted = step.attributes.get(name);
      return (wanted === undefined ? last : results.get(wanted)) ?? refuse(step, `${name}="${wanted?.slice(0, 40)}"`);
    };
    last = resultOf(step, input, results);
    results.set(step.attributes.get('result') ?? '', last);
  }
  return opsOf(last);
}

/**
 * The filters of a chain of primitives, each of which takes the result of the one before.
 *
 * @throws UnreadableSvg naming a primitive that is not of colour or blur
 */
export function filterChain(filter: SvgElement): readonly Filter[] {
  return elementsIn(filter).flatMap((step) => {
    if (step.name === 'feGaussianBlur') return blurred(numberOf(step, 'stdDeviation', 0));
    if (step.name === 'feColorMatrix') return [colorMatrixOf(step)];
    return step.name === 'feComponentTransfer' ? [transferOf(step)] : refuse(step);
  });
}

function refuse(step: SvgElement, detail = ''): never {
  throw new UnreadableSvg(`a filter with ${step.name}${detail === '' ? '' : ` ${detail}`}`);
}

function opsOf(result: Result): readonly PaintOp[] {
  if ('ops' in result) return result.ops;
  throw new UnreadableSvg('a filter that floods');
}

function resultOf(step: SvgElement, input: (name: string) => Result, results: ReadonlyMap<string, Result>): Result {
  switch (step.name) {
    case 'feGaussianBlur': {
      const [x = 0, y = x] = numbersOf(step.attributes.get('stdDeviation') ?? '0');
      if (Math.abs(x - y) > 1e-6) refuse(step, 'of two sizes');
      return { ops: filtered(blurred(x), opsOf(input('in'))) };
    }
    case 'feOffset': {
      const shift = translation(numberOf(step, 'dx', 0), numberOf(step, 'dy', 0));
      return { ops: group({ transform: shift }, opsOf(input('in'))) };
    }
    case 'feFlood':
      return { flood: colorOf(step, 'flood-color', 'flood-opacity') };
    case 'feColorMatrix':
      return { ops: filtered([colorMatrixOf(step)], opsOf(input('in'))) };
    case 'feComponentTransfer':
      return { ops: filtered([transferOf(step)], opsOf(input('in'))) };
    case 'feComposite':
      return composite(step, input('in'), opsOf(input('in2')));
    case 'feMerge': {
      const parts = elementsIn(step).map((node) => results.get(node.attributes.get('in') ?? '') ?? refuse(step));
      return { ops: parts.flatMap(opsOf) };
    }
    default:
      return refuse(step);
  }
}

function filtered(filters: readonly Filter[], ops: readonly PaintOp[]): readonly PaintOp[] {
  return group({ filters }, ops);
}

/** Keeps the alpha and replaces the colour. */
function silhouette({ r, g, b, a }: Color): Filter {
  const rows = [r, g, b].flatMap((channel) => [0, 0, 0, 0, channel / 255]);
  return { kind: 'color-matrix', values: [...rows, 0, 0, 0, a, 0] };
}

function composite(step: SvgElement, top: Result, shape: readonly PaintOp[]): Result {
  const operator = step.attributes.get('operator') ?? 'over';
  if (!('flood' in top)) return operator === 'over' ? { ops: [...shape, ...top.ops] } : refuse(step, operator);
  if (operator === 'in') return { ops: filtered([silhouette(top.flood)], shape) };
  if (operator === 'out') return { ops: filtered([silhouette(top.flood)], inverted(shape) ?? refuse(step, operator)) };
  return refuse(step, operator);
}

/**
 * The complement of a shape, blurred or not: the blur of the complement is the complement of the blur.
 */
function inverted(shape: readonly PaintOp[]): readonly PaintOp[] | null {
  const [only] = shape;
  if (only?.kind === 'group' && shape.length === 1 && only.clip === null && only.opacity === 1) {
    const ops = inverted(only.ops);
    return ops && [{ ...only, ops }];
  }
  const hole = outlineOf(shape);
  if (hole === null) return null;
  const everywhere = rectPath({ x: -FAR, y: -FAR, width: 2 * FAR, height: 2 * FAR });
  const brush: Brush = { kind: 'solid', color: BLACK };
  return [{ kind: 'fill', path: [...everywhere, ...hole], rule: 'evenodd', brush }];
}

/** The outline of a single opaque fill; for a box that clips make smaller, the smallest outline. */
function outlineOf(shape: readonly PaintOp[]): PathData | null {
  const [only] = shape;
  if (!only || shape.length !== 1) return null;
  if (only.kind === 'fill') return only.brush.kind === 'solid' && only.brush.color.a === 1 ? only.path : null;
  if (only.kind !== 'group' || only.filters.length > 0 || !isIdentity(only.transform)) return null;
  const inner = outlineOf(only.ops);
  if (!inner || only.clip?.rule !== 'nonzero') return inner && !only.clip ? inner : null;
  return areaOf(only.clip.path) < areaOf(inner) ? only.clip.path : inner;
}

function areaOf(path: PathData): number {
  const { width, height } = pathBounds(path) ?? { width: 0, height: 0 };
  return width * height;
}

/** Filter Effects 1 §9.6. */
function colorMatrixOf(step: SvgElement): Filter {
  const values = numbersOf(step.attributes.get('values') ?? '').filter(Number.isFinite);
  switch (step.attributes.get('type') ?? 'matrix') {
    case 'matrix':
      return values.length === 20 ? { kind: 'color-matrix', values } : refuse(step);
    case 'saturate': {
      const [s = 1] = values;
      const rows = [0, 1, 2].flatMap((row) => [...weights((i) => [0.213, 0.715, 0.072][i] ?? 0, s, row), 0, 0]);
      return { kind: 'color-matrix', values: [...rows, 0, 0, 0, 1, 0] };
    }
    case 'hueRotate':
      return hueRotate(((values[0] ?? 0) * Math.PI) / 180);
    case 'luminanceToAlpha':
      return { kind: 'color-matrix', values: [...Array(15).fill(0), ...LUMINANCE, 0, 0] };
    default:
      return refuse(step);
  }
}

function weights(luminance: (i: number) => number, amount: number, row: number): number[] {
  return [0, 1, 2].map((i) => luminance(i) * (1 - amount) + (i === row ? amount : 0));
}

function hueRotate(angle: number): Filter {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const base = [0.213, 0.715, 0.072];
  const forCos = [0.787, -0.715, -0.072, -0.213, 0.285, -0.072, -0.213, -0.715, 0.928];
  const forSin = [-0.213, -0.715, 0.928, 0.143, 0.14, -0.283, -0.787, 0.715, 0.072];
  const rows = [0, 1, 2].flatMap((row) => [
    ...[0, 1, 2].map((i) => (base[i] ?? 0) + cos * (forCos[row * 3 + i] ?? 0) + sin * (forSin[row * 3 + i] ?? 0)),
    0,
    0,
  ]);
  return { kind: 'color-matrix', values: [...rows, 0, 0, 0, 1, 0] };
}

/** Only linear transfer functions, which are all that CSS's filter functions need. */
function transferOf(step: SvgElement): Filter {
  const rows = ['R', 'G', 'B', 'A'].flatMap((channel, row) => {
    const transfer = elementsIn(step).find(({ name }) => name === `feFunc${channel}`);
    const [slope, intercept] = transfer ? line(transfer) : [1, 0];
    return [...[0, 1, 2, 3].map((i) => (i === row ? slope : 0)), intercept];
  });
  return { kind: 'color-matrix', values: rows };
}

function line(transfer: SvgElement): readonly [number, number] {
  const type = transfer.attributes.get('type') ?? 'identity';
  if (type === 'identity') return [1, 0];
  if (type === 'linear') return [numberOf(transfer, 'slope', 1), numberOf(transfer, 'intercept', 0)];
  const [from = 0, to = 0, ...more] = numbersOf(transfer.attributes.get('tableValues') ?? '');
  return type === 'table' && more.length === 0 ? [to - from, from] : refuse(transfer, type);
}
