import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Size } from '#core/geometry.ts';
import { inspectImage } from '#draw/images/inspect.ts';
import { type PixelCache, scaleToPixels, scaleToPng, scaleToRgba } from '#draw/images/scale.ts';
import { colorAt, noise, QUADRANTS, QUADRANTS_SVG, quadrants } from './pictures.ts';

const WHOLE = { x: 0, y: 0, ...QUADRANTS };

/** The corner pixels of the whole picture scaled to 6 × 4 px. */
async function corners(file: Buffer): Promise<string> {
  const image = await inspectImage(file);
  const source = { x: 0, y: 0, width: image.width, height: image.height };
  const scaled = await scaleToPixels(image, source, { width: 6, height: 4 });
  const near = (color: string) =>
    color
      .split(',')
      .map((value) => (Number(value) > 245 ? 'f' : Number(value) < 10 ? '0' : Number(value).toString()))
      .join('');
  return [colorAt(scaled, 0, 0), colorAt(scaled, 5, 0), colorAt(scaled, 0, 3), colorAt(scaled, 5, 3)].map(near).join();
}

const PLAIN = 'f00,0f0,00f,fff';
test('PNG', async () => expect(await corners(await quadrants().png().toBuffer())).toBe(PLAIN));
test('PNG of 16 bits', async () =>
  expect(await corners(await quadrants().toColourspace('rgb16').png().toBuffer())).toBe(PLAIN));
test('PNG with a palette', async () =>
  expect(await corners(await quadrants().png({ palette: true }).toBuffer())).toBe(PLAIN));
test('wide gamut turns into sRGB', async () =>
  expect(await corners(await quadrants().withIccProfile('p3').png().toBuffer())).toBe(PLAIN));
test('WebP', async () => expect(await corners(await quadrants().webp({ lossless: true }).toBuffer())).toBe(PLAIN));
test('GIF', async () => expect(await corners(await quadrants().gif().toBuffer())).toBe(PLAIN));
test('AVIF', async () => expect(await corners(await quadrants().avif({ quality: 90 }).toBuffer())).toBe(PLAIN));
test('SVG', async () => expect(await corners(QUADRANTS_SVG)).toBe('f00f,0f0f,00ff,ffff'));
test('JPEG', async () =>
  expect(await corners(await quadrants().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer())).toBe(PLAIN));
test('a JPEG on its side is turned upright', async () =>
  expect(
    await corners(
      await quadrants().withMetadata({ orientation: 6 }).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
    ),
  ).toBe('00f,f00,fff,0f0'));
test('CMYK turns into sRGB', async () => {
  const cmyk = await quadrants().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer();
  // Ink is not as bright as light, so the colours are not exact: red stays red, and white white.
  expect(await corners(cmyk)).toMatch(/^(f|2\d\d)00,.*,fff$/);
});
test('straight alpha', async () =>
  expect(await corners(await quadrants().ensureAlpha(0.5).png().toBuffer())).toBe('f00127,0f0127,00f127,fff127'));

test('a crop shows its part alone', async () => {
  const image = await inspectImage(await quadrants().png().toBuffer());
  const { data } = await scaleToPixels(image, { x: 30, y: 20, width: 30, height: 20 }, { width: 3, height: 2 });
  expect(new Set(data)).toEqual(new Set([255]));
});

test('a crop between pixels, much enlarged, stays in place', async () => {
  const image = await inspectImage(await quadrants().png().toBuffer());
  // The source is half a pixel of red and half a pixel of green: the edge is in the middle.
  const scaled = await scaleToPixels(image, { x: 29.5, y: 10, width: 1, height: 1 }, { width: 101, height: 1 });
  expect(colorAt(scaled, 50, 0)).toMatch(/^12\d,12\d,0$/);
  expect(scaled.data.length).toBe(101 * 3);
});

test('a sliver thinner than a pixel is drawn from the pixel that it lies in', async () => {
  const image = await inspectImage(await quadrants().png().toBuffer());
  const scaled = await scaleToPixels(image, { x: 0, y: 0, width: 0.001, height: 40 }, { width: 500, height: 4 });
  expect(colorAt(scaled, 250, 0)).toBe('255,0,0');
});

for (const format of ['png', 'jpeg', 'webp'] as const) {
  test(`a reduced crop of ${format} shows the same as the crop of a reduced one`, async () => {
    const file = await noise(640, 400).blur(8).toFormat(format, { quality: 95 }).toBuffer();
    const image = await inspectImage(file);
    const whole = await scaleToPixels(image, { x: 0, y: 0, width: 640, height: 400 }, { width: 160, height: 100 });
    const part = await scaleToPixels(image, { x: 80, y: 40, width: 320, height: 200 }, { width: 80, height: 50 });
    let worst = 0;
    for (let y = 2; y < 48; y += 1) {
      for (let x = 2 * 3; x < 78 * 3; x += 1) {
        const difference = (part.data[y * 240 + x] ?? 0) - (whole.data[(y + 10) * 480 + x + 60] ?? 0);
        worst = Math.max(worst, Math.abs(difference));
      }
    }
    expect(worst).toBeLessThanOrEqual(6);
  });
}

