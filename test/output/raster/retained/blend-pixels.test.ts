import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blendFaded, blendPixels, type Rounding } from '#output/raster/retained/blend-pixels.ts';

const ROUND: Record<Rounding, (product: number) => number> = {
  layer: (product) => Math.round(product / 255),
  ink: (product) => (product + 255) >> 8,
};

const pixel = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map(([r, g, b, a]) => {
  const part = (value: number) => Math.round((value * a) / 255);
  return [part(r), part(g), part(b), a] as const;
});

const wordOf = ([r, g, b, a]: readonly [number, number, number, number]) =>
  (r | (g << 8) | (b << 16) | (a << 24)) >>> 0;

function check(rounding: Rounding): void {
  const over = (above: number, below: number, alpha: number) => above + ROUND[rounding](below * (255 - alpha));
  const rows = fc.array(fc.tuple(pixel, pixel), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(rows, (pairs) => {
      const below = Uint32Array.from([7, ...pairs.map(([under]) => wordOf(under)), 9]);
      const above = Uint32Array.from([3, 4, ...pairs.map(([, top]) => wordOf(top))]);
      blendPixels(below, 1, above, 2, pairs.length, rounding);
      const expected = pairs.map(([under, top]) =>
        wordOf([
          over(top[0], under[0], top[3]),
          over(top[1], under[1], top[3]),
          over(top[2], under[2], top[3]),
          over(top[3], under[3], top[3]),
        ]),
      );
      expect([...below]).toEqual([7, ...expected, 9]);
    }),
    { numRuns: 500, seed: 1 },
  );
}

test('every channel is what src-over says, and nothing else is touched', () => check('layer'));
test('the same in colours', () => check('ink'));

test('faded: in single precision, rounded once, halves to the even number', () => {
  const { fround } = Math;
  const share = (byte: number) => fround(byte * fround(1 / 255));
  // From 2²³ on, single precision has no fractions.
  const evenly = (value: number) => fround(fround(value + 2 ** 23) - 2 ** 23);
  const over = (above: number, below: number, alpha: number, opacity: number) => {
    const through = fround(1 - fround(share(alpha) * fround(opacity)));
    return evenly(fround(255 * fround(fround(share(below) * through) + fround(share(above) * fround(opacity)))));
  };
  const rows = fc.array(fc.tuple(pixel, pixel), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(rows, fc.constantFrom(0, 0.1, 0.5, 0.9, 1), (pairs, opacity) => {
      const below = Uint32Array.from(pairs.map(([under]) => wordOf(under)));
      blendFaded(below, 0, Uint32Array.from(pairs.map(([, top]) => wordOf(top))), 0, pairs.length, opacity);
      const expected = pairs.map(([under, top]) => {
        const channel = (i: 0 | 1 | 2 | 3) => over(top[i], under[i], top[3], opacity);
        return wordOf([channel(0), channel(1), channel(2), channel(3)]);
      });
      expect([...below]).toEqual(expected);
    }),
    { numRuns: 500, seed: 1 },
  );
});
test('where nothing lies over it, nothing changes', () => {
  const every = Uint32Array.from({ length: 256 }, (_, byte) => wordOf([byte, byte, byte, byte]));
  const below = every.slice();
  blendFaded(below, 0, new Uint32Array(256), 0, 256, 0.3);
  expect(below).toEqual(every);
});

test('more pixels than pass at a time', () => {
  const count = 20_001;
  const below = new Uint32Array(count).fill(0xff_ff_ff_ff);
  blendPixels(below, 0, new Uint32Array(count).fill(0x80_00_00_00), 0, count, 'layer');
  expect(new Set(below)).toEqual(new Set([0xff_7f_7f_7f]));
});
