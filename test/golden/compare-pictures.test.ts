// Tests the picture comparers: what they tolerate, and what they must report.

import { expect, test } from 'vitest';
import { comparePictures } from './compare-pictures.ts';
import { compareRasterizers } from './compare-rasterizers.ts';
import { SHIFT_ACCURACY, shiftsBetween } from './ink-profiles.ts';
import { decodePicture, encodePicture, type Picture } from './picture.ts';

type Rgba = readonly [number, number, number, number];

const WHITE: Rgba = [255, 255, 255, 255];

function plain(width: number, height: number, color: Rgba): Picture {
  const pixels = new Uint8Array(4 * width * height);
  for (let i = 0; i < pixels.length; i += 4) pixels.set(color, i);
  return { width, height, pixels };
}

function withPixel(picture: Picture, x: number, y: number, color: Rgba): Picture {
  const pixels = picture.pixels.slice();
  pixels.set(color, 4 * (y * picture.width + x));
  return { ...picture, pixels };
}

/** A dark rectangle on white. Its edges may lie between pixels, which are then partly covered. */
function boxed(x: number, y: number, width: number, height: number, ink = 20, canvas = plain(120, 80, WHITE)): Picture {
  const pixels = canvas.pixels.slice();
  const covered = (from: number, size: number, at: number) =>
    Math.max(0, Math.min(at + 1, from + size) - Math.max(at, from));
  for (let v = 0; v < canvas.height; v++) {
    for (let u = 0; u < canvas.width; u++) {
      const coverage = covered(x, width, u) * covered(y, height, v);
      for (let c = 0; c < 3; c++) {
        const i = 4 * (v * canvas.width + u) + c;
        pixels[i] = Math.round((pixels[i] ?? 0) * (1 - coverage) + ink * coverage);
      }
    }
  }
  return { ...canvas, pixels };
}

/** Imitates a line of text: stems and bowls a px or two thick on one baseline. */
function textLike(x: number, baseline: number): Picture {
  let picture = plain(120, 80, WHITE);
  for (let letter = 0; letter < 8; letter++) {
    const left = x + letter * 10;
    picture = boxed(left, baseline - 12, 1.5, 12, 20, picture);
    picture = boxed(left, baseline - 1.5, 6, 1.5, 20, picture);
    picture = boxed(left, baseline - 7, 5, 1.2, 20, picture);
  }
  return picture;
}

function check(expected: Picture, actual: Picture, summary: string | null): void {
  expect(comparePictures(expected, actual)?.summary ?? null).toBe(summary);
}

const grey = plain(10, 10, [100, 100, 100, 255]);

test('a picture equals itself', () => check(grey, grey, null));
test('a channel may be off by 1', () => check(grey, withPixel(grey, 3, 4, [101, 99, 100, 254]), null));
test('a channel may not be off by 2', () =>
  check(grey, withPixel(grey, 3, 4, [100, 102, 100, 255]), '1 pixel differs'));
test('alpha counts as a channel', () => check(grey, withPixel(grey, 0, 0, [100, 100, 100, 0]), '1 pixel differs'));
test('the colour of clear pixels means nothing', () =>
  check(plain(4, 4, [255, 0, 0, 0]), plain(4, 4, [0, 0, 255, 0]), null));
test('the size counts', () => check(grey, plain(10, 11, [100, 100, 100, 255]), '10×11 px instead of 10×10'));
test('the difference is painted red over a faint print', () => {
  const found = comparePictures(grey, withPixel(grey, 3, 4, WHITE));
  expect([...(found?.picture?.pixels.subarray(4 * 43, 4 * 44) ?? [])]).toEqual([220, 0, 0, 255]);
  expect([...(found?.picture?.pixels.subarray(0, 4) ?? [])]).toEqual([216, 216, 216, 255]);
});

