import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { runToEnd } from '#core/steps.ts';
import { encodePng } from '#draw/encoders/png/encode-png.ts';
import { indexRaster } from '#draw/encoders/png/palette.ts';
import type { Raster } from '#draw/images/raster.ts';
import { readPng } from './read-png.ts';

type Paint = (x: number, y: number) => readonly [r: number, g: number, b: number, a?: number];

function raster(width: number, height: number, paint: Paint): Raster {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b, a = 255] = paint(x, y);
      pixels.set([r, g, b, a], 4 * (y * width + x));
    }
  }
  return { width, height, pixels };
}

/** The pixels that the file should hold: RGB if the picture is opaque, else unpremultiplied RGBA. */
function straight({ pixels }: Raster): Uint8Array {
  const isOpaque = pixels.every((value, at) => at % 4 !== 3 || value === 255);
  const channels = isOpaque ? 3 : 4;
  const expected = new Uint8Array((pixels.length / 4) * channels);
  for (let i = 0; i < pixels.length / 4; i++) {
    const alpha = pixels[4 * i + 3] ?? 0;
    for (let c = 0; c < 3; c++) {
      const value = pixels[4 * i + c] ?? 0;
      expected[channels * i + c] = alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha));
    }
    if (!isOpaque) expected[4 * i + 3] = alpha;
  }
  return expected;
}

async function check(picture: Raster): Promise<void> {
  const expected = straight(picture);
  const file = await encodePng(picture);
  const ours = readPng(file);
  expect([ours.width, ours.height]).toEqual([picture.width, picture.height]);
  expect(Buffer.compare(ours.pixels, expected)).toBe(0);
  const theirs = await sharp(file).raw().toBuffer();
  expect(Buffer.compare(theirs, expected)).toBe(0);
}

/** Deterministic noise: the same place always has the same value. */
const grain = (x: number, y: number, most: number) =>
  ((x * 73_856_093) ^ (y * 19_349_663) ^ (x * y * 83_492_791)) & most;

const PAINTS: Readonly<Record<string, Paint>> = {
  'one colour': () => [12, 34, 56],
  noise: (x, y) => [grain(x, y, 255), grain(x + 1, y, 255), grain(x, y + 1, 255)],
  'a photo': (x, y) => [
    100 + 60 * Math.sin(x / 40) + grain(x, y, 7),
    120 + 50 * Math.cos(y / 30) + grain(y, x, 7),
    (x + y) / 8 + grain(x + y, y, 7),
  ],
  'a slope': (x, y) => [(x + y) / 6, (x + y) / 7, 200],
  'a gradient at an angle': (x, y) => {
    const at = (x * 0.9 + y * 0.37) / 1300;
    return [40 + 200 * at, 200 - 150 * at, 90 + 60 * at];
  },
  'faint specks': (x, y) => {
    const noise = Math.imul(x + 4099 * y, 0x9e3779b1);
    const speck = (Math.imul(noise ^ (noise >>> 15), 0x85ebca6b) >>> 9) % 16 === 0 ? 1 : 0;
    return [(x >> 4) + speck, (y >> 3) + speck, 200 + speck];
  },
  'a drawing': (x, y) => (((x >> 4) + (y >> 3)) % 3 === 0 ? [255, 255, 255] : [30, (x >> 5) * 20, 90]),
  'a drawing over a photo': (x, y) => (y % 150 < 70 ? [9, 9, 9] : [grain(x, y, 63), 80 + grain(y, x, 31), y / 4]),
  'a drawing between photos': (x, y) =>
    y > 250 && y < 900 ? [(x >> 3) * 5, y >> 6, (x + y) >> 5] : [grain(x, y, 15), 90, grain(y, x, 31)],
  'a photo between drawings': (x, y) =>
    y > 250 && y < 900 ? [grain(x, y, 15), 90, grain(y, x, 31)] : [(x >> 3) * 5, y >> 6, (x + y) >> 5],
  'letters with soft edges': (x, y) => {
    const a = x % 9 < 4 ? 255 : (x * 37) % 256;
    return [(a * 200) >> 8, (a * (y % 50)) >> 8, a, a];
  },
  'letters on a ground': (x, y) => {
    const a = (x % 11) * (y % 13) > 40 ? grain(x % 11, y % 13, 15) : 15;
    return [17 * a, 200, 15 * a];
  },
  'translucent letters': (x, y) => {
    const a = 17 * (x % 9 < 4 ? 15 : grain(x % 9, y % 13, 15));
    return [a, a >> 1, 0, a];
  },
  'nothing at all': () => [0, 0, 0, 0],
  'one translucent pixel at the end': (x, y) => (x === 350 && y === 1199 ? [1, 2, 3, 200] : [200, 100, 50]),
};

