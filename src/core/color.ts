// Parses CSS colours to sRGB, with culori.
//
// From here on every colour is 8-bit sRGB with a separate alpha, which both raster output and DeviceRGB PDF can draw; one
// of `device-cmyk()` keeps its inks beside these, for PDFs.
// Wider gamuts (`oklch()`, `display-p3`) are mapped into sRGB by clipping, as CSS Color 4 allows a UA to do.

// The library as one file: loading its 150 modules took a tenth of a short process's time.
import culori from 'culori/require';
import { LruCache } from './lru-cache.ts';

export interface Color {
  /** 0..255, integers. */
  readonly r: number;
  readonly g: number;
  readonly b: number;
  /** 0..1. */
  readonly a: number;
  /** Cyan, magenta, yellow and black of `device-cmyk()`, 0..1. What is mixed or filtered has none. */
  readonly inks?: readonly [number, number, number, number];
}

/** A CSS colour stop of a gradient with its offset resolved. */
export interface GradientStop {
  /** 0..1, never decreasing along the list. */
  readonly offset: number;
  readonly color: Color;
}

export const BLACK: Color = { r: 0, g: 0, b: 0, a: 1 };
export const WHITE: Color = { r: 255, g: 255, b: 255, a: 1 };
const TRANSPARENT: Color = { r: 0, g: 0, b: 0, a: 0 };

const { converter, parse } = culori;
const toRgb = converter('rgb');
const channel = (value: number | undefined) => Math.round(Math.min(1, Math.max(0, value ?? 0)) * 255);

/** A template uses the same few colours on every render. */
const parsed = new LruCache<string, Color | null>(2_000);
/** Longer strings are not cached; no colour that a person wrote is longer. */
const LONGEST_KEPT = 64;
/** Characters; a longer text is not read. */
const LONGEST = 2_000;

/** Parses any CSS Color 4 `<color>` except system colours and `currentColor`, and `device-cmyk()`; `null` when it is not one. */
export function parseColor(css: string): Color | null {
  let color = parsed.get(css);
  if (color === undefined) {
    color = parseNow(css);
    if (css.length <= LONGEST_KEPT) parsed.set(css, color);
  }
  return color;
}

function parseNow(css: string): Color | null {
  if (css.length > LONGEST) return null;
  const text = css.trim().toLowerCase();
  if (text === 'transparent') return TRANSPARENT;
  if (text.startsWith('device-cmyk')) return parseCmyk(text);
  const rgb = toRgb(parsedBy(text));
  if (!rgb) return null;
  // Numbers of hundreds of digits overflow on the way to sRGB. A channel that is missing (`none`) is 0.
  if (![rgb.r, rgb.g, rgb.b, rgb.alpha].every((value) => value === undefined || Number.isFinite(value))) return null;
  return { r: channel(rgb.r), g: channel(rgb.g), b: channel(rgb.b), a: Math.min(1, Math.max(0, rgb.alpha ?? 1)) };
}

