// Writes a display list as SVG, for the browser's preview and for resvg in tests.
//
// Text becomes outlines, so the picture does not depend on the viewer's fonts. Equal lists give equal SVG. An editor
// gets each operation separately (`writeSvgOps`), to replace in its page only those whose SVG changed.

import type { Color, GradientStop } from '../color.ts';
import {
  inflate,
  intersection,
  invert,
  isIdentity,
  type Point,
  type Rect,
  roundOut,
  transformRect,
} from '../geometry.ts';
import { filteredBounds, filterReach, opBounds } from '../paint/bounds.ts';
import type { Brush, Clip, DisplayList, Filter, GroupOp, PaintOp, Stroke } from '../paint/display-list.ts';
import { pathBounds } from '../path.ts';
import type { ImageResource, Resources } from '../resources.ts';
import { runPathString } from './run-path.ts';
import { colorAttributes, escaped, factor, matrix, number, pathString } from './syntax.ts';

type ImageOp = Extract<PaintOp, { kind: 'image' }>;
type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

export interface SvgOptions {
  /**
   * The URL of the picture that fills `op.dest`, or null to leave it out. A raster back end supplies pixels already
   * cropped and scaled; the default embeds the resource's own file and crops it by `op.source`.
   */
  readonly imageHref?: (op: ImageOp) => string | null;
  /** True where a picture's pixels coincide with the device's, to be copied and not filtered. Default: nowhere. */
  readonly isOnGrid?: (op: ImageOp) => boolean;
  /** The URL from which a whole picture can be fetched, to refer to it instead of embedding it; null = embed it. */
  readonly pictureAddress?: (image: string) => string | null;
}

