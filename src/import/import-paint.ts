// Converts the paints and effects of an SVG file to what layers have: colours, gradients over a box, shadows and blurs.

import { type Color, hex, parseColor } from '#core/color.ts';
import { invert, type Matrix, multiply, type Point, type Size, transformPoint } from '#core/geometry.ts';
import { elementsIn, type SvgElement } from '#core/svg/read-attributes.ts';
import { type SvgStyle, styleLength, styleOf } from '#core/svg/style.ts';
import { transformIn } from '#core/svg/transforms.ts';

/** The box that a layer's gradient spans, and where it lies in the coordinates of the drawing's element. */
export interface PaintBox extends Size {
  /** From px of the box to the coordinates in which the element is written. */
  readonly toElement: Matrix;
  /** What `objectBoundingBox` is: the element's box in its own coordinates. */
  readonly unit: Matrix;
}

interface Stop {
  readonly offset: number;
  readonly color: Color;
}

/** A fill as layers have it, or the pattern that holds a picture. */
export type ImportedPaint =
  | { readonly kind: 'fill'; readonly fill: string | object; readonly lost: string | null }
  | { readonly kind: 'pattern'; readonly pattern: SvgElement };

const round = (value: number, digits = 4): number => Number(value.toFixed(digits)) + 0;

/** `#rrggbb`, or `rgb(r g b / a)`. */
export function cssColor({ r, g, b, a }: Color): string {
  return a >= 1 ? hex({ r, g, b, a: 1 }) : `rgb(${r} ${g} ${b} / ${round(a, 3)})`;
}

/** Null: not painted. */
export function colorIn(text: string, style: SvgStyle, opacity: number): Color | null {
  const color = parseColor(/^currentcolor$/i.test(text) ? (style.get('color') ?? '#000') : text);
  return color && { ...color, a: color.a * opacity };
}

/** An opacity, as a number or a percentage. */
export const opacityOf = (text: string | undefined): number => Math.min(1, Math.max(0, styleLength(text, 1)));

export class SvgPaints {
  readonly #byId: ReadonlyMap<string, SvgElement>;

  constructor(byId: ReadonlyMap<string, SvgElement>) {
    this.#byId = byId;
  }

  /** Null: not painted. */
  paint(name: 'fill' | 'stroke', style: SvgStyle, box: PaintBox): ImportedPaint | null {
    const text = style.get(name) ?? (name === 'fill' ? '#000000' : 'none');
    if (text === 'none' || text === 'transparent') return null;
    const opacity = opacityOf(style.get(`${name}-opacity`));
    const id = idIn(text);
    if (id === undefined) {
      const color = colorIn(text, style, opacity);
      return color && { kind: 'fill', fill: cssColor(color), lost: null };
    }
    const element = this.#byId.get(id);
    if (element?.name === 'pattern') return { kind: 'pattern', pattern: element };
    if (!element || !/^(linear|radial)Gradient$/.test(element.name)) {
      const fallback = colorIn(text.replace(/^url\([^)]*\)\s*/, '') || 'none', style, opacity);
      return fallback && { kind: 'fill', fill: cssColor(fallback), lost: null };
    }
    return this.#gradient(element, box, opacity);
  }

  #gradient(element: SvgElement, box: PaintBox, opacity: number): ImportedPaint | null {
    const { get, stops: owner } = this.#withTemplates(element);
    const stops = this.#stops(owner, opacity);
    const [first] = stops;
    const last = stops.at(-1);
    if (!first || !last) return null;
    const solid = (color: Color): ImportedPaint => ({ kind: 'fill', fill: cssColor(color), lost: null });
    if (stops.length === 1) return solid(first.color);
    const isUser = get('gradientUnits') === 'userSpaceOnUse';
    const toElement = multiply(isUser ? [1, 0, 0, 1, 0, 0] : box.unit, transformIn(get('gradientTransform')));
    const fromBox = multiplied(invert(toElement), box.toElement);
    if (!fromBox) return solid(last.color);
    const lost = (get('spreadMethod') ?? 'pad') === 'pad' ? null : 'its gradient is not repeated';
    const at = (name: string, absent: string) => styleLength(get(name) ?? absent, 0);
    if (element.name === 'linearGradient') {
      const from = { x: at('x1', '0%'), y: at('y1', '0%') };
      const to = { x: at('x2', '100%'), y: at('y2', '0%') };
      const fill = linear(from, to, fromBox, box, stops);
      return fill ? { kind: 'fill', fill, lost } : solid(last.color);
    }
    const centre = { x: at('cx', '50%'), y: at('cy', '50%') };
    return radial(centre, at('r', '50%'), invert(fromBox) ?? box.toElement, box, stops, lost);
  }

  /** Attributes and stops that a gradient leaves to the gradients that it refers to. */
  #withTemplates(element: SvgElement) {
    const chain = [element];
    for (let at = element; chain.length < 6; ) {
      const next = this.#byId.get(hrefOf(at).slice(1));
      if (!next || chain.includes(next)) break;
      chain.push(next);
      at = next;
    }
    const get = (name: string) => chain.find(({ attributes }) => attributes.has(name))?.attributes.get(name);
    return { get, stops: chain.find((one) => elementsIn(one).some(({ name }) => name === 'stop')) ?? element };
  }

  #stops(gradient: SvgElement, opacity: number): readonly Stop[] {
    let before = 0;
    return elementsIn(gradient)
      .filter(({ name }) => name === 'stop')
      .slice(0, 32)
      .map((element) => {
        const style = styleOf(element, new Map());
        const alpha = opacity * opacityOf(style.get('stop-opacity'));
        const offset = Math.max(before, opacityOf(element.attributes.get('offset') ?? '0'));
        before = offset;
        return {
          offset,
          color: colorIn(style.get('stop-color') ?? '#000', style, alpha) ?? { r: 0, g: 0, b: 0, a: alpha },
        };
      });
  }
}

