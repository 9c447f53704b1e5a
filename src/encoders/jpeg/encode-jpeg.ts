// A raster in, a baseline JPEG file out, within two or three milliseconds a megapixel.
//
// The picture is cut into strips of rows with a restart marker between them, which several threads make at the same
// time. ITU-T T.81 and T.871 (JFIF); nothing is written but the picture.

import { HUFFMAN, quantization, ZIGZAG } from '#images/jpeg/tables.ts';
import type { Raster } from '#images/raster.ts';
import { encodeParts } from '../encode-parts.ts';
import { keepUnits, knownUnits } from '../known-units.ts';
import type { Ground } from '../part.ts';
import { countStrips, StripEncoder } from './strip-encoder.ts';

/** Markers (T.81, table B.1). */
const START = 0xd8;
const END = 0xd9;
const APP0 = 0xe0;
const QUANTIZATION = 0xdb;
const FRAME = 0xc0;
const HUFFMAN_CODES = 0xc4;
const RESTART_INTERVAL = 0xdd;
const SCAN = 0xda;
const FIRST_RESTART = 0xd0;

/**
 * Encodes at 4:2:0, on white.
 *
 * @param quality 1 to 100, as libjpeg counts it
 * @param ground what is known of the raster
 */
export async function encodeJpeg(raster: Raster, quality: number, ground: Ground | null = null): Promise<Uint8Array> {
  const format = `jpeg ${quality}`;
  const known = ground && knownUnits(ground, format, countStrips(raster));
  const encoder = new StripEncoder(raster, quality, known);
  const strips = (await encodeParts(encoder, ground)) ?? [];
  if (ground) keepUnits(ground, format, strips);
  const restart = (index: number) => Uint8Array.of(0xff, FIRST_RESTART + (index % 8));
  return Buffer.concat([
    ...head(raster, quality, encoder.interval),
    ...strips.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [restart(index - 1), bytes])),
    Uint8Array.of(0xff, END),
  ]);
}

function head({ width, height }: Raster, quality: number, interval: number): Uint8Array[] {
  const [luma, chroma] = quantization(quality);
  const inZigzag = (steps: readonly number[]) => ZIGZAG.map((place) => steps[place] ?? 1);
  const word = (value: number) => [value >> 8, value & 255];
  return [
    Uint8Array.of(0xff, START),
    // Version 1.1, square pixels, no thumbnail.
    segment(APP0, [...Buffer.from('JFIF\0'), 1, 1, 0, ...word(1), ...word(1), 0, 0]),
    segment(QUANTIZATION, [0, ...inZigzag(luma), 1, ...inZigzag(chroma)]),
    // Components 1 to 3, how often each is sampled, and by which steps.
    segment(FRAME, [8, ...word(height), ...word(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
    ...HUFFMAN.flatMap(({ dc, ac }, index) => [
      segment(HUFFMAN_CODES, [index, ...dc.lengths, ...dc.symbols]),
      segment(HUFFMAN_CODES, [0x10 | index, ...ac.lengths, ...ac.symbols]),
    ]),
    segment(RESTART_INTERVAL, word(interval)),
    segment(SCAN, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ];
}

function segment(marker: number, content: readonly number[]): Uint8Array {
  const length = content.length + 2;
  return Uint8Array.of(0xff, marker, length >> 8, length & 255, ...content);
}
