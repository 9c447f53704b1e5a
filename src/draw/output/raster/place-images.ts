// Aligns the pictures of a display list with whole device pixels, and lists what must be scaled for each.
//
// A picture that falls exactly on the pixel grid is copied, not filtered a second time, so it stays as sharp as it was
// scaled. Only what the canvas can show is requested, however large the layer is.

import { type Matrix, multiply, type Rect, type Size } from '#core/geometry.ts';
import type { DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';

export type ImageOp = Extract<PaintOp, { kind: 'image' }>;

/** What an operation shows: the `source` part of `image`, at `size` device px. */
export interface PlacedImage {
  readonly image: ImageResource;
  readonly source: Rect;
  readonly size: Size;
  /** Whether each of its pixels covers exactly one device pixel. */
  readonly isOnGrid: boolean;
  /** Scaled to the nearest pixel, not smoothly. */
  readonly isPixelated: boolean;
}

export interface PlacedList {
  readonly list: DisplayList;
  /** By the operation in `list` that shows it. */
  readonly images: ReadonlyMap<ImageOp, PlacedImage>;
}

interface Surroundings {
  /** From the operation's coordinates to device px. */
  readonly toDevice: Matrix;
  readonly isClipped: boolean;
  /** Device px beyond the canvas from which a filter spreads colour inwards. */
  readonly reach: number;
}

/** Layout arithmetic leaves rounding errors; less than a thousandth of a pixel counts as none. */
const CRUMB = 1e-3;

/** Rounds the ends of an interval to whole pixels; inside a clip outwards, because the clip determines the edge. */
function snap(start: number, length: number, outward: boolean): [number, number] {
  const end = start + length;
  if (outward) return [Math.floor(start + CRUMB), Math.ceil(end - CRUMB)];
  const from = Math.round(start);
  return [from, Math.max(from + 1, Math.round(end))];
}

/** The part of an interval that lies within 0..`total`, as start and end; may be empty. */
function within(start: number, length: number, total: number): [number, number] {
  const from = Math.min(Math.max(start, 0), total);
  return [from, Math.min(Math.max(start + length, from), total)];
}

/** One axis of an unrotated picture: the device pixels that it covers, and the part of the image that they show. */
function placeAxis(
  dest: [start: number, length: number],
  source: [start: number, length: number],
  total: number,
  visible: [from: number, to: number],
  outward: boolean,
): { from: number; to: number; start: number; length: number } | null {
  const [snappedFrom, snappedTo] = snap(...dest, outward);
  const from = Math.max(snappedFrom, visible[0]);
  const to = Math.min(snappedTo, visible[1]);
  if (to <= from) return null;
  // Without a clip, the picture is stretched to the rounded pixels: if it were cropped instead, a thin frame would lose
  // a side.
  const [origin, extent] = outward ? dest : [snappedFrom, snappedTo - snappedFrom];
  const perPixel = source[1] / extent;
  const [start, end] = within(source[0] + (from - origin) * perPixel, (to - from) * perPixel, total);
  return { from, to, start, length: end - start };
}

function placeUpright(
  op: ImageOp,
  image: ImageResource,
  { toDevice, isClipped, reach }: Surroundings,
  device: Size,
): [ImageOp, PlacedImage] | null {
  const [a, , , d, e, f] = toDevice;
  const { dest, source } = op;
  const x = placeAxis(
    [a * dest.x + e, a * dest.width],
    [source.x, source.width],
    image.width,
    [-reach, device.width + reach],
    isClipped,
  );
  const y = placeAxis(
    [d * dest.y + f, d * dest.height],
    [source.y, source.height],
    image.height,
    [-reach, device.height + reach],
    isClipped,
  );
  if (x === null || y === null) return null;
  const shown = { x: x.start, y: y.start, width: x.length, height: y.length };
  const size = { width: x.to - x.from, height: y.to - y.from };
  const snapped = { x: (x.from - e) / a, y: (y.from - f) / d, width: size.width / a, height: size.height / d };
  return [
    { ...op, source: shown, dest: snapped },
    { image, source: shown, size, isOnGrid: true, isPixelated: op.isPixelated === true },
  ];
}

/** A rotated or skewed picture is scaled to the lengths of its sides and left to the rasteriser's filter. */
function placeTurned(op: ImageOp, image: ImageResource, { toDevice }: Surroundings, device: Size): PlacedImage {
  const [a, b, c, d] = toDevice;
  const width = Math.hypot(a, b) * op.dest.width;
  const height = Math.hypot(c, d) * op.dest.height;
  const ceiling = Math.max(4 * device.width * device.height, 1_000_000);
  const shrink = Math.min(1, Math.sqrt(ceiling / Math.max(1, width * height)));
  const side = (length: number) => Math.max(1, Math.ceil(length * shrink - CRUMB));
  const size = { width: side(width), height: side(height) };
  return { image, source: op.source, size, isOnGrid: false, isPixelated: op.isPixelated === true };
}

/**
 * Plans every picture of a list.
 *
 * @param toDevice from the canvas to device px
 * @param device the canvas's size in device px
 */
export function placeImages(
  list: DisplayList,
  toDevice: Matrix,
  device: Size,
  images: ReadonlyMap<string, ImageResource>,
): PlacedList {
  const shown = new Map<ImageOp, PlacedImage>();

  function placeImage(op: ImageOp, around: Surroundings): ImageOp | null {
    const image = images.get(op.image);
    if (image === undefined) throw new Error(`No image "${op.image}" in this render.`);
    if (op.source.width <= 0 || op.source.height <= 0 || op.dest.width <= 0 || op.dest.height <= 0) return null;
    const [a, b, c, d] = around.toDevice;
    if (b === 0 && c === 0 && a > 0 && d > 0) {
      const upright = placeUpright(op, image, around, device);
      if (upright === null) return null;
      shown.set(...upright);
      return upright[0];
    }
    const turned = { ...op };
    shown.set(turned, placeTurned(op, image, around, device));
    return turned;
  }

  function placeGroup(group: GroupOp, around: Surroundings): GroupOp {
    const toDevice = multiply(around.toDevice, group.transform);
    const largest = Math.max(Math.hypot(toDevice[0], toDevice[1]), Math.hypot(toDevice[2], toDevice[3]));
    // Three standard deviations contain all of a Gaussian that 8 bits can show.
    const sigma = group.filters.reduce((sum, filter) => sum + (filter.kind === 'blur' ? filter.sigma : 0), 0);
    const inside = {
      toDevice,
      isClipped: around.isClipped || group.clip !== null,
      reach: around.reach + Math.ceil(3 * sigma * largest),
    };
    const placed = (ops: readonly PaintOp[]) => ops.map((op) => place(op, inside)).filter((op) => op !== null);
    return { ...group, ...(group.mask && { mask: placed(group.mask) }), ops: placed(group.ops) };
  }

  function place(op: PaintOp, around: Surroundings): PaintOp | null {
    if (op.kind === 'group') return showsImage(op) ? placeGroup(op, around) : op;
    return op.kind === 'image' ? placeImage(op, around) : op;
  }

  const around = { toDevice, isClipped: false, reach: 0 };
  // An invisible operation is replaced rather than removed, so that indices stay those of the list.
  const ops = list.ops.map((op) => place(op, around) ?? NOTHING);
  return { list: { ...list, ops }, images: shown };
}

const NOTHING: PaintOp = {
  kind: 'fill',
  path: [],
  rule: 'nonzero',
  brush: { kind: 'solid', color: { r: 0, g: 0, b: 0, a: 0 } },
};

function showsImage(op: PaintOp): boolean {
  return op.kind === 'image' || (op.kind === 'group' && [...op.ops, ...(op.mask ?? [])].some(showsImage));
}