export const hrefOf = ({ attributes }: SvgElement): string =>
  (attributes.get('href') ?? attributes.get('{http://www.w3.org/1999/xlink}href') ?? '').trim();

const multiplied = (outer: Matrix | null, inner: Matrix): Matrix | null => outer && multiply(outer, inner);

/**
 * A linear gradient over a box, as CSS has it. Where a colour is along the line is an affine function of the place, so
 * any transform can be expressed by another angle and other offsets.
 */
function linear(from: Point, to: Point, fromBox: Matrix, box: Size, stops: readonly Stop[]): object | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  if (length === 0) return null;
  const along = (point: Point) => {
    const { x, y } = transformPoint(fromBox, point);
    return ((x - from.x) * dx + (y - from.y) * dy) / length;
  };
  const origin = along({ x: 0, y: 0 });
  const slope = { x: along({ x: 1, y: 0 }) - origin, y: along({ x: 0, y: 1 }) - origin };
  const steepness = Math.hypot(slope.x, slope.y);
  if (steepness < 1e-9) return null;
  const way = { x: slope.x / steepness, y: slope.y / steepness };
  const reach = (Math.abs(way.x) * box.width + Math.abs(way.y) * box.height) / 2;
  const middle = along({ x: box.width / 2, y: box.height / 2 });
  const [start, end] = [middle - reach * steepness, middle + reach * steepness];
  const angle = round((Math.atan2(way.x, -way.y) * 180) / Math.PI, 2);
  return { type: 'linear', angle: angle < 0 ? angle + 360 : angle, stops: within(stops, start, end) };
}

function radial(
  centre: Point,
  radius: number,
  toBox: Matrix,
  box: Size,
  stops: readonly Stop[],
  lost: string | null,
): ImportedPaint {
  const at = transformPoint(toBox, centre);
  const axis = (x: number, y: number) => {
    const end = transformPoint(toBox, { x: centre.x + x * radius, y: centre.y + y * radius });
    return { x: end.x - at.x, y: end.y - at.y };
  };
  const [a, b] = [axis(1, 0), axis(0, 1)];
  const [rx, ry] = [Math.hypot(a.x, b.x), Math.hypot(a.y, b.y)];
  const isUpright = Math.abs(a.x * a.y + b.x * b.y) < 0.02 * Math.max(rx * ry, 1e-9);
  const isCircle = isUpright && Math.abs(rx - ry) < 0.02 * Math.max(rx, ry);
  const [relativeX, relativeY] = [rx / Math.max(box.width / 2, 1e-6), ry / Math.max(box.height / 2, 1e-6)];
  const isOfBox = isUpright && Math.abs(relativeX - relativeY) < 0.02 * Math.max(relativeX, relativeY);
  const size = isCircle ? rx / (Math.max(box.width, box.height) / 2) : Math.sqrt(relativeX * relativeY);
  const part = (value: number) => round(Math.min(3, Math.max(-2, value)));
  const fill = {
    type: 'radial',
    shape: isCircle ? 'circle' : 'ellipse',
    center: { x: part(at.x / Math.max(box.width, 1e-6)), y: part(at.y / Math.max(box.height, 1e-6)) },
    radius: round(Math.min(10, size)),
    stops: within(stops, 0, 1),
  };
  const isExact = isCircle || isOfBox;
  return { kind: 'fill', fill, lost: isExact ? lost : 'its radial gradient has the proportions of its box' };
}

/** Stops with offsets from `start` to `end` instead of 0 to 1; what lies beyond is cut, with the colours at the cuts. */
function within(stops: readonly Stop[], start: number, end: number): readonly { color: string; offset: number }[] {
  const moved = stops.map(({ offset, color }) => ({ offset: (offset - start) / (end - start), color }));
  const inside = moved.filter(({ offset }) => offset >= 0 && offset <= 1);
  const isCutBefore = (moved[0]?.offset ?? 0) < 0;
  const isCutAfter = (moved.at(-1)?.offset ?? 1) > 1;
  const all = [
    ...(isCutBefore ? [{ offset: 0, color: colorAt(moved, 0) }] : []),
    ...inside,
    ...(isCutAfter ? [{ offset: 1, color: colorAt(moved, 1) }] : []),
  ].slice(0, 32);
  const [only] = all;
  const whole = all.length > 1 || !only ? all : [only, { ...only, offset: 1 }];
  return whole.map(({ offset, color }) => ({ color: cssColor(color), offset: round(offset) }));
}

