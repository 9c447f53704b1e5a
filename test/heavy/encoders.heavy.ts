// Tests our encoders with other decoders: libvips, ImageMagick and Chromium read seeded pictures of every kind, size
// and quality.
//
// `PICTURES=5000 npm run test:heavy -- encoders` runs the whole; ImageMagick and Chromium are
// skipped by name if they are not installed.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodePng } from '#draw/encoders/png/encode-png.ts';
import { encodeWebp } from '#draw/encoders/webp/encode-webp.ts';
import type { Raster } from '#draw/images/raster.ts';
import { findChromium } from '#server/chromium/find-chromium.ts';
import { randomFrom } from '../../bench/statistics.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PICTURES = Number(process.env.PICTURES ?? 200);
/** Pictures per run of another program. */
const BATCH = 100;

type Random = () => number;
const upTo = (random: Random, most: number) => Math.floor(random() * (most + 1));

/** The colour of a pixel by kind of picture: straight, 0 to 255 per channel. */
const KINDS: Readonly<Record<string, (random: Random) => (x: number, y: number) => readonly number[]>> = {
  plain: (random) => {
    const color = [upTo(random, 255), upTo(random, 255), upTo(random, 255)];
    return () => color;
  },
  noise: (random) => () => [upTo(random, 255), upTo(random, 255), upTo(random, 255)],
  photo: (random) => {
    const waves = Array.from({ length: 6 }, () => (random() - 0.5) / 4);
    const wave = (c: number, x: number, y: number) =>
      128 + 90 * Math.sin((waves[c] ?? 0) * x + (waves[c + 3] ?? 0) * y + c) + 8 * random();
    return (x, y) => [wave(0, x, y), wave(1, x, y), wave(2, x, y)];
  },
  slope: (random) => {
    const [across, down] = [random() * 4, random() * 4];
    return (x, y) => [Math.min(255, x * across), Math.min(255, y * down), Math.min(255, x + y)];
  },
  drawing: (random) => {
    const [side, more] = [2 + upTo(random, 14), upTo(random, 255)];
    return (x, y) =>
      (Math.floor(x / side) + Math.floor(y / side)) % 3 === 0 ? [255, 255, 255] : [30, more, x & 16 ? 90 : 0];
  },
  letters: (random) => () => (random() < 0.7 ? [255, 255, 255] : random() < 0.5 ? [17, 24, 39] : [120, 130, 140]),
};

interface Case {
  readonly name: string;
  readonly file: Uint8Array;
  /** The RGBA pixels that a PNG must have; null for a lossy encoder. */
  readonly exact: Uint8Array | null;
}

async function pngAndWebp(seed: number): Promise<Case[]> {
  const random = randomFrom(seed);
  const kinds = Object.keys(KINDS);
  const kind = kinds[seed % kinds.length] ?? '';
  const [width, height] = [1 + upTo(random, seed % 10 ? 79 : 400), 1 + upTo(random, seed % 10 ? 79 : 400)];
  const isOpaque = random() < 0.7;
  const paint = KINDS[kind]?.(random);
  const pixels = new Uint8Array(4 * width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const alpha = isOpaque ? 255 : upTo(random, 3) * 85;
      const [r = 0, g = 0, b = 0] = paint?.(x, y) ?? [];
      pixels.set(
        [r, g, b].map((value) => Math.round((value * alpha) / 255)),
        at,
      );
      pixels[at + 3] = alpha;
    }
  }
  const raster: Raster = { width, height, pixels };
  const quality = upTo(random, 100);
  const name = `${seed} ${kind} ${width}×${height}`;
  const cases: Case[] = [{ name: `${name}.png`, file: await encodePng(raster), exact: straight(pixels) }];
  const webp = await encodeWebp(raster, quality);
  expect(webp === null, name).toBe(!pixels.every((value, at) => at % 4 !== 3 || value === 255));
  if (webp) cases.push({ name: `${name} q${quality}.webp`, file: webp, exact: null });
  return cases;
}

function straight(pixels: Uint8Array): Uint8Array {
  return pixels.map((value, at) => {
    const alpha = pixels[at | 3] ?? 0;
    if ((at & 3) === 3) return value;
    return alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha));
  });
}