for (const [name, paint] of Object.entries(PAINTS)) {
  test(`${name}, of several bands`, () => check(raster(351, 1200, paint)));
}
test('one pixel', () => check(raster(1, 1, () => [1, 2, 3])));
test('one translucent pixel', () => check(raster(1, 1, () => [100, 50, 25, 128])));
test('one row', () => check(raster(997, 1, (x) => [x & 255, 0, (x * 7) & 255])));
test('one column', () => check(raster(1, 997, (_, y) => [y & 255, 0, (y * 7) & 255])));
test('rows longer than the window', () => check(raster(12_000, 9, (x, y) => [x & 255, y, (x >> 8) & 255])));
test('the longest row', () => check(raster(65_535, 2, (x, y) => [x & 255, y, (x >> 8) & 255, 255 - y])));
for (let width = 1; width <= 40; width++) {
  test(`${width} px wide`, async () => {
    await check(raster(width, 7, PAINTS.noise as Paint));
    await check(raster(width, 7, PAINTS['a drawing'] as Paint));
    await check(raster(width, 7, PAINTS['letters with soft edges'] as Paint));
  });
}

const colors = (count: number) =>
  raster(300, 90, (x, y) => [(y * 300 + x) % Math.min(count, 256), (y * 300 + x) % count > 255 ? 1 : 0, 9]);

test('up to 256 colours are stored as a palette', async () => {
  for (const count of [1, 2, 255, 256, 257]) {
    const picture = colors(count);
    const { isPalette = false } = await sharp(await encodePng(picture)).metadata();
    expect([count, isPalette]).toEqual([count, count <= 256]);
    await check(picture);
  }
});

test('searches for a palette that take turns do not disturb each other', () => {
  const [few, many] = [3, 200].map((count) => raster(1000, 500, (x, y) => [(x * y) % count, 0, 0])) as [Raster, Raster];
  const [first, second] = [indexRaster(few), indexRaster(many)];
  while (!first.next().done) second.next();
  expect(runToEnd(second)).toEqual(runToEnd(indexRaster(many)));
});

test('any small picture', async () => {
  const pixel = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.constantFrom(0, 1, 128, 254, 255, 255, 255));
  const picture = fc
    .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 }), fc.array(pixel, { minLength: 1 }))
    .map(([width, height, colors]) =>
      raster(width, height, (x, y) => {
        const [r, g, b, a] = colors[(x * x + y) % colors.length] ?? [0, 0, 0, 0];
        return [Math.min(r, a), Math.min(g, a), Math.min(b, a), a];
      }),
    );
  await fc.assert(fc.asyncProperty(picture, check), { numRuns: 200, seed: 1 });
});

test('encoders that take turns do not disturb each other', async () => {
  const [wide, high] = [raster(2100, 1000, PAINTS['a slope'] as Paint), raster(900, 2300, PAINTS['a photo'] as Paint)];
  const alone = [await encodePng(wide), await encodePng(high)];
  const together = await Promise.all([encodePng(wide), encodePng(high)]);
  expect(together.map((file, i) => Buffer.compare(file, alone[i] ?? file))).toEqual([0, 0]);
});

test('a file does not depend on those before it', async () => {
  const pictures = Object.values(PAINTS).map((paint) => raster(351, 1200, paint));
  const first: Uint8Array[] = [];
  for (const picture of pictures) first.push(await encodePng(picture));
  for (const [i, picture] of [...pictures.entries()].reverse()) {
    expect(Buffer.compare(await encodePng(picture), first[i] ?? picture.pixels)).toBe(0);
  }
});

async function checkSize(paint: Paint, most: number): Promise<void> {
  const { length } = await encodePng(raster(1200, 630, paint));
  expect(length).toBeLessThan(most);
}

test('one colour takes next to nothing', () => checkSize(() => [12, 34, 56], 6000));
test('a drawing takes little', () => checkSize(PAINTS['a drawing'] as Paint, 25_000));
test('a slope takes little', () => checkSize(PAINTS['a slope'] as Paint, 20_000));
test('a gradient at an angle takes little', () => checkSize(PAINTS['a gradient at an angle'] as Paint, 70_000));
test('faint specks take little', () => checkSize(PAINTS['faint specks'] as Paint, 200_000));
test('tiles take little', () =>
  checkSize((x, y) => [grain(x & 63, y & 63, 255), grain(y & 63, x & 63, 255), 7], 120_000));
test('noise takes little more than its bytes', () => checkSize(PAINTS.noise as Paint, 1200 * 630 * 3 * 1.0015));
