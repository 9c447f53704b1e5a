// Builds a ColorGlyph from HarfBuzz's paint callbacks (COLR versions 0 and 1).
//
// Transforms are applied to the outlines; gradients have their stops sorted and their line cut to the stops. Clips and
// groups without effect are left out: clips around everything, groups that blend as their parent does.

import { IDENTITY, isIdentity, type Matrix, multiply, type Point, type Rect, union } from '../geometry.ts';
import { type PathData, pathBounds, transformPath } from '../path.ts';
import type {
  ColorGlyph,
  ColorGlyphOp,
  GlyphBrush,
  GlyphColor,
  GlyphComposite,
  GlyphStop,
  GradientExtend,
} from './color-glyph.ts';

/** In the order of HarfBuzz's hb_paint_composite_mode_t. */
const COMPOSITES: readonly GlyphComposite[] = [
  'clear',
  'src',
  'dest',
  'normal',
  'dest-over',
  'src-in',
  'dest-in',
  'src-out',
  'dest-out',
  'src-atop',
  'dest-atop',
  'xor',
  'plus',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'multiply',
  'hue',
  'saturation',
  'color',
  'luminosity',
];
const EXTENDS: readonly GradientExtend[] = ['pad', 'repeat', 'reflect'];

/** The largest glyph of Noto Color Emoji takes 16,601 callbacks; beyond this the rest of a glyph is left out. */
const MAX_CALLBACKS = 100_000;
/** Path segments and colour stops of one colour glyph, and the segments of all its fills. */
const MAX_SEGMENTS = 500_000;
/** What an empty outline counts: HarfBuzz may have read 200,000 points before it gave up on a composite glyph. */
const EMPTY_OUTLINE = 1000;

type Scope = 'transform' | 'clip' | 'group';

/** A colour stop as HarfBuzz passes it; channels are 0..255. */
interface PaintedStop {
  readonly offset: number;
  readonly isForeground: boolean;
  readonly color: PaintedColor;
}
export interface PaintedColor {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}
export interface PaintedLine {
  readonly extend: number;
  readonly colorStops: readonly PaintedStop[];
}

/** Receives HarfBuzz's paint callbacks one by one; `finish` returns the glyph. */
export class ColorGlyphBuilder {
  readonly #root: ColorGlyphOp[] = [];
  #ops: ColorGlyphOp[] = this.#root;
  readonly #open: { readonly scope: Scope; readonly ops: ColorGlyphOp[]; readonly path: PathData | null }[] = [];
  readonly #matrices: Matrix[] = [IDENTITY];
  #callbacks = 0;
  #segments = 0;
  /** The segments of all fills: many may fill one clip. */
  #filled = 0;

  pushTransform(matrix: Matrix): void {
    this.#matrices.push(multiply(this.#matrix, matrix));
  }

