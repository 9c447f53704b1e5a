// Pixels in, the same pixels blurred out, as resvg blurs them: five boxes in a row come near a Gaussian.
//
// The door to blur.wasm, which is compiled from wasm/blur.ts by `npm run kernel`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Size } from '#core/geometry.ts';

interface BlurKernel {
  readonly memory: WebAssembly.Memory;
  blurBox(
    pixels: number,
    width: number,
    height: number,
    radius: number,
    across: number,
    margin: number,
    sums: number,
  ): void;
}

const bytes = readFileSync(join(import.meta.dirname, 'blur.wasm'));
const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as BlurKernel;

const PAGE = 65_536;
const BOXES = 5;
/** Standard deviations below this are not blurred by boxes. */
export const LEAST_SIGMA = 2;

/**
 * Blurs pixels in place; beyond their edges there is nothing.
 *
 * @param pixels RGBA, premultiplied
 * @param sigma px, at least `LEAST_SIGMA`
 */
export function blurPixels(pixels: Uint32Array, { width, height }: Size, sigma: number): void {
  const radii = boxRadii(sigma);
  const margin = Math.max(...radii) + 1;
  const beside = 4 * width * margin;
  const from = PAGE + beside;
  const across = from + pixels.byteLength + beside;
  // With room for what the kernel reads behind a pixel.
  const sums = across + 4 * (width + 2 * margin) * height + 16;
  const missing = sums + 16 * width - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE));

  new Uint8Array(kernel.memory.buffer).fill(0, PAGE, sums);
  const within = new Uint32Array(kernel.memory.buffer, from, pixels.length);
  within.set(pixels);
  for (const radius of radii) kernel.blurBox(from, width, height, radius, across, margin, sums);
  pixels.set(within);
}

/**
 * Radii of the boxes, of two sizes that follow one another, whose variances add up to that of the Gaussian: `m` of
 * 2 r + 1 px and the rest of 2 r + 3 px (P. Getreuer, "A Survey of Gaussian Convolution Algorithms", IPOL 2013, § 3).
 * In single precision, as the rasteriser works them out.
 */
function boxRadii(sigma: number): readonly number[] {
  const s = Math.fround(sigma);
  const variance = Math.fround(Math.fround(12 * s) * s);
  const ideal = Math.fround(Math.fround(Math.sqrt(Math.fround(variance / BOXES))) + 1);
  const floor = Math.floor(ideal);
  const small = floor % 2 === 0 ? floor - 1 : floor;
  const squares = Math.fround(variance - BOXES * small * small);
  const rest = Math.fround(Math.fround(squares - 4 * BOXES * small) - 3 * BOXES);
  const count = Math.round(Math.fround(rest / (-4 * small - 4)));
  return Array.from({ length: BOXES }, (_, i) => (i < count ? small - 1 : small + 1) / 2);
}
