import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blendPixels, type Rounding } from '#pixels/blend-pixels.ts';

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

test('more pixels than pass at a time', () => {
  const count = 20_001;
  const below = new Uint32Array(count).fill(0xff_ff_ff_ff);
  blendPixels(below, 0, new Uint32Array(count).fill(0x80_00_00_00), 0, count, 'layer');
  expect(new Set(below)).toEqual(new Set([0xff_7f_7f_7f]));
});
