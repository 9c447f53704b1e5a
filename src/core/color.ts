// Parses CSS colours to sRGB, with culori.
//
// From here on every colour is 8-bit sRGB with a separate alpha, which both raster output and DeviceRGB PDF can draw.
// Wider gamuts (`oklch()`, `display-p3`) are mapped into sRGB by clipping, as CSS Color 4 allows a UA to do.

// The library as one file: loading its 150 modules took a tenth of a short process's time.
import culori from 'culori/require';

export interface Color {
  /** 0..255, integers. */
  readonly r: number;
  readonly g: number;
  readonly b: number;
  /** 0..1. */
  readonly a: number;
}

/** A CSS colour stop of a gradient with its offset resolved. */
export interface GradientStop {
  /** 0..1, never decreasing along the list. */
  readonly offset: number;
  readonly color: Color;
}

export const BLACK: Color = { r: 0, g: 0, b: 0, a: 1 };
const TRANSPARENT: Color = { r: 0, g: 0, b: 0, a: 0 };

const { converter, parse } = culori;
const toRgb = converter('rgb');
const channel = (value: number | undefined) => Math.round(Math.min(1, Math.max(0, value ?? 0)) * 255);

/** A cache: a template uses the same few colours on every render. */
const parsed = new Map<string, Color | null>();
const KEPT_COLORS = 2_000;
/** Longer strings are not cached; no colour that a person wrote is longer. */
const LONGEST_KEPT = 64;

/** Parses any CSS Color 4 `<color>` except system colours and `currentColor`; `null` when it is not one. */
export function parseColor(css: string): Color | null {
  let color = parsed.get(css);
  if (color === undefined) {
    color = parseNow(css);
    if (parsed.size >= KEPT_COLORS) parsed.clear();
    if (css.length <= LONGEST_KEPT) parsed.set(css, color);
  }
  return color;
}

function parseNow(css: string): Color | null {
  const text = css.trim().toLowerCase();
  if (text === 'transparent') return TRANSPARENT;
  const rgb = toRgb(parse(text));
  if (!rgb) return null;
  // Numbers of hundreds of digits overflow on the way to sRGB. A channel that is missing (`none`) is 0.
  if (![rgb.r, rgb.g, rgb.b, rgb.alpha].every((value) => value === undefined || Number.isFinite(value))) return null;
  return { r: channel(rgb.r), g: channel(rgb.g), b: channel(rgb.b), a: Math.min(1, Math.max(0, rgb.alpha ?? 1)) };
}

/** `#rrggbb`, without the alpha. */
export function hex({ r, g, b }: Color): string {
  return `#${((r << 16) | (g << 8) | b).toString(16).padStart(6, '0')}`;
}
