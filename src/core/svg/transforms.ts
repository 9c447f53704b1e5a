// Reads the transforms of SVG elements: the `transform` attribute, and CSS's `transform`, `translate`, `rotate`, `scale`,
// `transform-origin` and `transform-box` (CSS Transforms 2).

import {
  IDENTITY,
  type Matrix,
  multiply,
  type Rect,
  type Size,
  transformRect,
  translation,
  union,
} from '../geometry.ts';
import { pathBounds } from '../path.ts';
import { parsePathData } from '../path-data.ts';
import { elementsIn, numbersOf, type SvgElement } from './read-attributes.ts';
import { styleLength } from './style.ts';

/** The properties that together are one matrix. */
export const TRANSFORMS = ['transform', 'translate', 'rotate', 'scale', 'transform-origin', 'transform-box'] as const;

/** The matrix of a `transform` attribute; what is no function of a plane is left out. */
export function transformIn(text: string | undefined): Matrix {
  return (text && matrixOfFunctions(text, null, false)) || IDENTITY;
}

/** The functions of a list with their arguments; null when there is anything else. */
function functionsIn(text: string): (readonly [name: string, list: string])[] | null {
  const parts = text.split(')');
  if (parts.pop()?.trim() !== '') return null;
  const found = parts.map((part) => {
    const [head = '', list = '', ...others] = part.split('(');
    const [, name] = /^[\s,]*([a-z0-9]+)\s*$/i.exec(head) ?? [];
    return name === undefined || others.length > 0 || part === head ? null : ([name.toLowerCase(), list] as const);
  });
  return found.includes(null) ? null : (found as (readonly [string, string])[]);
}

/**
 * The product of a list of transform functions; null when it is none, or has one that leaves the plane.
 *
 * @param box of which percentages are
 * @param isCss whether lengths and angles must have units, as in CSS
 */
function matrixOfFunctions(text: string, box: Size | null, isCss: boolean): Matrix | null {
  const functions = functionsIn(text);
  if (!functions) return isCss ? null : IDENTITY;
  let matrix: Matrix = IDENTITY;
  for (const [name, list] of functions) {
    const values = valuesOf(name, list.trim().split(/[\s,]+/), box, isCss);
    const own = values?.every(Number.isFinite) ? functionMatrix(name, values) : null;
    if (own) matrix = multiply(matrix, own);
    else if (isCss) return null;
  }
  return matrix;
}

/** Lengths in px, angles in degrees. */
function valuesOf(name: string, list: readonly string[], box: Size | null, isCss: boolean): readonly number[] | null {
  return list.map((text, i) => {
    if (/^(matrix|scale)/.test(name)) return styleLength(text, Number.NaN, 1);
    if (/^translate/.test(name))
      return isCss
        ? distanceIn(text, i === 1 || name === 'translatey' ? box?.height : box?.width)
        : styleLength(text, Number.NaN);
    return i > 0 && name === 'rotate' ? Number.parseFloat(text) : angleIn(text, isCss);
  });
}

/** px of a CSS length or percentage; NaN when it is none. */
function distanceIn(text: string, whole = 0): number {
  return Number(text) !== 0 && Number.isFinite(Number(text)) ? Number.NaN : styleLength(text, Number.NaN, whole);
}

/** Degrees of an angle; NaN when it is none. */
export function angleIn(text: string, isCss: boolean): number {
  const [, number = '', unit = ''] = /^([^a-z]+(?:e[+-]?\d+)?)([a-z]*)$/i.exec(text) ?? [];
  const factor = {
    deg: 1,
    grad: 0.9,
    rad: 180 / Math.PI,
    turn: 360,
    '': isCss && Number(number) !== 0 ? Number.NaN : 1,
  }[unit.toLowerCase()];
  return Number(number) * (factor ?? Number.NaN);
}

function functionMatrix(name: string, values: readonly number[]): Matrix | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  const turn = (a * Math.PI) / 180;
  switch (name) {
    case 'matrix':
      return values.length === 6 ? [a, b, c, d, e, f] : null;
    case 'translate':
    case 'translate3d':
    case 'translatex':
      return [1, 0, 0, 1, a, b];
    case 'translatey':
      return [1, 0, 0, 1, 0, a];
    case 'scale':
    case 'scale3d':
      return [a, 0, 0, values[1] ?? a, 0, 0];
    case 'scalex':
      return [a, 0, 0, 1, 0, 0];
    case 'scaley':
      return [1, 0, 0, a, 0, 0];
    case 'rotate':
    case 'rotatez': {
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      return multiply([1, 0, 0, 1, b, c], multiply([cos, sin, -sin, cos, 0, 0], [1, 0, 0, 1, -b, -c]));
    }
    case 'skew':
      return [1, Math.tan((b * Math.PI) / 180), Math.tan(turn), 1, 0, 0];
    case 'skewx':
      return [1, 0, Math.tan(turn), 1, 0, 0];
    case 'skewy':
      return [1, Math.tan(turn), 0, 1, 0, 0];
    default:
      return null;
  }
}

