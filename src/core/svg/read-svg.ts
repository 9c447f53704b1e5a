// Converts usvg's simplified SVG to display-list operations, so that drawings of other libraries render like our own.
//
// The drawing has marked elements in place of letters and pictures; these are replaced by the glyph runs and images
// that they stand for. So text stays text, and a picture keeps all its pixels.
//
// Supported: paths, solid colours, gradients, patterns, clips, masks, opacity, blend modes, and
// filters of blurs, offsets and colours. Anything else is refused by name (UnreadableSvg).

import { BLEND_MODES, type BlendMode } from '../blend-mode.ts';
import { WHITE } from '../color.ts';
import {
  intersection,
  invert,
  type Matrix,
  multiply,
  type Point,
  type Rect,
  type Size,
  transformRect,
  translation,
} from '../geometry.ts';
import { backdropMark, maskedGroup } from '../paint/backdrop.ts';
import type { Brush, Filter, PaintOp } from '../paint/display-list.ts';
import { emboldened, extraWidth } from '../paint/embolden.ts';
import { greyed } from '../paint/filter.ts';
import { clipped, group } from '../paint/group.ts';
import { rectPath } from '../paint/outline.ts';
import { colorRunOps } from '../paint/paint-text.ts';
import { recolored } from '../paint/shadow.ts';
import { type PathData, pathBounds } from '../path.ts';
import type { FontSet } from '../text/font-set.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import {
  attributeMatrix,
  colorOf,
  elementsIn,
  FIXED_STROKE,
  numberOf,
  pathOf,
  rectOf,
  referenceOf,
  SvgDefs,
  type SvgElement,
  UnreadableSvg,
} from './read-attributes.ts';
import { clipPathOf, outlinesOf } from './read-clip.ts';
import { filteredOps } from './read-filter.ts';
import { gradientBrush, strokeOf, unitMatrix } from './read-paint.ts';

export { type SvgElement, UnreadableSvg } from './read-attributes.ts';

export interface MarkedImage extends Size {
  /** Into `Resources.images`; the size is the image's own, px. */
  readonly key: string;
}

/** The glyph runs and images that marked elements stand for. */
export interface SvgMarks {
  /** By the id of a `<path>`, which has the letters' outlines. */
  readonly texts: ReadonlyMap<string, { readonly run: GlyphRun; readonly origin: Point }>;
  /** By the `href` of an `<image>`. */
  readonly images: ReadonlyMap<string, MarkedImage>;
  /** By the id of a `<path>`, the filters of what lies behind it; `withBackdrops` puts that there. */
  readonly backdrops: ReadonlyMap<string, readonly Filter[]>;
  readonly fonts: FontSet;
  /** By how much the drawing is scaled when it is placed, which strokes that do not scale undo; absent = 1. */
  readonly scale?: number;
}

/** Operations of one drawing, tiles of patterns included. */
const MAX_OPS = 50_000;
/** Masks that fade, of one drawing; each is read anew for each element that it masks. */
const MAX_MASKS = 500;
const HREF = '{http://www.w3.org/1999/xlink}href';

/**
 * @param root the `<svg>` element
 * @throws UnreadableSvg
 */
export function readSvg(root: SvgElement, marks: SvgMarks): readonly PaintOp[] {
  return new SvgReader(root, marks).ops(root);
}

class SvgReader {
  readonly #defs: SvgDefs;
  readonly #marks: SvgMarks;
  #count = 0;
  #masks = 0;

  constructor(root: SvgElement, marks: SvgMarks) {
    this.#defs = new SvgDefs(root);
    this.#marks = marks;
  }

  ops(parent: SvgElement): readonly PaintOp[] {
    return elementsIn(parent).flatMap((element) => this.#element(element));
  }

  #element(element: SvgElement): readonly PaintOp[] {
    this.#spend(1);
    switch (element.name) {
      case 'defs':
        return [];
      case 'g':
        return this.#set(element, this.ops(element));
      case 'path':
        return this.#set(element, this.#path(element));
      case 'image':
        return this.#set(element, this.#image(element));
      default:
        throw new UnreadableSvg(`<${element.name}>`);
    }
  }

  #spend(ops: number): void {
    this.#count += ops;
    if (this.#count > MAX_OPS) throw new UnreadableSvg(`a drawing of more than ${MAX_OPS} parts`);
  }

