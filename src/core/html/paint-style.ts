// What a box looks like: its background, border, corners and shadows, from the style of its element.

import { COLOR_SPACES, type Color, type ColorSpace, colorMixer, type GradientStop, type HueArc } from '../color.ts';
import { parseCssColor } from '../css/css-color.ts';
import { urlsOf } from '../css/css-text.ts';
import type { Corners, Point, Radius } from '../geometry.ts';
import type { Border, Fill, FrameNode, Length, Shadow, Sides, TileRepeat, Tiles } from '../resolve/scene.ts';
import { type Mixed, parseMixed, parseNumber, parsePx } from './lengths.ts';
import { positionAxes, splitValue } from './shorthands.ts';
import type { Style } from './style.ts';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const WIDTHS: Readonly<Record<string, number>> = { thin: 1, medium: 3, thick: 5 };

/** A border of a side, or a line of the same properties by another name; null = none. */
export function borderOf(style: Style, side: (typeof SIDES)[number], name = `border-${side}`): Border | null {
  const line = style.word(`${name}-style`).replace(/^auto$/, 'solid');
  if (line === '' || line === 'none' || line === 'hidden') return null;
  const given = style.word(`${name}-width`) || 'medium';
  const width = WIDTHS[given] ?? parsePx(given, style.units) ?? 0;
  // A hairline is drawn, and all else is whole px (CSS Backgrounds 4, 3.3).
  const snapped = width <= 0 ? 0 : width < 1 ? 1 : Math.floor(width);
  if (snapped <= 0) return null;
  const color = style.colorOf(`${name}-color`) ?? style.color;
  const isDrawn = line === 'dashed' || line === 'dotted' || (line === 'double' && snapped >= 3);
  return { width: snapped, color: shaded(color, line, side), style: isDrawn ? line : 'solid' };
}

/** The darker sides of a border that looks carved. */
function shaded(color: Color, line: string, side: string): Color {
  const isDark =
    line === 'inset'
      ? side === 'top' || side === 'left'
      : line === 'outset'
        ? side === 'bottom' || side === 'right'
        : false;
  if (!isDark) return color;
  const dark = (channel: number) => Math.round(channel * 0.66);
  return { r: dark(color.r), g: dark(color.g), b: dark(color.b), a: color.a };
}

export function bordersOf(style: Style): Pick<FrameNode, 'border' | 'sideBorders'> {
  const [top = null, right = null, bottom = null, left = null] = SIDES.map((side) => borderOf(style, side));
  return asBorders({ top, right, bottom, left });
}

/** Borders as wide as these that are not seen. */
export function clearBorders({ border, sideBorders }: ReturnType<typeof asBorders>): ReturnType<typeof asBorders> {
  const clear = (each: Border | null): Border | null => each && { ...each, color: { ...each.color, a: 0 } };
  return {
    border: clear(border),
    sideBorders: sideBorders && {
      ...{ top: clear(sideBorders.top), right: clear(sideBorders.right) },
      ...{ bottom: clear(sideBorders.bottom), left: clear(sideBorders.left) },
    },
  };
}

export function asBorders({
  top,
  right,
  bottom,
  left,
}: Sides<Border | null>): Pick<FrameNode, 'border' | 'sideBorders'> {
  if (!top && !right && !bottom && !left) return { border: null, sideBorders: null };
  const isSame = [right, bottom, left].every(
    (each) =>
      each &&
      top &&
      each.width === top.width &&
      each.style === top.style &&
      JSON.stringify(each.color) === JSON.stringify(top.color),
  );
  if (isSame) return { border: top, sideBorders: null };
  // Sides that differ meet at an angle, which two lines do not.
  const plain = (each: Border | null): Border | null =>
    each && (each.style === 'double' ? { ...each, style: 'solid' } : each);
  return {
    border: null,
    sideBorders: { top: plain(top), right: plain(right), bottom: plain(bottom), left: plain(left) },
  };
}

