// Sums the compressed size of what a page of the built studio loads: scripts, style sheets and WebAssembly, without
// fonts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/** @param entries source paths of the loaded chunks, the keys of Vite's manifest. @returns bytes after gzip */
export function weigh(folder: string, entries: readonly string[]): number {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>;
  const seen = new Set<string>();
  const files = new Set<string>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The studio has no chunk ${name}.`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const file of chunk.assets ?? []) if (file.endsWith('.wasm')) files.add(file);
    chunk.imports?.forEach(add);
  };
  entries.forEach(add);
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
}