  popTransform(): void {
    if (this.#matrices.length > 1) this.#matrices.pop();
  }

  pushClip(path: PathData): void {
    this.#segments += path.length || EMPTY_OUTLINE;
    const outline = this.isFull ? [] : path;
    this.#enter('clip', isIdentity(this.#matrix) ? outline : transformPath(outline, this.#matrix));
  }

  popClip(): void {
    const clip = this.#leave('clip');
    if (clip && clip.ops.length > 0) this.#add(simplifyClip(clip.path ?? [], clip.ops));
  }

  pushGroup(): void {
    this.#enter('group', null);
  }

  popGroup(mode: number): void {
    const group = this.#leave('group');
    if (!group || group.ops.length === 0) return;
    const composite = COMPOSITES[mode] ?? 'normal';
    if (composite === 'src-in') this.#keepInside(group.ops);
    else if (composite === 'normal' && group.ops.every(blendsOver)) this.#add(group.ops);
    else this.#add([{ kind: 'group', composite, ops: group.ops }]);
  }

  solid(isForeground: boolean, color: PaintedColor): void {
    this.#fill({ kind: 'solid', ...glyphColor(isForeground, color) });
  }

  linear(line: PaintedLine, p0: Point, p1: Point, p2: Point): void {
    if (this.isFull) return;
    const { stops, first, last } = colorLine(line);
    if (stops.length === 0) return;
    // COLRv1 rotates the line by a third point: colours are constant along p0–p2, so only the component of p0–p1 at
    // right angles to that counts.
    const along = { x: p2.x - p0.x, y: p2.y - p0.y };
    const length = along.x ** 2 + along.y ** 2;
    const across = { x: p1.x - p0.x, y: p1.y - p0.y };
    const share = length === 0 ? 0 : (across.x * along.x + across.y * along.y) / length;
    const reach = { x: across.x - share * along.x, y: across.y - share * along.y };
    const at = (t: number): Point => ({ x: p0.x + t * reach.x, y: p0.y + t * reach.y });
    this.#fill({ kind: 'linear', from: at(first), to: at(last), ...this.#gradient(line, stops) });
  }

  radial(line: PaintedLine, c0: Point, r0: number, c1: Point, r1: number): void {
    if (this.isFull) return;
    const { stops, first, last } = colorLine(line);
    if (stops.length === 0) return;
    const at = (t: number) => ({
      x: c0.x + t * (c1.x - c0.x),
      y: c0.y + t * (c1.y - c0.y),
      radius: Math.max(0, r0 + t * (r1 - r0)),
    });
    this.#fill({ kind: 'radial', start: at(first), end: at(last), ...this.#gradient(line, stops) });
  }

  sweep(line: PaintedLine, center: Point, startAngle: number, endAngle: number): void {
    if (this.isFull) return;
    const { stops, first, last } = colorLine(line);
    if (stops.length === 0) return;
    const at = (t: number) => startAngle + t * (endAngle - startAngle);
    this.#fill({ kind: 'sweep', center, startAngle: at(first), endAngle: at(last), ...this.#gradient(line, stops) });
  }

  /** Whether the rest of the glyph is left out, so that its outlines need not be drawn. */
  get isFull(): boolean {
    return this.#callbacks > MAX_CALLBACKS || Math.max(this.#segments, this.#filled) > MAX_SEGMENTS;
  }

  finish(): ColorGlyph {
    return this.#root;
  }

  get #matrix(): Matrix {
    return this.#matrices.at(-1) ?? IDENTITY;
  }

  #gradient(line: PaintedLine, stops: readonly GlyphStop[]) {
    this.#segments += stops.length;
    return { extend: EXTENDS[line.extend] ?? 'pad', stops, transform: this.#matrix } as const;
  }

  /** Fills the innermost clip; COLR paints nothing outside a clip. */
  #fill(brush: GlyphBrush): void {
    const clip = this.#open.findLast((entry) => entry.scope === 'clip');
    if (!clip?.path) return;
    this.#filled += clip.path.length;
    if (!this.isFull) this.#add([{ kind: 'fill', path: clip.path, brush }]);
  }

  #add(ops: readonly ColorGlyphOp[]): void {
    this.#callbacks++;
    if (!this.isFull) for (const op of ops) this.#ops.push(op);
  }

  #enter(scope: Scope, path: PathData | null): void {
    this.#callbacks++;
    this.#open.push({ scope, ops: this.#ops, path });
    this.#ops = [];
  }

  #leave(scope: Scope): { readonly ops: readonly ColorGlyphOp[]; readonly path: PathData | null } | null {
    const entry = this.#open.at(-1);
    if (entry?.scope !== scope) return null;
    this.#open.pop();
    const ops = this.#ops;
    this.#ops = entry.ops;
    return { ops, path: entry.path };
  }

  /** Porter–Duff "in": the source shows where what was painted before it in its group is opaque. */
  #keepInside(source: readonly ColorGlyphOp[]): void {
    const outline = silhouette(this.#ops);
    if (outline) this.#ops.splice(0, this.#ops.length, { kind: 'clip', path: outline, ops: source });
    else this.#add([{ kind: 'group', composite: 'src-in', ops: source }]);
  }
}

