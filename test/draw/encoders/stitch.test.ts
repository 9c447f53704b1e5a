// Tests that strips become one picture in each format: one strip alone, several, and with a picture over them.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { stitch } from '#draw/encoders/stitch.ts';

const strip = async (background: string, height: number) => ({
  png: await sharp({ create: { width: 40, height, channels: 3, background } })
    .png()
    .toBuffer(),
  height,
});
const near = (colour: readonly number[], wanted: readonly number[]) =>
  colour.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) < 12);

async function colourAt(picture: Uint8Array, top: number): Promise<number[]> {
  return [...(await sharp(picture).extract({ left: 5, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())];
}

test.each(['png', 'jpeg', 'webp', 'avif'] as const)('%s of one strip, of two, and with a mark', async (format) => {
  const [red, blue] = [await strip('#c00000', 30), await strip('#0000c0', 20)];
  const options = { quality: 90 };
  const one = await stitch([red], 40, format, options);
  const two = await stitch([red, blue], 40, format, options);
  const sizes = await Promise.all([one, two].map((each) => sharp(each).metadata()));
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [40, 30],
    [40, 50],
  ]);
  expect(sizes.map((each) => each.format)).toEqual(Array(2).fill(format === 'avif' ? 'heif' : format));
  expect(await colourAt(one, 15)).toSatisfy((colour: number[]) => near(colour, [192, 0, 0]));
  expect(await colourAt(two, 10)).toSatisfy((colour: number[]) => near(colour, [192, 0, 0]));
  expect(await colourAt(two, 45)).toSatisfy((colour: number[]) => near(colour, [0, 0, 192]));
  const mark = (await strip('#00c000', 8)).png;
  const marked = await stitch([red], 40, format, options, [{ input: mark, top: 16 }]);
  expect(await colourAt(marked, 20)).toSatisfy((colour: number[]) => near(colour, [0, 192, 0]));
  expect(await colourAt(marked, 4)).toSatisfy((colour: number[]) => near(colour, [192, 0, 0]));
});
