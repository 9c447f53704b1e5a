// Makes some 240 pictures of all kinds from a seed, on which the encoders are raced.
//
// Rendered cards and samples, goldens, photos at many sizes, and generated pictures: noise, gradients, flat graphics,
// text, transparency. Nothing is fetched, and nothing is committed except this file.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Raster } from '#draw/images/raster.ts';
import { ALBUM, loadAssets, makeAlbum } from '../assets.ts';
import { cardOf } from '../families/cards.ts';
import { seedOf } from '../families/family.ts';
import { between, pick, type Random } from '../families/words.ts';
import { open as openPlaten } from '../peers/platen.ts';
import { randomFrom, shuffled } from '../statistics.ts';

export interface Picture {
  readonly kind: 'card' | 'golden' | 'photo' | 'noise' | 'gradient' | 'flat' | 'alpha';
  readonly name: string;
  readonly raster: Raster;
}

const ROOT = join(import.meta.dirname, '../..');
const COUNTS = { card: 70, golden: 40, photo: 50, noise: 10, gradient: 20, flat: 30, alpha: 24 } as const;

const CACHE = join(import.meta.dirname, '../.cache');

/**
 * Generated once, which takes two minutes, and kept as PNG files in bench/.cache. Yields the first of each `every`
 * pictures.
 */
export async function* corpus(seed: number, every = 1): AsyncGenerator<Picture> {
  const folder = join(CACHE, `corpus-${seed}`);
  if (!existsSync(folder)) await keep(makePictures(seed), folder);
  for (const [n, file] of readdirSync(folder).sort().entries()) {
    if (n % every !== 0) continue;
    const [, kind, name = ''] = file.replace('.png', '').split('_');
    yield { kind: kind as Picture['kind'], name, raster: await rasterOf(readFileSync(join(folder, file))) };
  }
}

async function keep(pictures: AsyncIterable<Picture>, folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'));
  let n = 0;
  for await (const { kind, name, raster } of pictures) {
    const { width, height, pixels } = raster;
    const picture = sharp(pixels, { raw: { width, height, channels: 4, premultiplied: true } });
    const number = String(n++).padStart(3, '0');
    const file = `${number}_${kind}_${name.replace(/[^a-z0-9]+/g, '-')}.png`;
    await picture.png({ compressionLevel: 1 }).toFile(join(unfinished, file));
  }
  renameSync(unfinished, folder);
}

async function* makePictures(seed: number): AsyncGenerator<Picture> {
  await makeAlbum();
  const random = randomFrom(seed);
  yield* cards(seed);
  yield* goldens(random);
  yield* photos(random);
  for (const kind of ['noise', 'gradient', 'flat', 'alpha'] as const) {
    for (let n = 0; n < COUNTS[kind]; n++) {
      yield { kind, name: `${kind} ${n}`, raster: await rasterOf(Buffer.from(MAKERS[kind](random))) };
    }
  }
}

/** A file's pixels with premultiplied alpha. */
async function rasterOf(file: Buffer, size?: { width: number; height: number }): Promise<Raster> {
  const picture = size ? sharp(file).resize({ ...size, fit: 'fill' }) : sharp(file);
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 255;
    if (alpha === 255) continue;
    for (let c = at; c < at + 3; c++) data[c] = Math.round(((data[c] ?? 0) * alpha) / 255);
  }
  const pixels = new Uint8Array(new SharedArrayBuffer(data.length));
  pixels.set(data);
  return { width: info.width, height: info.height, pixels };
}

async function* cards(seed: number): AsyncGenerator<Picture> {
  const platen = await openPlaten(await loadAssets());
  for (let n = 0; n < COUNTS.card; n++) {
    const { template, strings } = cardOf(seedOf(seed, n));
    const file = await platen.render({ template }, strings(n), 'png');
    yield { kind: 'card', name: template.name, raster: await rasterOf(Buffer.from(file)) };
  }
}

async function* goldens(random: Random): AsyncGenerator<Picture> {
  const files: string[] = [];
  for await (const file of glob(['golden/**/*.png', 'samples/rendered/*.png'], { cwd: ROOT })) files.push(file);
  for (const file of shuffled(files.sort(), random).slice(0, COUNTS.golden)) {
    yield { kind: 'golden', name: file, raster: await rasterOf(readFileSync(join(ROOT, file))) };
  }
}

async function* photos(random: Random): AsyncGenerator<Picture> {
  const { images } = await loadAssets();
  for (let n = 0; n < COUNTS.photo; n++) {
    const file = images.get(`album-${n % ALBUM}.jpg`)?.bytes ?? Buffer.alloc(0);
    const width = between(random, 160, 1800);
    const size = { width, height: Math.round(width * (0.5 + random())) };
    yield { kind: 'photo', name: `photo ${n}`, raster: await rasterOf(file, size) };
  }
}

const hue = (random: Random) =>
  `hsl(${between(random, 0, 359)},${between(random, 20, 95)}%,${between(random, 15, 85)}%)`;

function svg(random: Random, draw: (width: number, height: number) => string): string {
  const [width, height] = [between(random, 64, 1500), between(random, 64, 1200)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${draw(width, height)}</svg>`;
}

function shapes(random: Random, count: number, width: number, height: number, opacity: () => number): string {
  let drawn = '';
  for (; count > 0; count--) {
    const [x, y] = [between(random, 0, width), between(random, 0, height)];
    const [w, h] = [between(random, 4, width / 2), between(random, 4, height / 2)];
    const paint = `fill="${hue(random)}" opacity="${opacity()}"`;
    drawn += pick(random, [
      `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${between(random, 0, 20)}" ${paint}/>`,
      `<circle cx="${x}" cy="${y}" r="${w / 2}" ${paint}/>`,
      `<path d="M${x} ${y}l${w} ${h / 2}l${-w / 2} ${h}z" ${paint}/>`,
      `<text x="${x}" y="${y}" font-size="${between(random, 8, 60)}" ${paint}>Sphinx of black quartz ${count}</text>`,
    ]);
  }
  return drawn;
}

const ramp = (random: Random, id: string) =>
  `<${id === 'a' ? 'linear' : 'radial'}Gradient id="${id}" x2="${random()}" y2="${random()}">${[0, 0.4, 1].map((offset) => `<stop offset="${offset}" stop-color="${hue(random)}"/>`).join('')}</${id === 'a' ? 'linear' : 'radial'}Gradient>`;

const opaque = (random: Random, width: number, height: number) =>
  `<rect width="${width}" height="${height}" fill="${hue(random)}"/>`;

const MAKERS = {
  noise: (random: Random) =>
    svg(random, (width, height) => {
      const turbulence = `<feTurbulence type="fractalNoise" baseFrequency="${random()}" numOctaves="${between(random, 1, 6)}" seed="${between(random, 1, 999)}"/>`;
      return `${opaque(random, width, height)}<filter id="n">${turbulence}</filter><rect width="${width}" height="${height}" filter="url(#n)" opacity="${random()}"/>`;
    }),
  gradient: (random: Random) =>
    svg(random, (width, height) => {
      const id = pick(random, ['a', 'b']);
      return `${opaque(random, width, height)}${ramp(random, id)}<rect width="${width}" height="${height}" fill="url(#${id})"/>${shapes(random, between(random, 0, 4), width, height, () => 1)}`;
    }),
  flat: (random: Random) =>
    svg(
      random,
      (width, height) => opaque(random, width, height) + shapes(random, between(random, 2, 60), width, height, () => 1),
    ),
  alpha: (random: Random) =>
    svg(random, (width, height) => shapes(random, between(random, 2, 20), width, height, random)),
} as const;