export function writeSvg(list: DisplayList, resources: Resources, options: SvgOptions = {}): string {
  const { width, height } = list;
  const writer = new SvgWriter(resources, options);
  const body = writer.ops(list.ops, { x: 0, y: 0, width, height });
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${writer.defs}${body}</svg>`;
}

export interface SvgOpsOptions extends SvgOptions {
  /** Begins every id: letters, digits and hyphens, starting with a letter. */
  readonly idPrefix: string;
}

/**
 * Each operation of the list as separate SVG: its definitions, then its elements; '' if nothing of it shows.
 *
 * They belong in one `<svg>` with the canvas's viewBox, each in a plain group. Blend modes are written as classes
 * `blend-multiply`, …, for a page whose content security policy forbids style attributes. `memory` caches the SVG of
 * operations between calls.
 */
export function writeSvgOps(
  list: DisplayList,
  resources: Resources,
  options: SvgOpsOptions,
  memory?: WeakMap<PaintOp, string>,
): readonly string[] {
  const canvas = { x: 0, y: 0, width: list.width, height: list.height };
  return list.ops.map((op) => {
    let svg = memory?.get(op);
    if (svg === undefined) {
      const writer = new SvgWriter(resources, options, options.idPrefix);
      const body = writer.ops([op], canvas);
      svg = body === '' ? '' : `${writer.defs}${body}`;
      memory?.set(op, svg);
    }
    return svg;
  });
}

/** How far an antialiased edge may extend around an outline, px. */
const EDGE = 1;

class SvgWriter {
  readonly defs: Defs;
  readonly #resources: Resources;
  readonly #options: SvgOptions;
  readonly #blendsByClass: boolean;

  constructor(resources: Resources, options: SvgOptions, idPrefix: string | null = null) {
    this.defs = new Defs(idPrefix);
    this.#blendsByClass = idPrefix !== null;
    this.#resources = resources;
    this.#options = options;
  }

  /** @param visible the visible region, in the coordinates of `ops` */
  ops(ops: readonly PaintOp[], visible: Rect): string {
    let svg = '';
    for (const op of ops) svg += this.#op(op, visible);
    return svg;
  }

  #op(op: PaintOp, visible: Rect): string {
    switch (op.kind) {
      case 'fill': {
        const rule = op.rule === 'evenodd' ? ' fill-rule="evenodd"' : '';
        return this.#path(pathString(op.path), `${rule}${this.#brush('fill', op.brush, op)}`);
      }
      case 'stroke':
        return this.#path(pathString(op.path), ` fill="none"${this.#stroke(op.stroke, op.brush, op)}`);
      case 'glyphs':
        return this.#glyphs(op);
      case 'image':
        return this.#image(op);
      case 'group':
        return this.#group(op, visible);
      case 'link':
        return '';
    }
  }

  #path(d: string, attributes: string): string {
    return d === '' ? '' : `<path d="${d}"${attributes}/>`;
  }

  #glyphs(op: GlyphsOp): string {
    if (op.brush === null && op.outline === null) return '';
    const fill = op.brush ? this.#brush('fill', op.brush, op) : ' fill="none"';
    const outline = op.outline ? `${this.#stroke(op.outline.stroke, op.outline.brush, op)} paint-order="stroke"` : '';
    return this.#path(runPathString(op.run, op.origin, this.#resources.fonts.face(op.run.face)), `${fill}${outline}`);
  }

  #image(op: ImageOp): string {
    const { x, y, width, height } = op.dest;
    const place = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    const { imageHref, isOnGrid } = this.#options;
    if (imageHref) {
      const href = imageHref(op);
      // Coordinates are rounded, so without this even a picture on the grid would be filtered slightly.
      const rendering = isOnGrid?.(op) ? ' image-rendering="optimizeSpeed"' : '';
      return href === null ? '' : `<image ${place} preserveAspectRatio="none"${rendering} href="${escaped(href)}"/>`;
    }
    const image = this.#resources.images.get(op.image);
    if (!image) return '';
    const size = `width="${number(image.width)}" height="${number(image.height)}"`;
    const address = this.#options.pictureAddress?.(op.image) ?? null;
    const whole = this.defs.add(
      address === null ? `image ${op.image}` : `image ${address} ${size}`,
      (id) =>
        `<image id="${id}" ${size} preserveAspectRatio="none" href="${address === null ? dataUri(image) : escaped(address)}"/>`,
    );
    const { source } = op;
    const crop = [source.x, source.y, source.width, source.height].map(factor).join(' ');
    const rendering = op.isPixelated ? ' image-rendering="pixelated"' : '';
    return `<svg ${place} viewBox="${crop}" preserveAspectRatio="none"${rendering}><use href="#${whole}"/></svg>`;
  }

  #group(op: GroupOp, visible: Rect): string {
    const inverse = invert(op.transform);
    if (!inverse) return '';
    // The visible part of the group, and the part of its content that this needs.
    let window: Rect | null = transformRect(inverse, visible);
    if (op.clip) window = overlap(window, pathBounds(op.clip.path));
    const needed = window && inflate(window, filterReach(op.filters));
    const region =
      needed && op.filters.length > 0 ? overlap(needed, filteredBounds(op, this.#resources.fonts)) : needed;
    if (!region) return '';
    const body = this.ops(this.#seen(op.ops, region), region);
    if (body === '') return '';
    const light = op.mask && this.ops(this.#seen(op.mask, region), region);
    if (light === '') return '';

    let attributes = '';
    if (!isIdentity(op.transform)) attributes += ` transform="${matrix(op.transform)}"`;
    if (op.opacity !== 1) attributes += ` opacity="${factor(op.opacity)}"`;
    if (op.clip) attributes += ` clip-path="url(#${this.#clip(op.clip)})"`;
    if (light !== undefined) attributes += ` mask="url(#${this.#mask(light, region)})"`;
    if (op.filters.length > 0) attributes += ` filter="url(#${this.#filter(op.filters, region)})"`;
    if (op.blend !== 'normal') {
      attributes += this.#blendsByClass ? ` class="blend-${op.blend}"` : ` style="mix-blend-mode:${op.blend}"`;
    }
    return `<g${attributes}>${body}</g>`;
  }

  /** Drops operations outside the region: a group that lies outside as a whole makes resvg abort the process. */
  #seen(ops: readonly PaintOp[], region: Rect): readonly PaintOp[] {
    return ops.filter((op) => {
      const bounds = opBounds(op, this.#resources.fonts);
      return bounds !== null && overlap(inflate(region, EDGE), bounds) !== null;
    });
  }

  #brush(name: 'fill' | 'stroke', brush: Brush, op: PaintOp): string {
    return brushAttributes(name, brush, () => opBounds(op, this.#resources.fonts), this.defs);
  }

  #stroke({ width, cap, join, miterLimit, dash }: Stroke, brush: Brush, op: PaintOp): string {
    let attributes = `${this.#brush('stroke', brush, op)} stroke-width="${number(width)}"`;
    if (cap !== 'butt') attributes += ` stroke-linecap="${cap}"`;
    if (join !== 'miter') attributes += ` stroke-linejoin="${join}"`;
    else if (miterLimit !== 4) attributes += ` stroke-miterlimit="${number(miterLimit)}"`;
    if (dash.length > 0) attributes += ` stroke-dasharray="${dash.map(number).join(' ')}"`;
    return attributes;
  }

  #clip({ path, rule }: Clip): string {
    const d = pathString(path);
    const evenOdd = rule === 'evenodd' ? ' clip-rule="evenodd"' : '';
    return this.defs.add(`clip ${rule} ${d}`, (id) => `<clipPath id="${id}"><path d="${d}"${evenOdd}/></clipPath>`);
  }

  /** @param light the elements whose light is the mask */
  #mask(light: string, region: Rect): string {
    const content = `maskUnits="userSpaceOnUse" ${wholePixels(region)}>${light}`;
    return this.defs.add(`mask ${content}`, (id) => `<mask id="${id}" ${content}</mask>`);
  }

  /** @param region of the filters; everything outside is cut off */
  #filter(filters: readonly Filter[], region: Rect): string {
    const area = wholePixels(region);
    const steps = filters.map((filter) =>
      filter.kind === 'blur'
        ? `<feGaussianBlur stdDeviation="${number(filter.sigma)}"/>`
        : `<feColorMatrix type="matrix" values="${filter.values.map(factor).join(' ')}"/>`,
    );
    const content = `filterUnits="userSpaceOnUse" ${area} color-interpolation-filters="sRGB">${steps.join('')}`;
    return this.defs.add(`filter ${content}`, (id) => `<filter id="${id}" ${content}</filter>`);
  }
}

