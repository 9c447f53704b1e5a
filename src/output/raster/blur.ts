// A mask or pixels in, a blurred plane out that can be laid anywhere: Gaussian blur at a size at which it is cheap.
//
// Averaging by k × k and enlarging again linearly widen by a variance of k² / 4 between them ((k² - 1) / 12 and
// k² / 6 + 1 / 12), which the Gaussian of the small plane is short of. The grid of averages counts from the canvas's
// corner, so that a part of the canvas is blurred as the whole would be.

import { inflate, intersection, type Rect } from '#core/geometry.ts';
import type { PaintMemory } from './paint-memory.ts';
import { TooMuchToDraw } from './too-much-to-draw.ts';

/** Pixels of the small plane for one standard deviation, at least. */
const LEAST_SIGMA = 2.5;
/** 2^shift pixels become one, at most. */
const MOST_SHIFT = 6;
/** Standard deviations on either side that are worked with. */
const REACH = 3;
const WEIGHTS_SUM = 32_768;
/**
 * Device px that a standard deviation may have: some 0.2 s. The time grows with its third power, and nothing interrupts it;
 * layers have at most 300, html templates whatever their CSS says.
 */
const MOST_SIGMA = 5_000;

export interface BlurPlan {
  readonly shift: number;
  /** i16, of which 32768 make one. */
  readonly weights: readonly number[];
  /** Pixels of the plane on either side of the middle weight. */
  readonly radius: number;
  /** Device px that a pixel is carried, at most. */
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
  // Together they are one, to the last digit; one alone would not fit its 15 bits.
  const rest = WEIGHTS_SUM - weights.reduce((sum, weight) => sum + weight, 0);
  weights[radius] = Math.min(WEIGHTS_SUM - 1, (weights[radius] ?? 0) + rest);
  return { shift, weights, radius, reach: (radius + 2) * step };
}

/** The Gaussian's integral over a pixel: below some pixels, more than its value in the middle times one. */
function pixelShare(at: number, sigma: number): number {
  const edge = (place: number) => erf(place / (Math.SQRT2 * sigma));
  return (edge(at + 0.5) - edge(at - 0.5)) / 2;
}

/** Abramowitz and Stegun 7.1.26; errs by 1.5e-7 at most. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/** A blurred picture, small. */
export interface BlurredPlane {
  readonly address: number;
  /** Values a row, or pixels of four. */
  readonly pitch: number;
  readonly shift: number;
  /** Where its first row and column lie when it is laid, device px. */
  readonly left: number;
  readonly top: number;
  /** Where it shows anything, device px. */
  readonly area: Rect;
  /** Room for a row of it. */
  readonly row: number;
}

const CHANNELS = { mask: 1, pixels: 4 } as const;
/** Pixels that are covered or painted at a time, before they are averaged. */
const STRIP_PIXELS = 1 << 20;

const upTo = (multiple: number, value: number) => multiple * Math.ceil(value / multiple);

/**
 * @param area of what is to be blurred, whole device px
 * @param strip has some rows of the area stand in the memory, side by side, and says where
 */
export function* blurred(
  memory: PaintMemory,
  kind: 'mask' | 'pixels',
  area: Rect,
  { shift, weights, radius }: BlurPlan,
  strip: (rows: Rect) => Generator<void, number>,
): Generator<void, BlurredPlane> {
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
    // Up to a line of the grid: each of its pixels is the mean of one strip.
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
  // Enlarged, a pixel lies between the middles of two of the plane's.
  const [x, y] = [left + half, top + half];
  const seen = intersection(
    { x, y, width: (columns - 2) * step, height: (rows - 2) * step },
    inflate(area, (radius + 1) * step),
  );
  return { address: plane, pitch: columns, shift, left: x, top: y, area: seen ?? area, row };
}
