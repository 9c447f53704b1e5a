// Makes TrueType fonts with colour glyphs (COLR 0 and 1) of any size, as nobody would draw them.

import { FontFace } from '#core/text/font-face.ts';
import { tagValue, writeSfnt } from '#draw/fonts/sfnt.ts';

export type Bytes = readonly number[];
const u16 = (value: number): Bytes => [(value >> 8) & 0xff, value & 0xff];
const u24 = (value: number): Bytes => [(value >> 16) & 0xff, ...u16(value)];
const u32 = (value: number): Bytes => [...u16(value >>> 16), ...u16(value)];
const zeros = (count: number): Bytes => Array.from({ length: count }, () => 0);

/** A triangle followed by many points in one place, which take a byte for each 128: flags that repeat, and no deltas. */
export function outlineOf(points: number): Bytes {
  const [onCurve, shortX, repeat, sameX, sameY] = [0x01, 0x02, 0x08, 0x10, 0x20];
  const flags: number[] = [onCurve | shortX | sameX | sameY, onCurve | sameX];
  for (let left = points - 2; left > 0; left -= 256) {
    flags.push(onCurve | repeat | sameX | sameY, Math.min(256, left) - 1);
  }
  return [...u16(1), ...zeros(4), ...u16(100), ...u16(100), ...u16(points - 1), ...u16(0), ...flags, 50, ...u16(50)];
}

/** COLR version 0: the layers of glyph 1, by their glyphs. */
export function layered(layers: readonly number[]): Bytes {
  const base = [...u16(1), ...u16(0), ...u16(layers.length)];
  return [
    ...[...u16(0), ...u16(1), ...u32(14), ...u32(20), ...u16(layers.length), ...base],
    ...layers.flatMap((glyph) => [...u16(glyph), ...u16(0)]),
  ];
}

/**
 * COLR version 1: glyph 1 paints a list of layers, each of which starts at one of the offsets in the paints.
 *
 * @param starts each layer's offset in `paints`
 * @param root how glyph 1 is painted; all layers, unless given
 */
export function painted(starts: readonly number[], paints: Bytes, root: Bytes = allLayers(starts.length)): Bytes {
  const base = [...u32(1), ...u16(1), ...u32(10), ...root];
  const layerList = 34 + base.length;
  const first = 4 + 4 * starts.length;
  return [
    ...[...u16(1), ...zeros(12), ...u32(34), ...u32(layerList), ...zeros(12), ...base],
    ...[...u32(starts.length), ...starts.flatMap((start) => u32(first + start))],
  ].concat(paints);
}

export const allLayers = (count: number, first = 0): Bytes => [1, count, ...u32(first)];
/** PaintGlyph, whose own paint follows it. */
export const glyphPaint = (glyph: number): Bytes => [10, ...u24(6), ...u16(glyph)];
/** PaintLinearGradient along the x axis, followed by its ColorLine. */
export function gradientPaint(stops: number): Bytes {
  const points = [0, 0, 1000, 0, 0, 1000].flatMap(u16);
  const line = Array.from({ length: stops }, (_, i) => [...u16((i * 0x4000) / stops), ...u16(0), ...u16(0x4000)]);
  return [4, ...u24(16), ...points, 0, ...u16(stops)].concat(line.flat());
}

/** A face of these glyphs, of which glyph 0 is .notdef, and glyph 1 is "A". */
export function colorFace(glyphs: readonly Bytes[], colr: Bytes): FontFace {
  const starts = [0];
  const padded = glyphs.map((glyph) => glyph.concat(zeros(glyph.length % 4 === 0 ? 0 : 4 - (glyph.length % 4))));
  for (const glyph of padded) starts.push((starts.at(-1) ?? 0) + glyph.length);
  const count = glyphs.length;
  const group = [...u32(0x41), ...u32(0x41), ...u32(1)];
  const tables: Readonly<Record<string, Bytes>> = {
    head: [
      ...[...u32(0x10000), ...zeros(8), ...u32(0x5f0f3cf5), ...u16(0), ...u16(1000), ...zeros(20)],
      ...[...u16(1000), ...u16(1000), ...u16(0), ...u16(8), ...u16(2), ...u16(1), ...u16(0)],
    ],
    hhea: [...u32(0x10000), ...u16(800), ...u16(-200), ...zeros(26), ...u16(1)],
    hmtx: [...u16(1000), ...u16(0), ...zeros(2 * (count - 1))],
    maxp: [...u32(0x10000), ...u16(count), ...zeros(26)],
    cmap: [...u16(0), ...u16(1), ...u16(3), ...u16(10), ...u32(12), ...u16(12), ...u16(0), ...u32(28)].concat(
      [...u32(0), ...u32(1)].concat(group),
    ),
    glyf: padded.flat(),
    loca: starts.flatMap(u32),
    CPAL: [...u16(0), ...u16(1), ...u16(1), ...u16(1), ...u32(14), ...u16(0), 0, 0, 255, 255],
    COLR: colr,
  };
  const bytes = writeSfnt({
    version: tagValue('\0\x01\0\0'),
    tables: new Map(Object.entries(tables).map(([tag, table]) => [tag, Uint8Array.from(table)])),
  });
  return new FontFace({ key: 'made', family: 'Made', weight: 400, style: 'normal', bytes, variations: {} });
}
