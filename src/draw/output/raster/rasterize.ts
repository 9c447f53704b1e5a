// Rasterises a display list to RGBA pixels.
//
// All limits are checked before painting starts. The canvas is painted in tiles that use a bounded amount of memory,
// however large the canvas is. Between operations the elapsed time is checked, and other work gets a turn.

import { AppError } from '#base/errors.ts';
import { nextTurn, timeWorked } from '#base/runtime.ts';
import { type Matrix, type Rect, rectContains, type Size } from '#core/geometry.ts';
import type { DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { isOpaqueBrush } from '#core/paint/gradient.ts';
import { isPassThrough } from '#core/paint/group.ts';
import type { Resources } from '#core/resources.ts';
import { MAX_OUTPUT_PIXELS } from '#draw/images/limits.ts';
import { borrowPixels } from '#draw/images/pixel-pool.ts';
import type { IndexedRaster, Pixels, Raster } from '#draw/images/raster.ts';
import { copyPixelRows, FewColors } from './few-colors.ts';
import { MaskSheets } from './glyph-masks.ts';
import { borrowKernels, returnKernels } from './kernel-pool.ts';
import { addressIn, PaintMemory, partOf, type Surface } from './paint-memory.ts';
import { Painter } from './painter.ts';
import { pixelRect } from './pixel-rect.ts';
import { type PlacedImage, type PlacedList, placeImages } from './place-images.ts';
import { ScaledPictures } from './scaled-pictures.ts';
import { TOO_MANY_EDGES, TooMuchToDraw } from './too-much-to-draw.ts';

export type { Raster } from '#draw/images/raster.ts';

/** Most pixels of all scaled pictures of one render. */
const MAX_PICTURE_PIXELS = 60_000_000;
/** Most canvas pixels times the depth of nested groups that are drawn on their own layers. */
const MAX_LAYERED_PIXELS = 10 * MAX_OUTPUT_PIXELS;
/** Most segments of all outlines of a list, not counting letters. */
const MOST_SEGMENTS = 2_000_000;
/** Default of `mostTime`: less than a render's deadline, so that the error can name the layer. */
export const MOST_TIME = 20_000;
/** ms of painting between pauses. */
const STRETCH_MS = 8;
/** Largest size of a painter's memory in bytes. */
const MOST_MEMORY = 512 * 1024 * 1024;
/** Most pixels of a tile including the layers inside it, and its longest side. */
const TILE_PIXELS = 1 << 22;
const TILE_SIDE = 4096;
const LEAST_TILE_HEIGHT = 32;
/** Pixels that are copied at once: few enough that they are still in the cache when they are digested. */
const COPIED_PIXELS = 1 << 16;

export interface RasterOptions {
  /** Aborts painting between two operations. */
  readonly signal?: AbortSignal;
  /** Yields to other work; default: one turn of the event loop. */
  readonly pause?: () => Promise<void>;
  /** Most ms of painting, without pauses; tests may set less. */
  readonly mostTime?: number;
  /**
   * Whether the origins of upright letters are rounded to quarters of a pixel; false for a picture among vectors.
   * Default: true.
   */
  readonly snapsLetters?: boolean;
  /** Most pixels of a tile including the layers inside it; tests may set fewer. */
  readonly tilePixels?: number;
}

/** The raster's size in whole device px. */
function deviceSize(list: Size, scale: number): Size {
  const size = {
    width: Math.max(1, Math.round(list.width * scale)),
    height: Math.max(1, Math.round(list.height * scale)),
  };
  if (!(size.width * size.height <= MAX_OUTPUT_PIXELS)) {
    throw new AppError(
      'invalid_request',
      `The picture would be ${size.width} × ${size.height} px; at most ${MAX_OUTPUT_PIXELS / 1e6} million px are possible.`,
    );
  }
  return size;
}

/** Whether a group is drawn on its own layer. */
function isDrawnApart(group: GroupOp): boolean {
  return group.clip !== null || !isPassThrough(group);
}

function layerDepth(ops: readonly PaintOp[]): number {
  let deepest = 0;
  for (const op of ops) {
    if (op.kind !== 'group') continue;
    deepest = Math.max(deepest, layerDepth(op.ops) + (isDrawnApart(op) ? 1 : 0));
    // A mask is drawn while its group's layer is there.
    if (op.mask) deepest = Math.max(deepest, layerDepth(op.mask) + 2);
  }
  return deepest;
}

function segmentsOf(ops: readonly PaintOp[]): number {
  return ops.reduce((sum, op) => {
    if (op.kind === 'fill' || op.kind === 'stroke') return sum + op.path.length;
    if (op.kind !== 'group') return sum;
    return sum + segmentsOf(op.ops) + segmentsOf(op.mask ?? []) + (op.clip?.path.length ?? 0);
  }, 0);
}

/** @throws TooMuchToDraw for the operation with the most segments */
function checkSegments(ops: readonly PaintOp[]): void {
  if (segmentsOf(ops) <= MOST_SEGMENTS) return;
  const counts = ops.map((op) => segmentsOf([op]));
  const op = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
  throw new TooMuchToDraw(TOO_MANY_EDGES, { op });
}

function checkPictures(placed: Iterable<PlacedImage>): void {
  let pixels = 0;
  for (const { size } of placed) pixels += size.width * size.height;
  if (pixels <= MAX_PICTURE_PIXELS) return;
  throw new AppError(
    'invalid_request',
    `The images cover more than ${MAX_PICTURE_PIXELS / 1e6} million px in all; make them fewer or smaller.`,
  );
}

/**
 * Paints a list. The canvas is scaled by `scale` and rounded to whole px.
 *
 * @param scale device px per canvas px
 * @throws AppError `invalid_request` when the raster, its pictures or nested groups would be too large, or take too
 * long or too much memory; the signal's reason
 */
export function rasterize(
  list: DisplayList,
  resources: Resources,
  scale: number,
  options: RasterOptions = {},
): Promise<Raster> {
  return paintList(list, resources, scale, options, (device) => {
    const raster = { ...device, pixels: borrowPixels(4 * device.width * device.height) };
    return { copyOut: (memory, rows) => copyPixelRows(memory, rows, raster), painted: () => raster };
  });
}

/** `rasterize` for the PNG encoder: indexed if there are few colours, and with digests of rows that are not too wide. */
export function rasterizeForPng(
  list: DisplayList,
  resources: Resources,
  scale: number,
  options: RasterOptions = {},
): Promise<Raster | IndexedRaster> {
  return paintList(list, resources, scale, options, (device) => {
    const picture = new FewColors(device);
    const hasDigests = device.width <= TILE_SIDE;
    const digests = new Uint8Array(hasDigests ? digestBytes(device.width) * device.height : 0);
    return {
      copyOut(memory, rows) {
        picture.copy(memory, rows);
        if (hasDigests) digestRows(memory, rows, digests);
      },
      painted: () => ({ ...picture.painted(), ...(hasDigests && { digests }) }),
    };
  });
}

/** `rasterize` without alpha: transparent areas show white. */
export function rasterizeOnWhite(
  list: DisplayList,
  resources: Resources,
  scale: number,
  options: RasterOptions = {},
): Promise<Pixels> {
  return paintList(list, resources, scale, options, (device) => {
    const data = borrowPixels(3 * device.width * device.height);
    const pixels = { ...device, channels: 3, data } as const;
    return { copyOut: (memory, rows) => copyOnWhite(memory, rows, pixels), painted: () => pixels };
  });
}

/** Takes rows out of the painter's memory, each once, from the top down in every tile. */
interface Canvas<T> {
  copyOut(memory: PaintMemory, rows: Surface): void;
  /** The picture, after all rows were taken. */
  painted(): T;
}

async function paintList<T>(
  list: DisplayList,
  resources: Resources,
  scale: number,
  { signal, pause = nextTurn, mostTime = MOST_TIME, snapsLetters = true, tilePixels = TILE_PIXELS }: RasterOptions,
  openCanvas: (device: Size) => Canvas<T>,
): Promise<T> {
  const device = deviceSize(list, scale);
  checkSegments(list.ops);
  const depth = layerDepth(list.ops);
  if (depth * device.width * device.height > MAX_LAYERED_PIXELS) {
    throw new AppError('invalid_request', 'The picture is too large for so many groups inside one another.');
  }
  // Slightly stretched if the scaled canvas is not a whole number of pixels.
  const matrix: Matrix = [device.width / list.width, 0, 0, device.height / list.height, 0, 0];
  const placed = placeImages(list, matrix, device, resources.images);
  checkPictures(placed.images.values());
  const pictures = new ScaledPictures(placed.images);
  // Lets the scaling begin.
  if (pictures.areComing) await nextTurn();
  const kernels = borrowKernels();
  try {
    const memory = new PaintMemory(kernels, MOST_MEMORY);
    const letters = { fonts: resources.fonts, snapsLetters, sheets: new MaskSheets() };
    const painter = new Painter(memory, { ...letters, pictures, placed: placed.images });
    const canvas = openCanvas(device);
    const clock = new Clock(signal, pause, mostTime);
    for (const tile of tilesOf(device, depth, tilePixels)) {
      const mark = memory.mark();
      const surface = await paintTile(placed, painter, memory, tile, matrix, clock);
      for (const rows of slices(surface, device)) canvas.copyOut(memory, rows);
      memory.release(mark);
    }
    await pictures.allCome();
    return canvas.painted();
  } finally {
    returnKernels(kernels);
  }
}

async function paintTile(
  { list }: PlacedList,
  painter: Painter,
  memory: PaintMemory,
  tile: Rect,
  matrix: Matrix,
  clock: Clock,
): Promise<Surface> {
  const [first] = list.ops;
  const surface = first && coversAll(first, matrix, tile) ? memory.takeUncleared(tile) : memory.takeSurface(tile);
  for (const index of list.ops.keys()) {
    const steps = painter.paint(surface, list.ops, index, matrix);
    clock.start(index);
    try {
      for (let step = steps.next(); !step.done; step = steps.next()) {
        if (step.value) await clock.rest(step.value);
        else if (clock.isDue()) await clock.pause();
      }
    } catch (error) {
      // The limit was exceeded while this operation was painted.
      if (!(error instanceof TooMuchToDraw) || error.op >= 0) throw error;
      throw new TooMuchToDraw(error.problem, { op: index, cause: error });
    }
    clock.stop();
  }
  return surface;
}

/** Whether an operation covers a tile opaquely. */
function coversAll(op: PaintOp, matrix: Matrix, tile: Rect): boolean {
  if (op.kind !== 'fill' || !isOpaqueBrush(op.brush)) return false;
  const rect = pixelRect(op.path, matrix);
  return rect !== null && rectContains(rect, tile);
}

/** The rows of a tile in pieces that follow one another on the canvas: single rows, if the tile is narrower. */
function* slices(tile: Surface, canvas: Size): Generator<Surface> {
  const { area } = tile;
  const step = area.width === canvas.width ? Math.ceil(COPIED_PIXELS / canvas.width) : 1;
  for (let y = area.y; y < area.y + area.height; y += step) {
    yield partOf(tile, { ...area, y, height: Math.min(step, area.y + area.height - y) });
  }
}

/** Copies rows to their place, on white. */
function copyOnWhite(memory: PaintMemory, rows: Surface, { width, data }: Pixels): void {
  const { area, stride } = rows;
  const bytes = 3 * area.width * area.height;
  const mark = memory.mark();
  // Four bytes beyond, which the kernel writes.
  const packed = memory.take(bytes + 4);
  memory.kernels.packOnWhite(addressIn(rows, area), stride, area.width, area.height, packed);
  data.set(memory.bytes.subarray(packed, packed + bytes), 3 * (area.y * width + area.x));
  memory.release(mark);
}

/** Divides a canvas into rectangles small enough to fit the memory together with the layers of nested groups. */
function tilesOf({ width, height }: Size, depth: number, pixels: number): readonly Rect[] {
  const columns = Math.ceil(width / TILE_SIDE);
  const most = Math.ceil(width / columns);
  const rows = Math.max(LEAST_TILE_HEIGHT, Math.floor(pixels / (1 + depth / 4) / most));
  const tiles: Rect[] = [];
  for (let y = 0; y < height; y += rows) {
    for (let x = 0; x < width; x += most) {
      tiles.push({ x, y, width: Math.min(most, width - x), height: Math.min(rows, height - y) });
    }
  }
  return tiles;
}

/** Measures how long operations take, and tells when to pause. Its limit is one of processor time. */
class Clock {
  readonly #signal: AbortSignal | undefined;
  readonly #pause: () => Promise<void>;
  readonly #mostTime: number;
  readonly #times: number[] = [];
  #op = 0;
  #begun = timeWorked();
  #opSince = 0;
  #turnSince = performance.now();

  constructor(signal: AbortSignal | undefined, pause: () => Promise<void>, mostTime: number) {
    this.#signal = signal;
    this.#pause = pause;
    this.#mostTime = mostTime;
  }

  start(op: number): void {
    this.#op = op;
    this.#opSince = performance.now();
  }

  isDue(): boolean {
    return performance.now() - this.#turnSince > STRETCH_MS;
  }

  stop(): void {
    const spent = performance.now() - this.#opSince;
    this.#times[this.#op] = (this.#times[this.#op] ?? 0) + spent;
  }

  /**
   * Lets other work have its turn; the time does not count.
   *
   * @throws TooMuchToDraw when painting takes too long; the signal's reason
   */
  async pause(): Promise<void> {
    this.stop();
    const since = timeWorked();
    if (since - this.#begun > this.#mostTime) {
      const most = this.#times.reduce((best, time, op, all) => (time > (all[best] ?? 0) ? op : best), this.#op);
      throw new TooMuchToDraw('takes too long to draw; make it smaller or simpler', { op: most });
    }
    await this.#pause();
    this.#goOn(since);
  }

  /** Waits for what is done elsewhere; the time does not count. */
  async rest(work: Promise<void>): Promise<void> {
    this.stop();
    const since = timeWorked();
    await work;
    this.#goOn(since);
  }

  /**
   * @param since what `timeWorked` was when it stopped
   * @throws the signal's reason
   */
  #goOn(since: number): void {
    this.#signal?.throwIfAborted();
    this.#turnSince = performance.now();
    this.#begun += timeWorked() - since;
    this.#opSince = this.#turnSince;
  }
}

