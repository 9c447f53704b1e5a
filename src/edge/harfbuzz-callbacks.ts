// Functions of ours as WebAssembly functions, for HarfBuzz to call. The bundle has Emscripten call this.
//
// Emscripten compiles a small module for each: at run time, which Cloudflare's runtime refuses. This is one module,
// compiled with the bundle, that exports a function of each signature, and each is what was imported under its name.

import { wasmFile } from './wasm-files.ts';

const module = await wasmFile('harfbuzz-callbacks');
const signatures = WebAssembly.Module.exports(module).map(({ name }) => name);

/** @param signature the result and the parameters in Emscripten's letters: `viif` */
export function callbackOf(callback: (...values: number[]) => unknown, signature: string): unknown {
  const imports = Object.fromEntries(signatures.map((name) => [name, callback]));
  const wrapped = new WebAssembly.Instance(module, { e: imports }).exports[signature];
  if (!wrapped) throw new Error(`HarfBuzz wants a callback of an unknown signature, ${signature}.`);
  return wrapped;
}
