// Points, sizes, rectangles and affine matrices, shared by all stages.
//
// Canvas px everywhere, x to the right, y down, unless a name says otherwise. Plain data, never mutated.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Point, Size {}

/** Four lengths in CSS order. */
export interface Edges {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Of a quarter of an ellipse: px across and down, and shares of the width and the height of its box, 1 = all of it. */
interface EllipticRadius extends Point {
  readonly ofWidth?: number;
  readonly ofHeight?: number;
}

/** px of a circle, or of an ellipse. */
export type Radius = number | EllipticRadius;

/** Radii of a box in CSS `border-radius` order. */
export interface Corners {
  readonly topLeft: Radius;
  readonly topRight: Radius;
  readonly bottomRight: Radius;
  readonly bottomLeft: Radius;
}

/** `[a, b, c, d, e, f]` of SVG's and PDF's `matrix()`: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

export function isIdentity(m: Matrix): boolean {
  return m[0] === 1 && m[1] === 0 && m[2] === 0 && m[3] === 1 && m[4] === 0 && m[5] === 0;
}

export function translation(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y];
}

/** Applies `inner` first, then `outer`: `multiply(outer, inner)(p) = outer(inner(p))`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function transformPoint(m: Matrix, p: Point): Point {
  return { x: m[0] * p.x + m[2] * p.y + m[4], y: m[1] * p.x + m[3] * p.y + m[5] };
}

/** The smallest upright rectangle around a transformed one. */
export function transformRect(m: Matrix, r: Rect): Rect {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [x, y] of [
    [r.x, r.y],
    [r.x + r.width, r.y],
    [r.x, r.y + r.height],
    [r.x + r.width, r.y + r.height],
  ] as const) {
    const p = transformPoint(m, { x, y });
    xs.push(p.x);
    ys.push(p.y);
  }
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Clockwise rotation by `degrees` about `centre`, as CSS `rotate` with y down. */
export function rotation(degrees: number, centre: Point): Matrix {
  const radians = (degrees * Math.PI) / 180;
  // Quarter turns are common and must stay exact, or a rotated box would get soft edges.
  const exact = degrees % 90 === 0;
  const cos = exact ? Math.round(Math.cos(radians)) : Math.cos(radians);
  const sin = exact ? Math.round(Math.sin(radians)) : Math.sin(radians);
  const { x, y } = centre;
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

/** Whether two rectangles are exactly equal. */
export function isSameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

export function centreOf(r: Rect): Point {
  return { x: r.x + r.width / 2, y: r.y + r.height / 2 };
}

/** The rectangle around both; `null` is the empty one. */
export function union(a: Rect | null, b: Rect | null): Rect | null {
  if (a === null || b === null) return a ?? b;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** The part both share, or `null` when they do not touch. */
export function intersection(a: Rect, b: Rect): Rect | null {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Whether both share a part: `intersection` without making the rectangle. */
export function rectsOverlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The smallest rectangle with integer coordinates that contains it. */
export function roundOut({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** Grows (or, negative, shrinks) a rectangle by the same length on every side. */
export function inflate(r: Rect, by: number): Rect {
  return { x: r.x - by, y: r.y - by, width: r.width + 2 * by, height: r.height + 2 * by };
}

/** Shrinks a rectangle by the same length on every side, at most to an empty one at its centre. */
export function inset(r: Rect, by: number): Rect {
  const x = Math.min(by, r.width / 2);
  const y = Math.min(by, r.height / 2);
  return { x: r.x + x, y: r.y + y, width: r.width - 2 * x, height: r.height - 2 * y };
}

/** The inverse of a matrix; null when it is singular. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | null {
  const determinant = a * d - b * c;
  if (determinant === 0 || !Number.isFinite(1 / determinant)) return null;
  const k = 1 / determinant;
  return [d * k, -b * k, -c * k, a * k, (c * f - d * e) * k, (b * e - a * f) * k];
}

/** The translation and scaling that maps `from` onto `to`; a side of `from` without length is only translated. */
export function rectToRect(from: Rect, to: Rect): Matrix {
  const sx = from.width > 0 ? to.width / from.width : 1;
  const sy = from.height > 0 ? to.height / from.height : 1;
  return [sx, 0, 0, sy, to.x - from.x * sx, to.y - from.y * sy];
}

/** Whether all of `inner` lies within `outer`, edges included. */
export function rectContains(outer: Rect, inner: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
