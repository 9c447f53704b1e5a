// Composites a scaled picture onto a surface: copied when its pixels coincide with device pixels, otherwise sampled
// through its transform.

import {
  intersection,
  invert,
  type Matrix,
  multiply,
  type Rect,
  transformPoint,
  transformRect,
} from '#core/geometry.ts';
import type { FillRule, PathData } from '#core/path.ts';
import { resourceCache } from '../resource-cache.ts';
import { addressIn, type PaintMemory, type Surface, touchedBy } from './paint-memory.ts';
import type { ImageOp } from './place-images.ts';
import type { ScaledPicture } from './scaled-pictures.ts';

/** A clip path with its matrix to device px. */
export interface DeviceClip {
  readonly path: PathData;
  readonly rule: FillRule;
  readonly matrix: Matrix;
}

export interface PictureLook {
  /** Whether each pixel of the picture covers exactly one device pixel. */
  readonly isOnGrid: boolean;
  readonly clip: DeviceClip | null;
  /** 0..1 */
  readonly opacity: number;
}

/** Turned pictures, once they were drawn twice in the same way: each layer's first drawing only notes its key. */
const kept = resourceCache.of<Uint32Array | 'drawn once'>('turned pictures');

/** Width of the border of repeated edge pixels around what is sampled. */
const BORDER = 2;

export function paintPicture(
  memory: PaintMemory,
  surface: Surface,
  op: ImageOp,
  picture: ScaledPicture,
  matrix: Matrix,
  look: PictureLook,
): void {
  if (look.isOnGrid) layOnGrid(memory, surface, op, picture, matrix, look);
  else layTransformed(memory, surface, op, picture, matrix, look);
}

function layOnGrid(
  memory: PaintMemory,
  surface: Surface,
  op: ImageOp,
  picture: ScaledPicture,
  matrix: Matrix,
  { clip, opacity }: PictureLook,
): void {
  const { x, y } = transformRect(matrix, op.dest);
  const place = { x: Math.round(x), y: Math.round(y), width: picture.width, height: picture.height };
  const whole = intersection(place, surface.area);
  const seen = whole && clip ? touchedBy(clip.path, clip.matrix, whole) : whole;
  if (!seen) return;
  const to = addressIn(surface, seen);
  const { width, height } = seen;
  const firstRow = seen.y - place.y;
  const firstColumn = seen.x - place.x;
  const row = (from: number) => {
    const start = (firstRow + from) * picture.width + firstColumn;
    return picture.pixels.subarray(start, start + width);
  };
  if (picture.isOpaque && opacity === 1 && !clip) {
    const { words } = memory;
    for (let i = 0; i < height; i++) words.set(row(i), to / 4 + i * surface.stride);
    return;
  }
  const mask = clip ? memory.cover(clip.path, clip.rule, clip.matrix, seen) : 0;
  const source = memory.take(4 * width * height);
  const { words } = memory;
  for (let i = 0; i < height; i++) words.set(row(i), source / 4 + i * width);
  const pitch = mask === 0 ? 0 : width;
  memory.kernels.layPixels(to, surface.stride, source, width, width, height, mask, pitch, Math.round(255 * opacity));
}

function layTransformed(
  memory: PaintMemory,
  surface: Surface,
  op: ImageOp,
  picture: ScaledPicture,
  matrix: Matrix,
  { clip, opacity }: PictureLook,
): void {
  const { x, y, width, height } = op.dest;
  const box: PathData = [['M', x, y], ['L', x + width, y], ['L', x + width, y + height], ['L', x, y + height], ['Z']];
  const whole = touchedBy(box, matrix, surface.area);
  const seen = whole && clip ? touchedBy(clip.path, clip.matrix, whole) : whole;
  if (!seen) return;
  const toDevice = multiply(matrix, [width / picture.width, 0, 0, height / picture.height, x, y]);
  const key = JSON.stringify([picture.key, toDevice, seen, clip]);
  const known = kept.get(key);
  // Drawn apart also where it is not kept, so that the pixels are the same.
  const isKept = known instanceof Uint32Array;
  const apart = isKept ? memory.takeUncleared(seen) : memory.takeSurface(seen);
  if (isKept) memory.words.set(known, apart.start / 4);
  else {
    const mask = memory.cover(box, 'nonzero', matrix, seen);
    if (clip) {
      const cut = memory.cover(clip.path, clip.rule, clip.matrix, seen);
      memory.kernels.intersectMasks(mask, cut, seen.width * seen.height);
    }
    sample(memory, apart, picture, toDevice, mask);
    const start = apart.start / 4;
    const pixels = known && memory.words.slice(start, start + seen.width * seen.height);
    kept.set(key, pixels ?? 'drawn once', 2 * key.length + (pixels?.byteLength ?? 0));
  }
  const { start, stride } = apart;
  const alpha = Math.round(255 * opacity);
  memory.kernels.layPixels(
    addressIn(surface, seen),
    surface.stride,
    start,
    stride,
    seen.width,
    seen.height,
    0,
    0,
    alpha,
  );
}

/** Draws a picture on a surface of its own. @param mask of the surface's area */
function sample(
  memory: PaintMemory,
  { area, start, stride }: Surface,
  picture: ScaledPicture,
  matrix: Matrix,
  mask: number,
) {
  const back = invert(matrix);
  const part = back && sampledPart(back, area, picture);
  if (!part) return;
  const pitch = part.width + 2 * BORDER;
  const source = writePart(memory, picture, part);
  // The middle of the first device pixel, in the picture's coordinates.
  const at = transformPoint(back, { x: area.x + 0.5, y: area.y + 0.5 });
  memory.kernels.layPicture(
    start,
    stride,
    area.width,
    area.height,
    source + 4 * (BORDER * pitch + BORDER),
    pitch,
    part.width - 1,
    part.height - 1,
    at.x - 0.5 - part.x,
    at.y - 0.5 - part.y,
    back[0],
    back[1],
    back[2],
    back[3],
    mask,
    area.width,
    255,
  );
}

/** The part of a picture that is sampled, whole pixels, including those within the filter's reach. */
function sampledPart(back: Matrix, seen: Rect, { width, height }: ScaledPicture): Rect | null {
  const { x, y, width: across, height: down } = transformRect(back, seen);
  const left = Math.max(0, Math.floor(x) - BORDER);
  const top = Math.max(0, Math.floor(y) - BORDER);
  const right = Math.min(width, Math.ceil(x + across) + BORDER + 1);
  const bottom = Math.min(height, Math.ceil(y + down) + BORDER + 1);
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** Copies a part of a picture, with its edges repeated around it. */
function writePart(memory: PaintMemory, picture: ScaledPicture, { x, y, width, height }: Rect): number {
  const pitch = width + 2 * BORDER;
  const start = memory.take(4 * pitch * (height + 2 * BORDER));
  const { words } = memory;
  for (let row = -BORDER; row < height + BORDER; row++) {
    const from = Math.min(Math.max(y + row, 0), picture.height - 1) * picture.width;
    const to = start / 4 + (row + BORDER) * pitch;
    words.set(picture.pixels.subarray(from + x, from + x + width), to + BORDER);
    for (let i = 1; i <= BORDER; i++) {
      words[to + BORDER - i] = picture.pixels[from + Math.max(0, x - i)] ?? 0;
      words[to + BORDER + width - 1 + i] = picture.pixels[from + Math.min(picture.width - 1, x + width - 1 + i)] ?? 0;
    }
  }
  return start;
}