export function radiiOf(style: Style): Corners {
  const of = (corner: string): Radius => {
    const value = style.get(`border-${corner}-radius`);
    if (value === '') return 0;
    const [across = null, down = across] = splitValue(value).map((each) => parseMixed(each, style.units));
    return radiusOf(across, down);
  };
  return {
    topLeft: of('top-left'),
    topRight: of('top-right'),
    bottomRight: of('bottom-right'),
    bottomLeft: of('bottom-left'),
  };
}

function radiusOf(across: Mixed | null, down: Mixed | null): Radius {
  if (!across || !down) return 0;
  if (across.percent === 0 && down.percent === 0 && across.px === down.px) return Math.max(0, across.px);
  return { x: across.px, y: down.px, ofWidth: across.percent / 100, ofHeight: down.percent / 100 };
}

type BoxArea = 'border-box' | 'padding-box' | 'content-box';

/** One layer of a background, from back to front: where it is placed, and where it is seen. */
export type BackgroundLayer = { readonly origin: BoxArea; readonly clip: BoxArea } & (
  | { readonly kind: 'fill'; readonly fill: Fill; readonly tiles: Tiles | null }
  | { readonly kind: 'image'; readonly source: string; readonly tiles: Tiles }
);

export interface Background {
  readonly color: Color | null;
  readonly layers: readonly BackgroundLayer[];
  /** Whether it fills the letters, not the box. */
  readonly isText: boolean;
  /** Whether the pixels of its pictures stay hard. */
  readonly isPixelated: boolean;
}

export const isPixelated = (style: Style): boolean => /^(pixelated|crisp-edges)$/.test(style.word('image-rendering'));

export const isFilled = ({ color, layers }: Background): boolean => color !== null || layers.length > 0;

/** @param kind what the properties begin with: the layers of a mask are as those of a background */
export function backgroundOf(style: Style, kind: 'background' | 'mask' = 'background'): Background {
  const color = style.get(`${kind}-color`) === '' ? null : style.colorOf(`${kind}-color`);
  const isText = style.word(`${kind}-clip`).split(',')[0]?.trim() === 'text';
  const areaOf = (property: string, i: number, initial: BoxArea): BoxArea => {
    const word = at(property, i, initial).toLowerCase();
    if (
      word === 'content-box' &&
      ['top', 'right', 'bottom', 'left'].some((side) => style.mixed(`padding-${side}`)?.percent)
    )
      style.lost(property, 'content-box with padding in percent');
    return word === 'padding-box' || word === 'content-box' || word === 'border-box' ? word : initial;
  };
  const images = splitValue(style.get(`${kind}-image`), ',').filter((each) => each !== '');
  const at = (property: string, i: number, initial: string) => {
    const list = splitValue(style.get(property), ',').filter((each) => each !== '');
    return list[i % Math.max(1, list.length)] ?? initial;
  };
  const layers = images.flatMap((image, i): readonly BackgroundLayer[] => {
    if (/^none$/i.test(image)) return [];
    const size = at(`${kind}-size`, i, 'auto').toLowerCase();
    const tiles = tilesOf(
      size,
      at(`${kind}-repeat`, i, 'repeat').toLowerCase(),
      kind === 'mask'
        ? positionAxes(at('mask-position', i, '0% 0%'))
        : [at('background-position-x', i, '0%'), at('background-position-y', i, '0%')],
      style,
    );
    const extent = typeof tiles.size === 'string' ? [null, null] : tiles.size;
    const [across, down] = extent.map((length) => (length?.kind === 'px' ? length.value : null));
    const areas = {
      origin: areaOf(`${kind}-origin`, i, kind === 'mask' ? 'border-box' : 'padding-box'),
      clip: areaOf(`${kind}-clip`, i, 'border-box'),
    };
    const fill = gradientOf(image, style, { across: across ?? null, down: down ?? null });
    // A gradient has no size of its own, so that it fills the box unless it is given one.
    if (fill)
      return [
        {
          ...areas,
          kind: 'fill',
          fill,
          tiles: /^(auto|auto auto|100% 100%|100%|cover|contain)$/.test(size) ? null : tiles,
        },
      ];
    const [source] = urlsOf(image);
    if (source !== undefined) return [{ ...areas, kind: 'image', source, tiles }];
    style.lost(`${kind}-image`, image.slice(0, 60));
    return [];
  });
  const shown = color && color.a > 0 ? color : null;
  const clip = areaOf(`${kind}-clip`, Math.max(0, images.length - 1), 'border-box');
  const others = { isText, isPixelated: isPixelated(style) };
  if (!shown || isText || clip === 'border-box') return { color: shown, layers: layers.toReversed(), ...others };
  const below = { kind: 'fill', fill: { kind: 'solid', color: shown }, tiles: null, origin: clip, clip } as const;
  return { color: null, layers: [below, ...layers.toReversed()], ...others };
}

