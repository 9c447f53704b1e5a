// Blurs a mask or pixels with a Gaussian, at a reduced size at which it is cheap, and returns a plane that is enlarged
// again when it is composited.
//
// Averaging by k × k and linear enlargement together add a variance of k² / 4 ((k² - 1) / 12 and k² / 6 + 1 / 12),
// which is subtracted from the Gaussian on the small plane. The averaging grid starts at the canvas's corner, so that a
// part of the canvas is blurred exactly as the whole would be.

import { inflate, intersection, type Rect } from '#core/geometry.ts';
import type { PaintMemory } from './paint-memory.ts';
import type { PaintSteps } from './paint-steps.ts';
import { TooMuchToDraw } from './too-much-to-draw.ts';

/** Least standard deviation on the small plane, pixels. */
const LEAST_SIGMA = 2.5;
/** Largest reduction: 2^shift pixels a side become one. */
const MOST_SHIFT = 6;
/** How many standard deviations the kernel extends to either side. */
const REACH = 3;
const WEIGHTS_SUM = 32_768;
/**
 * Largest standard deviation, device px: some 0.2 s. The time grows with its third power, and nothing interrupts it.
 * Layers have at most 300; html templates may have any that their CSS states.
 */
const MOST_SIGMA = 5_000;

export interface BlurPlan {
  readonly shift: number;
  /** i16; 32768 is 1. */
  readonly weights: readonly number[];
  /** Pixels of the plane on either side of the middle weight. */
  readonly radius: number;
  /** How far a pixel's colour spreads at most, device px. */
  readonly reach: number;
}

const plans = new Map<number, BlurPlan>();
const MOST_PLANS = 500;

/**
 * @param sigma standard deviation, device px, > 0
 * @throws TooMuchToDraw
 */
export function planBlur(sigma: number): BlurPlan {
  if (!(sigma <= MOST_SIGMA)) throw new TooMuchToDraw('is blurred too widely to be drawn; blur it less');
  let plan = plans.get(sigma);
  if (!plan) {
    plan = makePlan(sigma);
    if (plans.size >= MOST_PLANS) plans.clear();
    plans.set(sigma, plan);
  }
  return plan;
}

function makePlan(sigma: number): BlurPlan {
  let shift = 0;
  while (shift < MOST_SHIFT && sigma / (2 << shift) >= LEAST_SIGMA) shift++;
  const step = 1 << shift;
  const variance = shift === 0 ? sigma * sigma : (sigma / step) ** 2 - 1 / 4;
  const radius = Math.max(1, Math.ceil(REACH * Math.sqrt(variance)));
  const shares = Array.from({ length: 2 * radius + 1 }, (_, i) =>
    shift === 0 ? pixelShare(i - radius, sigma) : Math.exp(-((i - radius) ** 2) / (2 * variance)),
  );
  const total = shares.reduce((sum, share) => sum + share, 0);
  const weights = shares.map((share) => Math.round((WEIGHTS_SUM * share) / total));
  // The weights add up to exactly 1; a single weight of 1 would not fit 15 bits.
  const rest = WEIGHTS_SUM - weights.reduce((sum, weight) => sum + weight, 0);
  weights[radius] = Math.min(WEIGHTS_SUM - 1, (weights[radius] ?? 0) + rest);
  return { shift, weights, radius, reach: (radius + 2) * step };
}

/** The Gaussian's integral over a pixel. For small deviations it differs from the value at the pixel's middle. */
function pixelShare(at: number, sigma: number): number {
  const edge = (place: number) => erf(place / (Math.SQRT2 * sigma));
  return (edge(at + 0.5) - edge(at - 0.5)) / 2;
}

/** Error function, Abramowitz and Stegun 7.1.26; error at most 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/** A blurred picture at reduced size. */
export interface BlurredPlane {
  readonly address: number;
  /** Values per row, or pixels of four values. */
  readonly pitch: number;
  readonly shift: number;
  /** Device px of its first row and column when it is composited. */
  readonly left: number;
  readonly top: number;
  /** The area in which it is not empty, device px. */
  readonly area: Rect;
  /** Scratch space for one row of it. */
  readonly row: number;
}

const CHANNELS = { mask: 1, pixels: 4 } as const;
/** Pixels that are covered or painted at a time before they are averaged. */
const STRIP_PIXELS = 1 << 20;

const upTo = (multiple: number, value: number) => multiple * Math.ceil(value / multiple);

/**
 * @param area bounds of what is blurred, whole device px
 * @param strip writes some rows of the area to the memory, contiguously, and returns their address
 */
export function* blurredPixels(
  memory: PaintMemory,
  kind: 'mask' | 'pixels',
  area: Rect,
  { shift, weights, radius }: BlurPlan,
  strip: (rows: Rect) => PaintSteps<number>,
): PaintSteps<BlurredPlane> {
  const { kernels } = memory;
  const step = 1 << shift;
  const margin = radius + 1;
  const left = (Math.floor(area.x / step) - margin) * step;
  const top = (Math.floor(area.y / step) - margin) * step;
  const columns = upTo(8, Math.ceil((area.x + area.width - left) / step) + margin);
  const rows = upTo(8, Math.ceil((area.y + area.height - top) / step) + margin);
  const channels = CHANNELS[kind];
  const bytes = 2 * channels * columns * rows;
  const plane = memory.take(bytes);
  const row = memory.take(2 * channels * columns);
  const mark = memory.mark();
  const turned = memory.take(bytes);
  memory.bytes.fill(0, plane, plane + bytes);

  const sums = memory.take(2 * channels * (area.width + 16));
  const bottom = area.y + area.height;
  const height = Math.max(1, Math.floor(STRIP_PIXELS / area.width / step)) * step;
  const inner = memory.mark();
  for (let y = area.y; y < bottom; ) {
    // A strip ends on a grid line: each pixel of the plane is the mean of pixels of one strip.
    const end = Math.min(bottom, Math.floor(y / step) * step + height);
    const source = yield* strip({ ...area, y, height: end - y });
    const shrink = kind === 'mask' ? kernels.shrinkMask : kernels.shrinkPixels;
    shrink(source, area.width, end - y, shift, area.x - left, y - top, plane, columns, sums);
    memory.release(inner);
    y = end;
  }

  const factors = memory.take(2 * weights.length);
  new Int16Array(memory.bytes.buffer, factors, weights.length).set(weights);
  const transpose = kind === 'mask' ? kernels.transpose : kernels.transposePixels;
  kernels.convolveColumns(plane, turned, channels * columns, rows, factors, radius);
  transpose(turned, columns, rows, plane);
  kernels.convolveColumns(plane, turned, channels * rows, columns, factors, radius);
  transpose(turned, rows, columns, plane);
  memory.release(mark);
  const half = step >> 1;
  // When enlarged, a pixel is interpolated between the middles of two pixels of the plane.
  const [x, y] = [left + half, top + half];
  const seen = intersection(
    { x, y, width: (columns - 2) * step, height: (rows - 2) * step },
    inflate(area, (radius + 1) * step),
  );
  return { address: plane, pitch: columns, shift, left: x, top: y, area: seen ?? area, row };
}
