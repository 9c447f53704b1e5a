// What Node runs Platen with: flags, and variables that must be in the environment before a process starts.
//
// Each was measured on a server that answers renders of every kind; a variable that is set already is left alone.

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * A young generation of 8 MB: a larger one takes memory and is no faster. As many threads for V8's own work as there are
 * processors to spare: with four, the collector waits for threads that wait for a processor. And no guessing that the
 * process is idle, which V8 does of one that draws a card a second: it then stops for up to 19 ms, gives back memory and
 * forgets code, and the next card pays for both. WebAssembly's machine code is kept until its module goes: to collect what a
 * better compilation replaced ends the process once in a great while, where threads share modules ("Check failed:
 * jit_page.has_value()", from V8's WasmImportWrapperCache::Free; seen with Node 24.21).
 */
export const FLAGS = [
  '--disable-proto=delete',
  '--max-semi-space-size=8',
  '--v8-pool-size=0',
  '--no-memory-reducer',
  '--no-wasm-code-gc',
];

/** A server's main thread only answers, and needs less; its threads are given what is said in config.ts. */
export const SERVER_FLAGS = [...FLAGS, '--max-semi-space-size=2'];

const ENVIRONMENT = {
  // Type stripping and compiling are done once, not by every thread of every start. Whoever may write there may as well
  // write the sources; where nobody may, Node does without.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/platen', import.meta.url)),
  // glibc comes to keep pictures among small things, and memory apart for each of many threads: together 150 MB that are
  // not in use. So pictures have pages of their own, which go back at once, and threads share.
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 20),
  MALLOC_ARENA_MAX: String(Math.max(1, availableParallelism() >> 1)),
};

/**
 * @param {NodeJS.ProcessEnv} given
 * @returns {NodeJS.ProcessEnv}
 */
export const withSettings = (given) => ({ ...ENVIRONMENT, ...given });
