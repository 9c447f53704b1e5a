// Colours in the picker's model (hue, saturation, value, alpha), converted from and to CSS.

import { type Color, hex, parseColor } from '#core/color.ts';

/** Hue 0 to 360, the rest 0 to 1. */
export interface Hsva {
  readonly h: number;
  readonly s: number;
  readonly v: number;
  readonly a: number;
}

const BLACK: Color = { r: 0, g: 0, b: 0, a: 1 };

export const readColor = (css: string): Color => parseColor(css) ?? BLACK;

/** Writes `#rrggbb`, or `#rrggbbaa` if the colour is not opaque. */
export function writeColor(color: Color): string {
  const alpha = Math.round(color.a * 255);
  return hex(color) + (alpha < 255 ? alpha.toString(16).padStart(2, '0') : '');
}

export function toHsva({ r, g, b, a }: Color): Hsva {
  const max = Math.max(r, g, b);
  const range = max - Math.min(r, g, b);
  const h = range === 0 ? 0 : max === r ? (g - b) / range : max === g ? 2 + (b - r) / range : 4 + (r - g) / range;
  return { h: (h * 60 + 360) % 360, s: max === 0 ? 0 : range / max, v: max / 255, a };
}

export function fromHsva({ h, s, v, a }: Hsva): Color {
  const channel = (n: number) => {
    const k = (n + h / 60) % 6;
    return Math.round(255 * (v - v * s * Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return { r: channel(5), g: channel(3), b: channel(1), a };
}

/** The contrast ratio of two opaque colours by WCAG 2, 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const luminance = ({ r, g, b: blue }: Color) => {
    const [x = 0, y = 0, z = 0] = [r, g, blue].map((value) => {
      const c = value / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}
