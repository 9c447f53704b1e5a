// Tests that committed files which are generated are what their sources give: kernels, Unicode's properties, the sheets
// of Tailwind.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { compileKernel, KERNELS } from '../../scripts/generate/kernels.ts';
import { generateTailwindSheets, OUTPUT as TAILWIND } from '../../scripts/generate/tailwind.ts';
import { generateUnicodeData, OUTPUT } from '../../scripts/generate/unicode.ts';

const ROOT = join(import.meta.dirname, '../..');

for (const kernel of KERNELS) {
  test(`${relative(ROOT, kernel.file)} is what its source compiles to`, () => {
    expect(Buffer.compare(compileKernel(kernel), readFileSync(kernel.file))).toBe(0);
  });
}

test('properties of characters are what the generator writes', async () => {
  expect(readFileSync(OUTPUT, 'utf8')).toBe(await generateUnicodeData());
});

test('the sheets of Tailwind are those of its package', () => {
  expect(readFileSync(TAILWIND, 'utf8')).toBe(generateTailwindSheets());
});
