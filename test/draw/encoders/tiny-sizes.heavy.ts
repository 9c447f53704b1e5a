// Tests that pictures of every size from 1 × 1 to 24 × 24 px, by every encoder and setting, look the same in Chromium,
// libvips and ImageMagick; with WHOLE=1 to 40 × 40. In the smallest files a wrong header or last byte is most likely.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EncodeOptions, RasterFormat } from '#draw/encoders/encode.ts';
import type { Raster } from '#draw/images/raster.ts';
import type { Browsers } from '#server/chromium/browsers.ts';
import { seeded } from '../../seeded.ts';
import { hasChromium, openBrowsers } from '../../server/chromium/chromium.ts';
import { encodeAny } from './encode-any.ts';

const MOST_SIDE = process.env.WHOLE ? 40 : 24;
const SIZES = Array.from({ length: MOST_SIDE ** 2 }, (_, i) => ({
  width: 1 + (i % MOST_SIDE),
  height: 1 + Math.floor(i / MOST_SIDE),
}));
/** ImageMagick's program, which is called `magick` from version 7 on. */
const MAGICK = ['magick', 'convert'].find((tool) => spawnSync(tool, ['-version']).error === undefined);
/** The content of a picture: one colour, a gradient, or a gradient with noise. */
const CONTENTS = ['flat', 'smooth', 'noisy'] as const;
const QUALITIES = [0, 10, 30, 50, 80, 90, 100];

/** Deterministic: the same size and content always give the same picture. */
function picture(width: number, height: number, content: (typeof CONTENTS)[number], isOpaque: boolean): Raster {
  const pixels = new Uint8Array(4 * width * height);
  const random = seeded(width * 9_973 + height * 97 + 1);
  const base = [random(128), random(128), random(128)];
  for (let at = 0; at < pixels.length; at += 4) {
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    // Alpha is 0 or 255 only: a canvas keeps colours premultiplied, which loses precision at other values.
    if (!isOpaque && random(3) === 0) continue;
    const slope = content === 'flat' ? 0 : 2 * x + y;
    const [r, g, b] = base.map((value) => value + slope + (content === 'noisy' ? random(8) : 0)) as typeof base;
    pixels.set([r as number, g as number, b as number, 255], at);
  }
  return { width, height, pixels };
}

let browsers: Browsers;
const folder = mkdtempSync(join(tmpdir(), 'platen-tiny-'));
beforeAll(() => {
  browsers = openBrowsers();
});
afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** AVIF is encoded by the library alone. */
type Format = Exclude<RasterFormat, 'avif'>;
type Pictures = readonly Uint8Array[];

/**
 * RGBA of each file as a page shows it, read from one canvas with a cell for each; a file that fails to load leaves its
 * cell empty.
 */
async function inChromium(files: Pictures, format: Format): Promise<Pictures> {
  const cell = MOST_SIDE;
  const across = MOST_SIDE;
  const base64 = await browsers.run(60_000, async (browser) => {
    const page = await browser.newPage();
    const work = {
      cell,
      across,
      type: `image/${format}`,
      files: files.map((file) => Buffer.from(file).toString('base64')),
    };
    return page.evaluate(async ({ cell, across, type, files }) => {
      const canvas = new OffscreenCanvas(cell * across, cell * Math.ceil(files.length / across));
      const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
      const show = async (file: string, i: number) => {
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type })).catch(() => null);
        if (bitmap) context.drawImage(bitmap, cell * (i % across), cell * Math.floor(i / across));
      };
      await Promise.all(files.map(show));
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const parts: string[] = [];
      for (let at = 0; at < data.length; at += 30_000)
        parts.push(String.fromCharCode(...data.subarray(at, at + 30_000)));
      return btoa(parts.join(''));
    }, work);
  });
  const all = sharp(Buffer.from(base64, 'base64'), {
    raw: { width: cell * across, height: cell * Math.ceil(files.length / across), channels: 4 },
  });
  const shown = await all.raw().toBuffer();
  return SIZES.map(({ width, height }, i) => {
    const rows = Array.from({ length: height }, (_, y) => {
      const from = 4 * ((cell * Math.floor(i / across) + y) * cell * across + cell * (i % across));
      return shown.subarray(from, from + 4 * width);
    });
    return Buffer.concat(rows);
  });
}

const inLibvips = (files: Pictures): Promise<Pictures> =>
  Promise.all(files.map((file) => sharp(file).ensureAlpha().toColourspace('srgb').raw().toBuffer()));

/** Decodes all files by one command, which writes their pixels one after the other. */
function inMagick(files: Pictures, format: Format): Pictures {
  const names = files.map((file, i) => {
    const name = join(folder, `${i}.${format}`);
    writeFileSync(name, file);
    return name;
  });
  const options = ['-alpha', 'on', '-depth', '8', 'rgba:-'];
  const out = execFileSync(MAGICK ?? '', [...names, ...options], { maxBuffer: 2 ** 28 });
  let end = 0;
  return SIZES.map(({ width, height }) => {
    end += 4 * width * height;
    return out.subarray(end - 4 * width * height, end);
  });
}

/** The largest visible difference of a channel; the colour of transparent pixels does not count. */
function difference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let at = 0; at < one.length; at += 4) {
    const isClear = one[at + 3] === 0 && other[at + 3] === 0;
    for (let channel = isClear ? 3 : 0; channel < 4; channel += 1) {
      most = Math.max(most, Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)));
    }
  }
  return most;
}

/** Other versions of libwebp and libjpeg-turbo round differently when they convert YCbCr to RGB. */
const BOUND = { png: 0, jpeg: 3, webp: 3 } as const;

/**
 * Cycles through contents, qualities and compressions. Lossy files are compared between decoders, not with the
 * original.
 */
async function check(format: Format, isOpaque: boolean): Promise<void> {
  const cases = SIZES.map(({ width, height }) => ({
    raster: picture(width, height, CONTENTS[(width + height) % 3] ?? 'flat', isOpaque),
    options: {
      quality: QUALITIES[(width + 3 * height) % QUALITIES.length] ?? 80,
      compression: (width * height) % 5 === 0 ? 'small' : 'fast',
    } satisfies EncodeOptions,
  }));
  const files = await Promise.all(cases.map(({ raster, options }) => encodeAny(raster, format, options)));
  const [chromium, libvips] = await Promise.all([inChromium(files, format), inLibvips(files)]);
  const magick = inMagick(files, format);
  const wrong = cases.flatMap(({ raster, options }, i) => {
    const expected = (format === 'png' ? raster.pixels : libvips[i]) as Uint8Array;
    const found = [chromium, libvips, magick].map((all) => difference(expected, all[i] as Uint8Array));
    if (Math.max(...found) <= BOUND[format]) return [];
    return [`${raster.width} × ${raster.height}, ${options.compression}, ${options.quality}: ${found.join(', ')}`];
  });
  expect(wrong).toEqual([]);
}

describe.skipIf(!hasChromium || !MAGICK)(
  `1 × 1 to ${MOST_SIDE} × ${MOST_SIDE}, in Chromium, libvips and ImageMagick`,
  () => {
    test('PNG, opaque', () => check('png', true));
    test('PNG, with alpha', () => check('png', false));
    test('JPEG', () => check('jpeg', true));
    test('WebP, opaque', () => check('webp', true));
    test('WebP, with alpha', () => check('webp', false));
  },
);
