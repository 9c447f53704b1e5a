// Parses CSS colours that are made of others: `color-mix()` (CSS Color 5 §3), `light-dark()` and `currentColor`.

import { type Color, colorMixer, type HueArc, isMixSpace, parseColor } from '../color.ts';
import { splitSelectors } from './selectors.ts';

/** Characters of a colour, at most: the patterns of the parser take quadratic time on longer ones. */
const LONGEST_COLOR = 200;
/** Most nested functions. */
const MAX_DEPTH = 6;

/** @param current what `currentColor` is; null = unknown, so that a colour made of it is none */
export function parseCssColor(css: string, current: Color | null = null, depth = 0): Color | null {
  const text = css.trim().toLowerCase();
  if (text === 'currentcolor') return current;
  if (text.length > LONGEST_COLOR || depth > MAX_DEPTH) return null;
  const [, name, inside = ''] = /^(color-mix|light-dark)\((.*)\)$/s.exec(text) ?? [];
  const [first = '', ...rest] = splitSelectors(inside).map((part) => part.trim());
  // Of a page, as browsers do: they do not know inks.
  if (name === undefined) return text.startsWith('device-cmyk') ? null : parseColor(text);
  if (name === 'light-dark') return rest.length === 1 ? parseCssColor(first, current, depth + 1) : null;

  const [, space = '', arc = 'shorter'] =
    /^in ([\w-]+)(?: (shorter|longer|increasing|decreasing) hue)?$/.exec(first) ?? [];
  const parts = rest.map((part) => {
    const words = part.split(/\s+/);
    const isShare = (word = '') => words.length > 1 && /^[\d.]+%$/.test(word);
    const share = isShare(words.at(-1)) ? words.pop() : isShare(words[0]) ? words.shift() : undefined;
    const color = parseCssColor(words.join(' '), current, depth + 1);
    return { color, share: share === undefined ? null : Number.parseFloat(share) / 100 };
  });
  const [a, b] = parts;
  if (!isMixSpace(space) || parts.length !== 2 || !a?.color || !b?.color) return null;
  const [from, to] = [a.share ?? 1 - (b.share ?? 0.5), b.share ?? 1 - (a.share ?? 0.5)];
  const sum = from + to;
  if (!(sum > 0)) return null;
  const mixed = colorMixer(a.color, b.color, space, arc as HueArc)(to / sum);
  return { ...mixed, a: mixed.a * Math.min(1, sum) };
}