test('a picture survives its file, down to the last of many colours', async () => {
  const pixels = Uint8Array.from({ length: 4 * 64 * 64 }, (_, i) => (i * 7919) % 251);
  const picture = { width: 64, height: 64, pixels: pixels.map((value, i) => (i % 4 === 3 ? 255 - (i % 5) : value)) };
  expect(comparePictures(picture, await decodePicture(await encodePicture(picture)))).toBeNull();
});

/** The number of letters that `textLike` draws. */
const LETTERS = 8;

function checkAgreement(first: Picture, second: Picture, agrees: boolean): void {
  const found = compareRasterizers(first, second, LETTERS);
  expect({ ...found, picture: null }).toMatchObject({ agrees });
}

const box = boxed(20, 15, 60, 40);
const text = textLike(15, 50);

test('rasterisers: another antialiasing of the same box agrees', () =>
  checkAgreement(boxed(20.4, 15.6, 60, 40), boxed(20.2, 15.8, 60.3, 39.8), true));
test('rasterisers: a box within half a px agrees', () => checkAgreement(box, boxed(20.5, 15.5, 60, 40), true));
test('rasterisers: a box 1 px off agrees', () => checkAgreement(box, boxed(21, 15, 60, 40), true));
test('rasterisers: a box 1.3 px to the right does not', () => checkAgreement(box, boxed(21.3, 15, 60, 40), false));
test('rasterisers: a box 1.3 px lower does not', () => checkAgreement(box, boxed(20, 16.3, 60, 40), false));
test('rasterisers: a box 2 px too wide does not', () => checkAgreement(box, boxed(20, 15, 62, 40), false));
test('rasterisers: a small pale box 2 px off does not', () =>
  checkAgreement(boxed(20, 15, 12, 12, 180), boxed(22, 15, 12, 12, 180), false));
test('rasterisers: another antialiasing of the same text agrees', () =>
  checkAgreement(text, textLike(15.15, 50.1), true));
test('rasterisers: a baseline 1.3 px lower does not', () => checkAgreement(text, textLike(15, 51.3), false));
test('rasterisers: a line of text 1.3 px to the right does not', () => checkAgreement(text, textLike(16.3, 50), false));
test('rasterisers: a missing letter does not', () =>
  checkAgreement(text, { ...text, pixels: text.pixels.map((value, i) => ((i / 4) % 120 < 22 ? 255 : value)) }, false));
test('rasterisers: another colour does not', () => checkAgreement(box, boxed(20, 15, 60, 40, 80), false));
test('rasterisers: transparency is seen on white', () =>
  checkAgreement(plain(20, 20, [0, 0, 0, 0]), plain(20, 20, WHITE), true));

function checkShift(first: Picture, second: Picture, axis: 'x' | 'y', expected: number): void {
  const farthest = shiftsBetween(first, second).find((shift) => shift.axis === axis);
  expect(Math.abs((farthest?.by ?? 0) - expected)).toBeLessThanOrEqual(SHIFT_ACCURACY);
}

test('profiles: nothing is shifted against itself', () => checkShift(text, text, 'y', 0));
test('profiles: half a px is told from none', () => checkShift(box, boxed(20.5, 15, 60, 40), 'x', 0.5));
test('profiles: a box 1.3 px to the right', () => checkShift(box, boxed(21.3, 15, 60, 40), 'x', 1.3));
test('profiles: a box 1.3 px lower', () => checkShift(box, boxed(20, 16.3, 60, 40), 'y', 1.3));
test('profiles: a baseline 1.4 px higher', () => checkShift(text, textLike(15, 48.6), 'y', -1.4));
test('profiles: antialiasing is no shift', () =>
  checkShift(boxed(20.5, 15.5, 60, 40, 60), boxed(20.4, 15.6, 60.2, 39.8), 'y', 0));
test('profiles: a blank picture is not shifted', () =>
  checkShift(plain(200, 200, WHITE), plain(200, 200, [254, 254, 254, 255]), 'x', 0));