test('a JPEG at half its size is the same picture in each form, whoever decodes it', async () => {
  const file = await noise(300, 200).blur(4).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
  const image = await inspectImage(file);
  const crop = { x: 20, y: 40, width: 240, height: 120 };
  const size = { width: 120, height: 60 };
  const { data } = await scaleToPixels(image, crop, size);
  const rgba = await scaleToRgba(image, crop, size);
  const png = await sharp(await scaleToPng(image, crop, size))
    .raw()
    .toBuffer();
  expect(Buffer.compare(data, png)).toBe(0);
  expect(
    Buffer.compare(
      data,
      rgba.filter((_, i) => i % 4 < 3),
    ),
  ).toBe(0);
  // A progressive JPEG, which only the library decodes.
  const progressive = await inspectImage(
    await sharp(file).jpeg({ progressive: true, quality: 100, chromaSubsampling: '4:4:4' }).toBuffer(),
  );
  const byLibrary = await scaleToPixels(progressive, crop, size);
  expect(Math.max(...data.map((value, i) => Math.abs(value - (byLibrary.data[i] ?? 0))))).toBeLessThanOrEqual(6);
});

test('the same picture gives the same bytes', async () => {
  const image = await inspectImage(await noise(300, 200).jpeg().toBuffer());
  const scale = () => scaleToPng(image, { x: 3.3, y: 0, width: 200.7, height: 200 }, { width: 120, height: 90 });
  expect(Buffer.compare(await scale(), await scale())).toBe(0);
});

test('no more pixels than the largest canvas has', async () => {
  const image = await inspectImage(await quadrants().png().toBuffer());
  await expect(scaleToPixels(image, WHOLE, { width: 10_000, height: 10_000 })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

/** Files of each kind, and whether they are offered to be kept. */
async function photos() {
  const soft = () => noise(320, 200).blur(3);
  return [
    { name: 'baseline', isOffered: true, file: await soft().jpeg().toBuffer() },
    { name: 'progressive', isOffered: true, file: await soft().jpeg({ progressive: true }).toBuffer() },
    { name: 'grey', isOffered: true, file: await soft().greyscale().jpeg().toBuffer() },
    { name: 'wide gamut', isOffered: true, file: await soft().withIccProfile('p3').jpeg().toBuffer() },
    { name: 'CMYK', isOffered: true, file: await readFile('fixtures/assets/cmyk.jpg') },
    { name: 'turned', isOffered: false, file: await readFile('fixtures/assets/turned.jpg') },
    { name: 'WebP', isOffered: false, file: await soft().webp().toBuffer() },
    { name: '16 bits', isOffered: false, file: await readFile('fixtures/assets/deep.png') },
  ];
}

test('a photo gives the same bytes, decoded before or read from its file', async () => {
  for (const { name, isOffered, file } of await photos()) {
    const image = await inspectImage(file);
    let offers = 0;
    const keep: PixelCache = (_, decode) => {
      offers += 1;
      return decode();
    };
    await fc.assert(
      fc.asyncProperty(cropAndSize(image), async ([crop, size]) => {
        const [fresh, again] = [await scaleToRgba(image, crop, size), await scaleToRgba(image, crop, size, keep)];
        expect(Buffer.compare(fresh, again), `${name} ${JSON.stringify([crop, size])}`).toBe(0);
      }),
      { numRuns: 25 },
    );
    expect(offers > 0, name).toBe(isOffered);
  }
});

/** Parts of an image, not on whole pixels, at sizes from a twelfth to three times theirs. */
function cropAndSize(image: Size) {
  const axis = (total: number) =>
    fc
      .tuple(
        fc.double({ min: 0, max: 0.7, noNaN: true }),
        fc.double({ min: 0.3, max: 1, noNaN: true }),
        fc.oneof(fc.double({ min: 0.08, max: 0.6, noNaN: true }), fc.double({ min: 0.33, max: 3, noNaN: true })),
      )
      .map(([start, length, factor]) => {
        const shown = Math.min(length, 1 - start) * total;
        return { start: start * total, shown, size: Math.max(1, Math.round(shown * factor)) };
      });
  return fc.tuple(axis(image.width), axis(image.height), fc.boolean()).map(([x, y, whole]) => {
    const crop = whole
      ? { x: 0, y: 0, width: image.width, height: image.height }
      : { x: x.start, y: y.start, width: x.shown, height: y.shown };
    return [crop, { width: x.size, height: y.size }] as const;
  });
}