// Digests of painted rows, by which an encoder recognises rows that it has encoded before.
//
// The key is random and never leaves the process: otherwise a caller could make two pictures with equal digests, and
// one would be shown in place of the other.

/** Bytes of a digest; constants of the kernel `digestRows`. */
const DIGEST = 16;
const BLOCK = 4096;
const KEY = BLOCK + 16;

let key: Uint8Array | null = null;

/** Bytes of the digests of one row. */
const digestBytes = (width: number) => DIGEST * Math.ceil((4 * width) / BLOCK);

/**
 * Digests rows of a canvas.
 *
 * @param rows as wide as the canvas
 * @param digests of the whole canvas, to which those of the rows are written
 */
function digestRows(memory: PaintMemory, rows: Surface, digests: Uint8Array): void {
  key ??= crypto.getRandomValues(new Uint8Array(KEY));
  const { area, stride } = rows;
  const bytes = digestBytes(area.width);
  const mark = memory.mark();
  const keyAt = memory.take(KEY);
  const out = memory.take(bytes * area.height);
  memory.bytes.set(key, keyAt);
  memory.kernels.digestRows(addressIn(rows, area), stride, area.width, area.height, keyAt, out);
  digests.set(memory.bytes.subarray(out, out + bytes * area.height), bytes * area.y);
  memory.release(mark);
}
