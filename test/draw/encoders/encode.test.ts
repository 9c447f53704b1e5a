import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { RasterFormat } from '#draw/encoders/encode.ts';
import type { Raster } from '#draw/images/raster.ts';
import { checkedOptions, encodePicture } from '#edge/encode-picture.ts';
import { provideWasm } from '#edge/wasm-files.ts';
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
const JPEG_ENCODER = createRequire(import.meta.url).resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm');
provideWasm(['encode-jpeg'], () => WebAssembly.compile(Uint8Array.from(readFileSync(JPEG_ENCODER))));

test('WebP keeps alpha', async () => {
  const { channels } = await sharp(await encodeAny(plain(100, 50, 25, 128), 'webp', FAST)).metadata();
  expect(channels).toBe(4);
});

test('JPEG is subsampled 4:2:0 below quality 90, or as it is asked for, by the server and at the edge alike', async () => {
  for (const [quality, asked, expected] of [
    [80, undefined, '4:2:0'],
    [89, undefined, '4:2:0'],
    [90, undefined, '4:4:4'],
    [100, undefined, '4:4:4'],
    [80, '4:4:4', '4:4:4'],
    [100, '4:2:0', '4:2:0'],
  ] as const) {
    const options = { ...FAST, quality, chromaSubsampling: asked };
    const file = await encodeAny(plain(1, 2, 3, 255), 'jpeg', options);
    expect((await sharp(file).metadata()).chromaSubsampling).toBe(expected);
    const atEdge = await encodePicture(
      plain(1, 2, 3, 255),
      'jpeg',
      checkedOptions({ output: 'jpeg', quality, chromaSubsampling: asked }),
    );
    expect((await sharp(atEdge).metadata()).chromaSubsampling).toBe(expected);
  }
});

test('red letters keep their colour at quality 100', async () => {
  const [width, height] = [64, 16];
  const red = (i: number) => i % 3 === 0;
  const colors = Array.from({ length: width * height }, (_, i) => (red(i) ? [255, 0, 0, 255] : [16, 24, 32, 255]));
  const pixels = Uint8Array.from(colors.flat());
  const file = await encodeAny({ width, height, pixels }, 'jpeg', { ...FAST, quality: 100 });
  const shown = await sharp(file).raw().toBuffer();
  let sum = 0;
  for (let i = 0; i < width * height; i++) if (red(i)) sum += 255 - (shown[3 * i] ?? 0);
  expect(sum / ((width * height) / 3)).toBeLessThan(3);
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
