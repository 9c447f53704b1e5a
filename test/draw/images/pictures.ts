// Generates image files, so that no test depends on a binary in the repository.

import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import type { Pixels } from '#draw/images/raster.ts';
import { seeded } from '../../seeded.ts';

export const QUADRANTS = { width: 60, height: 40 };

/** 60 × 40 px: red and green above, blue and white below. */
export function quadrants(): Sharp {
  const { width, height } = QUADRANTS;
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const above = x < width / 2 ? [255, 0, 0] : [0, 255, 0];
      const below = x < width / 2 ? [0, 0, 255] : [255, 255, 255];
      data.set(y < height / 2 ? above : below, (y * width + x) * 3);
    }
  }
  return sharp(data, { raw: { ...QUADRANTS, channels: 3 } });
}

/** The same picture as vectors. */
export const QUADRANTS_SVG = svg(
  'width="60" height="40"',
  '<rect width="30" height="20" fill="red"/><rect x="30" width="30" height="20" fill="lime"/>' +
    '<rect y="20" width="30" height="20" fill="blue"/><rect x="30" y="20" width="30" height="20" fill="white"/>',
);

/** Grey noise, which no encoder compresses well: the file can be truncated anywhere. */
export function noise(width: number, height: number): Sharp {
  const next = seeded(1);
  const data = Buffer.from(Array.from({ length: width * height * 3 }, () => next(256)));
  return sharp(data, { raw: { width, height, channels: 3 } });
}

export function svg(attributes: string, body: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`);
}

/** A PNG whose header claims a size; its pixel data is only `rows` zero bytes. */
export function claimingPng(width: number, height: number, rows = 10): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** An animated GIF of 1 × 1 px frames. */
export function manyFrames(frames: number): Buffer {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const header = [...Buffer.from('GIF89a', 'latin1'), 1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255];
  return Buffer.from([...header, ...Array.from({ length: frames }, () => frame).flat(), 0x3b]);
}

/** The colour at a pixel, as `r,g,b` or `r,g,b,a`. */
export function colorAt({ width, channels, data }: Pixels, x: number, y: number): string {
  const at = (y * width + x) * channels;
  return [...data.subarray(at, at + channels)].join();
}