/** The library throws a TypeError where a number is followed by a letter. */
function parsedBy(text: string): ReturnType<typeof parse> {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** `device-cmyk()` of CSS Color 5, section 6, in sRGB by its naive conversion. */
function parseCmyk(text: string): Color | null {
  const [, inside] = /^device-cmyk\(([^()]*)\)$/.exec(text) ?? [];
  if (inside === undefined) return null;
  const isLegacy = inside.includes(',');
  const [inks = '', alpha = '1', ...more] = isLegacy ? [inside] : inside.split('/');
  const values = (isLegacy ? inks.split(',') : inks.trim().split(/\s+/)).map((word) =>
    word === 'none' ? 0 : fraction(word.trim(), !isLegacy),
  );
  const [c, m, y, k] = values;
  const a = alpha.trim() === 'none' ? 0 : fraction(alpha.trim(), true);
  if (values.length !== 4 || c == null || m == null || y == null || k == null || a === null || more.length > 0)
    return null;
  const light = (ink: number) => channel(1 - Math.min(1, ink * (1 - k) + k));
  return { r: light(c), g: light(m), b: light(y), a, inks: [c, m, y, k] };
}

/** A number or percentage, within 0 and 1. */
function fraction(word: string, mayBePercentage: boolean): number | null {
  const isPercentage = mayBePercentage && word.endsWith('%');
  const digits = isPercentage ? word.slice(0, -1) : word;
  const value = /^[-+]?\.?\d[\d.]*(?:e[-+]?\d+)?$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isNaN(value) ? null : Math.min(1, Math.max(0, isPercentage ? value / 100 : value));
}

/** The colour spaces in which gradients may be mixed. */
export const COLOR_SPACES = ['srgb', 'srgb-linear', 'oklab', 'oklch', 'hsl'] as const;
export type ColorSpace = (typeof COLOR_SPACES)[number];

/** The ways round the circle of hues (CSS Color 4, section 12.4). */
export type HueArc = 'shorter' | 'longer' | 'increasing' | 'decreasing';

/** Coordinates of a colour, of which `h` is an angle. Those of `color-mix()` are more than those of gradients. */
const SPACES = {
  srgb: { mode: 'rgb', axes: ['r', 'g', 'b'] },
  'srgb-linear': { mode: 'lrgb', axes: ['r', 'g', 'b'] },
  oklab: { mode: 'oklab', axes: ['l', 'a', 'b'] },
  oklch: { mode: 'oklch', axes: ['l', 'c', 'h'] },
  hsl: { mode: 'hsl', axes: ['s', 'l', 'h'] },
  hwb: { mode: 'hwb', axes: ['w', 'b', 'h'] },
  lab: { mode: 'lab', axes: ['l', 'a', 'b'] },
  lch: { mode: 'lch', axes: ['l', 'c', 'h'] },
  'display-p3': { mode: 'p3', axes: ['r', 'g', 'b'] },
  xyz: { mode: 'xyz65', axes: ['x', 'y', 'z'] },
  'xyz-d50': { mode: 'xyz50', axes: ['x', 'y', 'z'] },
  'xyz-d65': { mode: 'xyz65', axes: ['x', 'y', 'z'] },
} as const;

/** The colour spaces of `color-mix()`. */
type MixSpace = keyof typeof SPACES;
export const isMixSpace = (name: string): name is MixSpace => Object.hasOwn(SPACES, name);

/**
 * Mixes two colours as CSS Color 4, section 12, does: premultiplied, but for the hue; a colour without one takes the
 * other's.
 *
 * @returns the colour at 0..1 of the way
 */
export function colorMixer(from: Color, to: Color, space: MixSpace, arc: HueArc): (t: number) => Color {
  const { mode, axes } = SPACES[space];
  const convert = converter(mode);
  const read = ({ r, g, b }: Color) => {
    const color = convert({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 }) as unknown as Record<
      string,
      number | undefined
    >;
    return axes.map((axis) => {
      const isGrey = axis === 'h' && (color.c ?? color.s ?? 1 - (color.w ?? 0) - (color.b ?? 0)) < 1e-4;
      return isGrey ? Number.NaN : (color[axis] ?? 0);
    });
  };
  const [a, b] = [read(from), read(to)];
  // A transparent colour has none of its own.
  const ends = [from.a === 0 && to.a > 0 ? b : a, to.a === 0 && from.a > 0 ? a : b] as const;
  return (t) => {
    const alpha = from.a + (to.a - from.a) * t;
    const mixed = axes.map((axis, i) => {
      const [p, q] = [ends[0][i] ?? 0, ends[1][i] ?? 0];
      if (axis === 'h') return hueBetween(p, q, arc, t);
      return alpha === 0 ? p : (p * from.a * (1 - t) + q * to.a * t) / alpha;
    });
    const rgb = toRgb({ mode, ...Object.fromEntries(axes.map((axis, i) => [axis, mixed[i]])) } as Parameters<
      typeof toRgb
    >[0]);
    return { r: channel(rgb?.r), g: channel(rgb?.g), b: channel(rgb?.b), a: alpha };
  };
}

function hueBetween(from: number, to: number, arc: HueArc, t: number): number {
  if (Number.isNaN(from) || Number.isNaN(to)) return Number.isNaN(from) ? (Number.isNaN(to) ? 0 : to) : from;
  let way = to - from;
  if (arc === 'shorter') way = way > 180 ? way - 360 : way < -180 ? way + 360 : way;
  else if (arc === 'longer') way = way > 0 && way < 180 ? way - 360 : way > -180 && way <= 0 ? way + 360 : way;
  else if (arc === 'increasing') way = way < 0 ? way + 360 : way;
  else way = way > 0 ? way - 360 : way;
  return from + way * t;
}

/** `#rrggbb`, without the alpha. */
export function hex({ r, g, b }: Color): string {
  return `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, '0')}`;
}

/** A colour of a gradient. The hint is where half of the way to the next one is done. */
export interface WrittenStop {
  readonly offset?: number | undefined;
  readonly color: Color;
  readonly hint?: number | undefined;
}

/** CSS Images 4, 3.5.3, stop fix-up: ends default to 0 and 1, offsets never decrease, gaps are spread evenly. */
export function stopOffsets(stops: readonly { readonly offset?: number | undefined }[]): readonly number[] {
  const offsets: (number | undefined)[] = stops.map(({ offset }) => offset);
  offsets[0] ??= 0;
  offsets[offsets.length - 1] ??= 1;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [i, offset] of offsets.entries()) {
    if (offset === undefined) continue;
    highest = Math.max(highest, offset);
    offsets[i] = highest;
  }
  let [before, after] = [0, 0];
  return offsets.map((offset, i) => {
    if (offset !== undefined) {
      before = i;
      return offset;
    }
    if (after < i) after = offsets.findIndex((each, at) => at > i && each !== undefined);
    const from = offsets[before] ?? 0;
    return from + (((offsets[after] ?? 1) - from) * (i - before)) / (after - before);
  });
}

