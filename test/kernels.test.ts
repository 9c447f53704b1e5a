import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

for (const folder of ['draw/encoders/png', 'draw/encoders/webp', 'draw/images', 'draw/output/raster']) {
  test(`the kernels of ${folder} ask nothing of their surroundings but memory`, () => {
    const file = readFileSync(join(import.meta.dirname, '../src', folder, 'kernels.wasm'));
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(file));
    expect(imports.filter(({ kind }) => kind !== 'memory')).toEqual([]);
  });
}