/** The attributes of a region that contains this one. */
function wholePixels(region: Rect): string {
  const x = Math.floor(region.x);
  const y = Math.floor(region.y);
  const width = Math.ceil(region.x + region.width) - x;
  const height = Math.ceil(region.y + region.height) - y;
  return `x="${x}" y="${y}" width="${width}" height="${height}"`;
}

function overlap(a: Rect, b: Rect | null): Rect | null {
  return b && intersection(a, b);
}

const MEDIA_TYPE = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
} as const satisfies Record<ImageResource['format'], string>;

/** Bytes encoded at a time: few enough to be function arguments, and whole groups of three. */
const CHUNK = 3 * 8192;

/** An image file in memory as a data: URI. */
function dataUri({ format, bytes }: ImageResource): string {
  let base64 = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    base64 += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return `data:${MEDIA_TYPE[format]};base64,${base64}`;
}

// Writes brushes as SVG paint attributes and definitions.
//
// SVG has no conic gradient: it becomes a tile of thin wedges, drawn without antialiasing; the shape that is painted
// with the tile still has an antialiased edge.

type Conic = Extract<Brush, { kind: 'conic' }>;

/**
 * Returns ` fill="…"` or ` stroke="…"`.
 *
 * @param bounds of the painted shape; called only if the brush needs it
 */
function brushAttributes(name: 'fill' | 'stroke', brush: Brush, bounds: () => Rect | null, defs: Defs): string {
  if (brush.kind === 'solid') return colorAttributes(name, brush.color);
  if (brush.kind !== 'conic') {
    return ` ${name}="url(#${defs.add(JSON.stringify(brush), (id) => gradient(brush, id))})"`;
  }
  const area = bounds();
  if (!area) return ` ${name}="none"`;
  const key = JSON.stringify([brush, area]);
  return ` ${name}="url(#${defs.add(key, (id) => conicPattern(brush, area, id))})"`;
}

function gradient(brush: Exclude<Brush, { kind: 'solid' | 'conic' }>, id: string): string {
  if (brush.kind === 'linear') {
    const { from, to } = brush;
    const line = `x1="${number(from.x)}" y1="${number(from.y)}" x2="${number(to.x)}" y2="${number(to.y)}"`;
    return `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${line}>${stops(brush.stops)}</linearGradient>`;
  }
  const circle = `cx="0" cy="0" r="1" gradientTransform="${matrix(brush.transform)}"`;
  return `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" ${circle}>${stops(brush.stops)}</radialGradient>`;
}

function stops(list: readonly GradientStop[]): string {
  return list
    .map(({ offset, color }) => `<stop offset="${factor(offset)}"${colorAttributes('stop', color)}/>`)
    .join('');
}

function conicPattern(brush: Conic, bounds: Rect, id: string): string {
  const { area, apex, wedges } = conicTile(brush, bounds);
  const spelled = ({ x, y }: Point) => `${number(x)} ${number(y)}`;
  const paths = wedges.map(
    ({ from, to, color }) =>
      `<path d="M${spelled(apex)}L${spelled(from)}L${spelled(to)}Z"${colorAttributes('fill', color)}/>`,
  );
  const place = `x="${area.x}" y="${area.y}" width="${area.width}" height="${area.height}"`;
  return `<pattern id="${id}" patternUnits="userSpaceOnUse" ${place}><g shape-rendering="crispEdges">${paths.join('')}</g></pattern>`;
}

// Approximates a conic gradient over an area by a tile of thin wedges, each of one colour.
//
// Each wedge begins exactly where the one before it ends, so that drawn without antialiasing they neither overlap nor
// leave a seam.

