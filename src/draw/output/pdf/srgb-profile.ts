// The ICC profile of sRGB (IEC 61966-2-1): a matrix of its primaries and a curve, as version 2 of the format has them
// (ICC.1:2001-04), which every reader and every level of PDF/A takes.

import { lazily } from '#core/lazily.ts';

/** X, Y and Z of the primaries, adapted to D50 by Bradford's method, and D50 itself. */
const PRIMARIES = {
  rXYZ: [0.436_07, 0.222_49, 0.013_92],
  gXYZ: [0.385_15, 0.716_87, 0.097_08],
  bXYZ: [0.143_07, 0.060_61, 0.7141],
} as const;
const D50 = [0.964_2, 1, 0.824_9] as const;
/** Points of the curve: each value of a byte is one of them. */
const POINTS = 256;
const NAME = 'sRGB IEC61966-2.1';
const HEADER = 128;

const fixed = (value: number) => uint32(Math.round(value * 65_536));
const uint32 = (value: number) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const uint16 = (value: number) => [(value >> 8) & 255, value & 255];
const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const xyz = (values: readonly number[]) => [...ascii('XYZ '), ...uint32(0), ...values.flatMap(fixed)];

/** Light by encoded value, both 0..1. */
const light = (value: number) => (value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** The bytes of the profile, the same in every file. */
export const srgbProfile = lazily((): Uint8Array => {
  const curve = Array.from({ length: POINTS }, (_, i) => Math.round(light(i / (POINTS - 1)) * 65_535));
  const trc = [...ascii('curv'), ...uint32(0), ...uint32(POINTS), ...curve.flatMap(uint16)];
  const name = ascii(`${NAME}\0`);
  const description = [...ascii('desc'), ...uint32(0), ...uint32(name.length), ...name, ...new Array(78).fill(0)];
  const tags: readonly (readonly [names: readonly string[], data: readonly number[]])[] = [
    [['desc'], description],
    [['cprt'], [...ascii('text'), ...uint32(0), ...ascii('No copyright, use freely\0')]],
    [['wtpt'], xyz(D50)],
    ...Object.entries(PRIMARIES).map(([tag, values]) => [[tag], xyz(values)] as const),
    [['rTRC', 'gTRC', 'bTRC'], trc],
  ];
  const count = tags.reduce((sum, [names]) => sum + names.length, 0);
  const table = [...uint32(count)];
  const data: number[] = [];
  for (const [names, bytes] of tags) {
    const at = HEADER + 4 + 12 * count + data.length;
    for (const tag of names) table.push(...ascii(tag), ...uint32(at), ...uint32(bytes.length));
    data.push(...bytes, ...new Array((4 - (bytes.length % 4)) % 4).fill(0));
  }
  const header = [
    ...uint32(HEADER + table.length + data.length),
    ...uint32(0),
    // Version 2.1, for displays, from RGB to XYZ.
    ...[2, 0x10, 0, 0],
    ...ascii('mntrRGB XYZ '),
    ...[2000, 1, 1, 0, 0, 0].flatMap(uint16),
    ...ascii('acsp'),
    ...new Array(28).fill(0),
    ...D50.flatMap(fixed),
  ];
  return Uint8Array.from([...header, ...new Array(HEADER - header.length).fill(0), ...table, ...data]);
});