function tilesOf(size: string, repeat: string, position: readonly [string, string], style: Style): Tiles {
  const lengthOf = ({ px, percent }: Mixed): Length =>
    percent === 0 ? { kind: 'px', value: px } : { kind: 'percent', value: percent, plus: px };
  const [width = 'auto', height = 'auto'] = splitValue(size);
  const side = (value: string) => {
    const mixed = value === 'auto' ? null : parseMixed(value, style.units);
    if (value !== 'auto' && !mixed) style.lost('background-size', size);
    return mixed && lengthOf(mixed);
  };
  const [x = 'repeat', y] = splitValue(repeat);
  const isWord = (word: string): word is TileRepeat => /^(repeat|no-repeat|space|round)$/.test(word);
  const word = (value: string): TileRepeat => (isWord(value) ? value : 'repeat');
  const [left, top] = [along(position[0], style), along(position[1], style)];
  return {
    size: width === 'cover' || width === 'contain' ? width : [side(width), side(height)],
    position: [lengthOf(left), lengthOf(top)],
    repeat:
      x === 'repeat-x' ? ['repeat', 'no-repeat'] : x === 'repeat-y' ? ['no-repeat', 'repeat'] : [word(x), word(y ?? x)],
  };
}

const WORDS: Readonly<Record<string, number>> = { left: 0, top: 0, center: 50, right: 100, bottom: 100 };

/** CSS Backgrounds 3, 3.6: a point of the picture lies on the same point of the box. */
export function positionOf(value: string, style: Style): readonly [Mixed, Mixed] {
  const [across, down] = positionAxes(value);
  return [along(across, style), along(down, style)];
}

