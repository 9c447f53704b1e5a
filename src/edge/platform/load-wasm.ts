// The kernels at the edge: loaded in the runtime's own way before the painter and the encoder start.

import { wasmFile } from '../wasm-files.ts';

type WasmFile = `${string}/kernels.wasm`;

const [raster, png] = await Promise.all([wasmFile('raster'), wasmFile('png')]);
let webp: WebAssembly.Module | null = null;

/** Loads the kernels of WebP, which few need, before the encoder is imported. */
export async function prepareWasm(file: WasmFile): Promise<void> {
  if (file === 'draw/encoders/webp/kernels.wasm') webp ??= await wasmFile('webp');
}

/** See src/draw/platform/load-wasm.ts. */
export function loadWasm(file: WasmFile): WebAssembly.Module {
  if (file === 'draw/output/raster/kernels.wasm') return raster;
  if (file === 'draw/encoders/png/kernels.wasm') return png;
  if (webp === null) throw new Error('The kernels of WebP are not loaded.');
  return webp;
}
