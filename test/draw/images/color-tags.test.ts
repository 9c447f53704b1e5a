// Tests what files say of their colours beside a profile, and GIFs whose first frame leaves a part of the canvas.

import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { profileTag, toSrgb } from '#draw/images/color-tags.ts';
import { inspectImage } from '#draw/images/inspect.ts';
import { scaleToPixels, scaleToPng, scaleToRgba } from '#draw/images/scale.ts';
import { cicp, gama, pngChunk, uint32s, withChunks } from './png-chunks.ts';

type Rgb = readonly [number, number, number];
const plain = (background: Rgb) =>
  sharp(Buffer.from(Array.from({ length: 16 }, () => background).flat()), {
    raw: { width: 4, height: 4, channels: 3 },
  });

const png = async (color: Rgb, ...chunks: Buffer[]): Promise<Uint8Array> =>
  withChunks(await plain(color).png().toBuffer(), ...chunks);

const SRGB_CHRM = pngChunk('cHRM', uint32s(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000));
const P3_CHRM = pngChunk('cHRM', uint32s(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000));

/** An AVIF whose `nclx` box has other code points. */
async function avif(color: Rgb, primaries: number, transfer: number): Promise<Uint8Array> {
  const file = await plain(color).avif({ lossless: true, chromaSubsampling: '4:4:4' }).toBuffer();
  const at = file.indexOf('colrnclx', 0, 'latin1');
  file.writeUInt16BE(primaries, at + 8);
  file.writeUInt16BE(transfer, at + 10);
  return Uint8Array.from(file);
}

async function shownBy(bytes: Uint8Array): Promise<number[]> {
  const image = await inspectImage(bytes);
  const size = { width: image.width, height: image.height };
  const { data } = await scaleToPixels(image, { x: 0, y: 0, ...size }, size);
  return [...data.subarray(0, 3)];
}

async function check(bytes: Uint8Array, expected: Rgb, within = 1): Promise<void> {
  const shown = await shownBy(bytes);
  for (const [i, value] of expected.entries())
    expect(Math.abs((shown[i] ?? 0) - value), `${shown} for ${expected}`).toBeLessThanOrEqual(within);
}

const GREEN: Rgb = [60, 200, 60];
// Values of lcms, by way of libvips, for the profile of the same colours.
const P3_GREEN: Rgb = [0, 203, 11];

test('cICP of Display P3 is converted, and that of sRGB or of television left', async () => {
  await check(await png(GREEN, cicp(12, 13)), P3_GREEN, 2);
  await check(await png(GREEN, cicp(1, 13)), GREEN);
  await check(await png(GREEN, cicp(1, 1)), GREEN);
});

test('cICP is as the profile of the same colours', async () => {
  for (const color of [
    [200, 100, 50],
    [20, 60, 220],
    [255, 255, 255],
    [90, 90, 90],
  ] as const) {
    const tagged = await plain(color).withIccProfile('p3', { attach: true }).png().toBuffer();
    // sharp has converted the pixels to the profile: these are what the file of the profile holds.
    const stored = await sharp(tagged, { ignoreIcc: true }).raw().toBuffer();
    await check(await png([stored[0] ?? 0, stored[1] ?? 0, stored[2] ?? 0], cicp(12, 13)), color, 3);
  }
});

test('linear light, and gamma with and without primaries', async () => {
  const grey: Rgb = [128, 128, 128];
  await check(await png(grey, gama(100_000), SRGB_CHRM), [188, 188, 188]);
  await check(await png(grey, gama(100_000)), [188, 188, 188]);
  await check(await png(grey, cicp(1, 8)), [188, 188, 188]);
  await check(await png(GREEN, gama(45_455), SRGB_CHRM), GREEN);
  await check(await png(GREEN, gama(45_455)), GREEN);
  await check(await png(GREEN, gama(45_455), P3_CHRM), P3_GREEN, 2);
  // cICP precedes sRGB, which precedes gAMA; what is no gamma is none.
  await check(await png(grey, gama(100_000), pngChunk('sRGB', Buffer.from([0]))), grey);
  await check(await png(grey, gama(100_000), cicp(1, 13)), grey);
  await check(await png(grey, gama(0)), grey);
  await check(await png(grey, gama(100_000), pngChunk('cHRM', uint32s(0, 0, 0, 0, 0, 0, 0, 0))), grey);
});

test('nclx of an AVIF: Display P3, linear light, HDR', async () => {
  await check(await avif(GREEN, 1, 13), GREEN, 2);
  await check(await avif(GREEN, 12, 13), P3_GREEN, 4);
  await check(await avif([128, 128, 128], 1, 8), [188, 188, 188], 2);
  // 58 % of PQ's range is white of 203 cd/m²: linear 1, which Reinhard's curve to 1,000 cd/m² makes 0.52.
  await check(await avif([148, 148, 148], 9, 16), [190, 190, 190], 3);
  await check(await avif([192, 192, 192], 9, 18), [190, 190, 190], 6);
  await check(await avif([0, 0, 0], 9, 16), [0, 0, 0]);
});

