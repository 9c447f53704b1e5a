// Tests the kernel's matches in rows: zlib must read the rows back, and the memory around the rows must not matter.

import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ensureMemory, KERNEL_BASE, openKernel } from '#draw/encoders/png/kernels.ts';

const MOST_BYTES = 64 * 1024;
const BYTES = KERNEL_BASE + 32 * 1024;
const TOKENS = BYTES + MOST_BYTES + 1024;
const COUNTS = TOKENS + 4 * MOST_BYTES;
const TABLE = COUNTS + 4 * 316;
const OUT = TABLE + (16 << 11);

const kernel = openKernel();
ensureMemory(kernel, OUT + 2 * MOST_BYTES + 1024 - KERNEL_BASE);

interface Rows {
  readonly pixel: 1 | 3 | 4;
  /** Including the filter byte. */
  readonly rowLength: number;
  readonly bytes: Uint8Array;
}

/** @param above rows that matches may refer to and that are not written */
function deflate({ pixel, rowLength, bytes }: Rows, above: number, around: number): Uint8Array {
  const memory = new Uint8Array(kernel.memory.buffer);
  memory.fill(around, KERNEL_BASE);
  memory.set(bytes, BYTES);
  const from = BYTES + above * rowLength;
  kernel.findMatches(BYTES, from, BYTES + bytes.length - from, rowLength, pixel, TABLE, TOKENS, COUNTS);
  kernel.chooseBlock(COUNTS);
  return memory.slice(OUT, OUT + kernel.writeBlock(TOKENS, from, COUNTS, OUT, true));
}

function check(rows: Rows, above = 0): void {
  const start = above * rows.rowLength;
  const file = deflate(rows, above, 0);
  const read = inflateRawSync(file, { dictionary: rows.bytes.subarray(0, start) });
  expect(Buffer.compare(read, rows.bytes.subarray(start))).toBe(0);
  for (const around of new Set([255, ...rows.bytes.subarray(-3)])) {
    expect(Buffer.compare(deflate(rows, above, around), file)).toBe(0);
  }
}

function rowsOf(pixel: 1 | 3 | 4, width: number, height: number, byte: (i: number) => number): Rows {
  const rowLength = 1 + width * pixel;
  const bytes = Uint8Array.from({ length: rowLength * height }, (_, i) => (i % rowLength === 0 ? 0 : byte(i)));
  return { pixel, rowLength, bytes };
}

test('one colour', () => check(rowsOf(3, 200, 30, () => 7)));
test('one colour, as above', () =>
  check(
    rowsOf(3, 200, 30, () => 7),
    1,
  ));
test('indices', () => check(rowsOf(1, 700, 30, (i) => (i % 701) & 8)));
test('stripes', () => check(rowsOf(4, 90, 20, (i) => i & 12)));
test('rows that are nearly the same', () =>
  check(
    rowsOf(3, 300, 40, (i) => (i % 901) & (i % 7919 === 0 ? 1 : 255)),
    1,
  ));
test('further apart than the window', () => check(rowsOf(3, 12_000, 1, (i) => ((i % 33_000) * 2_654_435_761) >>> 24)));

test('any rows', () => {
  const rows = fc
    .record({
      pixel: fc.constantFrom(1 as const, 3 as const, 4 as const),
      width: fc.integer({ min: 1, max: 70 }),
      height: fc.integer({ min: 2, max: 12 }),
      // Repeated stretches, so that matches of every length occur.
      stretches: fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 90 }), { minLength: 1, maxLength: 4 }),
      picks: fc.array(fc.nat(3), { minLength: 1, maxLength: 40 }),
    })
    .map(({ pixel, width, height, stretches, picks }) => {
      const drawn = picks.flatMap((pick) => stretches[pick % stretches.length] ?? []);
      return rowsOf(pixel, width, height, (i) => drawn[i % drawn.length] ?? 0);
    });
  fc.assert(
    fc.property(rows, fc.nat(1), (any, above) => check(any, above)),
    { numRuns: 1000, seed: 1 },
  );
});

test('rows that repeat three rows below, seven pixels to the left', () => {
  const rows = rowsOf(3, 400, 40, () => 0);
  const { bytes, rowLength } = rows;
  for (let at = 0; at < bytes.length; at++) {
    const [x, y] = [(at % rowLength) - 1, Math.floor(at / rowLength)];
    // Noise, so that nothing else repeats.
    if (x >= 0) bytes[at] = Math.imul(x + 21 * Math.floor(y / 3) + 100_000 * (y % 3), 2_654_435_761) >>> 24;
  }
  check(rows);
});
