import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeRaster, MOST_LIBRARY_WEBP } from '#draw/encoders/encode.ts';
import { encodeWebpWithAlpha } from '#draw/encoders/webp/encode-webp.ts';
import type { Raster } from '#draw/images/raster.ts';

type Alpha = (x: number, y: number) => number;

/** A slope of colours, premultiplied with alpha. */
function raster(width: number, height: number, alphaOf: Alpha): Raster {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const alpha = alphaOf(x, y) & 255;
      const color = [60 + ((x + y) >> 2), 80 + (y >> 1), 200 - (x >> 1)];
      const shown = color.map((value) => Math.round(((value & 255) * alpha) / 255));
      pixels.set([...shown, alpha], 4 * (y * width + x));
    }
  }
  return { width, height, pixels };
}

/** Decodes as premultiplied RGBA, and fails even on what a decoder only warns about. */
async function decode(file: Uint8Array): Promise<Buffer> {
  const rgba = await sharp(file, { failOn: 'warning' }).ensureAlpha().raw().toBuffer();
  return Buffer.from(
    rgba.map((value, at) => (at % 4 === 3 ? value : Math.round((value * (rgba[at - (at % 4) + 3] ?? 0)) / 255))),
  );
}

async function check(picture: Raster): Promise<Uint8Array> {
  const file = (await encodeWebpWithAlpha(picture, 95)) ?? expect.fail('no frame is too small for it');
  const shown = await decode(file);
  const alphaOf = (rgba: Uint8Array) => rgba.filter((_, at) => at % 4 === 3);
  expect(Buffer.compare(alphaOf(shown), alphaOf(picture.pixels)), 'alpha is kept without loss').toBe(0);
  const distance = picture.pixels.reduce((sum, value, at) => sum + Math.abs(value - (shown[at] ?? 0)), 0);
  expect(distance / picture.pixels.length, 'mean distance').toBeLessThan(4);
  return file;
}

const hash = (x: number, y: number) => Math.imul(Math.imul(x + 1, 2_654_435_761) ^ (y + 7), 2_246_822_519) >>> 24;
const ALPHAS: Readonly<Record<string, Alpha>> = {
  nothing: () => 0,
  everything: () => 255,
  'one value': () => 128,
  'two values': (x) => (x & 1) * 255,
  'a slope across': (x) => x,
  'a slope down': (_, y) => y,
  'a slope along': (x, y) => (x + 2 * y) >> 1,
  'a disc': (x, y) => Math.max(0, Math.min(255, 4 * (70 - Math.hypot(x - 80, y - 70)))),
  noise: hash,
  'rare values': (x, y) => (hash(x, y) < 3 ? x * y : 17),
};

for (const [name, alpha] of Object.entries(ALPHAS)) {
  test(`${name} as alpha is kept to the bit`, async () => {
    await check(raster(167, 141, alpha));
  });
}

test('any small size can be decoded', async () => {
  const side = fc.integer({ min: 1, max: 40 });
  await fc.assert(
    fc.asyncProperty(side, side, fc.integer({ min: 0, max: 255 }), async (width, height, seed) => {
      await check(raster(width, height, (x, y) => (seed & 1 ? hash(x + seed, y) : seed + (x >> 3))));
    }),
    { numRuns: 40 },
  );
});

test('runs longer than one copy may be, and alpha whose counts differ a millionfold, are written', async () => {
  await check(raster(9_000, 3, (_, y) => 40 * y));
  // Fibonacci's counts give the longest codes.
  const fibonacci = Array.from({ length: 22 }, () => 1);
  for (let i = 2; i < fibonacci.length; i++) fibonacci[i] = (fibonacci[i - 1] ?? 0) + (fibonacci[i - 2] ?? 0);
  const values = fibonacci.flatMap((count, value) => Array.from({ length: count }, () => value * 11));
  const scattered = values.map((value, at) => ({ value, at: hash(at, 5) * 65_536 + hash(at, 9) * 256 + hash(at, 2) }));
  const mixed = scattered.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
  await check(raster(170, 160, (x, y) => mixed[(y * 170 + x) % mixed.length] ?? 0));
});

test('the colour of what does not show costs nothing', async () => {
  const file = await check(raster(400, 400, () => 0));
  expect(file.length).toBeLessThan(1_200);
});

test('a WebP with more pixels than the library may encode has its alpha, whatever the compression', async () => {
  const width = 16_383;
  const height = Math.floor(MOST_LIBRARY_WEBP / width) + 1;
  const pixels = new Uint8Array(4 * width * height);
  pixels.fill(100, 0, 4 * width);
  const file = await encodeRaster({ width, height, pixels }, 'webp', { quality: 80, compression: 'small' });
  expect(await sharp(file).metadata()).toMatchObject({ width, height, hasAlpha: true });
}, 30_000);
