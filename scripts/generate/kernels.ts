// `npm run kernel`: compiles AssemblyScript to .wasm files beside the code that calls them, which are committed.
//
// The compiler's output is the same on every machine, so a test can compare the committed files with their sources.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface KernelFile {
  readonly source: string;
  readonly file: string;
}

/** Sources and their compiled files. */
export const KERNELS: readonly KernelFile[] = [
  'src/draw/encoders/png',
  'src/draw/encoders/webp',
  'src/draw/images',
  'src/draw/output/raster',
].map((folder) => ({
  source: join(ROOT, folder, 'kernels/index.ts'),
  file: join(ROOT, folder, 'kernels.wasm'),
}));
/** The disabled warning concerns registers passed between functions, which no outside caller does. */
const OPTIONS = '-O3 --noAssert --runtime stub --enable simd --use abort= --disableWarning 112'.split(' ');

/** @throws if the compiler is not installed, or the source does not compile */
export function compileKernel({ source }: KernelFile): Uint8Array {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')), 'bin/asc.js');
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  try {
    const out = join(folder, 'kernel.wasm');
    const command = [compiler, source, '--outFile', out, ...OPTIONS];
    execFileSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' });
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  for (const kernel of KERNELS) writeFileSync(kernel.file, compileKernel(kernel));
}
