import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { RasterFormat } from '#encoders/encode.ts';
import type { Raster } from '#images/raster.ts';
import { noise } from '../images/pictures.ts';
import { encodeAny } from './encode-any.ts';

const FAST = { quality: 90, compression: 'fast' } as const;

/** 32 × 16 px of one premultiplied colour. */
function plain(...rgba: number[]): Raster {
  return { width: 32, height: 16, pixels: Uint8Array.from({ length: 32 * 16 * 4 }, (_, at) => rgba[at % 4] ?? 0) };
}

async function check(raster: Raster, format: RasterFormat, expected: string): Promise<void> {
  const { data, info } = await sharp(await encodeAny(raster, format, FAST))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(`${info.width}×${info.height} ${[...data.subarray(0, info.channels)].join()}`).toBe(expected);
}

test('an opaque PNG has no alpha', () => check(plain(10, 20, 30, 255), 'png', '32×16 10,20,30'));
test('alpha is taken out of the colours', () => check(plain(100, 50, 25, 128), 'png', '32×16 199,100,50,128'));
test('nothing stays nothing', () => check(plain(0, 0, 0, 0), 'png', '32×16 0,0,0,0'));
test('WebP keeps alpha', async () => {
  const { channels } = await sharp(await encodeAny(plain(100, 50, 25, 128), 'webp', FAST)).metadata();
  expect(channels).toBe(4);
});

test('JPEG is subsampled 4:2:0', async () => {
  const { chromaSubsampling } = await sharp(await encodeAny(plain(1, 2, 3, 255), 'jpeg', FAST)).metadata();
  expect(chromaSubsampling).toBe('4:2:0');
});
for (const format of ['jpeg', 'webp'] as const) {
  test(`${format} grows with its quality, from 0 on`, async () => {
    const pixels = Uint8Array.from({ length: 64 * 64 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at * 7919) % 251));
    const sizes = await Promise.all(
      [0, 50, 100].map(
        async (quality) => (await encodeAny({ width: 64, height: 64, pixels }, format, { ...FAST, quality })).length,
      ),
    );
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes[0]).toBeLessThan((sizes[2] ?? 0) / 2);
  });
}

test('the same raster gives the same bytes', async () => {
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    const [one, two] = [
      await encodeAny(plain(9, 8, 7, 200), format, FAST),
      await encodeAny(plain(9, 8, 7, 200), format, FAST),
    ];
    expect(Buffer.compare(one, two)).toBe(0);
  }
});
test('no metadata is written', async () => {
  const { exif, icc, xmp } = await sharp(await encodeAny(plain(1, 2, 3, 255), 'png', FAST)).metadata();
  expect({ exif, icc, xmp }).toEqual({});
});
test('a side that WebP cannot say', () =>
  expect(
    encodeAny({ width: 16_384, height: 1, pixels: new Uint8Array(16_384 * 4) }, 'webp', FAST),
  ).rejects.toMatchObject({ code: 'invalid_request' }));

for (const format of ['png', 'jpeg', 'webp'] as const) {
  test(`a small ${format} is no larger than a fast one`, async () => {
    const pixels = Uint8Array.from({ length: 256 * 256 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at >> 6) & 255));
    const picture = { width: 256, height: 256, pixels };
    const [fast, small] = await Promise.all(
      (['fast', 'small'] as const).map((compression) => encodeAny(picture, format, { quality: 80, compression })),
    );
    expect(small?.length).toBeLessThanOrEqual(fast?.length ?? 0);
  });
}

test('a small png of a photo over one colour is no larger than a fast one', async () => {
  const photo = await noise(300, 180).blur(1.5).ensureAlpha().raw().toBuffer();
  const pixels = new Uint8Array(300 * 400 * 4).fill(255);
  pixels.set(photo);
  const picture = { width: 300, height: 400, pixels };
  const fast = await encodeAny(picture, 'png', FAST);
  const small = await encodeAny(picture, 'png', { ...FAST, compression: 'small' });
  expect(small.length).toBeLessThanOrEqual(fast.length);
  expect(await sharp(small).removeAlpha().raw().toBuffer()).toEqual(await sharp(fast).removeAlpha().raw().toBuffer());
});