test('pictures keep their alpha and form', async () => {
  const half = await sharp({
    create: { width: 4, height: 4, channels: 4, background: { r: 128, g: 128, b: 128, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
  const file = Uint8Array.from(Buffer.concat([half.subarray(0, 33), gama(100_000), half.subarray(33)]));
  const image = await inspectImage(file);
  const all = { x: 0, y: 0, width: 4, height: 4 };
  expect([...(await scaleToRgba(image, all, all)).subarray(0, 4)]).toEqual([188, 188, 188, 128]);
  expect([
    ...(
      await sharp(await scaleToPng(image, all, all))
        .raw()
        .toBuffer()
    ).subarray(0, 4),
  ]).toEqual([188, 188, 188, 128]);
});

/** A GIF of one colour whose first frame is a part of the canvas. */
async function gif(canvas: [number, number], left: number, top: number): Promise<Uint8Array> {
  const file = await plain([209, 64, 27]).gif().toBuffer();
  const start = file.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
  file.writeUInt16LE(canvas[0], 6);
  file.writeUInt16LE(canvas[1], 8);
  file.writeUInt16LE(left, start + 1);
  file.writeUInt16LE(top, start + 3);
  return Uint8Array.from(file);
}

test('a GIF is transparent beside its first frame', async () => {
  const image = await inspectImage(await gif([10, 8], 3, 2));
  expect([image.width, image.height, image.hasAlpha]).toEqual([10, 8, true]);
  const all = { x: 0, y: 0, width: 10, height: 8 };
  const pixels = new DataView((await scaleToRgba(image, all, all)).buffer);
  const at = (x: number, y: number) =>
    pixels
      .getUint32(4 * (10 * y + x))
      .toString(16)
      .padStart(8, '0');
  expect([at(0, 0), at(2, 3), at(3, 1), at(3, 2), at(6, 5), at(7, 5), at(6, 6), at(9, 7)]).toEqual([
    ...['00000000', '00000000', '00000000', 'd1401bff', 'd1401bff', '00000000', '00000000', '00000000'],
  ]);
  expect((await inspectImage(await gif([4, 4], 0, 0))).hasAlpha).toBe(false);
});

/** A profile of P3's matrix, with these curves. */
function profile(curve: Buffer, space = 'RGB '): Uint8Array {
  const columns = [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ];
  const bodies = [
    ...columns.map((column) =>
      Buffer.concat([
        Buffer.from('XYZ \0\0\0\0', 'latin1'),
        uint32s(...column.map((v) => Math.round(v * 65536) >>> 0)),
      ]),
    ),
    curve,
  ];
  const table = Buffer.alloc(4 + 12 * 7);
  table.writeUInt32BE(7);
  let offset = 128 + table.length;
  const places = bodies.map((body) => {
    const at = offset;
    offset += body.length;
    return at;
  });
  for (const [i, name] of ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC', 'kTRC'].entries()) {
    table.write(name, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(places[Math.min(i, 3)] ?? 0, 8 + 12 * i);
  }
  const head = Buffer.alloc(128);
  head.write(`${space}XYZ `, 16, 'latin1');
  return Uint8Array.from(Buffer.concat([head, table, ...bodies]));
}

const para = (kind: number, ...values: number[]) =>
  Buffer.concat([
    Buffer.from('para\0\0\0\0', 'latin1'),
    Buffer.from([0, kind, 0, 0]),
    uint32s(...values.map((v) => Math.round(v * 65536) >>> 0)),
  ]);
const sampled = (count: number, curve: (v: number) => number) => {
  const body = Buffer.alloc(12 + 2 * count);
  body.write('curv', 'latin1');
  body.writeUInt32BE(count, 8);
  for (let i = 0; i < count; i++) body.writeUInt16BE(Math.round(65535 * curve(i / (count - 1))), 12 + 2 * i);
  return body;
};
const SRGB_PARA = para(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);
const eotf = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

function converted(curve: Buffer, color: Rgb, space?: string): number[] {
  const tag = profileTag(profile(curve, space));
  const pixels = Uint8Array.from(color);
  if (tag) toSrgb(pixels, 3, tag);
  return [...pixels];
}

test('profiles with parametric and sampled curves are those of lcms', () => {
  for (const curve of [SRGB_PARA, sampled(1024, eotf), sampled(4096, eotf)]) {
    const shown = converted(curve, GREEN);
    for (const [i, value] of P3_GREEN.entries()) expect(Math.abs((shown[i] ?? 0) - value)).toBeLessThanOrEqual(2);
  }
  const gammaBody = Buffer.concat([Buffer.from('curv\0\0\0\0', 'latin1'), uint32s(1), Buffer.from([2, 0x33])]);
  expect(converted(gammaBody, [128, 128, 128])[0]).toBeCloseTo(127, -1);
  expect(converted(para(0, 1), [128, 128, 128])).toEqual([188, 188, 188]);
  // Grey: one curve, and no matrix.
  expect(converted(para(0, 1), [128, 128, 128], 'GRAY')).toEqual([188, 188, 188]);
  expect(profileTag(profile(SRGB_PARA, 'GRAY'))).toBe(null);
  expect(() => profileTag(profile(SRGB_PARA, 'CMYK'))).toThrow();
  expect(() => profileTag(deflateSync('nothing').subarray(0, 12))).toThrow();
});
