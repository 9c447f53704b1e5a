// Writes repeating radial gradients of circles out as plain ones, because satori repeats them at other distances.
//
// Only gradients whose stops are in percent: their repetitions are known without the size of the box.

import { elementsOf, type HtmlNode } from './parse-html.ts';

/** Most stops of a gradient that is written out. */
const MAX_STOPS = 1_000;

/** The text of a style sheet or a value, with those gradients that can be written out. */
function withoutRepeatingCircles(css: string): string {
  const found = /repeating-radial-gradient\(/i.exec(css);
  if (!found) return css;
  const begin = found.index + found[0].length;
  const end = closing(css, begin);
  const written = writtenOut(css.slice(begin, end));
  const rest = withoutRepeatingCircles(css.slice(end));
  return `${css.slice(0, found.index)}${written ? `radial-gradient(${written}` : `${found[0]}${css.slice(begin, end)}`}${rest}`;
}

function writtenOut(inside: string): string | null {
  const [shape = '', ...stops] = partsOf(inside);
  if (!/\bcircle\b/i.test(shape)) return null;
  const size = shape.replace(/\bat\b[\s\S]*/i, '');
  const hasOther = stops.some((stop) => /[\d.](px|r?em|v[wh]|pt|cm|mm|in)\b|\bcalc\(|\bvar\(/i.test(stop));
  // Satori ends a gradient at its radius, beyond which only the farthest corner leaves nothing.
  if (/\d|closest|side/i.test(size) || hasOther || stops.length < 2) return null;
  const colors = stops.map((stop) => stop.trim().replace(/\s+-?[\d.]+%$/, ''));
  const places = stops.map((stop, i) => {
    const percent = /(-?[\d.]+)%\s*$/.exec(stop.trim())?.[1];
    return percent !== undefined ? Number(percent) : i === 0 ? 0 : i === stops.length - 1 ? 100 : null;
  });
  if (places.includes(null)) return null;
  const at = places.map(Number);
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  const period = last - first;
  const isRising = at.every((place, i) => i === 0 || place >= (at[i - 1] ?? 0));
  const repeats = Math.ceil((100 - first) / period) + 1;
  if (!(period > 0) || first < 0 || !isRising || repeats * stops.length > MAX_STOPS) return null;
  const written: string[] = [];
  // What lies before the first stop is the end of a repetition, too.
  for (let turn = first > 0 ? -1 : 0; turn < repeats; turn++) {
    for (const [i, color] of colors.entries()) written.push(`${color} ${(at[i] ?? 0) + turn * period}%`);
  }
  return [shape, ...written].join(', ');
}

/** The parts between commas that are in no brackets. */
function partsOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** The index of the bracket that closes what begins at `from`. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The same in the style sheets and attributes of a page, in place. @returns the style sheet beside it */
export function writeOutCircles(page: readonly HtmlNode[], css: string): string {
  for (const element of elementsOf(page)) {
    const { name, attributes, children } = element;
    const style = attributes.get('style');
    if (style?.includes('repeating-radial')) attributes.set('style', withoutRepeatingCircles(style));
    if (name === 'style') element.children = [withoutRepeatingCircles(children.join(''))];
  }
  return withoutRepeatingCircles(css);
}