/** Whether a value of one of `TRANSFORMS` is valid CSS, or of functions that leave the plane. */
export function isTransform(name: string, value: string): boolean {
  if (name !== 'transform' || value === 'none' || /3d|[xyz]\(|perspective/i.test(value)) return true;
  return matrixOfFunctions(value, { width: 1, height: 1 }, true) !== null;
}

const SIDES: Readonly<Record<string, string>> = { left: '0%', top: '0%', center: '50%', right: '100%', bottom: '100%' };

/** `transform-origin` in a box, px; an attribute may have numbers without units. */
function originIn(text: string, { x, y, width, height }: Rect): Matrix {
  const parts = text.toLowerCase().split(/[\s,]+/);
  const [first = '', second = 'center'] = parts;
  const isSwapped = /^(top|bottom)$/.test(first) || /^(left|right)$/.test(second);
  const [across, down] = isSwapped ? [second, first] : [first, second];
  const at = (part: string, whole: number) => styleLength(SIDES[part] ?? part, 0, whole);
  return translation(x + at(across, width), y + at(down, height));
}

/**
 * The matrix of an element's properties, or what of them cannot be drawn.
 *
 * @param get the value of one of `TRANSFORMS`, null = not set
 * @param boxOf the reference box by the value of `transform-box`; null = not known
 */
export function transformOf(
  get: (name: string) => string | null,
  boxOf: (kind: string) => Rect | null,
): Matrix | string {
  const set = (name: string) => {
    const value = get(name);
    return value === null || value === 'none' ? null : value;
  };
  const kind = set('transform-box') ?? 'view-box';
  const origin = set('transform-origin') ?? '0 0';
  const box = boxOf(kind);
  if (!box) return `transform-box: ${kind} of a text`;
  let matrix = originIn(origin, box);
  const back = matrix;
  for (const name of ['translate', 'rotate', 'scale', 'transform']) {
    const value = set(name);
    if (value === null) continue;
    const list = value.replace(/^z\s+/i, '').split(/\s+/).join(',');
    const own = matrixOfFunctions(name === 'transform' ? value : `${name}(${list})`, box, true);
    if (!own) return `${name}: ${value.slice(0, 60)}`;
    matrix = multiply(matrix, own);
  }
  return multiply(matrix, translation(-back[4], -back[5]));
}

const SHAPES = /^(rect|image|circle|ellipse|line|polyline|polygon|path|use)$/;
const UNSEEN =
  /^(defs|clipPath|mask|marker|pattern|symbol|filter|title|desc|metadata|style|script|linearGradient|radialGradient)$/;
const HREF = '{http://www.w3.org/1999/xlink}href';

/** The box of path data up to its first error. */
function boundsOf(d: string): Rect | null {
  const parsed = parsePathData(d);
  return 'path' in parsed ? pathBounds(parsed.path) : null;
}

/** Finds the bounding boxes of elements whose properties are attributes: fills, without strokes and clips (SVG 2 §8.10). */
export class ReferenceBoxes {
  readonly #view: Size;
  readonly #targetOf: (id: string) => SvgElement | null;
  readonly #known = new Map<SvgElement, Rect | null>();

  constructor(view: Size, targetOf: (id: string) => SvgElement | null) {
    this.#view = view;
    this.#targetOf = targetOf;
  }

  /** null = it has none, or it is not known. */
  of(element: SvgElement): Rect | null {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    // A copy of itself has no box.
    this.#known.set(element, null);
    const box = this.#compute(element);
    this.#known.set(element, box);
    return box;
  }

  #compute(element: SvgElement): Rect | null {
    const { width, height } = this.#view;
    const at = (name: string, whole: number) => styleLength(element.attributes.get(name), 0, whole);
    const ellipse = (rx: number, ry: number) => {
      return { x: at('cx', width) - rx, y: at('cy', height) - ry, width: 2 * rx, height: 2 * ry };
    };
    switch (element.name) {
      case 'rect':
      case 'image':
        return { x: at('x', width), y: at('y', height), width: at('width', width), height: at('height', height) };
      case 'circle':
        return ellipse(
          at('r', Math.hypot(width, height) / Math.SQRT2),
          at('r', Math.hypot(width, height) / Math.SQRT2),
        );
      case 'ellipse':
        return ellipse(at('rx', width), at('ry', height));
      case 'line':
        return boundsOf(`M${at('x1', width)} ${at('y1', height)}L${at('x2', width)} ${at('y2', height)}`);
      case 'polyline':
      case 'polygon':
        return boundsOf(`M${numbersOf(element.attributes.get('points') ?? '').join(' ')}`);
      case 'path':
        return boundsOf(element.attributes.get('d') ?? '');
      case 'use': {
        const target = this.#targetOf((element.attributes.get('href') ?? element.attributes.get(HREF) ?? '').slice(1));
        const box = target && this.#inParent(target);
        return box && transformRect(translation(at('x', width), at('y', height)), box);
      }
      case 'text':
        return null;
      default: {
        const shown = elementsIn(element).filter(({ name, children }) => SHAPES.test(name) || children.length > 0);
        const boxes = shown.filter(({ name }) => !UNSEEN.test(name)).map((child) => this.#inParent(child));
        return boxes.includes(null) ? null : boxes.reduce(union, null);
      }
    }
  }

  #inParent(element: SvgElement): Rect | null {
    const box = this.of(element);
    return box && transformRect(transformIn(element.attributes.get('transform')), box);
  }
}
