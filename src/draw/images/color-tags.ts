// Reads what a picture file says of its colours other than by a profile that its decoder applies, and converts its
// pixels to sRGB: PNG's `cICP`, `gAMA` and `cHRM` (PNG 3, 11.3.2), AVIF's `nclx` (ISO/IEC 23091-2), and matrix profiles
// (ICC.1:2022, 8.3), which the server's decoder applies itself.

/** Linear light of 0..255, or of a table of any length; 1 = white, and more for HDR. */
type Curve = (encoded: number) => number;

export interface ColorTag {
  /** Of red, green and blue. */
  readonly curves: readonly [Curve, Curve, Curve];
  /** Linear RGB → linear sRGB, row by row. */
  readonly matrix: readonly number[];
  /** Whether light above white is to be mapped into what sRGB can show. */
  readonly isHdr: boolean;
}

type Primaries = readonly [
  rx: number,
  ry: number,
  gx: number,
  gy: number,
  bx: number,
  by: number,
  wx: number,
  wy: number,
];

/** By their number in ISO/IEC 23091-2, table 2. */
const PRIMARIES: Readonly<Record<number, Primaries>> = {
  1: [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329],
  5: [0.64, 0.33, 0.29, 0.6, 0.15, 0.06, 0.3127, 0.329],
  6: [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, 0.3127, 0.329],
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329],
};
const SRGB_PRIMARIES = PRIMARIES[1] as Primaries;

const srgb: Curve = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const gamma =
  (power: number): Curve =>
  (v) =>
    v ** power;

/** cd/m² of white in HDR pictures (ITU-R BT.2408), and of the brightest light that is told apart. */
const HDR_WHITE = 203;
const HDR_MOST = 1000;

/** SMPTE ST 2084, as multiples of white. */
const pq: Curve = (v) => {
  const p = v ** (1 / 78.84375);
  return (
    ((10_000 / HDR_WHITE) * Math.max(0, p - 0.8359375) ** (1 / 0.1593017578125)) /
    (18.8515625 - 18.6875 * p) ** (1 / 0.1593017578125)
  );
};
/** ARIB STD-B67 with the system gamma of a display of `HDR_MOST`, for each channel. */
const hlg: Curve = (v) => {
  const scene = v <= 0.5 ? (v * v) / 3 : (Math.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12;
  return (HDR_MOST / HDR_WHITE) * scene ** 1.2;
};

/** By their number in ISO/IEC 23091-2, table 3. Those of television are shown as sRGB, as browsers do. */
const TRANSFERS: Readonly<Record<number, Curve>> = { 4: gamma(2.2), 5: gamma(2.8), 8: (v) => v, 16: pq, 18: hlg };

type Matrix = readonly number[];

function times(a: Matrix, b: Matrix): number[] {
  const at = (m: Matrix, row: number, column: number) => m[3 * row + column] ?? 0;
  return Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3];
    return at(a, row, 0) * at(b, 0, column) + at(a, row, 1) * at(b, 1, column) + at(a, row, 2) * at(b, 2, column);
  });
}

function inverse([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0]: Matrix): number[] {
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ].map((v) => v / det);
}

/** Bradford's cone responses (ICC.1:2022, annex E). */
const BRADFORD: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];
const D50: Matrix = [0.9642, 1, 0.8249];

const applied = (m: Matrix, v: Matrix) =>
  [0, 1, 2].map((row) => [0, 1, 2].reduce((sum, k) => sum + (m[3 * row + k] ?? 0) * (v[k] ?? 0), 0));
const diagonal = ([x = 0, y = 0, z = 0]: Matrix): number[] => [x, 0, 0, 0, y, 0, 0, 0, z];

/** Linear RGB of these primaries → XYZ under D50. */
function toXyz([rx, ry, gx, gy, bx, by, wx, wy]: Primaries): number[] {
  const columns = [rx / ry, gx / gy, bx / by, 1, 1, 1, (1 - rx - ry) / ry, (1 - gx - gy) / gy, (1 - bx - by) / by];
  const white = [wx / wy, 1, (1 - wx - wy) / wy];
  const rgb = times(columns, diagonal(applied(inverse(columns), white)));
  const [from, to] = [applied(BRADFORD, white), applied(BRADFORD, D50)];
  const scale = diagonal(to.map((cone, i) => cone / (from[i] ?? 1)));
  return times(inverse(BRADFORD), times(scale, times(BRADFORD, rgb)));
}

const FROM_XYZ = inverse(toXyz(SRGB_PRIMARIES));

