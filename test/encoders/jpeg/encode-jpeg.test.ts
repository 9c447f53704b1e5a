import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeJpeg } from '#encoders/jpeg/encode-jpeg.ts';
import type { Raster } from '#images/raster.ts';

type Paint = (x: number, y: number) => readonly [r: number, g: number, b: number];

function raster(width: number, height: number, paint: Paint): Raster {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set([...paint(x, y), 255], 4 * (y * width + x));
  }
  return { width, height, pixels };
}

const rgbOf = ({ pixels }: Raster) => pixels.filter((_, at) => at % 4 !== 3);

/** dB; the mean square of the difference of what was meant and what came. */
function psnr(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += ((one[i] ?? 0) - (other[i] ?? 0)) ** 2;
  return sum === 0 ? 99 : 10 * Math.log10((255 * 255 * one.length) / sum);
}

/** dB from which all that differs is how the last bit was rounded. */
const NO_EYE_SEES = 48;

/** Nothing that a decoder only warns of is in the file. */
const decode = (file: Uint8Array) => sharp(file, { failOn: 'warning' }).raw().toBuffer();

async function libjpeg(picture: Raster, quality: number): Promise<Buffer> {
  const { width, height } = picture;
  return sharp(rgbOf(picture), { raw: { width, height, channels: 3 } })
    .jpeg({ quality, optimiseCoding: false })
    .toBuffer();
}

const PAINTS: Readonly<Record<string, Paint>> = {
  'one colour': () => [12, 134, 56],
  'a slope': (x, y) => [(x + y) & 255, (x * 2) & 255, 255 - (y & 255)],
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
    [64, 48, 1],
    [65, 47, 30],
    [80, 80, 95],
    [96, 63, 100],
  ] as const) {
    test(`${name}, ${width} × ${height} at ${quality}: as close as libjpeg, and as small`, async () => {
      const picture = raster(width, height, paint);
      const meant = rgbOf(picture);
      const [ours, theirs] = await Promise.all([encodeJpeg(picture, quality), libjpeg(picture, quality)]);
      expect(psnr(meant, await decode(ours))).toBeGreaterThan(
        Math.min(NO_EYE_SEES, psnr(meant, await decode(theirs)) - 0.3),
      );
      expect(ours.length).toBeLessThan(theirs.length * 1.03 + 60);
    });
  }
}

/** What all segments of a kind hold. */
function contentOf(file: Uint8Array, marker: number): string {
  const bytes = Buffer.from(file);
  let content = '';
  for (let at = 2; bytes[at + 1] !== 0xda; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at + 1] === marker) content += bytes.toString('hex', at + 4, at + 2 + bytes.readUInt16BE(at + 2));
  }
  return content;
}
test('the tables are those of libjpeg', async () => {
  const picture = raster(16, 16, () => [1, 2, 3]);
  for (let quality = 1; quality <= 100; quality++) {
    const [ours, theirs] = [await encodeJpeg(picture, quality), await libjpeg(picture, quality)];
    for (const marker of [0xdb, 0xc4]) expect(contentOf(ours, marker)).toBe(contentOf(theirs, marker));
  }
});

test('another decoder sees the same', async () => {
  const picture = raster(150, 1100, PAINTS['a photo'] as Paint);
  const file = await encodeJpeg(picture, 80);
  const href = `data:image/jpeg;base64,${Buffer.from(file).toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="150" height="1100"><image width="150" height="1100" href="${href}"/></svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  expect(psnr(rgbOf({ width: 150, height: 1100, pixels }), await decode(file))).toBeGreaterThan(40);
});

test('every size up to three units, and any pixel, is decoded without a warning', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 49 }),
      fc.integer({ min: 1, max: 49 }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer(),
      async (width, height, quality, seed) => {
        // Only the hardest pixels: the largest values that the transform can make.
        const picture = raster(width, height, (x, y) => {
          const bits = Math.imul(seed ^ (x * 73 + y * 7919), 2_654_435_761) >>> 13;
          return [bits & 1 ? 255 : 0, bits & 2 ? 255 : 0, bits & 4 ? 255 : 0];
        });
        const { width: w, height: h } = await sharp(await encodeJpeg(picture, quality)).metadata();
        expect([w, h]).toEqual([width, height]);
        const meant = rgbOf(picture);
        const ours = psnr(meant, await decode(await encodeJpeg(picture, quality)));
        // Where steps are large and pixels few, which of two wrong values is nearer is chance.
        if (quality < 50 || width * height < 300) return;
        expect(ours).toBeGreaterThan(
          Math.min(NO_EYE_SEES, psnr(meant, await decode(await libjpeg(picture, quality))) - 1),
        );
      },
    ),
    { numRuns: 150 },
  ));

test('what is transparent turns white', async () => {
  const pixels = Uint8Array.from({ length: 4 * 256 }, (_, at) => [100, 50, 0, 128][at % 4] ?? 0);
  const shown = await decode(await encodeJpeg({ width: 16, height: 16, pixels }, 100));
  for (const [at, value] of [227, 177, 127].entries()) expect(Math.abs((shown[at] ?? 0) - value)).toBeLessThan(3);
});
