// Compares the digests of rows with RFC 4418, §5.2.2, computed with big integers.

import { expect, test } from 'vitest';
import { anyBytes, get, kernels, memory, put } from './kernel-memory.ts';

const BLOCK = 4096;
const key = anyBytes(BLOCK + 16, 11);

/** NH of bytes that are padded with zeros to a multiple of 32. */
function nh(bytes: Uint8Array, shift: number): bigint {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 32) * 32);
  padded.set(bytes);
  const keys = Buffer.from(key);
  let sum = 0n;
  for (let at = 0; at < padded.length; at += 32) {
    for (let i = at; i < at + 16; i += 4) {
      const a = (padded.readUInt32LE(i) + keys.readUInt32LE(i + shift)) >>> 0;
      const b = (padded.readUInt32LE(i + 16) + keys.readUInt32LE(i + 16 + shift)) >>> 0;
      sum += BigInt(a) * BigInt(b);
    }
  }
  return BigInt.asUintN(64, sum);
}

function digests(pixels: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  const mark = memory.mark();
  const [at, keyAt] = [put(pixels), put(key)];
  const length = 16 * Math.ceil((4 * width) / BLOCK) * height;
  const out = memory.take(length);
  kernels.digestRows(at, stride, width, height, keyAt, out);
  const found = get(out, length);
  memory.release(mark);
  return found;
}

test.each([1, 2, 3, 4, 5, 7, 8, 9, 15, 1023, 1024, 1025, 1031, 2500])('rows of %i px', (width) => {
  const stride = width + 3;
  const pixels = anyBytes(4 * stride * 3, width);
  const expected = Array.from({ length: 3 }, (_, y) => {
    const row = pixels.subarray(4 * stride * y, 4 * (stride * y + width));
    const blocks = Array.from({ length: Math.ceil(row.length / BLOCK) }, (_, i) =>
      row.subarray(BLOCK * i, BLOCK * (i + 1)),
    );
    return blocks.flatMap((block) => [nh(block, 0), nh(block, 16)]);
  });
  expect([...new BigUint64Array(digests(pixels, stride, width, 3).buffer)]).toEqual(expected.flat());
});

test('what lies beside a row does not matter', () => {
  const [one, other] = [anyBytes(4 * 50 * 4, 1), anyBytes(4 * 50 * 4, 2)];
  for (let y = 0; y < 4; y++) other.set(one.subarray(200 * y, 200 * y + 4 * 37), 200 * y);
  expect(digests(other, 50, 37, 4)).toEqual(digests(one, 50, 37, 4));
});

test('every byte matters', () => {
  const pixels = anyBytes(4 * 11 * 2, 3);
  const seen = new Set([digests(pixels, 11, 11, 2).join()]);
  for (const at of pixels.keys()) {
    const changed = pixels.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    seen.add(digests(changed, 11, 11, 2).join());
  }
  expect(seen.size).toBe(1 + pixels.length);
});