/** Whether an operation may be drawn directly, without a group's own surface ("over" is associative). */
function blendsOver(op: ColorGlyphOp): boolean {
  return op.kind === 'fill' || (op.kind === 'clip' && op.ops.every(blendsOver));
}

/** Drops a clip without effect: one around fills of its own outline, or a rectangle that contains all they paint. */
function simplifyClip(path: PathData, ops: readonly ColorGlyphOp[]): readonly ColorGlyphOp[] {
  if (ops.every((op) => op.kind === 'fill' && op.path === path)) return ops;
  if (isUprightRectangle(path) && contains(boundsOf([path]), boundsOf(ops.flatMap(outlinesOf)))) return ops;
  return [{ kind: 'clip', path, ops }];
}

/** The outlines that bound what an operation paints. */
function outlinesOf(op: ColorGlyphOp): readonly PathData[] {
  return op.kind === 'group' ? op.ops.flatMap(outlinesOf) : [op.path];
}

/** The outline of everything opaque in a group, or null where an outline cannot represent its alpha. */
function silhouette(ops: readonly ColorGlyphOp[]): PathData | null {
  const opaque: PathData[] = [];
  const translucent: PathData[] = [];
  // From the end, where a group that could not be cut lies: a thousand "in" must not read all fills each time.
  if (ops.findLast((op) => op.kind !== 'fill')) return null;
  for (const op of ops) {
    if (op.kind !== 'fill') continue;
    (isOpaque(op.brush) ? opaque : translucent).push(op.path);
  }
  // A tint within the opaque part (the sheen on a flag) leaves its silhouette as it is.
  if (opaque.length === 0 || !contains(boundsOf(opaque), boundsOf(translucent))) return null;
  return opaque.flat();
}

function isOpaque(brush: GlyphBrush): boolean {
  const colors: readonly GlyphColor[] = brush.kind === 'solid' ? [brush] : brush.stops;
  return colors.every(({ color }) => color?.a === 1);
}

function glyphColor(isForeground: boolean, { red, green, blue, alpha }: PaintedColor): GlyphColor {
  const a = alpha / 255;
  return { color: isForeground ? null : { r: red, g: green, b: blue, a }, alpha: a };
}

/** Stops sorted and stretched to 0..1; `first` and `last` are their original ends on the painted line. */
function colorLine({ colorStops }: PaintedLine): { stops: readonly GlyphStop[]; first: number; last: number } {
  const sorted = colorStops.filter((stop) => Number.isFinite(stop.offset)).sort((a, b) => a.offset - b.offset);
  const first = sorted.at(0)?.offset ?? 0;
  const last = sorted.at(-1)?.offset ?? 1;
  const range = last - first;
  const stops = sorted.map((stop) => ({
    offset: range === 0 ? 0 : (stop.offset - first) / range,
    ...glyphColor(stop.isForeground, stop.color),
  }));
  return { stops, first, last };
}

/** The bounds of all outlines, or null when there are none. */
function boundsOf(paths: readonly PathData[]): Rect | null {
  return paths.reduce<Rect | null>((bounds, path) => union(bounds, pathBounds(path)), null);
}

function contains(outer: Rect | null, inner: Rect | null): boolean {
  if (inner === null) return true;
  if (outer === null || inner.x < outer.x || inner.y < outer.y) return false;
  return inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
}

function isUprightRectangle(path: PathData): boolean {
  if (path.length !== 5 || path[4]?.[0] !== 'Z') return false;
  const corners = path.slice(0, 4).flatMap((segment) => (segment[0] === 'M' || segment[0] === 'L' ? [segment] : []));
  return (
    corners.length === 4 &&
    corners.every(([, x, y], i) => {
      const next = corners[(i + 1) % 4];
      return next !== undefined && (next[1] === x || next[2] === y);
    })
  );
}