const tagOf = (xyz: Matrix, curves: ColorTag['curves'], isHdr = false): ColorTag => ({
  ...{ matrix: times(FROM_XYZ, xyz), curves, isHdr },
});

/** null: they are those of sRGB, or not told. */
function codePoints(primaries: number, transfer: number): ColorTag | null {
  const curve = TRANSFERS[transfer];
  const xyz = PRIMARIES[primaries] ?? SRGB_PRIMARIES;
  if (!curve && xyz === SRGB_PRIMARIES) return null;
  const each = curve ?? srgb;
  return tagOf(toXyz(xyz), [each, each, each], curve === pq || curve === hlg);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);
const nameAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));

/** The chunks of a PNG before its pixels. */
export function* pngChunks(
  file: Uint8Array,
): Generator<{ readonly type: string; readonly at: number; readonly body: Uint8Array }> {
  const view = viewOf(file);
  for (let at = 8; at + 12 <= file.length; ) {
    const [length, type] = [view.getUint32(at), nameAt(file, at + 4)];
    if (type === 'IDAT' || at + 12 + length > file.length) return;
    yield { type, at, body: file.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** Of a PNG without a profile: cICP before sRGB before gAMA, with the primaries of cHRM. */
function pngTag(file: Uint8Array): ColorTag | null {
  const chunks = new Map<string, Uint8Array>();
  for (const { type, body } of pngChunks(file)) if (!chunks.has(type)) chunks.set(type, body);
  const [cicp, gama, chrm] = ['cICP', 'gAMA', 'cHRM'].map((type) => chunks.get(type));
  if (chunks.has('iCCP')) return null;
  if (cicp && cicp.length >= 4) return codePoints(cicp[0] ?? 0, cicp[1] ?? 0);
  if (chunks.has('sRGB') || !gama || gama.length < 4) return null;
  const power = 100_000 / viewOf(gama).getUint32(0);
  const isPlain = Math.abs(power - 2.2) < 0.11;
  const given =
    chrm && chrm.length >= 32 ? Array.from({ length: 8 }, (_, i) => viewOf(chrm).getUint32(4 * i) / 100_000) : null;
  // The chunk begins with the white point.
  const primaries = given ? ([...given.slice(2), ...given.slice(0, 2)] as unknown as Primaries) : SRGB_PRIMARIES;
  const isSrgb = primaries.every((value, i) => Math.abs(value - (SRGB_PRIMARIES[i] ?? 0)) < 0.005);
  if ((isPlain && isSrgb) || !(power > 0.01 && power < 100) || primaries.some((value) => value <= 0)) return null;
  const curve = isPlain ? srgb : gamma(power);
  return tagOf(toXyz(primaries), [curve, curve, curve]);
}

/** Bytes that are searched for boxes, which precede the coded data. */
const AVIF_HEADER = 64 * 1024;

/** Of an AVIF without a profile. */
function avifTag(file: Uint8Array): ColorTag | null {
  const header = file.subarray(0, AVIF_HEADER);
  let found: ColorTag | null = null;
  for (let at = 4; at + 15 <= header.length; at++) {
    if (header[at] !== 0x63 || nameAt(header, at) !== 'colr') continue;
    const kind = nameAt(header, at + 4);
    if (kind === 'prof' || kind === 'rICC') return null;
    if (kind === 'nclx') found ??= codePoints(viewOf(header).getUint16(at + 8), viewOf(header).getUint16(at + 10));
  }
  return found;
}

/** What the file's decoder leaves to be converted; null = nothing. */
export function colorTagOf(format: string, file: Uint8Array): ColorTag | null {
  return format === 'png' ? pngTag(file) : format === 'avif' ? avifTag(file) : null;
}

/** Steps of the table from linear light to sRGB. */
const STEPS = 1 << 14;
let encoded: Uint8Array | null = null;

/** Converts pixels to sRGB in place. @param channels 3, or 4 with straight alpha */
export function toSrgb(
  pixels: Uint8Array | Uint8ClampedArray,
  channels: 3 | 4,
  { curves, matrix, isHdr }: ColorTag,
): void {
  encoded ??= Uint8Array.from({ length: STEPS + 1 }, (_, i) => {
    const v = i / STEPS;
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
  });
  const [reds, greens, blues] = curves.map((curve) => Float64Array.from({ length: 256 }, (_, i) => curve(i / 255)));
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = matrix;
  for (let at = 0; at < pixels.length; at += channels) {
    const red = reds?.[pixels[at] ?? 0] ?? 0;
    const green = greens?.[pixels[at + 1] ?? 0] ?? 0;
    const blue = blues?.[pixels[at + 2] ?? 0] ?? 0;
    const [r, s, t] = [a * red + b * green + c * blue, d * red + e * green + f * blue, g * red + h * green + i * blue];
    const scale = STEPS * (isHdr ? toneScale(Math.max(r, s, t, 0)) : 1);
    pixels[at] = encoded[Math.min(STEPS, Math.max(0, Math.round(scale * r)))] ?? 0;
    pixels[at + 1] = encoded[Math.min(STEPS, Math.max(0, Math.round(scale * s)))] ?? 0;
    pixels[at + 2] = encoded[Math.min(STEPS, Math.max(0, Math.round(scale * t)))] ?? 0;
  }
}

/** Reinhard's extended curve (Reinhard 2002, equation 4) of the brightest channel: `HDR_MOST` becomes white. Not compared with a browser's. */
function toneScale(most: number): number {
  const white = HDR_MOST / HDR_WHITE;
  return (1 + most / (white * white)) / (1 + most);
}

/** Most bytes of a profile that is read: matrix profiles have some hundred, with tables some ten thousand. */
export const MAX_PROFILE = 256 * 1024;
const MAX_PROFILE_TAGS = 100;

/** A matrix or grey profile; null = it is that of sRGB. @throws Error when it is of another kind, or damaged */
export function profileTag(profile: Uint8Array): ColorTag | null {
  const view = viewOf(profile);
  const fixed = (at: number) => view.getInt32(at) / 65_536;
  const tags = new Map<string, number>();
  for (let i = 0; i < Math.min(view.getUint32(128), MAX_PROFILE_TAGS); i++) {
    tags.set(nameAt(profile, 132 + 12 * i), view.getUint32(136 + 12 * i));
  }
  const placeOf = (name: string) => {
    const at = tags.get(name);
    if (at === undefined) throw new Error(`The profile has no ${name}.`);
    return at;
  };
  const curveOf = (name: string): Curve => {
    const at = placeOf(name);
    if (nameAt(profile, at) === 'para') {
      const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
        { length: [1, 3, 4, 5, 7][view.getUint16(at + 8)] ?? 0 },
        (_, i) => fixed(at + 12 + 4 * i),
      );
      const kind = view.getUint16(at + 8);
      const start = kind === 0 ? 0 : kind < 3 ? -b / a : d;
      const [above, below] = kind === 2 ? [c, c] : kind === 4 ? [e, f] : [0, 0];
      const slope = kind < 3 ? 0 : c;
      return (v) => (v >= start ? Math.max(0, a * v + b) ** g + above : slope * v + below);
    }
    const count = view.getUint32(at + 8);
    if (count === 0) return (v) => v;
    if (count === 1) return gamma(view.getUint16(at + 12) / 256);
    const entry = (i: number) => view.getUint16(at + 12 + 2 * Math.min(count - 1, i)) / 65_535;
    return (v) => {
      const [whole, part] = [Math.floor(v * (count - 1)), (v * (count - 1)) % 1];
      return entry(whole) * (1 - part) + entry(whole + 1) * part;
    };
  };
  const isGrey = nameAt(profile, 16) === 'GRAY';
  if (!isGrey && nameAt(profile, 16) !== 'RGB ') throw new Error('The profile is of other colours than RGB.');
  if (nameAt(profile, 20) !== 'XYZ ' && !isGrey) throw new Error('The profile is a table.');
  const grey = isGrey ? curveOf('kTRC') : null;
  const columns = isGrey ? [] : ['rXYZ', 'gXYZ', 'bXYZ'].map(placeOf);
  const rows = [8, 12, 16].flatMap((offset) => columns.map((at) => fixed(at + offset)));
  const tag = grey
    ? { matrix: diagonal([1, 1, 1]), curves: [grey, grey, grey] as const, isHdr: false }
    : tagOf(rows, [curveOf('rTRC'), curveOf('gTRC'), curveOf('bTRC')]);
  const samples = Uint8Array.from(
    { length: 27 * 3 },
    (_, i) => [0, 96, 255][Math.floor(Math.floor(i / 3) / 3 ** (i % 3)) % 3] ?? 0,
  );
  const shown = Uint8Array.from(samples);
  toSrgb(shown, 3, tag);
  return shown.every((value, i) => Math.abs(value - (samples[i] ?? 0)) <= 1) ? null : tag;
}