function along(value: string, style: Style): Mixed {
  const [word = '', offset] = splitValue(value.toLowerCase());
  const known = WORDS[word];
  if (known === undefined) return parseMixed(word, style.units) ?? { px: 0, percent: 0 };
  const by = (offset && parseMixed(offset, style.units)) || { px: 0, percent: 0 };
  return known === 100 ? { px: -by.px, percent: 100 - by.percent } : { px: by.px, percent: known + by.percent };
}
const GRADIENT = /^(repeating-)?(linear|radial|conic)-gradient\((.*)\)$/is;
const DIRECTIONS: Readonly<Record<string, number>> = {
  top: 0,
  'top right': 45,
  right: 90,
  'bottom right': 135,
  bottom: 180,
  'bottom left': 225,
  left: 270,
  'top left': 315,
};
/** Stops for each of a gradient that is mixed in another colour space: enough for a whole turn of hues. */
const STEPS = 16;
const TURNS: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/** Degrees; null for anything else. */
export function parseAngle(text: string): number | null {
  const [, number, unit = ''] = /^\s*([+-]?[\d.]+)(deg|grad|rad|turn)\s*$/i.exec(text) ?? [];
  if (number !== undefined) return Number(number) * (TURNS[unit.toLowerCase()] ?? 1);
  if (/^\s*0\s*$/.test(text)) return 0;
  // What `calc()` makes of angles is what it makes of their numbers of degrees.
  if (!/^\s*calc\(/i.test(text) || !/deg|grad|rad|turn/i.test(text)) return null;
  return parseNumber(
    text.replace(/([\d.]{1,20})(deg|grad|rad|turn)\b/gi, (_, size, unit) =>
      String(Number(size) * (TURNS[String(unit).toLowerCase()] ?? 1)),
    ),
  );
}

/** CSS Images 4, 3: a gradient; null = it is none that is drawn. */
function gradientOf(
  image: string,
  style: Style,
  size: { readonly across: number | null; readonly down: number | null },
): Fill | null {
  const [, repeating, kind = '', inside = ''] = GRADIENT.exec(image.trim()) ?? [];
  if (kind === '') return null;
  const parts = splitValue(inside, ',');
  const given = splitValue((parts[0] ?? '').toLowerCase());
  const space = given.indexOf('in');
  const isLongHue = given.at(space + 3) === 'hue';
  const words = space < 0 ? given : given.toSpliced(space, isLongHue ? 4 : 2);
  const arc = isLongHue ? given[space + 2] : 'shorter';
  const [word = ''] = words;
  const isPrelude =
    /^(to|at|from|circle|ellipse|closest-\w+|farthest-\w+)$/.test(word) ||
    parseAngle(word) !== null ||
    parseMixed(word, style.units) !== null;
  if (space >= 0 && words.length === 0) parts.shift();
  const isLinear = kind.toLowerCase() === 'linear';
  const sides = words.slice(1).toSorted((a, b) => Number(/left|right/.test(a)) - Number(/left|right/.test(b)));
  const angle = (word === 'to' ? DIRECTIONS[sides.join(' ')] : parseAngle(word)) ?? 180;
  // Along a side whose length is known, px are a share of it.
  const extent = isLinear && angle % 90 === 0 ? (angle % 180 === 0 ? size.down : size.across) : null;
  const sparse = stopsOf(isPrelude ? parts.slice(1) : parts, style, kind === 'conic', extent);
  const stops = sparse && (space < 0 ? sparse : mixedIn(sparse, given[space + 1] ?? '', arc as HueArc));
  if (!stops || repeating) {
    style.lost('background-image', image.slice(0, 60));
    return null;
  }
  if (isLinear) return { kind: 'linear', angle, stops };
  const at = words.indexOf('at');
  const [x, y] = at < 0 ? [null, null] : positionOf(words.slice(at + 1).join(' '), style);
  const center: Point = { x: (x?.percent ?? 50) / 100, y: (y?.percent ?? 50) / 100 };
  if (x?.px || y?.px) style.lost('background-image', image.slice(0, 60));
  if (kind.toLowerCase() === 'conic') {
    const angle = word === 'from' ? (parseAngle(words[1] ?? '') ?? 0) : 0;
    return { kind: 'conic', angle, center, stops };
  }
  const shape = words.includes('circle') ? 'circle' : 'ellipse';
  const sizes = (!isPrelude ? [] : at < 0 ? words : words.slice(0, at)).filter(
    (each) => !/^(circle|ellipse|farthest-corner)$/.test(each),
  );
  if (sizes.length === 0) return { kind: 'radial', shape, center, radius: null, stops };
  const radius = shape === 'ellipse' ? shareOfHalf(sizes, center, style) : null;
  if (radius === null) style.lost('background-image', image.slice(0, 60));
  return { kind: 'radial', shape, center, radius, stops };
}

/** The radii of an ellipse as one share of half the box: those that are the same of both. null = any others. */
function shareOfHalf(
  [across = '', down = across, ...more]: readonly string[],
  center: Point,
  style: Style,
): number | null {
  const isCentred = center.x === 0.5 && center.y === 0.5;
  if (more.length > 0 || across !== down) return null;
  if (/^(closest|farthest)-side$/.test(across)) return isCentred ? 1 : null;
  const mixed = parseMixed(across, style.units);
  return mixed && mixed.px === 0 && mixed.percent > 0 ? mixed.percent / 50 : null;
}

/** Stops between the others where colours are mixed in another space (CSS Color 4, 12). null = it is not known. */
function mixedIn(stops: readonly GradientStop[], space: string, arc: HueArc): readonly GradientStop[] | null {
  if (space === 'srgb') return stops;
  if (!(COLOR_SPACES as readonly string[]).includes(space)) return null;
  return stops.flatMap((stop, i) => {
    const next = stops[i + 1];
    if (!next || next.offset - stop.offset < 1e-4) return [stop];
    const mix = colorMixer(stop.color, next.color, space as ColorSpace, arc);
    const between = (step: number): GradientStop => ({
      offset: stop.offset + ((next.offset - stop.offset) * step) / STEPS,
      color: mix(step / STEPS),
    });
    return [stop, ...Array.from({ length: STEPS - 1 }, (_, step) => between(step + 1))];
  });
}

/** @param extent the length of the gradient's line, px; null = not known */
function stopsOf(
  parts: readonly string[],
  style: Style,
  isAngular: boolean,
  extent: number | null,
): readonly GradientStop[] | null {
  const found: { offset: number | null; color: Color }[] = [];
  for (const part of parts) {
    const words = splitValue(part);
    const color = parseCssColor(words[0] ?? '', style.color);
    if (!color) return null;
    const offsets = words.slice(1).map((word) => {
      const angle = isAngular ? parseAngle(word) : null;
      if (angle !== null) return angle / 360;
      const mixed = parseMixed(word, style.units);
      if (!mixed || (mixed.px !== 0 && !extent)) return Number.NaN;
      return mixed.percent / 100 + (mixed.px === 0 ? 0 : mixed.px / (extent ?? 1));
    });
    if (offsets.some(Number.isNaN)) return null;
    if (offsets.length === 0) found.push({ offset: null, color });
    for (const offset of offsets) found.push({ offset, color });
  }
  const [first] = found;
  const last = found.at(-1);
  if (!first || !last || found.length < 2) return null;
  first.offset ??= 0;
  last.offset ??= 1;
  let highest = 0;
  for (const [i, stop] of found.entries()) {
    if (stop.offset === null) {
      const next = found.findIndex(({ offset }, j) => j > i && offset !== null);
      const to = Math.max(highest, found[next]?.offset ?? 1);
      stop.offset = highest + (to - highest) / (next - i + 1);
    }
    highest = Math.max(highest, stop.offset);
    stop.offset = highest;
  }
  return found.map(({ offset, color }) => ({ offset: offset ?? 0, color }));
}

/** `box-shadow` or `text-shadow`. */
export const shadowsOf = (style: Style, property: string): readonly Shadow[] => shadowsIn(style.get(property), style);

export function shadowsIn(value: string, style: Style): readonly Shadow[] {
  if (value === '' || /^none$/i.test(value)) return [];
  return splitValue(value, ',').flatMap((each): readonly Shadow[] => {
    const words = splitValue(each);
    const lengths = words.flatMap((word) => {
      const px = parsePx(word, style.units);
      return px === null ? [] : [px];
    });
    const color = words.filter((word) => parsePx(word, style.units) === null && !/^inset$/i.test(word))[0];
    const [x, y, blur = 0, spread = 0] = lengths;
    if (x === undefined || y === undefined) return [];
    const own = color === undefined ? style.color : parseCssColor(color, style.color);
    if (!own) return [];
    return [{ x, y, sigma: blur / 2, spread, color: own, inset: words.some((word) => /^inset$/i.test(word)) }];
  });
}
