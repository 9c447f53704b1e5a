// Parses the values of template/style.ts: colours, fills, lengths, shadows, with no defaults left to fill in.

import { type Color, colorMixer, type GradientStop, parseColor } from '../color.ts';
import type { Corners, Edges } from '../geometry.ts';
import { parseTrack, parseTracks } from '../template/grid-syntax.ts';
import type { FrameLayer, ImageLayer } from '../template/layer.ts';
import type { TextLayer } from '../template/text-layer.ts';
import type {
  Border,
  Dimension,
  Fill,
  Filters,
  GridTrack,
  ImageNode,
  Intrinsic,
  Length,
  Shadow,
  Sides,
  TrackRepeat,
} from './scene.ts';

type StoredFill = TextLayer['color'];
type StoredGradient = Exclude<StoredFill, string>;
type StoredShadows = TextLayer['shadow'];
type StoredDimension = TextLayer['width'];

/** Parses a colour that its schema has accepted. */
function resolveColor(css: string): Color {
  const color = parseColor(css);
  if (!color) throw new Error(`The schema let the colour ${JSON.stringify(css)} through.`);
  return color;
}

export function resolveFill(fill: StoredFill): Fill {
  if (typeof fill === 'string') return { kind: 'solid', color: resolveColor(fill) };
  const stops = mixedStops(resolveStops(fill.stops), fill);
  switch (fill.type) {
    case 'linear':
      return { kind: 'linear', angle: fill.angle, stops };
    case 'radial':
      return { kind: 'radial', shape: fill.shape, center: fill.center, radius: fill.radius, stops };
    case 'conic':
      return { kind: 'conic', angle: fill.angle, center: fill.center, stops };
  }
}

/** CSS Images 4, colour stop fix-up: ends default to 0 and 1, offsets never decrease, gaps are spread evenly. */
export function stopOffsets(stops: readonly { readonly offset?: number | undefined }[]): readonly number[] {
  const offsets: (number | undefined)[] = stops.map((stop) => stop.offset);
  offsets[0] ??= 0;
  offsets[offsets.length - 1] ??= 1;
  let highest = 0;
  for (const [i, offset] of offsets.entries()) {
    if (offset === undefined) continue;
    highest = Math.max(highest, offset);
    offsets[i] = highest;
  }
  return offsets.map((offset, i) => {
    if (offset !== undefined) return offset;
    let before = i;
    while (offsets[before] === undefined) before -= 1;
    let after = i;
    while (offsets[after] === undefined) after += 1;
    const from = offsets[before] ?? 0;
    return from + (((offsets[after] ?? 1) - from) * (i - before)) / (after - before);
  });
}

function resolveStops(stops: StoredGradient['stops']): readonly GradientStop[] {
  const offsets = stopOffsets(stops);
  return stops.map(({ color }, i) => ({ offset: offsets[i] ?? 0, color: resolveColor(color) }));
}

/** Stops between two others where colours are mixed in another space than sRGB: at most one part in 255 off. */
const PIECES = 16;

/** Adds stops where colours are not mixed evenly in sRGB, as the operations that paint a gradient are. */
function mixedStops(stops: readonly GradientStop[], { stops: stored, colorSpace, hue }: StoredGradient) {
  if (colorSpace === 'srgb' && stored.every(({ hint }) => hint === undefined)) return stops;
  return stops.flatMap((stop, i): readonly GradientStop[] => {
    const next = stops[i + 1];
    const { hint } = stored[i] ?? {};
    if (!next || (colorSpace === 'srgb' && hint === undefined)) return [stop];
    const length = next.offset - stop.offset;
    const middle = hint === undefined || length <= 0 ? 0.5 : (hint - stop.offset) / length;
    // CSS Images 4, section 3.5.3: a hint on a stop makes the change a sudden one.
    if (middle <= 0) return [stop, { offset: stop.offset, color: next.color }];
    if (middle >= 1) return [stop, { offset: next.offset, color: stop.color }];
    const mix = colorMixer(stop.color, next.color, colorSpace, hue);
    const power = Math.log(0.5) / Math.log(middle);
    const pieces = hue === 'shorter' ? PIECES : 2 * PIECES;
    return Array.from({ length: pieces }, (_, piece) => {
      const t = piece / pieces;
      return piece === 0 ? stop : { offset: stop.offset + length * t, color: mix(t ** power) };
    });
  });
}

