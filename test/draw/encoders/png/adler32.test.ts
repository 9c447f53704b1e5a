// Tests the kernel's Adler-32 sums, and the combination of sums, against the definition.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adlerCombine } from '#draw/encoders/png/assemble.ts';
import { ensureMemory, KERNEL_BASE, openKernel } from '#draw/encoders/png/kernels.ts';

const MOST_BYTES = 20_000;
const kernel = openKernel();
ensureMemory(kernel, MOST_BYTES);

/** RFC 1950, section 8.2. */
function adler32(sum: number, bytes: Uint8Array): number {
  let a = sum & 0xffff;
  let b = sum >>> 16;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

function kernelSum(sum: number, bytes: Uint8Array): number {
  new Uint8Array(kernel.memory.buffer).set(bytes, KERNEL_BASE);
  return kernel.adler32(sum, KERNEL_BASE, bytes.length) >>> 0;
}

function check(bytes: Uint8Array): void {
  expect(kernelSum(1, bytes)).toBe(adler32(1, bytes));
  // Starts from the largest possible sums.
  expect(kernelSum(0xfff0_fff0, bytes)).toBe(adler32(0xfff0_fff0, bytes));
}

test('nothing', () => check(new Uint8Array(0)));
test('as much as there is', () => check(new Uint8Array(MOST_BYTES).fill(255)));
for (const length of [1, 31, 32, 33, 5535, 5536, 5537, 11_072]) {
  test(`${length} bytes`, () => check(Uint8Array.from({ length }, (_, i) => (i * 167) & 255)));
}
test('two stretches', () => {
  const stretch = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(stretch, stretch, (first, second) => {
      const sum = adlerCombine(kernelSum(1, first), kernelSum(1, second), second.length);
      expect(sum).toBe(adler32(1, Buffer.concat([first, second])));
    }),
    { seed: 1 },
  );
});
