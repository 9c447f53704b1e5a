// Scales a part of a picture with a Lanczos filter of 3 lobes on gamma-encoded values, as the server does.
//
// Colours are premultiplied while scaling. Pictures that shrink to a quarter or less are averaged in blocks first, as
// in libvips, so that the filter has at most some 24 taps.

import type { Rect, Size } from '#core/geometry.ts';
import { type Taps, tapsOf } from '#draw/images/lanczos.ts';
import type { DecodedPicture } from './decode-picture.ts';

/** Averages blocks of whole pixels when a side shrinks to a quarter or less. */
function shrunk(picture: DecodedPicture, source: Rect, size: Size): { picture: DecodedPicture; source: Rect } {
  const across = Math.max(1, Math.floor(source.width / size.width / 2));
  const down = Math.max(1, Math.floor(source.height / size.height / 2));
  if (across === 1 && down === 1) return { picture, source };
  const width = Math.ceil(picture.width / across);
  const height = Math.ceil(picture.height / down);
  const data = new Uint8Array(4 * width * height);
  for (let y = 0; y < height; y++) {
    const rows = Math.min(down, picture.height - y * down);
    for (let x = 0; x < width; x++) {
      const columns = Math.min(across, picture.width - x * across);
      let [r, g, b, a] = [0, 0, 0, 0];
      for (let row = 0; row < rows; row++) {
        let at = 4 * ((y * down + row) * picture.width + x * across);
        for (let column = 0; column < columns; column++, at += 4) {
          const alpha = picture.data[at + 3] ?? 0;
          r += (picture.data[at] ?? 0) * alpha;
          g += (picture.data[at + 1] ?? 0) * alpha;
          b += (picture.data[at + 2] ?? 0) * alpha;
          a += alpha;
        }
      }
      const to = 4 * (y * width + x);
      if (a === 0) continue;
      data[to] = Math.round(r / a);
      data[to + 1] = Math.round(g / a);
      data[to + 2] = Math.round(b / a);
      data[to + 3] = Math.round(a / (rows * columns));
    }
  }
  return {
    picture: { width, height, data },
    source: { x: source.x / across, y: source.y / down, width: source.width / across, height: source.height / down },
  };
}

/**
 * Scales the `source` part of a picture, in its pixels, to `size`, whole px.
 *
 * @returns RGBA with straight alpha, row by row
 */
export function scalePixels(picture: DecodedPicture, source: Rect, size: Size, hasAlpha: boolean): Uint8Array {
  const isWhole = source.x === 0 && source.y === 0 && source.width === size.width && source.height === size.height;
  if (isWhole && picture.width === size.width && picture.height === size.height) return Uint8Array.from(picture.data);
  const small = shrunk(picture, source, size);
  const { width, height, data } = small.picture;
  const x = tapsOf(small.source.x, small.source.width, width, size.width);
  const y = tapsOf(small.source.y, small.source.height, height, size.height);
  // Only the rows that the result needs.
  const firstRow = y.starts[0] ?? 0;
  const rows = (y.starts[size.height - 1] ?? 0) + y.taps - firstRow;
  const lines = new Float32Array(4 * size.width * rows);
  for (let row = 0; row < rows; row++) {
    scaleRow(data, 4 * width * (firstRow + row), x, lines, 4 * size.width * row, size.width, hasAlpha);
  }
  const scaled = new Uint8Array(4 * size.width * size.height);
  const sums = new Float32Array(4 * size.width);
  for (let row = 0; row < size.height; row++) {
    sums.fill(0);
    for (let k = 0; k < y.taps; k++) {
      const weight = y.weights[row * y.taps + k] ?? 0;
      const from = 4 * size.width * ((y.starts[row] ?? 0) - firstRow + k);
      if (weight !== 0) addLine(sums, lines, from, weight);
    }
    writeRow(sums, scaled, 4 * size.width * row, hasAlpha);
  }
  return scaled;
}

function scaleRow(
  data: Uint8ClampedArray | Uint8Array,
  from: number,
  { taps, starts, weights }: Taps,
  lines: Float32Array,
  to: number,
  width: number,
  hasAlpha: boolean,
): void {
  for (let i = 0; i < width; i++) {
    let at = from + 4 * (starts[i] ?? 0);
    let [r, g, b, a] = [0, 0, 0, 0];
    for (let k = i * taps; k < (i + 1) * taps; k++, at += 4) {
      const weight = weights[k] ?? 0;
      const alpha = hasAlpha ? (weight * (data[at + 3] ?? 0)) / 255 : weight;
      r += alpha * (data[at] ?? 0);
      g += alpha * (data[at + 1] ?? 0);
      b += alpha * (data[at + 2] ?? 0);
      a += alpha;
    }
    lines[to + 4 * i] = r;
    lines[to + 4 * i + 1] = g;
    lines[to + 4 * i + 2] = b;
    lines[to + 4 * i + 3] = a;
  }
}

function addLine(sums: Float32Array, lines: Float32Array, from: number, weight: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + weight * (lines[from + i] ?? 0);
}

const byte = (value: number) => (value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0);

function writeRow(sums: Float32Array, scaled: Uint8Array, to: number, hasAlpha: boolean): void {
  for (let i = 0; i < sums.length; i += 4) {
    const alpha = hasAlpha ? (sums[i + 3] ?? 0) : 1;
    const share = alpha > 0 ? 1 / alpha : 0;
    scaled[to + i] = byte((sums[i] ?? 0) * share);
    scaled[to + i + 1] = byte((sums[i + 1] ?? 0) * share);
    scaled[to + i + 2] = byte((sums[i + 2] ?? 0) * share);
    scaled[to + i + 3] = byte(255 * alpha);
  }
}
