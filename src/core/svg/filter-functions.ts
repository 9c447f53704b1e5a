// Writes CSS's filter functions as the filter primitives that define them (Filter Effects 1 §13), which work in sRGB.

import { closing } from '../css/css-text.ts';
import type { SvgElement } from './read-attributes.ts';
import { styleLength } from './style.ts';
import { angleIn } from './transforms.ts';

type Attributes = Readonly<Record<string, string | number>>;

/** An element with attributes of SVG's namespace, which `like` is in. */
export function elementOf<E extends SvgElement>(
  like: E,
  name: string,
  set: Attributes,
  children: readonly E[] = [],
): E {
  const attributes = new Map(Object.entries(set).map(([key, value]) => [key, String(value)]));
  return { ...like, name, attributes, children };
}

/**
 * The primitives of a list of functions; null when one of it is none.
 *
 * @param like an element of the drawing
 * @param colorOf the colour of a shadow as attributes know it; null = it is no colour
 */
export function filterPrimitives<E extends SvgElement>(
  value: string,
  like: E,
  colorOf: (css: string) => string | null,
): readonly E[] | null {
  const steps = functionsIn(value)?.map(([name, inside]) => primitive(name, inside, like, colorOf)) ?? [null];
  return steps.includes(null) ? null : (steps as readonly E[]);
}

/** Each function with what is in its brackets; null when there is anything else. */
function functionsIn(value: string): (readonly [name: string, inside: string])[] | null {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; ; ) {
    const open = value.indexOf('(', at);
    if (open === -1) return value.slice(at).trim() === '' ? found : null;
    const name = value.slice(at, open).trim();
    const end = closing(value, open);
    if (!/^[a-z-]+$/i.test(name) || end === value.length) return null;
    found.push([name.toLowerCase(), value.slice(open + 1, end).trim()]);
    at = end + 1;
  }
}

function primitive<E extends SvgElement>(
  name: string,
  inside: string,
  like: E,
  colorOf: (css: string) => string | null,
): E | null {
  const share = inside === '' ? 1 : styleLength(inside, Number.NaN, 1);
  const part = Math.min(1, share);
  const transfer = (channels: string, set: Attributes) => {
    const functions = [...channels].map((channel) => elementOf(like, `feFunc${channel}`, set));
    return elementOf(like, 'feComponentTransfer', {}, functions);
  };
  const matrix = (rows: readonly number[]) => {
    const values = [0, 3, 6].flatMap((at) => [...rows.slice(at, at + 3), 0, 0]).concat(0, 0, 0, 1, 0);
    return elementOf(like, 'feColorMatrix', { type: 'matrix', values: values.join(' ') });
  };
  if (!/^(blur|hue-rotate|drop-shadow)$/.test(name) && !(share >= 0)) return null;
  switch (name) {
    case 'blur': {
      const deviation = inside === '' ? 0 : styleLength(inside, Number.NaN);
      return deviation >= 0 ? elementOf(like, 'feGaussianBlur', { stdDeviation: deviation }) : null;
    }
    case 'brightness':
      return transfer('RGB', { type: 'linear', slope: share });
    case 'contrast':
      return transfer('RGB', { type: 'linear', slope: share, intercept: 0.5 - share / 2 });
    case 'invert':
      return transfer('RGB', { type: 'table', tableValues: `${part} ${1 - part}` });
    case 'opacity':
      return transfer('A', { type: 'table', tableValues: `0 ${part}` });
    case 'saturate':
      return elementOf(like, 'feColorMatrix', { type: 'saturate', values: share });
    case 'hue-rotate': {
      const turn = inside === '' ? 0 : angleIn(inside, true);
      return Number.isFinite(turn) ? elementOf(like, 'feColorMatrix', { type: 'hueRotate', values: turn }) : null;
    }
    case 'grayscale':
      return matrix(between(part, [0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722]));
    case 'sepia':
      return matrix(between(part, [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131]));
    case 'drop-shadow':
      return shadow(inside, like, colorOf);
    default:
      return null;
  }
}

/** Rows between those that change nothing (0) and `rows` (1). */
const between = (share: number, rows: readonly number[]): readonly number[] =>
  rows.map((value, i) => (i % 4 === 0 ? 1 : 0) * (1 - share) + value * share);

function shadow<E extends SvgElement>(text: string, like: E, colorOf: (css: string) => string | null): E | null {
  const parts = text.match(/[\w-]+\((?:[^()]|\([^()]*\))*\)|[^\s()]+/g) ?? [];
  const lengths = parts.filter((part) => /^[+-]?[\d.]/.test(part)).map((part) => styleLength(part, Number.NaN));
  const [color = 'currentcolor', ...more] = parts.filter((part) => !/^[+-]?[\d.]/.test(part));
  const [dx, dy, blur = 0] = lengths;
  const flood = colorOf(color);
  if (lengths.length < 2 || lengths.some(Number.isNaN) || more.length > 0 || flood === null) return null;
  return elementOf(like, 'feDropShadow', { dx: dx ?? 0, dy: dy ?? 0, stdDeviation: blur, 'flood-color': flood });
}