/** Each colour at its offset, and those between two of them that are not mixed evenly in sRGB. */
export function placedStops(stops: readonly WrittenStop[], space: ColorSpace, hue: HueArc): readonly GradientStop[] {
  const offsets = stopOffsets(stops);
  const placed = stops.map(({ color }, i): GradientStop => ({ offset: offsets[i] ?? 0, color }));
  if (space === 'srgb' && stops.every(({ hint }) => hint === undefined)) return placed;
  return placed.flatMap((stop, i) => between(stop, placed[i + 1], stops[i]?.hint, space, hue));
}

/** Stops between two others where colours are mixed in another space than sRGB: at most one part in 255 off. */
const PIECES = 16;

/** A stop, and those up to the next one where colours are not mixed evenly in sRGB, as the operations that paint are. */
function between(
  stop: GradientStop,
  next: GradientStop | undefined,
  hint: number | undefined,
  space: ColorSpace,
  hue: HueArc,
): readonly GradientStop[] {
  if (!next || (space === 'srgb' && hint === undefined)) return [stop];
  const length = next.offset - stop.offset;
  const middle = hint === undefined || length <= 0 ? 0.5 : (hint - stop.offset) / length;
  // CSS Images 4, section 3.5.3: a hint on a stop makes the change a sudden one.
  if (middle <= 0) return [stop, { offset: stop.offset, color: next.color }];
  if (middle >= 1) return [stop, { offset: next.offset, color: stop.color }];
  const mix = colorMixer(stop.color, next.color, space, hue);
  const power = Math.log(0.5) / Math.log(middle);
  const pieces = hue === 'shorter' ? PIECES : 2 * PIECES;
  return Array.from({ length: pieces }, (_, piece) => {
    const t = piece / pieces;
    return piece === 0 ? stop : { offset: stop.offset + length * t, color: mix(t ** power) };
  });
}
