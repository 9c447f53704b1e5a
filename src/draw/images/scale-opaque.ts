// Scales decoded pictures without transparency in WebAssembly. A small one takes a third of the time of libvips, where each
// step of a pipeline costs half a millisecond whatever the size.

import { loadWasm } from '#draw/platform/load-wasm.ts';
import type { Cuts } from './decode-task.ts';
import { type Taps, tapsOf } from './lanczos.ts';
import type { Pixels } from './raster.ts';

/** What kernels/scale-rows.ts exports. */
interface ScaleKernel {
  readonly memory: WebAssembly.Memory;
  pairedBytes(width: number): number;
  scaleRows(
    source: number,
    stride: number,
    width: number,
    pairs: number,
    paired: number,
    downStarts: number,
    downWeights: number,
    downTaps: number,
    rows: number,
    acrossStarts: number,
    acrossWeights: number,
    acrossTaps: number,
    columns: number,
    line: number,
    result: number,
  ): void;
}

/** What 1 is as a weight of the kernel. */
const ONE = 1 << 14;
/** Bytes of source rows in the kernel's memory at a time: few enough to stay in the processor's cache. */
const SOURCE_BYTES = 1 << 17;
/** Extra bytes, because the kernel reads and writes sixteen at a time. */
const MARGIN = 64;
const PAGE = 65_536;

let kernel: ScaleKernel | null = null;

/** Weights as the kernel has them: an even number for each target pixel, from an even source pixel on. */
interface KernelTaps {
  readonly taps: number;
  readonly starts: Int32Array;
  readonly weights: Int16Array;
}

function kernelTaps({ taps, starts, weights }: Taps): KernelTaps {
  const even = (taps + 2) & ~1;
  const whole = new Int16Array(even * starts.length);
  for (let i = 0; i < starts.length; i++) {
    const from = i * even + ((starts[i] ?? 0) & 1);
    let rest = ONE;
    let largest = from;
    for (let k = 0; k < taps; k++) {
      const weight = Math.round(ONE * (weights[i * taps + k] ?? 0));
      whole[from + k] = weight;
      rest -= weight;
      if (weight > (whole[largest] ?? 0)) largest = from + k;
    }
    // They add up to exactly 1, so that a plain colour stays what it is.
    whole[largest] = (whole[largest] ?? 0) + rest;
  }
  return { taps: even, starts: starts.map((start) => start & ~1), weights: whole };
}

/** @param pixels RGB; returns RGBA of the size that the cuts lead to */
export function scaleOpaque({ data, width, height }: Pixels, { before, scaled, after }: Cuts): Uint8Array {
  const part = before ?? { left: 0, top: 0, width, height };
  const shown = after ?? { left: 0, top: 0, ...scaled };
  const window = (from: number, count: number) => ({ from, count });
  const across = kernelTaps(tapsOf(0, part.width, part.width, scaled.width, window(shown.left, shown.width)));
  const down = kernelTaps(tapsOf(0, part.height, part.height, scaled.height, window(shown.top, shown.height)));
  const stride = 3 * width;
  const mostRows = Math.max(down.taps, 2 * Math.floor(SOURCE_BYTES / stride / 2));
  kernel ??= new WebAssembly.Instance(loadWasm('draw/images/kernels.wasm')).exports as unknown as ScaleKernel;
  const at = layOut(kernel, {
    source: stride * mostRows,
    paired: (kernel.pairedBytes(part.width) * mostRows) / 2,
    line: 14 * part.width + 8 * across.taps,
    result: 4 * shown.width * shown.height,
    downStarts: down.starts.byteLength,
    downWeights: down.weights.byteLength,
    acrossStarts: across.starts.byteLength,
    acrossWeights: across.weights.byteLength,
  });
  const { buffer } = kernel.memory;
  const memory = new Uint8Array(buffer);
  new Int32Array(buffer, at.acrossStarts).set(across.starts);
  new Int16Array(buffer, at.acrossWeights).set(across.weights);
  new Int16Array(buffer, at.downWeights).set(down.weights);
  for (let row = 0, end = 0; row < shown.height; row = end) {
    const first = down.starts[row] ?? 0;
    while (end < shown.height && (down.starts[end] ?? 0) + down.taps - first <= mostRows) end++;
    const last = Math.min(part.height, (down.starts[end - 1] ?? 0) + down.taps);
    const from = stride * (part.top + first) + 3 * part.left;
    memory.set(data.subarray(from, stride * (part.top + last)), at.source);
    new Int32Array(buffer, at.downStarts).set(down.starts.subarray(row, end).map((start) => start - first));
    kernel.scaleRows(
      at.source,
      stride,
      part.width,
      (last - first + 1) >> 1,
      at.paired,
      at.downStarts,
      at.downWeights + 2 * down.taps * row,
      down.taps,
      end - row,
      at.acrossStarts,
      at.acrossWeights,
      across.taps,
      shown.width,
      at.line,
      at.result + 4 * shown.width * row,
    );
  }
  return memory.slice(at.result, at.result + 4 * shown.width * shown.height);
}

/** Gives each part its address, from what the module itself uses on. */
function layOut<Part extends string>({ memory }: ScaleKernel, sizes: Record<Part, number>): Record<Part, number> {
  let next = PAGE;
  const places = {} as Record<Part, number>;
  for (const part of Object.keys(sizes) as Part[]) {
    places[part] = next;
    next += Math.ceil((sizes[part] + MARGIN) / 16) * 16;
  }
  const missing = next - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return places;
}
