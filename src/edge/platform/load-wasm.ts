// The kernels at the edge: loaded in the runtime's own way before the painter and the encoder start.

import type { WasmFile } from '#platform/load-wasm.ts';
import { wasmFile } from '../wasm-files.ts';

const [raster, png] = await Promise.all([wasmFile('raster'), wasmFile('png')]);

/** See src/platform/load-wasm.ts. */
export function loadWasm(file: WasmFile): WebAssembly.Module {
  if (file === 'encoders/webp/kernels.wasm') throw new Error('There is no WebP encoder at the edge.');
  return file === 'encoders/png/kernels.wasm' ? png : raster;
}