const byLibvips = ({ file }: Case) => sharp(file).ensureAlpha().raw().toBuffer();

const hasImageMagick = (() => {
  try {
    return execFileSync('convert', ['-version']).toString().includes('ImageMagick');
  } catch {
    return false;
  }
})();

function byImageMagick(cases: readonly Case[], folder: string): Uint8Array[] {
  mkdirSync(folder);
  const files = cases.map(({ name, file }, n) => {
    const path = join(folder, `${n}.${name.split('.').at(-1)}`);
    writeFileSync(path, file);
    return path;
  });
  execFileSync('mogrify', ['-depth', '8', '-format', 'rgba', ...files]);
  return files.map((path) => readFileSync(path.replace(/\w+$/, 'rgba')));
}

const chromium = findChromium({ chromiumPath: process.env.CHROMIUM_PATH ?? null, programFolders: [] });

/** Runs in the page: returns the pixels of each source, in base64. */
const SHOW = `async (sources) => {
  const found = [];
  for (const source of sources) {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d', { colorSpace: 'srgb' });
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let text = '';
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    found.push(btoa(text));
  }
  return found;
}`;

/** Decodes in Chromium. For opaque pictures only, as a canvas keeps its pixels premultiplied. */
async function byChromium(page: Page, cases: readonly Case[]): Promise<Uint8Array[]> {
  const sources = cases.map(
    ({ name, file }) => `data:image/${name.split('.').at(-1)};base64,${Buffer.from(file).toString('base64')}`,
  );
  const shown = (await page.evaluate(`(${SHOW})(${JSON.stringify(sources)})`)) as string[];
  return shown.map((text) => Buffer.from(text, 'base64'));
}

const isOpaque = (pixels: Uint8Array) => pixels.every((value, at) => at % 4 !== 3 || value === 255);

/** The largest difference of a channel; the colours of fully transparent pixels do not count. */
function difference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return 255;
  let most = 0;
  for (let at = 0; at < a.length; at++) {
    if (a[at | 3] === 0 && b[at | 3] === 0) continue;
    most = Math.max(most, Math.abs((a[at] ?? 0) - (b[at] ?? 0)));
  }
  return most;
}

test(`${PICTURES} pictures are decoded alike by libvips, ImageMagick and Chromium`, async () => {
  await using folder = await temporaryFolder();
  const browser =
    chromium &&
    (await puppeteer.launch({
      executablePath: chromium.path,
      headless: chromium.isShell ? 'shell' : true,
      args: ['--no-sandbox', '--force-color-profile=srgb'],
    }));
  const page = (await browser?.newPage()) ?? null;
  try {
    for (let from = 1; from <= PICTURES; from += BATCH) {
      const count = Math.min(BATCH, PICTURES - from + 1);
      const cases = (await Promise.all(Array.from({ length: count }, (_, n) => pngAndWebp(from + n)))).flat();
      const expected = await Promise.all(cases.map(byLibvips));
      for (const [n, { name, exact }] of cases.entries()) {
        if (exact) expect(difference(expected[n] ?? exact, exact), `${name}, libvips`).toBe(0);
      }
      const magick = hasImageMagick ? byImageMagick(cases, join(folder.path, `${from}`)) : [];
      for (const [n, shown] of magick.entries()) {
        expect(difference(shown, expected[n] ?? shown), `${cases[n]?.name}, ImageMagick`).toBe(0);
      }
      const opaque = [...cases.keys()].filter((n) => isOpaque(expected[n] ?? new Uint8Array()));
      const shown = page
        ? await byChromium(
            page,
            opaque.map((n) => cases[n] as Case),
          )
        : [];
      for (const [i, pixels] of shown.entries()) {
        const n = opaque[i] ?? 0;
        expect(difference(pixels, expected[n] ?? pixels), `${cases[n]?.name}, Chromium`).toBe(0);
      }
    }
  } finally {
    await browser?.close();
  }
  console.log(`decoded by libvips${hasImageMagick ? ', ImageMagick' : ''}${page ? ', Chromium' : ''}`);
});
