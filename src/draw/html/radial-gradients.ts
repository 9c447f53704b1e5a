// Writes repeating radial gradients of circles out as plain ones, because satori repeats them at other distances, and
// numbers the stops of radial gradients in px, which satori takes for shares of the box's width.
//
// Only repeating gradients whose stops are in percent: their repetitions are known without the size of the box.

import { withoutEnd } from '#core/without-end.ts';
import type { XmlElement } from '#draw/images/xml.ts';
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
  const read = stops.map(stopIn);
  const colors = read.map(({ color }) => color);
  const places = read.map(({ percent }, i) => percent ?? (i === 0 ? 0 : i === stops.length - 1 ? 100 : null));
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

/** A stop's colour, and its place if it has one. */
function stopIn(text: string): { readonly color: string; readonly percent: number | null } {
  const stop = text.trim();
  const digits = stop.endsWith('%') ? withoutEnd(stop.slice(0, -1), /[\d.]/) : stop;
  if (digits.length > stop.length - 2) return { color: stop, percent: null };
  const color = digits.endsWith('-') ? digits.slice(0, -1) : digits;
  return { color: color.trimEnd(), percent: Number(stop.slice(color.length, -1)) };
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

/** The positions of the stops of a radial gradient: `20px`, `50%`, or '' = between its neighbours. */
type RadialStops = readonly string[];

export interface WrittenGradients {
  /** The style sheet beside the page. */
  readonly css: string;
  /** By the number of a gradient in the page. */
  readonly radials: readonly RadialStops[];
}

/** Changes the gradients in the style sheets and attributes of a page, in place. */
export function writeOutGradients(page: readonly HtmlNode[], css: string): WrittenGradients {
  const radials: RadialStops[] = [];
  const written = (text: string) => withNumberedStops(withoutRepeatingCircles(text), radials);
  for (const element of elementsOf(page)) {
    const { name, attributes, children } = element;
    const style = attributes.get('style');
    if (style?.includes('radial-')) attributes.set('style', written(style));
    if (name === 'style') element.children = [written(children.join(''))];
  }
  return { css: written(css), radials };
}

const RADIAL = /(?<!repeating-)\bradial-gradient\(/i;
const SHAPE = /^\s*(circle|ellipse|closest|farthest|at\b|in\b|[\d.])/i;
const POSITION = /^(-?[\d.]+(px|%)|0)$/i;

/** Whether satori would misread the stops of a radial gradient, and they cannot be numbered. */
export function hasUnreadStops(value: string): boolean {
  const [, ...rest] = value.split(new RegExp(RADIAL, 'gi'));
  return rest.some((text) =>
    partsOf(text.slice(0, closing(text, 0)))
      .filter((part, index) => index > 0 || !SHAPE.test(part))
      .some((part) => /[\d.](px|r?em|v[wh]|pt|cm|mm|in)(\s|$)|^\s*[\d.]|\bcalc\(/i.test(part)),
  );
}

/** A stop is written at `MARK` of a percent for each number before it; `withRadii` puts it at its own place. */
const MARK = 0.001;
/** Most stops of one gradient. */
const MAX_NUMBERED = 100;
const MAX_RADIALS = 500;

function withNumberedStops(css: string, radials: RadialStops[]): string {
  const found = RADIAL.exec(css);
  if (!found) return css;
  const begin = found.index + found[0].length;
  const end = closing(css, begin);
  const numbered = numberedStops(partsOf(css.slice(begin, end)), radials) ?? css.slice(begin, end);
  return `${css.slice(0, begin)}${numbered}${withNumberedStops(css.slice(end), radials)}`;
}

function numberedStops(parts: readonly string[], radials: RadialStops[]): string | null {
  const shape = SHAPE.test(parts[0] ?? '') ? parts.slice(0, 1) : [];
  const places: string[] = [];
  const colors: string[] = [];
  for (const part of parts.slice(shape.length)) {
    // A colour, and up to two positions.
    const words = part.trim().split(/\s+/);
    const own: string[] = [];
    while (words.length > 1 && own.length < 2 && POSITION.test(words.at(-1) ?? '')) own.unshift(words.pop() ?? '');
    const color = words.join(' ');
    if (/^[-\d.]|\d(px|r?em|v[wh]|pt|cm|mm|in)$|\bcalc\(/i.test(color) || color === '') return null;
    for (const place of own.length > 0 ? own : ['']) {
      places.push(place);
      colors.push(color);
    }
  }
  const isMisread = places.some((place) => place.endsWith('px') || Number.parseFloat(place) > 100);
  if (!isMisread || places.length > MAX_NUMBERED || radials.length === MAX_RADIALS) return null;
  const first = radials.push(places) * MAX_NUMBERED;
  const stops = colors.map((color, i) => `${color} ${((first + i + 0.5) * MARK).toFixed(4)}%`);
  return [...shape, ...stops].join(', ');
}

/** A gradient of the drawing with its stops where its radius puts them; other elements stay as they are. */
export function withRadii(element: XmlElement, radials: readonly RadialStops[]): XmlElement {
  const { name, attributes } = element;
  const parts = element.children.map((child) => (typeof child === 'string' ? child : withRadii(child, radials)));
  const radius = Number(attributes.get('r'));
  if (name !== 'radialGradient' || !(radius > 0)) return { ...element, children: parts };
  const numberOf = (stop: XmlElement) => (Number(stop.attributes.get('offset')) * 100) / MARK - 0.5;
  const stops = parts.filter((part) => typeof part !== 'string');
  const first = stops.map(numberOf).find((number) => number > 0) ?? 0;
  const places = radials[Math.round(first) / MAX_NUMBERED - 1];
  if (!places || Math.abs(first - Math.round(first)) > 0.01) return element;
  const offsets = offsetsOf(places, radius);
  const own = stops.flatMap((stop) => {
    const index = numberOf(stop) - Math.round(first);
    const [low, high] = [Math.floor(index + 0.001), Math.ceil(index - 0.001)].map((at) => offsets[at]);
    if (low === undefined || high === undefined) return [];
    return [{ stop, offset: low + (high - low) * (index - Math.floor(index + 0.001)) }];
  });
  // SVG has no stops beyond the radius.
  const most = Math.max(1, ...offsets);
  return {
    ...element,
    attributes: new Map([...attributes, ['r', String(radius * most)]]),
    children: own.map(({ stop, offset }) => ({
      ...stop,
      attributes: new Map([...stop.attributes, ['offset', String(Math.max(0, offset / most))]]),
    })),
  };
}

/** Shares of the radius (CSS Images 3 §3.5.3). */
function offsetsOf(places: RadialStops, radius: number): readonly number[] {
  const said = places.map((place, i) => {
    if (place === '') return i === 0 ? 0 : i === places.length - 1 ? 1 : null;
    return Number.parseFloat(place) / (place.endsWith('%') ? 100 : radius);
  });
  let most = Number.NEGATIVE_INFINITY;
  const rising = said.map((share) => {
    if (share !== null) most = Math.max(most, share);
    return share === null ? null : most;
  });
  return rising.map((share, i) => {
    if (share !== null) return share;
    const before = rising.findLastIndex((each, at) => at < i && each !== null);
    const after = rising.findIndex((each, at) => at > i && each !== null);
    const [low = 0, high = 1] = [rising[before] ?? 0, rising[after] ?? 1];
    return low + ((high - low) * (i - before)) / (after - before);
  });
}