interface ConicTile {
  /** Whole px. */
  readonly area: Rect;
  /** Where all wedges meet; may lie outside the tile. Relative to the tile's corner, like the wedges. */
  readonly apex: Point;
  /** Clockwise, once around; none is wider than an eighth of a turn. */
  readonly wedges: readonly Wedge[];
}

/** A triangle from the apex to two points beyond the tile. */
interface Wedge {
  readonly from: Point;
  readonly to: Point;
  readonly color: Color;
}

/** Rounds out to whole px plus one on each side, so that the tile's repetition is never sampled at an edge. */
function tileArea(bounds: Rect): Rect {
  return inflate(roundOut(bounds), 1);
}

/** @param bounds of the painted shape */
function conicTile({ centre, angle, stops }: Extract<Brush, { kind: 'conic' }>, bounds: Rect): ConicTile {
  const area = tileArea(bounds);
  const { x, y, width, height } = area;
  const dx = Math.max(Math.abs(x - centre.x), Math.abs(x + width - centre.x));
  const dy = Math.max(Math.abs(y - centre.y), Math.abs(y + height - centre.y));
  const radius = Math.hypot(dx, dy);
  // A wedge is a triangle: the middle of its far side must also lie outside the tile.
  const reach = radius / Math.cos(Math.PI * WIDEST_WEDGE);
  const apex = { x: centre.x - x, y: centre.y - y };
  const at = (turn: number) => {
    const radians = (angle / 180 + 2 * turn) * Math.PI;
    return { x: apex.x + reach * Math.sin(radians), y: apex.y - reach * Math.cos(radians) };
  };
  const wedges = shadesOf(stops, radius).map(({ from, to, color }) => ({ from: at(from), to: at(to), color }));
  return { area, apex, wedges };
}

/** An eighth of a turn. */
const WIDEST_WEDGE = 1 / 8;
/** The most device px per canvas px: a picture may be requested at three times its size. */
const LARGEST_SCALE = 3;

interface Shade {
  /** Turns from the gradient's angle, clockwise. */
  readonly from: number;
  readonly to: number;
  readonly color: Color;
}

function shadesOf(list: readonly GradientStop[], radius: number): readonly Shade[] {
  const shades: Shade[] = [];
  let from = 0;
  let start = list[0]?.color;
  for (const { offset, color } of [...list, { offset: 1, color: list.at(-1)?.color }]) {
    if (!start || !color) break;
    if (offset > from) {
      const turn = offset - from;
      const steps = Math.max(...(['r', 'g', 'b'] as const).map((c) => Math.abs(color[c] - (start?.[c] ?? 0))));
      const fades = Math.abs(color.a - start.a) * 255;
      const arc = 2 * Math.PI * radius * turn * LARGEST_SCALE;
      // One wedge per shade is as smooth as 8 bits allow; wedges thinner than a device px at the rim are useless.
      const count = Math.ceil(Math.max(Math.min(Math.max(steps, fades), arc), turn / WIDEST_WEDGE));
      for (let i = 0; i < count; i++) {
        const mixed = mix(start, color, count === 1 ? 0.5 : i / (count - 1));
        const end = i + 1 < count ? from + (turn * (i + 1)) / count : offset;
        shades.push({ from: from + (turn * i) / count, to: end, color: mixed });
      }
      from = offset;
    }
    start = color;
  }
  return shades;
}

function mix(a: Color, b: Color, t: number): Color {
  const between = (p: number, q: number) => p + (q - p) * t;
  return {
    r: Math.round(between(a.r, b.r)),
    g: Math.round(between(a.g, b.g)),
    b: Math.round(between(a.b, b.b)),
    a: between(a.a, b.a),
  };
}

// Collects the SVG definitions that elements refer to by id: gradients, clips, filters, images. Equal content is
// defined once.
//
// With a prefix, an id is derived from the content itself, so that parts of a page that are written and rewritten
// separately never use one id for two contents.

class Defs {
  readonly #ids = new Map<string, string>();
  readonly #written: string[] = [];
  readonly #prefix: string | null;

  /** @param prefix of all ids; null = numbered ids, for a separate file */
  constructor(prefix: string | null = null) {
    this.#prefix = prefix;
  }

  /** Returns the id of the definition with this `key`; `write` makes the definition if it is new. */
  add(key: string, write: (id: string) => string): string {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#prefix === null ? `d${this.#ids.size}` : `${this.#prefix}${digest(key)}`;
    this.#ids.set(key, id);
    this.#written.push(write(id));
    return id;
  }

  toString(): string {
    return this.#written.length > 0 ? `<defs>${this.#written.join('')}</defs>` : '';
  }
}

/** 64 bits in base 36: two FNV-1a hashes from different starts. */
function digest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x5bd1e995;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit ^ (a >>> 15), 0x01000193);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
