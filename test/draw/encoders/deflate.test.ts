import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { deflate, deflateInBlocks } from '#draw/encoders/deflate.ts';
import { seeded } from '../../seeded.ts';

/** Deterministic bytes; the lower `spread`, the more repeats. */
function noise(length: number, spread: number): Uint8Array {
  const next = seeded(1);
  return Uint8Array.from({ length }, () => next(spread));
}

function check(bytes: Uint8Array): number {
  // The first gives streams of more than 64 KiB to zlib.
  for (const make of [deflate, deflateInBlocks]) expect(Buffer.compare(inflateSync(make(bytes)), bytes)).toBe(0);
  return deflateInBlocks(bytes).length;
}

test.each([0, 1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 1_000, 32_768, 65_535, 65_536, 65_537, 200_000])(
  '%i bytes come back',
  (length) => {
    for (const spread of [1, 2, 5, 60, 256]) check(noise(length, spread));
  },
);

test('every length up to 600 comes back', () => {
  for (let length = 0; length < 600; length++) check(noise(length, 1 + (length % 9)));
});

test('a repeat from as far as the window reaches, and farther, comes back', () => {
  for (const gap of [32_760, 32_768, 32_770]) {
    const words = noise(40, 256);
    check(Buffer.concat([words, noise(gap - 40, 200), words, words]));
  }
});

test('text is a character to a byte', () => {
  expect(inflateSync(deflate('q 0 0 m \xff Q')).toString('latin1')).toBe('q 0 0 m \xff Q');
});

test('text of a content stream shrinks to a third', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `${(i * 37) % 800} ${(i * i) % 1123}.5 l`).join('\n');
  expect(check(Buffer.from(lines))).toBeLessThan(lines.length / 2);
});

test('a long content stream is nearly as small as zlib makes it', () => {
  const codes = noise(4_000, 30);
  const cells = Array.from({ length: 600 }, (_, i) => {
    const code = (at: number) => (codes[6 * i + at] ?? 0).toString(16).padStart(4, '0');
    return `BT\n1 0 0 -1 ${60 + 90 * (i % 6)} ${300 + 17.4 * Math.floor(i / 6)} Tm\n[<${code(0)}${code(1)}> -${code(2).slice(3)} <${code(3)}${code(4)}>] TJ\nET`;
  }).join('\n');
  expect(check(Buffer.from(cells))).toBeLessThan(1.03 * deflateSync(cells).length);
});

test.each([0, 1, 65_536, 65_537, 200_000])('%i bytes come back without zlib', (length) => {
  for (const spread of [1, 5, 256]) {
    const bytes = noise(length, spread);
    expect(Buffer.compare(inflateSync(deflateInBlocks(bytes)), bytes)).toBe(0);
  }
  const text = Buffer.from(noise(length, 90)).toString('latin1');
  expect(inflateSync(deflateInBlocks(text)).toString('latin1')).toBe(text);
});
