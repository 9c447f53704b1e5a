// Compiles a WebAssembly file of the sources. At the edge it is src/edge/platform/load-wasm.ts, of the same signature.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The compiled files, as paths from `src`. */
export type WasmFile = 'encoders/png/kernels.wasm' | 'encoders/webp/kernels.wasm' | 'output/raster/kernels.wasm';

/** @throws Error when there is no such file, as where `npm run kernel` was never run */
export function loadWasm(file: WasmFile): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(import.meta.dirname, '..', file)));
}
