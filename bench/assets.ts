// The files with which every peer draws: a photo, a portrait, a logo, and Inter.
//
// They are generated once from a fixed seed and kept in bench/.cache, which is not committed.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { randomFrom } from './statistics.ts';

/** Number of files of the photo: the same picture, made distinct by a comment of a few bytes. */
export const PHOTOS = 64;

const CACHE = join(import.meta.dirname, '.cache');

/** Number of photos for the families, with different sizes and contents. */
export const ALBUM = 24;

export interface Assets {
  /** By the `src` of a template: `album-3.jpg` is a photo, `album-3~17.jpg` the same photo as a distinct file. */
  readonly images: { get(name: string): Image | undefined };
  readonly fonts: readonly { readonly weight: 400 | 600 | 700; readonly bytes: Buffer }[];
  /** For text that Inter does not cover; `range` as CSS's unicode-range. */
  readonly scripts: readonly { readonly name: string; readonly range: string; readonly bytes: Buffer }[];
}

export async function loadAssets(): Promise<Assets> {
  const images: (readonly [string, Image])[] = await Promise.all(
    Object.entries(MAKERS).map(async ([name, make]) => {
      const bytes = await kept(name, make);
      return [name, imageOf(bytes, name.endsWith('.png') ? 'image/png' : 'image/jpeg')] as const;
    }),
  );
  const photo = images.find(([name]) => name === 'photo.jpg')?.[1].bytes ?? Buffer.alloc(0);
  for (let i = 0; i < PHOTOS; i++) images.push([`photo-${i}.jpg`, imageOf(commented(photo, i), 'image/jpeg')]);
  const resolve = createRequire(import.meta.url).resolve;
  const fonts = (
    [
      [400, '400Regular'],
      [600, '600SemiBold'],
      [700, '700Bold'],
    ] as const
  ).map(([weight, face]) => ({
    weight,
    bytes: readFileSync(resolve(`@expo-google-fonts/inter/${face}/Inter_${face}.ttf`)),
  }));
  const scripts = [
    {
      name: 'Noto Sans Arabic',
      range: 'U+0600-06FF',
      file: 'noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf',
    },
    { name: 'Noto Sans JP', range: 'U+3000-9FFF', file: 'noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf' },
  ].map(({ name, range, file }) => ({ name, range, bytes: readFileSync(resolve(`@expo-google-fonts/${file}`)) }));
  const known = new Map(images);
  return { images: { get: (name) => known.get(name) ?? albumImage(known, name) }, fonts, scripts };
}

/** Creates the album if it does not exist, which takes half a minute. */
export async function makeAlbum(): Promise<void> {
  for (let number = 0; number < ALBUM; number++) {
    await kept(albumFile(number), async () => {
      const random = randomFrom(1000 + number);
      const width = 480 + Math.round(random() ** 2 * 3200);
      const height = Math.round(width * (0.5 + random()));
      return jpeg(await landscape(2000 + number, width, height), width, height, 70 + Math.round(random() * 25));
    });
  }
}

const albumFile = (number: number) => `album-${number}.jpg`;

function albumImage(known: Map<string, Image>, name: string): Image | undefined {
  const [, number, copy] = /^album-(\d+)(?:~(\d+))?\.jpg$/.exec(name) ?? [];
  if (number === undefined) return undefined;
  const file = albumFile(Number(number));
  let photo = known.get(file);
  if (!photo) {
    photo = imageOf(readFileSync(join(CACHE, file)), 'image/jpeg');
    known.set(file, photo);
  }
  // A copy is used once, so it is not cached.
  return copy === undefined ? photo : imageOf(commented(photo.bytes, Number(copy)), 'image/jpeg');
}

interface Image {
  readonly bytes: Buffer;
  readonly dataUri: string;
}

function imageOf(bytes: Buffer, type: string): Image {
  let uri: string | null = null;
  return {
    bytes,
    // Half a megabyte each, which not every peer needs.
    get dataUri() {
      uri ??= `data:${type};base64,${bytes.toString('base64')}`;
      return uri;
    },
  };
}

