import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { partThreads, startPartThreads } from '#draw/encoders/part-threads.ts';
import { inContainer } from '#draw/encoders/webp/container.ts';
import { encodeWebp } from '#draw/encoders/webp/encode-webp.ts';
import { FrameCoder } from '#draw/encoders/webp/frame-coder.ts';
import { quantizerOf } from '#draw/encoders/webp/quantizer.ts';
import { type DecidedRow, RowDecider } from '#draw/encoders/webp/row-decider.ts';
import { rowJob } from '#draw/encoders/webp/take-rows.ts';
import type { Raster } from '#draw/images/raster.ts';
import { noise } from '../../images/pictures.ts';

type Paint = (x: number, y: number) => readonly [r: number, g: number, b: number];

function raster(width: number, height: number, paint: Paint): Raster {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set([...paint(x, y), 255], 4 * (y * width + x));
  }
  return { width, height, pixels };
}

const rgbOf = ({ pixels }: Pick<Raster, 'pixels'>) => pixels.filter((_, at) => at % 4 !== 3);

/** The peak signal-to-noise ratio, dB: 99 if the pictures are equal. */
function psnr(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += ((one[i] ?? 0) - (other[i] ?? 0)) ** 2;
  return sum === 0 ? 99 : 10 * Math.log10((255 * 255 * one.length) / sum);
}

/** The PSNR, dB, from which only rounding of the last bit differs. */
const NO_EYE_SEES = 45;
/**
 * The lowest quality at which two encoders can be compared: below it, which of two wrong values is nearer is chance.
 */
const CERTAIN = 50;

async function encode(picture: Raster, quality: number): Promise<Uint8Array> {
  return (await encodeWebp(picture, quality)) ?? expect.fail('it is opaque, and no frame is too small for it');
}

/** Decodes, and fails even on what a decoder only warns about. */
const decode = (file: Uint8Array) => sharp(file, { failOn: 'warning' }).raw().toBuffer();

async function libwebp(picture: Raster, quality: number): Promise<Buffer> {
  const { width, height } = picture;
  return sharp(rgbOf(picture), { raw: { width, height, channels: 3 } })
    .webp({ quality, effort: 0 })
    .toBuffer();
}

const PAINTS: Readonly<Record<string, Paint>> = {
  'one colour': () => [12, 134, 56],
  'a slope': (x, y) => [(x + y) & 255, (x * 2) & 255, 255 - (y & 255)],
  'a gradient': (x, y) => [67 + ((x + y) >> 2), 56 + (y >> 3), 202 - (x >> 2)],
  'a photo': (x, y) => [
    100 + 60 * Math.sin(x / 40) + ((x * 73 + y * 179) & 7),
    120 + 50 * Math.cos(y / 30) + ((x * 31 + y * 57) & 7),
    ((x + y) / 8) & 255,
  ],
  letters: (x, y) => ((x * 5 + y * 3) % 23 < 9 && y % 20 < 12 ? [20, 20, 24] : [250, 248, 240]),
  'black and white': (x, y) => (((x >> 3) + (y >> 2)) % 2 === 0 ? [0, 0, 0] : [255, 255, 255]),
};

for (const [name, paint] of Object.entries(PAINTS)) {
  for (const [width, height, quality] of [
    [320, 200, 80],
    [333, 251, 80],
    [64, 48, 10],
    [65, 47, 30],
    [80, 80, 95],
    [96, 63, 100],
  ] as const) {
    test(`${name}, ${width} × ${height} at ${quality}: as close as libwebp, and as small`, async () => {
      const picture = raster(width, height, paint);
      const meant = rgbOf(picture);
      const [ours, theirs] = await Promise.all([encode(picture, quality), libwebp(picture, quality)]);
      const [close, asClose] = [psnr(meant, await decode(ours)), psnr(meant, await decode(theirs))];
      expect(ours.length).toBeLessThan(theirs.length * 1.03 + 110);
      if (quality >= CERTAIN) expect(close).toBeGreaterThan(Math.min(NO_EYE_SEES, asClose - 0.3));
    });
  }
}

