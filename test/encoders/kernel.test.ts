import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { compileKernel, findCompiler, KERNELS } from '../../scripts/build-kernel.ts';

const ROOT = join(import.meta.dirname, '../..');
const compiler = findCompiler();

for (const kernel of KERNELS) {
  const { file } = kernel;
  const name = relative(ROOT, file);
  test.skipIf(compiler === null)(`${name} is what its source compiles to`, { timeout: 60_000 }, () => {
    expect(Buffer.compare(compileKernel(compiler ?? '', kernel), readFileSync(file))).toBe(0);
  });

  test(`${name} asks nothing of its surroundings but memory`, () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(file)));
    expect(imports.filter(({ kind }) => kind !== 'memory')).toEqual([]);
  });
}