/** A JPEG with a comment (COM) after its first marker. */
function commented(jpeg: Buffer, number: number): Buffer {
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from([0xff, 0xfe, 0, 6, (number >>> 24) & 255, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]),
    jpeg.subarray(2),
  ]);
}

async function kept(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const path = join(CACHE, name);
  if (existsSync(path)) return readFileSync(path);
  const bytes = await make();
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(path, bytes);
  return bytes;
}

const MAKERS: Readonly<Record<string, () => Promise<Buffer>>> = {
  'photo.jpg': async () => jpeg(await landscape(7, 2400, 1260), 2400, 1260, 84),
  'portrait.jpg': async () => {
    const bust = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><circle cx="256" cy="205" r="98" fill="#e8bd98"/><ellipse cx="256" cy="480" rx="185" ry="155" fill="#31527f"/></svg>`;
    const picture = await sharp(await landscape(11, 512, 512), { raw: { width: 512, height: 512, channels: 3 } })
      .composite([{ input: Buffer.from(bust) }])
      .removeAlpha()
      .raw()
      .toBuffer();
    return jpeg(picture, 512, 512, 85);
  },
  'logo.png': () =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="384" height="96"><linearGradient id="g"><stop stop-color="#fb923c"/><stop offset="1" stop-color="#e11d48"/></linearGradient><rect x="4" y="4" width="88" height="88" rx="26" fill="url(#g)"/><path d="M26 66 48 28 70 66Z" fill="#fff"/><g fill="#fff"><rect x="116" y="28" width="150" height="16" rx="8"/><rect x="116" y="54" width="236" height="14" rx="7" opacity=".7"/></g></svg>`,
      ),
    )
      .png()
      .toBuffer(),
};

const jpeg = (pixels: Buffer, width: number, height: number, quality: number) =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();

/** Scales of the noise, in cells across, and the strength of each: from broad clouds to leaves. */
const OCTAVES = [
  [4, 64],
  [10, 44],
  [25, 28],
  [64, 17],
  [160, 10],
  [420, 6],
] as const;

/** Pixels with a photo's statistics: soft light, detail at every scale, hard edges, grain. RGB, row by row. */
async function landscape(seed: number, width: number, height: number): Promise<Buffer> {
  const random = randomFrom(seed);
  const light = new Float32Array(width * height * 3);
  const [sky, ground] = [
    Array.from({ length: 3 }, () => 90 + random() * 130),
    Array.from({ length: 3 }, () => 20 + random() * 120),
  ];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++, i++) light[i] = (sky[c] ?? 0) + (((ground[c] ?? 0) - (sky[c] ?? 0)) * y) / height;
    }
  }
  for (const [cells, strength] of OCTAVES) {
    const rows = Math.max(2, Math.round((cells * height) / width));
    const noise = Buffer.from(Array.from({ length: cells * rows * 3 }, () => random() * 256));
    const smooth = await sharp(noise, { raw: { width: cells, height: rows, channels: 3 } })
      .resize(width, height, { kernel: 'cubic', fit: 'fill' })
      .raw()
      .toBuffer();
    for (let i = 0; i < light.length; i++) light[i] = (light[i] ?? 0) + (((smooth[i] ?? 0) - 128) / 128) * strength;
  }
  for (let tower = 0; tower < 14; tower++) {
    const [left, span, rise, shade] = [
      random() * width,
      80 + random() * 280,
      120 + random() * 480,
      0.4 + random() * 0.45,
    ];
    for (let y = Math.max(0, Math.floor(height - rise)); y < height; y++) {
      for (let x = Math.floor(left); x < Math.min(width, left + span); x++) {
        for (let c = 0; c < 3; c++) light[3 * (y * width + x) + c] = (light[3 * (y * width + x) + c] ?? 0) * shade;
      }
    }
  }
  const pixels = Buffer.alloc(light.length);
  for (let i = 0; i < pixels.length; i += 3) {
    const grain = (random() + random() - 1) * 10;
    for (let c = 0; c < 3; c++) pixels[i + c] = Math.max(0, Math.min(255, (light[i + c] ?? 0) + grain));
  }
  return pixels;
}
