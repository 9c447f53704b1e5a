// Computes the weights of a Lanczos filter with 3 lobes, by which a row or column of pixels is scaled.

const LOBES = 3;

/** One axis: for each target pixel, the first source pixel and the weights of `taps` pixels, which add up to 1. */
export interface Taps {
  readonly taps: number;
  readonly starts: Int32Array;
  readonly weights: Float32Array;
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (x <= -LOBES || x >= LOBES) return 0;
  const t = Math.PI * x;
  return (LOBES * Math.sin(t) * Math.sin(t / LOBES)) / (t * t);
}

/**
 * @param start of the part that is scaled to `target` pixels, in source pixels; `length` likewise
 * @param total source pixels that may be read, from 0 on
 * @param from the first of `count` target pixels that are wanted
 */
export function tapsOf(
  start: number,
  length: number,
  total: number,
  target: number,
  { from, count }: { readonly from: number; readonly count: number } = { from: 0, count: target },
): Taps {
  const step = length / target;
  const reach = LOBES * Math.max(1, step);
  const taps = Math.min(total, Math.ceil(2 * reach) + 1);
  const starts = new Int32Array(count);
  const weights = new Float32Array(taps * count);
  for (let i = 0; i < count; i++) {
    const centre = start + (from + i + 0.5) * step - 0.5;
    const first = Math.min(Math.max(0, Math.ceil(centre - reach)), total - taps);
    let sum = 0;
    for (let k = 0; k < taps; k++) {
      const weight = lanczos((first + k - centre) / Math.max(1, step));
      weights[i * taps + k] = weight;
      sum += weight;
    }
    for (let k = 0; k < taps; k++) weights[i * taps + k] = (weights[i * taps + k] ?? 0) / sum;
    starts[i] = first;
  }
  return { taps, starts, weights };
}
