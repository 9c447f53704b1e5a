import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileKernel, findCompiler, KERNEL } from '../../scripts/build-kernel.ts';

const compiler = findCompiler();

test.skipIf(compiler === null)('kernel.wasm is what its source compiles to', { timeout: 60_000 }, () => {
  expect(Buffer.compare(compileKernel(compiler ?? ''), readFileSync(KERNEL))).toBe(0);
});

test('kernel.wasm asks nothing of its surroundings', () => {
  expect(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(KERNEL)))).toEqual([]);
});
