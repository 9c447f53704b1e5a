// Tests the edge's decoders in Node, with their own WebAssembly files.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { decodePicture, provideSvg } from '#edge/decode-picture.ts';
import { MAX_EDGE_PIXELS, readHeader } from '#edge/image-header.ts';
import { drawSvg } from '#edge/og/resvg.ts';
import { provideWasm, type WasmName } from '#edge/wasm-files.ts';

const FILES: Partial<Record<WasmName, string>> = {
  'decode-jpeg': '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  resvg: '@resvg/resvg-wasm/index_bg.wasm',
};
const { resolve } = createRequire(import.meta.url);
provideWasm(Object.keys(FILES) as WasmName[], (name) =>
  WebAssembly.compile(Uint8Array.from(readFileSync(resolve(FILES[name] ?? name)))),
);

provideSvg(drawSvg);

const WIDTH = 24;
const HEIGHT = 16;
/** A JPEG whose colours are elsewhere after any turn, with an EXIF segment of this byte order. */
async function jpegOf(orientation: number, order: 'MM' | 'II'): Promise<Uint8Array> {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3, 80);
  for (let i = 0; i < WIDTH * HEIGHT; i += 1) {
    pixels[3 * i] = i % WIDTH < 8 ? 255 : 0;
    pixels[3 * i + 1] = i < 8 * WIDTH ? 255 : 0;
  }
  const file = await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const big = Buffer.from(
    `ffe1 0022 457869660000 4d4d 002a 00000008 0001 0112 0003 00000001 000${orientation} 0000 00000000`.replaceAll(
      ' ',
      '',
    ),
    'hex',
  );
  const little = Buffer.from(
    `ffe1 0022 457869660000 4949 2a00 08000000 0100 1201 0300 01000000 0${orientation}00 0000 00000000`.replaceAll(
      ' ',
      '',
    ),
    'hex',
  );
  return Uint8Array.from([...file.subarray(0, 2), ...(order === 'MM' ? big : little), ...file.subarray(2)]);
}

for (const [orientation, order] of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap(
  (number) =>
    [
      [number, 'MM'],
      [number, 'II'],
    ] as const,
)) {
  test(`a JPEG of orientation ${orientation} (${order}) is drawn upright`, async () => {
    const bytes = await jpegOf(orientation, order);
    const header = readHeader(bytes);
    const size = { width: header.width, height: header.height };
    const whole = { x: 0, y: 0, ...size };
    const { pixels } = await decodePicture({ key: 'a', ...header, bytes, focus: null }, whole, size);
    const upright = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
    expect([pixels.width, pixels.height]).toEqual([upright.info.width, upright.info.height]);
    const differences = Array.from({ length: pixels.width * pixels.height * 3 }, (_, i) =>
      Math.abs((pixels.data[4 * Math.floor(i / 3) + (i % 3)] ?? 0) - (upright.data[i] ?? 0)),
    );
    // The decoders round differently.
    expect(Math.max(...differences)).toBeLessThan(8);
  });
}

for (const [width, height, drawn] of [
  [10, 2_000, { width: 1, height: 100 }],
  [2_000, 10, { width: 300, height: 2 }],
  [100, 200, { width: 300, height: 600 }],
] as const) {
  test(`an SVG of ${width} × ${height} px in 300 × 100 px has no more pixels than a picture may have`, async () => {
    const bytes = new TextEncoder().encode(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="M0 0h${width}v${height}H0z"/></svg>`,
    );
    const whole = { x: 0, y: 0, width, height };
    const image = { key: 'a', format: 'svg', width, height, bytes, hasAlpha: true, focus: null } as const;
    const { pixels, source } = await decodePicture(image, whole, { width: 300, height: 100 });
    expect(pixels.width * pixels.height).toBeLessThanOrEqual(MAX_EDGE_PIXELS);
    expect(pixels).toMatchObject(drawn);
    // The whole picture, which is scaled to the size afterwards.
    expect(source).toMatchObject({ x: 0, y: 0, ...drawn });
  });
}