/** The tracks of an entry of `columns` or `rows`. */
export function resolveTracks(entry: string | number): readonly (GridTrack | TrackRepeat)[] {
  const tracks = typeof entry === 'number' ? [{ kind: 'px', value: entry } as const] : parseTracks(entry);
  if (!tracks) throw new Error(`The schema let the track ${JSON.stringify(entry)} through.`);
  return tracks;
}

export function resolveTrack(entry: string | number): GridTrack {
  const track = typeof entry === 'number' ? ({ kind: 'px', value: entry } as const) : parseTrack(entry);
  if (!track) throw new Error(`The schema let the track ${JSON.stringify(entry)} through.`);
  return track;
}

/** Sizes by content, but for `hug` itself, are `hug` here and in `resolveIntrinsic`. */
export function resolveDimension(value: StoredDimension): Dimension {
  if (typeof value === 'number') return { kind: 'px', value };
  if (value === 'hug' || value === 'fill') return { kind: value };
  return value.endsWith('%') ? { kind: 'percent', value: Number.parseFloat(value) } : { kind: 'hug' };
}

export function resolveIntrinsic(value: number | string | null): Intrinsic | null {
  return value === 'min-content' || value === 'max-content' || value === 'fit-content' ? { kind: value } : null;
}

export function resolveLength(value: number | string): Length {
  return typeof value === 'number' ? { kind: 'px', value } : { kind: 'percent', value: Number.parseFloat(value) };
}

type StoredEdges = TextLayer['margin'] | FrameLayer['padding'];

/** What is not px is 0. */
export function resolveEdges(value: StoredEdges): Edges {
  if (typeof value === 'number') return { top: value, right: value, bottom: value, left: value };
  return sidesOf(value, (side) => (typeof side === 'number' ? side : 0));
}

/** The percentages among four lengths; null if there are none. */
export function resolvePercentEdges(value: StoredEdges): Sides<number | null> | null {
  const isPercent = (side: unknown): side is string => typeof side === 'string' && side.endsWith('%');
  if (![value].flat().some(isPercent)) return null;
  return sidesOf(value, (side) => (isPercent(side) ? Number.parseFloat(side) : null));
}

export function sidesOf<Value>(value: StoredEdges, map: (side: number | string) => Value): Sides<Value> {
  const [top, right, bottom, left] = Array.isArray(value) ? value : [value, value, value, value];
  return { top: map(top), right: map(right), bottom: map(bottom), left: map(left) };
}

export function resolveCorners(value: ImageLayer['borderRadius']): Corners {
  const [topLeft, topRight, bottomRight, bottomLeft] = typeof value === 'number' ? [value, value, value, value] : value;
  return { topLeft, topRight, bottomRight, bottomLeft };
}

export function resolveShadows(stored: StoredShadows): readonly Shadow[] {
  if (stored === null) return [];
  return [stored].flat().map(({ x, y, blur, spread, color, inset }) => ({
    x,
    y,
    sigma: blur / 2,
    spread,
    color: resolveColor(color),
    inset,
  }));
}

/** The borders of a frame or an image. */
export function resolveBorders(layer: ImageLayer | FrameLayer): Pick<ImageNode, 'border' | 'sideBorders'> {
  const border = resolveBorder(layer.border);
  const { borderTop: top, borderRight: right, borderBottom: bottom, borderLeft: left } = layer;
  if (top === null && right === null && bottom === null && left === null) return { border, sideBorders: null };
  const of = (side: typeof top) => (side === null ? border : resolveBorder(side));
  return { border: null, sideBorders: { top: of(top), right: of(right), bottom: of(bottom), left: of(left) } };
}

export function resolveBorder(border: ImageLayer['border']): Border | null {
  if (border === null || border.width === 0) return null;
  return { width: border.width, color: resolveColor(border.color), style: border.style };
}

export function resolveFilters(filters: ImageLayer['filters']): Filters | null {
  if (filters === null) return null;
  const { duotone, ...factors } = filters;
  const { brightness, contrast, saturate, grayscale, sepia, hueRotate, invert, blur } = factors;
  const isPlain = brightness === 1 && contrast === 1 && saturate === 1 && grayscale === 0 && blur === 0;
  if (isPlain && sepia === 0 && hueRotate % 360 === 0 && invert === 0 && duotone === null) return null;
  return { ...factors, duotone: duotone && [resolveColor(duotone[0]), resolveColor(duotone[1])] };
}