function colorAt(stops: readonly Stop[], at: number): Color {
  const after = stops.findIndex(({ offset }) => offset >= at);
  const [low, high] = [stops[Math.max(0, after - 1)], stops[after < 0 ? stops.length - 1 : after]];
  if (!low || !high || after <= 0) return (high ?? low ?? { color: { r: 0, g: 0, b: 0, a: 0 } }).color;
  const share = high.offset === low.offset ? 1 : (at - low.offset) / (high.offset - low.offset);
  const mix = (x: number, y: number) => x + (y - x) * share;
  const [from, to] = [low.color, high.color];
  return {
    r: Math.round(mix(from.r, to.r)),
    g: Math.round(mix(from.g, to.g)),
    b: Math.round(mix(from.b, to.b)),
    a: mix(from.a, to.a),
  };
}

/** The id of `url(#id)`, with which a text begins. */
export const idIn = (text: string): string | undefined => /^url\(\s*["']?#([^"')]+)(?:["']\s*)?\)/.exec(text)?.[1];

export interface ImportedEffects {
  readonly shadows: readonly object[];
  /** Standard deviation, px. */
  readonly blur: number;
  /** Whether the filter does anything else. */
  readonly isLost: boolean;
}

/**
 * Reads a filter as shadows and a blur, which is what Figma, Sketch and CSS's `drop-shadow` write.
 *
 * @param scale px per unit of the filter
 */
export function importedEffects(filter: SvgElement, scale: number): ImportedEffects {
  const shadows: object[] = [];
  let blur = 0;
  let isLost = false;
  let flood: Color | null = null;
  let [dx, dy, deviation, spread, isInset, isShifted] = [0, 0, 0, 0, false, false];
  const add = (color: Color) => {
    const px = (value: number) => round(value * scale, 2);
    shadows.push({
      x: px(dx),
      y: px(dy),
      blur: px(Math.min(100, 2 * deviation)),
      ...(spread !== 0 && { spread: px(spread) }),
      color: cssColor(color),
      ...(isInset && { inset: true }),
    });
    [dx, dy, deviation, spread, isInset, isShifted] = [0, 0, 0, 0, false, false];
  };
  for (const primitive of elementsIn(filter)) {
    const number = (name: string) => styleLength(primitive.attributes.get(name)?.split(/[\s,]+/)[0], 0);
    const style = styleOf(primitive, new Map());
    switch (primitive.name) {
      case 'feDropShadow':
        [dx, dy, deviation] = [number('dx'), number('dy'), number('stdDeviation')];
        add(
          colorIn(style.get('flood-color') ?? '#000', style, opacityOf(style.get('flood-opacity'))) ?? {
            r: 0,
            g: 0,
            b: 0,
            a: 1,
          },
        );
        break;
      case 'feOffset':
        [dx, dy, isShifted] = [number('dx'), number('dy'), true];
        break;
      case 'feGaussianBlur':
        deviation = number('stdDeviation');
        break;
      case 'feMorphology':
        spread = number('radius') * (primitive.attributes.get('operator') === 'dilate' ? 1 : -1);
        break;
      case 'feComposite': {
        const operator = primitive.attributes.get('operator');
        isInset ||= operator === 'arithmetic';
        if (operator === 'in' && isShifted && flood) add(flood);
        break;
      }
      case 'feColorMatrix': {
        const values = (primitive.attributes.get('values') ?? '')
          .trim()
          .split(/[\s,]+/)
          .map(Number);
        const [r = 0, g = 0, b = 0, a = 0] = [values[4], values[9], values[14], values[18]];
        // Of a silhouette, each colour is the same whatever was below; the first of Figma's makes it opaque.
        isLost ||= values.length !== 20 || [0, 1, 2, 5, 6, 7, 10, 11, 12].some((at) => values[at] !== 0);
        if (isLost || a > 1) break;
        const byte = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255);
        add({ r: byte(r), g: byte(g), b: byte(b), a });
        break;
      }
      case 'feFlood':
        flood = colorIn(style.get('flood-color') ?? '#000', style, opacityOf(style.get('flood-opacity')));
        break;
      case 'feBlend':
      case 'feMerge':
        break;
      default:
        isLost = true;
    }
  }
  if (deviation > 0 && !isShifted) blur = round(Math.min(100, deviation * scale), 2);
  else if (isShifted) isLost = true;
  return { shadows: shadows.slice(0, 8), blur, isLost };
}
