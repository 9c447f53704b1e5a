// Reads CSS lengths, percentages and what `calc()` makes of them (CSS Values 4, 5, 6 and 10).

import { type CalcTerm, computeCalc, limited } from '../css/calc.ts';
import type { Length } from '../resolve/scene.ts';
import { splitValue, tableOf } from './shorthands.ts';

/** px, and of what percentages are of, 50 = half; both together are what `calc()` may give. */
export interface Mixed {
  readonly px: number;
  readonly percent: number;
}

export function asLength({ px, percent }: Mixed): Length {
  if (percent === 0) return { kind: 'px', value: px };
  return { kind: 'percent', value: percent, ...(px !== 0 && { plus: px }) };
}

/** What relative units are of, px. */
export interface Units {
  readonly fontSize: number;
  readonly rootFontSize: number;
  readonly viewport: { readonly width: number; readonly height: number };
}

const PX_PER_INCH = 96;
const ABSOLUTE = tableOf({
  px: 1,
  in: PX_PER_INCH,
  cm: PX_PER_INCH / 2.54,
  mm: PX_PER_INCH / 25.4,
  q: PX_PER_INCH / 101.6,
  pt: PX_PER_INCH / 72,
  pc: PX_PER_INCH / 6,
});
/** In font sizes, where no face is known yet: what most faces have. */
const OF_FONT = tableOf({ em: 1, ic: 1, ex: 0.5, ch: 0.5, cap: 0.7, lh: 1.2 });

/** px of one; null = no unit. */
function pxOfUnit(unit: string, { fontSize, rootFontSize, viewport }: Units): number | null {
  const known = ABSOLUTE.get(unit);
  if (known !== undefined) return known;
  const [ofFont, ofRoot] = [OF_FONT.get(unit), unit.startsWith('r') ? OF_FONT.get(unit.slice(1)) : undefined];
  if (ofFont !== undefined) return fontSize * ofFont;
  if (ofRoot !== undefined) return rootFontSize * ofRoot;
  const { width, height } = viewport;
  const [, side] = /^[sld]?v(w|i|h|b|min|max)$/.exec(unit) ?? [];
  if (side === undefined) return null;
  if (side === 'min' || side === 'max') return Math[side](width, height) / 100;
  return (side === 'w' || side === 'i' ? width : height) / 100;
}

/** @returns null where it is no length, or one that only layout could compare (`min(50%, 10px)`) */
export function parseMixed(text: string, units: Units): Mixed | null {
  const plain = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%|[a-z]*)$/i.exec(text);
  const termOf = (number: number, unit: string): CalcTerm | null => {
    if (unit === '' || unit === '%')
      return { px: unit === '' ? number : 0, percent: unit === '' ? 0 : number, isNumber: unit === '' };
    const px = pxOfUnit(unit, units);
    return px === null ? null : { px: number * px, percent: 0, isNumber: false };
  };
  const found = plain ? termOf(Number(plain[1]), (plain[2] ?? '').toLowerCase()) : computeCalc(text, termOf);
  if (!found || (found.isNumber && found.px !== 0)) return null;
  return { px: limited(found.px), percent: limited(found.percent) };
}

/** A length between others that only layout can compare with it: `min(100%, 600px)`. */
export interface Compared {
  readonly value: Mixed;
  /** px; null = no limit. */
  readonly least: number | null;
  readonly most: number | null;
}

/** @returns null where a value does not compare a share with lengths */
export function parseCompared(text: string, units: Units): Compared | null {
  const [, name = '', inside = ''] = /^(min|max|clamp)\((.*)\)$/is.exec(text.trim()) ?? [];
  if (name === '') return null;
  const parts = splitValue(inside, ',').map((part) => parseMixed(/[-+*/]/.test(part) ? `calc(${part})` : part, units));
  const shares = parts.filter((part) => part && part.percent !== 0);
  const [value] = shares;
  if (!value || shares.length !== 1 || parts.some((part) => !part)) return null;
  const at = parts.indexOf(value);
  const px = (i: number) => parts[i]?.px ?? null;
  if (name.toLowerCase() === 'clamp')
    return at === 1 && parts.length === 3 ? { value, least: px(0), most: px(2) } : null;
  const others = parts.flatMap((part, i) => (i === at || !part ? [] : [part.px]));
  return name.toLowerCase() === 'min'
    ? { value, least: null, most: Math.min(...others) }
    : { value, least: Math.max(...others), most: null };
}

/** px; null for anything else. */
export function parsePx(text: string, units: Units): number | null {
  const found = parseMixed(text, units);
  return found && found.percent === 0 ? found.px : null;
}

/** A number, also one that `calc()` gives. */
export function parseNumber(text: string): number | null {
  const found = computeCalc(text, (px, unit) => (unit === '' ? { px, percent: 0, isNumber: true } : null));
  return found?.px ?? null;
}
