// Compiles a WebAssembly file of the sources. The edge build uses src/edge/platform/load-wasm.ts, of the same
// signature.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A compiled file, as its path from `src`. */
type WasmFile = `${string}/kernels.wasm`;

/** At the edge a file that few need is loaded first; here `loadWasm` reads any. */
export async function prepareWasm(_file: WasmFile): Promise<void> {}

/** @throws Error when the file does not exist, for example before `npm run kernel` was ever run */
export function loadWasm(file: WasmFile): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(import.meta.dirname, '../..', file)));
}
