// Compiles a WebAssembly file that stands beside its caller's code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @throws Error when there is no such file, as where `npm run kernel` was never run */
export function loadWasm(folder: string, name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(folder, name)));
}
