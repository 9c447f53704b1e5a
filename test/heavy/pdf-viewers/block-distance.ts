// Measures how far two pictures of one page differ, per block of 8 × 8 px, from 0 to 255.
//
// A channel of a pixel is compared with the range of the 3 × 3 px around it in the other picture, in both directions,
// and the larger distance counts. A block's distance is the mean over its pixels, in its worst channel. An edge that is
// less than a pixel off, as with other antialiasing, has no distance.

import { onWhite, type Picture } from '../../golden/picture.ts';

const BLOCK = 8;

export interface FarBlock {
  /** The block's top left corner, px. */
  readonly x: number;
  readonly y: number;
  readonly distance: number;
}

/** Returns the block with the largest distance; infinity if the pictures' sizes differ by more than one px. */
export function farthestBlock(first: Picture, second: Picture): FarBlock {
  const [a, b] = [onWhite(first), onWhite(second)];
  if (Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1) return { x: 0, y: 0, distance: Infinity };
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  let farthest: FarBlock = { x: 0, y: 0, distance: 0 };
  for (let channel = 0; channel < 3; channel++) {
    const distances = channelDistances(plane(a, width, height, channel), plane(b, width, height, channel), width);
    for (let y = 0; y < height; y += BLOCK) {
      for (let x = 0; x < width; x += BLOCK) {
        const [right, bottom] = [Math.min(width, x + BLOCK), Math.min(height, y + BLOCK)];
        let sum = 0;
        for (let v = y; v < bottom; v++) for (let u = x; u < right; u++) sum += distances[v * width + u]!;
        const distance = sum / ((right - x) * (bottom - y));
        if (distance > farthest.distance) farthest = { x, y, distance };
      }
    }
  }
  return farthest;
}

function plane(picture: Picture, width: number, height: number, channel: number): Uint8Array {
  const values = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) values[i] = picture.pixels[4 * (y * picture.width + x) + channel] ?? 255;
  }
  return values;
}

function channelDistances(a: Uint8Array, b: Uint8Array, width: number): Uint8Array {
  const [lowA, highA] = neighbourhood(a, width);
  const [lowB, highB] = neighbourhood(b, width);
  const distances = new Uint8Array(a.length);
  for (let i = 0; i < a.length; i++) {
    const [va, vb] = [a[i]!, b[i]!];
    distances[i] = Math.max(lowB[i]! - va, va - highB[i]!, lowA[i]! - vb, vb - highA[i]!, 0);
  }
  return distances;
}

/** The minimum and maximum of the 3 × 3 px around each pixel: along the rows first, then along the columns. */
function neighbourhood(values: Uint8Array, width: number): [low: Uint8Array, high: Uint8Array] {
  const [lowRow, highRow, low, high] = Array.from({ length: 4 }, () => new Uint8Array(values.length)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  for (let i = 0, x = 0; i < values.length; i++, x = x + 1 === width ? 0 : x + 1) {
    const value = values[i]!;
    const left = x > 0 ? values[i - 1]! : value;
    const right = x + 1 < width ? values[i + 1]! : value;
    lowRow[i] = Math.min(value, left, right);
    highRow[i] = Math.max(value, left, right);
  }
  for (let i = 0; i < values.length; i++) {
    const above = i >= width ? i - width : i;
    const below = i + width < values.length ? i + width : i;
    low[i] = Math.min(lowRow[i]!, lowRow[above]!, lowRow[below]!);
    high[i] = Math.max(highRow[i]!, highRow[above]!, highRow[below]!);
  }
  return [low, high];
}
