// `npm run kernel`: compiles AssemblyScript to .wasm files beside the code that calls them, which are committed.
//
// The same compiler makes the same bytes of the same source on every machine, so that a test can hold the one to the
// other.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface KernelFile {
  readonly source: string;
  readonly file: string;
}

/** Sources and what they are compiled to. */
export const KERNELS: readonly KernelFile[] = ['src/encoders/png', 'src/encoders/webp', 'src/output/raster'].map(
  (folder) => ({
    source: join(ROOT, folder, 'kernels/index.ts'),
    file: join(ROOT, folder, 'kernels.wasm'),
  }),
);
/** Without the warning that registers are handed from function to function: no caller outside does that. */
const OPTIONS = '-O3 --noAssert --runtime stub --enable simd --use abort= --disableWarning 112'.split(' ');

/** The compiler's entry, or null where it is not installed. */
export function findCompiler(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')), 'bin/asc.js');
  } catch {
    return null;
  }
}

/** @throws when the source does not compile */
export function compileKernel(compiler: string, { source }: KernelFile): Uint8Array {
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
  const compiler = findCompiler();
  if (compiler === null) throw new Error('assemblyscript is not installed: run npm ci first');
  for (const kernel of KERNELS) writeFileSync(kernel.file, compileKernel(compiler, kernel));
}