test('every size up to three macroblocks, and any pixel, is decoded without a warning', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 49 }),
      fc.integer({ min: 1, max: 49 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer(),
      async (width, height, quality, seed) => {
        // The hardest pixels: black and white noise, which gives the largest values that the transform can have.
        const picture = raster(width, height, (x, y) => {
          const grey = (Math.imul(seed ^ (x * 73 + y * 7919), 2_654_435_761) >>> 13) & 1 ? 255 : 0;
          return [grey, grey, grey];
        });
        const file = await encode(picture, quality);
        const { width: w, height: h } = await sharp(file).metadata();
        expect([w, h]).toEqual([width, height]);
        // If a decoder's prediction differed from the encoder's, the error would grow from block to block.
        if (quality >= CERTAIN) expect(psnr(rgbOf(picture), await decode(file))).toBeGreaterThan(29);
      },
    ),
    { numRuns: 150 },
  ));

/** The green that libwebp makes of a luma value if there is no chroma. */
const greenOf = (luma: number) => Math.min(255, Math.max(0, (((luma * 19_077) >> 8) - 1161) >> 6));

test('what rows leave to those below is what a decoder shows', async () => {
  for (const quality of [0, 20, 50, 80, 100]) {
    for (const [width, height] of [
      [161, 96],
      [16, 64],
      [40, 33],
    ] as const) {
      const picture = raster(width, height, (x, y) => {
        const grey = (x * 73 + y * 179 + x * y * 7) & (y > 40 ? 255 : 63);
        return [grey, grey, grey];
      });
      const { borders } = rowJob(picture, quality);
      const decider = new RowDecider(picture, quality, borders);
      const rows: DecidedRow[] = [];
      const left: Uint8Array[] = [];
      for (let y = 0; y < decider.count; y++) {
        rows.push(decider.decide(y).next().value as DecidedRow);
        left.push(borders.left.slice());
      }
      // The loop filter runs after all prediction, so it is switched off here.
      const coder = new FrameCoder(picture, { ...quantizerOf(quality), filterLevel: 0 });
      for (const _ of coder.code(rows, decider.counts));
      const shown = await decode(inContainer(coder.finish() ?? expect.fail('it is small')));
      for (const [row, samples] of left.entries()) {
        const y = 16 * row + 15;
        if (y >= height) continue;
        const meant = Array.from({ length: width }, (_, x) => greenOf(samples[64 * (x >> 4) + (x & 15)] ?? 0));
        expect(Array.from({ length: width }, (_, x) => shown[3 * (y * width + x) + 1])).toEqual(meant);
      }
    }
  }
});

test('a pixel that is not opaque, wherever it is', async () => {
  const picture = raster(40, 40, () => [10, 20, 30]);
  picture.pixels[4 * (39 * 40 + 39) + 3] = 254;
  expect(await encodeWebp(picture, 80)).toBe(null);
});

test('pictures that are encoded at the same time do not meet', async () => {
  const pictures = await Promise.all(
    [301, 450].map(async (width): Promise<Raster> => {
      const { data, info } = await noise(width, 277).blur(1).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      return { width: info.width, height: info.height, pixels: data };
    }),
  );
  const alone: Uint8Array[] = [];
  for (const picture of pictures) alone.push(await encode(picture, 70));
  expect(await Promise.all(pictures.map((picture) => encode(picture, 70)))).toEqual(alone);
});

test.skipIf(availableParallelism() < 2)(
  'threads make the file that one makes, of several pictures at once',
  async () => {
    startPartThreads();
    const threads = await vi.waitFor(() => partThreads() ?? expect.fail('threads are starting'), { timeout: 30_000 });
    const taken = vi.spyOn(threads, 'takeRows');
    const photo = raster(901, 777, PAINTS['a photo'] as Paint);
    const letters = raster(640, 1100, PAINTS.letters as Paint);
    const wishes = [
      [photo, 80],
      [letters, 20],
      [photo, 10],
      [letters, 95],
    ] as const;
    const alone = await Promise.all(wishes.map(([picture, quality]) => encodeWebp(picture, quality, () => null)));
    expect(await Promise.all(wishes.map(([picture, quality]) => encodeWebp(picture, quality)))).toEqual(alone);
    expect(taken).toHaveBeenCalledTimes(4);

    const almost = { ...photo, pixels: photo.pixels.slice() };
    almost.pixels[4 * 901 * 400 + 3] = 0;
    expect(await encodeWebp(almost, 80)).toBe(null);
    expect(await encode(photo, 80)).toEqual(alone[0]);
  },
);
