// The Node settings that Platen runs with: flags, and environment variables that must be set before a process starts.
//
// Each was measured on a server that answers renders of every kind; a variable that is already set is left alone.

import * as os from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * - `--max-semi-space-size`: a young generation of 8 MB; a larger one takes memory and is no faster.
 * - `--heap-growing-percent=100`: memory is collected when it has doubled. Without this, where renders allocate much
 *   outside the heap, a thread collects every five of them: a sixth of the processor time of twelve effects.
 * - `--v8-pool-size=0`: as many V8 worker threads as there are spare processors. With four, the garbage collector waits
 *   for threads that wait for a processor.
 * - `--no-memory-reducer`: V8's idle-time memory reduction is off. It takes a process that draws a card a second for
 *   idle: it stops for up to 19 ms, returns memory and flushes code, and the next card pays for both.
 * - `--no-allocation-site-pretenuring`: V8 allocates objects of code whose objects once lived long in the old generation.
 *   A long table's cells are made twice, for its height and then page by page, where they live shortly: with that, a
 *   table of 50,000 rows took 630 MB, without 370.
 * - `--no-lazy-feedback-allocation`: V8 notes from a function's first call, not its eighth, with which types it is called,
 *   and compiles it sooner. Of the first hundred renders of a process, four kinds take 3 to 8 % less processor time;
 *   a start of the command and its memory are as before.
 * - `--no-wasm-code-gc`: WebAssembly machine code is kept as long as its module. Collecting code that a better
 *   compilation replaced very rarely aborts the process, where threads share modules ("Check failed:
 *   jit_page.has_value()", from V8's WasmImportWrapperCache::Free; seen with Node 24.21).
 */
export const FLAGS = [
  '--disable-proto=delete',
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  '--v8-pool-size=0',
  '--no-memory-reducer',
  '--no-allocation-site-pretenuring',
  '--no-lazy-feedback-allocation',
  '--no-wasm-code-gc',
];

/** A server's main thread only answers requests and needs less; src/base/concurrency/young-generation.ts is for its threads. */
export const SERVER_FLAGS = [...FLAGS, '--max-semi-space-size=2'];

const ENVIRONMENT = {
  // Type stripping and compiling are done once, not by every thread at every start. The folder needs no protection of
  // its own: a user who can write there can also write the sources. If it is not writable, Node runs without a cache.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/platen', import.meta.url)),
  // By default, glibc keeps pictures among small objects and an arena for each of many threads: together 150 MB of
  // unused memory. With these, pictures are mapped separately and returned at once, and threads share arenas.
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 20),
  // Before Node 18.14, whose users are to read which version is needed, there is only `cpus`.
  MALLOC_ARENA_MAX: String(Math.max(1, (os.availableParallelism?.() ?? os.cpus().length) >> 1)),
};

/**
 * @param {NodeJS.ProcessEnv} given
 * @returns {NodeJS.ProcessEnv}
 */
export const withSettings = (given) => ({ ...ENVIRONMENT, ...given });
