// Tests that the edge shows the files of cameras and programs as the server does: profiles, EXIF, animations; and says
// what it does not convert.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { inspectImage } from '#draw/images/inspect.ts';
import { scaleToRgba } from '#draw/images/scale.ts';
import { readHeader } from '#edge/image-header.ts';
import { colorsOf } from '#edge/picture-file.ts';
import { scalePicture } from '#edge/platform/scale-picture.ts';
import { provideWasm, type WasmName } from '#edge/wasm-files.ts';
import { cicp, gama, pngChunk, uint32s, withChunks } from '../draw/images/png-chunks.ts';

const FILES: Partial<Record<WasmName, string>> = {
  'decode-jpeg': '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  'decode-png': '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  'decode-webp': '@jsquash/webp/codec/dec/webp_dec.wasm',
};
const { resolve } = createRequire(import.meta.url);
provideWasm(Object.keys(FILES) as WasmName[], (name) =>
  WebAssembly.compile(Uint8Array.from(readFileSync(resolve(FILES[name] ?? name)))),
);

const SIZE = { width: 48, height: 32 };
const FIELDS = [
  [60, 200, 60],
  [200, 60, 40],
  [40, 60, 220],
  [128, 128, 128],
  [250, 210, 20],
  [20, 200, 220],
] as const;
/** Six fields of plain colours, which tell every turn from the others. */
function fields(): Sharp {
  const data = Buffer.alloc(3 * SIZE.width * SIZE.height);
  for (let i = 0; i < data.length / 3; i++) {
    const [x, y] = [i % SIZE.width, Math.floor(i / SIZE.width)];
    data.set(FIELDS[Math.floor(x / 16) + 3 * Math.floor(y / 16)] ?? [0, 0, 0], 3 * i);
  }
  return sharp(data, { raw: { ...SIZE, channels: 3 } });
}

/** The largest difference between what the edge and the server show, in the middle of each field. */
async function difference(file: Uint8Array): Promise<number> {
  const bytes = Uint8Array.from(file);
  const [header, image] = [readHeader(bytes), await inspectImage(bytes)];
  expect([header.width, header.height]).toEqual([image.width, image.height]);
  const size = { width: header.width, height: header.height };
  const all = { x: 0, y: 0, ...size };
  const shown = await scalePicture({ key: 'a', ...header, bytes, focus: null }, all, size);
  const right = await scaleToRgba(image, all, size);
  let most = 0;
  for (let y = 4; y < size.height; y += 8) {
    for (let x = 4; x < size.width; x += 8) {
      for (let k = 4 * (y * size.width + x), end = k + 4; k < end; k++) {
        // Colours of what is transparent do not show.
        if (k % 4 < 3 && right[k | 3] === 0 && shown[k | 3] === 0) continue;
        most = Math.max(most, Math.abs((shown[k] ?? 0) - (right[k] ?? 0)));
      }
    }
  }
  return most;
}

test.each(['jpeg', 'png', 'webp'] as const)('a %s with a Display P3 profile', async (format) => {
  const options = { jpeg: { quality: 100, chromaSubsampling: '4:4:4' }, png: {}, webp: { lossless: true } }[format];
  const file = await fields().withIccProfile('p3').toFormat(format, options).toBuffer();
  expect((await colorsOf(format, file)).tag).not.toBe(null);
  expect(await difference(file)).toBeLessThanOrEqual(4);
  const plain = await fields().withIccProfile('srgb').toFormat(format, options).toBuffer();
  expect((await colorsOf(format, plain)).tag).toBe(null);
});

test.each<[string, ...Buffer[]]>([
  ['gAMA', gama(100_000)],
  ['gAMA and cHRM', gama(55_555), pngChunk('cHRM', uint32s(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000))],
  ['cICP of Display P3', cicp(12, 13)],
  ['cICP of HDR (PQ)', cicp(9, 16)],
])('a PNG with %s', async (_, ...chunks) => {
  const file = withChunks(await fields().png().toBuffer(), ...chunks);
  expect((await colorsOf('png', file)).tag).not.toBe(null);
  expect(await difference(file)).toBeLessThanOrEqual(2);
});

test('an AVIF is refused', async () => {
  const file = await fields().avif().toBuffer();
  expect(() => readHeader(file)).toThrow('The file is an AVIF; only PNG, JPEG and WebP are read at the edge.');
});

const chunksOf = (file: Buffer) => {
  const chunks: { type: string; bytes: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), bytes: file.subarray(at, end) });
    at = end;
  }
  return chunks;
};

test('a PNG with a cut profile is shown without it, with a warning', async () => {
  const file = await fields().withIccProfile('p3').png().toBuffer();
  const { crc32 } = await import('node:zlib');
  const cut = Buffer.concat([
    file.subarray(0, 8),
    ...chunksOf(file).map(({ type, bytes }) => {
      if (type !== 'iCCP') return bytes;
      const body = bytes.subarray(4, bytes.length - 60);
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(body.length - 4);
      sum.writeUInt32BE(crc32(body));
      return Buffer.concat([length, body, sum]);
    }),
  ]);
  const header = readHeader(cut);
  const shown = await scalePicture({ key: 'a', ...header, bytes: cut, focus: null }, { x: 0, y: 0, ...SIZE }, SIZE);
  expect([shown.length, await colorsOf('png', cut)]).toEqual([4 * 48 * 32, { tag: null, isIgnored: true }]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('EXIF orientation %i of PNG and of WebP', async (orientation) => {
  for (const format of ['png', 'webp'] as const) {
    const file = await fields().withMetadata({ orientation }).toFormat(format, { lossless: true }).toBuffer();
    expect((await sharp(file).metadata()).orientation ?? 1).toBe(orientation);
    expect(await difference(file), format).toBeLessThanOrEqual(2);
  }
});

test('the first frame of an animated WebP, also one smaller than the canvas', async () => {
  const frames = await Promise.all([fields(), fields().negate()].map((one) => one.png().toBuffer()));
  for (const lossless of [true, false]) {
    const file = await sharp(frames, { join: { animated: true } })
      .webp({ lossless, quality: 100, delay: [100, 100] })
      .toBuffer();
    expect(file.includes('ANMF')).toBe(true);
    expect(await difference(file)).toBeLessThanOrEqual(lossless ? 2 : 12);
    // The canvas grows: two bytes of its header.
    const wide = Buffer.from(file);
    wide.writeUInt16LE(SIZE.width + 23, 24);
    wide.writeUInt16LE(SIZE.height + 7, 27);
    const header = readHeader(wide);
    expect([header.width, header.height, header.hasAlpha]).toEqual([72, 40, true]);
    const size = { width: 72, height: 40 };
    const shown = await scalePicture({ key: 'a', ...header, bytes: wide, focus: null }, { x: 0, y: 0, ...size }, size);
    expect([shown[4 * 60 + 3], shown[4 * (36 * 72 + 8) + 3], shown[4 * (4 * 72 + 4) + 3]]).toEqual([0, 0, 255]);
  }
});

test('a CMYK JPEG is refused by what it is', async () => {
  const file = await fields().toColourspace('cmyk').jpeg().toBuffer();
  expect((await sharp(file).metadata()).channels).toBe(4);
  expect(() => readHeader(file)).toThrow('The JPEG file has the four inks of print (CMYK)');
});

test('a damaged file is still called damaged', async () => {
  const png = (await fields().png().toBuffer()).subarray(0, 60);
  const image = { key: 'a', ...readHeader(png), bytes: png, focus: null };
  await expect(scalePicture(image, { x: 0, y: 0, ...SIZE }, SIZE)).rejects.toThrow('The PNG file is damaged.');
});