  /** Applies an element's transform, filter, clips, opacity and blend mode to its content. */
  #set(element: SvgElement, content: readonly PaintOp[]): readonly PaintOp[] {
    if (content.length === 0) return content;
    const filter = referenceOf(element, 'filter');
    const shown = filter === null ? content : filteredOps(this.#defs.get(filter), content);
    const id = referenceOf(element, 'mask');
    const mask = id === null ? null : this.#defs.get(id);
    const outlines = mask && outlinesOf(mask, this.#defs);
    const clips = [...clipPathOf(element, this.#defs), ...(outlines ?? [])];
    const cut = clips.reduceRight((ops, clip) => clipped(ops, clip), shown);
    const style = element.attributes.get('style') ?? '';
    const [, blend = 'normal'] = /mix-blend-mode:\s*([a-z-]+)/.exec(style) ?? [];
    if (!isBlendMode(blend)) throw new UnreadableSvg(`mix-blend-mode: ${blend}`);
    const opacity = numberOf(element, 'opacity', 1);
    // `isolation` is not read: a display list has isolated groups only where opacity, blend mode or filters need one.
    const effects = { transform: attributeMatrix(element, 'transform'), opacity, blend };
    return mask && !outlines ? maskedGroup(effects, this.#light(mask), cut) : group(effects, cut);
  }

  /** A mask as tones of grey (CSS Masking 1 §6): its opacity, or its luminance. */
  #light(mask: SvgElement): readonly PaintOp[] {
    this.#masks += 1;
    if (this.#masks > MAX_MASKS) throw new UnreadableSvg(`masks inside one another, or more than ${MAX_MASKS} masks,`);
    const content = this.ops(mask);
    const isAlpha = mask.attributes.get('mask-type') === 'alpha';
    const tones = isAlpha ? recolored(content, WHITE, this.#marks.fonts) : group({ filters: [greyed(1)] }, content);
    const area = { path: rectPath(rectOf(mask)), rule: 'nonzero' } as const;
    const outer = referenceOf(mask, 'mask');
    const within = outer === null ? {} : { mask: this.#light(this.#defs.get(outer)) };
    return group(within, clipped(tones, area));
  }

  #path(element: SvgElement): readonly PaintOp[] {
    const id = element.attributes.get('id') ?? '';
    const text = this.#marks.texts.get(id);
    const path = pathOf(element);
    const backdrop = this.#marks.backdrops.get(id);
    if (backdrop) return [backdropMark({ path, rule: 'nonzero' }, backdrop, 1, null)];
    const bounds = pathBounds(path);
    if (!bounds) return [];
    const fill = text ? this.#letters(element, bounds, text) : this.#fill(element, path, bounds);
    const scale = id.startsWith(FIXED_STROKE) ? (this.#marks.scale ?? 1) : 1;
    const stroke = this.#stroke(element, path, bounds, text?.run.embolden ? extraWidth(text.run) : 0, scale);
    return /^\s*stroke/.test(element.attributes.get('paint-order') ?? '') ? [...stroke, ...fill] : [...fill, ...stroke];
  }

  #fill(element: SvgElement, path: PathData, bounds: Rect): readonly PaintOp[] {
    if ((element.attributes.get('fill') ?? '#000000') === 'none' || bounds.width === 0 || bounds.height === 0)
      return [];
    const rule = element.attributes.get('fill-rule') === 'evenodd' ? 'evenodd' : 'nonzero';
    const reference = referenceOf(element, 'fill');
    const paint = reference === null ? null : this.#defs.get(reference);
    if (paint?.name === 'pattern') {
      const [only, ...more] = this.#tiles(paint, bounds);
      // Most patterns are one area that covers the whole path: its brush then fills the path.
      const isWhole =
        only?.kind === 'fill' && more.length === 0 && only.rule === 'nonzero' && covers(only.path, bounds);
      const ops = isWhole
        ? [{ kind: 'fill', path, rule, brush: only.brush } satisfies PaintOp]
        : clipped(only ? [only, ...more] : [], { path, rule });
      return group({ opacity: numberOf(element, 'fill-opacity', 1) }, ops);
    }
    const brush = this.#brush(element, 'fill', bounds);
    return brush ? [{ kind: 'fill', path, rule, brush }] : [];
  }

  /**
   * @param extra px added to the width, since emboldened letters are wider
   * @param scale by which the width and its dashes are divided
   */
  #stroke(element: SvgElement, path: PathData, bounds: Rect, extra: number, scale: number): readonly PaintOp[] {
    const read = strokeOf(element);
    const brush = read && this.#brush(element, 'stroke', bounds);
    if (!read || !brush) return [];
    const dash = scale === 1 ? read.dash : read.dash.map((length) => length / scale);
    return [{ kind: 'stroke', path, stroke: { ...read, width: read.width / scale + extra, dash }, brush }];
  }

  #letters(
    element: SvgElement,
    bounds: Rect,
    { run, origin }: { readonly run: GlyphRun; readonly origin: Point },
  ): readonly PaintOp[] {
    const reference = referenceOf(element, 'fill');
    const isPattern = reference !== null && this.#defs.get(reference).name === 'pattern';
    const brush = isPattern ? null : this.#brush(element, 'fill', bounds);
    const face = this.#marks.fonts.face(run.face);
    if (face.isColor && brush) return colorRunOps(run, origin, brush, face);
    const letters = { kind: 'glyphs', run, origin, brush, outline: null } as const;
    if (isPattern) return [...this.#fill(element, pathOf(element), bounds), letters];
    return run.embolden && brush ? emboldened(letters, brush, face) : [letters];
  }

  #brush(element: SvgElement, name: 'fill' | 'stroke', bounds: Rect): Brush | null {
    const paint = element.attributes.get(name) ?? (name === 'fill' ? '#000000' : 'none');
    if (paint === 'none') return null;
    const reference = referenceOf(element, name);
    if (reference === null) return { kind: 'solid', color: colorOf(element, name, `${name}-opacity`) };
    const definition = this.#defs.get(reference);
    if (definition.name === 'pattern') throw new UnreadableSvg(`a ${name} of a picture`);
    const brush = gradientBrush(definition, bounds);
    const opacity = numberOf(element, `${name}-opacity`, 1);
    return brush && opacity !== 1 ? faded(brush, opacity) : brush;
  }

  /** The content of a pattern in all places where it is at least partly visible. */
  #tiles(pattern: SvgElement, bounds: Rect): readonly PaintOp[] {
    if (pattern.attributes.has('viewBox') || pattern.attributes.get('patternContentUnits') === 'objectBoundingBox') {
      throw new UnreadableSvg('a pattern with a scale of its own');
    }
    const transform = attributeMatrix(pattern, 'patternTransform');
    const inverse = invert(transform);
    const tile = transformRect(unitMatrix(pattern, 'patternUnits', bounds), rectOf(pattern));
    const visible = inverse && transformRect(inverse, bounds);
    if (!visible || !(tile.width > 0 && tile.height > 0)) return [];
    const content = this.ops(pattern);
    // With a small tolerance, since a tile that only touches the area is not visible.
    const first = (from: number, start: number, size: number) => Math.floor((from - start) / size + 1e-4);
    const last = (to: number, start: number, size: number) => Math.ceil((to - start) / size - 1e-4) - 1;
    const columns = [
      first(visible.x, tile.x, tile.width),
      last(visible.x + visible.width, tile.x, tile.width),
    ] as const;
    const rows = [
      first(visible.y, tile.y, tile.height),
      last(visible.y + visible.height, tile.y, tile.height),
    ] as const;
    const count = Math.max(0, columns[1] - columns[0] + 1) * Math.max(0, rows[1] - rows[0] + 1);
    this.#spend(count * Math.max(1, content.length));
    const placed: PaintOp[] = [];
    for (let row = rows[0]; row <= rows[1]; row += 1) {
      for (let column = columns[0]; column <= columns[1]; column += 1) {
        const corner = { x: tile.x + column * tile.width, y: tile.y + row * tile.height };
        placed.push(...tileOps(content, corner, tile, transform));
      }
    }
    return placed;
  }

  #image(element: SvgElement): readonly PaintOp[] {
    const href = (element.attributes.get(HREF) ?? element.attributes.get('href') ?? '').replace(/\s+/g, '');
    const image = this.#marks.images.get(href);
    if (!image) return [];
    const box = rectOf(element);
    if (!(box.width > 0 && box.height > 0)) return [];
    const place = fitted(image, box, element.attributes.get('preserveAspectRatio'));
    if (!place) return [];
    return [{ kind: 'image', image: image.key, ...place }];
  }
}

function tileOps(content: readonly PaintOp[], corner: Point, tile: Rect, transform: Matrix): readonly PaintOp[] {
  const area = { x: 0, y: 0, width: tile.width, height: tile.height };
  const [only] = content;
  const [a, b, c, d, e, f] = multiply(transform, translation(corner.x, corner.y));
  if (only?.kind === 'fill' && content.length === 1 && a === 1 && b === 0 && c === 0 && d === 1) {
    const moved = movedFill(only, e, f);
    if (moved && covers(only.path, area))
      return [{ ...moved, path: rectPath({ ...area, x: e, y: f }), rule: 'nonzero' }];
  }
  if (only?.kind === 'image' && content.length === 1 && within(only.dest, area) && a === 1 && d === 1 && b === 0) {
    return [{ ...only, dest: { ...only.dest, x: only.dest.x + e, y: only.dest.y + f } }];
  }
  return group({ transform: [a, b, c, d, e, f] }, clipped(content, { path: rectPath(area), rule: 'nonzero' }));
}

type FillOp = Extract<PaintOp, { kind: 'fill' }>;

/** The same fill moved by `dx`, `dy`, with its brush. */
function movedFill(op: FillOp, dx: number, dy: number): FillOp | null {
  const { brush } = op;
  const to = ({ x, y }: Point) => ({ x: x + dx, y: y + dy });
  switch (brush.kind) {
    case 'solid':
      return op;
    case 'linear':
      return { ...op, brush: { ...brush, from: to(brush.from), to: to(brush.to) } };
    case 'radial':
      return { ...op, brush: { ...brush, transform: multiply(translation(dx, dy), brush.transform) } };
    case 'conic':
      return { ...op, brush: { ...brush, centre: to(brush.centre) } };
  }
}

const HAIR = 0.02;

function within(inner: Rect, outer: Rect): boolean {
  return (
    inner.x >= outer.x - HAIR &&
    inner.y >= outer.y - HAIR &&
    inner.x + inner.width <= outer.x + outer.width + HAIR &&
    inner.y + inner.height <= outer.y + outer.height + HAIR
  );
}

/** Whether a path is an axis-aligned rectangle that contains all of `area`. */
function covers(path: PathData, area: Rect): boolean {
  const bounds = pathBounds(path);
  const corners = path.filter((segment) => segment[0] !== 'Z');
  const isRect =
    bounds !== null &&
    corners.length <= 5 &&
    corners.every(
      (segment) =>
        segment[0] !== 'C' &&
        (segment[1] === bounds.x || segment[1] === bounds.x + bounds.width) &&
        (segment[2] === bounds.y || segment[2] === bounds.y + bounds.height),
    );
  return isRect && within(area, bounds);
}

/** SVG 2 §8.6, preserveAspectRatio: the part of a picture that shows, and its place. */
function fitted(
  image: { width: number; height: number },
  box: Rect,
  how = 'xMidYMid meet',
): { source: Rect; dest: Rect } {
  const whole = { x: 0, y: 0, width: image.width, height: image.height };
  const [align = 'xMidYMid', fit = 'meet'] = how.trim().split(/\s+/);
  if (align === 'none') return { source: whole, dest: box };
  const [, xAlign = 'Mid', yAlign = 'Mid'] = /^x(Min|Mid|Max)Y(Min|Mid|Max)$/.exec(align) ?? [];
  const share = (name: string) => ({ Min: 0, Mid: 0.5, Max: 1 })[name] ?? 0.5;
  const scale = Math[fit === 'slice' ? 'max' : 'min'](box.width / image.width, box.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const placed = {
    x: box.x + (box.width - width) * share(xAlign),
    y: box.y + (box.height - height) * share(yAlign),
    width,
    height,
  };
  const dest = intersection(placed, box) ?? placed;
  const at = (value: number) => value / scale;
  const source = { x: at(dest.x - placed.x), y: at(dest.y - placed.y), width: at(dest.width), height: at(dest.height) };
  return { source, dest };
}

function faded(brush: Brush, opacity: number): Brush {
  const fade = <T extends { readonly a: number }>(color: T): T => ({ ...color, a: color.a * opacity });
  if (brush.kind === 'solid') return { ...brush, color: fade(brush.color) };
  return { ...brush, stops: brush.stops.map((stop) => ({ ...stop, color: fade(stop.color) })) };
}

function isBlendMode(name: string): name is BlendMode {
  return (BLEND_MODES as readonly string[]).includes(name);
}
