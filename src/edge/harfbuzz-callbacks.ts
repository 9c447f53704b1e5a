// Wraps JavaScript functions as WebAssembly functions for HarfBuzz to call. The bundle makes Emscripten call this.
//
// Emscripten compiles a small module for each callback at run time, which Cloudflare's runtime refuses. Here a single
// module, compiled with the bundle, re-exports its import under a name for each signature.

import { wasmFile } from './wasm-files.ts';

const module = await wasmFile('harfbuzz-callbacks');
const signatures = WebAssembly.Module.exports(module).map(({ name }) => name);

/** @param signature types of the result and the parameters as Emscripten's letters: `viif` */
export function callbackOf(callback: (...values: number[]) => unknown, signature: string): unknown {
  const imports = Object.fromEntries(signatures.map((name) => [name, callback]));
  const wrapped = new WebAssembly.Instance(module, { e: imports }).exports[signature];
  if (!wrapped) throw new Error(`HarfBuzz wants a callback of an unknown signature, ${signature}.`);
  return wrapped;
}
