// Parses the values of template/style.ts: colours, fills, lengths, shadows, with no defaults left to fill in.

import { type Color, parseColor, placedStops } from '../color.ts';
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
  const given = fill.stops.map(({ offset, color, hint }) => ({ offset, color: resolveColor(color), hint }));
  const stops = placedStops(given, fill.colorSpace, fill.hue);
  switch (fill.type) {
    case 'linear':
      return { kind: 'linear', angle: fill.angle, stops };
    case 'radial':
      return { kind: 'radial', shape: fill.shape, center: fill.center, radius: fill.radius, stops };
    case 'conic':
      return { kind: 'conic', angle: fill.angle, center: fill.center, stops };
  }
}

/** The border that wins of those that meet in a table (CSS 2.2, section 17.6.2.1): the wider one; the more solid one; the first. */
export function winningBorder<B extends Border>(
  borders: readonly (B | null | undefined)[],
  rankOf: (border: B) => number,
): B | null {
  let best: B | null = null;
  for (const border of borders) {
    if (!border) continue;
    const more = best === null ? 1 : border.width - best.width || rankOf(border) - rankOf(best);
    if (more > 0) best = border;
  }
  return best;
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
