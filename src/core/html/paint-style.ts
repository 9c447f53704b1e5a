// What a box looks like: its background, border, corners, shadows and effects, from the style of its element.

import { BLEND_MODES, type BlendMode } from '../blend-mode.ts';
import type { Color, GradientStop } from '../color.ts';
import { parseCssColor } from '../css/css-color.ts';
import { urlsOf } from '../css/css-text.ts';
import type { Corners, Point } from '../geometry.ts';
import type {
  Border,
  Fill,
  Filters,
  FrameNode,
  Length,
  NodeBase,
  Shadow,
  Sides,
  TileRepeat,
  Tiles,
} from '../resolve/scene.ts';
import { type Mixed, parseMixed, parseNumber, parsePx } from './lengths.ts';
import { splitValue } from './shorthands.ts';
import type { Style } from './style.ts';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
const WIDTHS: Readonly<Record<string, number>> = { thin: 1, medium: 3, thick: 5 };
/** Corners of this many px are round whatever the size of the box is. */
const ROUND = 100_000;

/** A border of a side, or a line of the same properties by another name; null = none. */
export function borderOf(style: Style, side: (typeof SIDES)[number], name = `border-${side}`): Border | null {
  const line = style.word(`${name}-style`);
  if (line === '' || line === 'none' || line === 'hidden') return null;
  const given = style.word(`${name}-width`) || 'medium';
  const width = WIDTHS[given] ?? parsePx(given, style.units) ?? 0;
  // A hairline is drawn, and all else is whole px (CSS Backgrounds 4, 3.3).
  const snapped = width <= 0 ? 0 : width < 1 ? 1 : Math.floor(width);
  if (snapped <= 0) return null;
  const color = style.colorOf(`${name}-color`) ?? style.color;
  if (line === 'double' && snapped >= 3)
    style.lost(name.startsWith('border') ? 'border-style' : `${name}-style`, 'double');
  return {
    width: snapped,
    color: shaded(color, line, side),
    style: line === 'dashed' || line === 'dotted' ? line : 'solid',
  };
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
  return isSame ? { border: top, sideBorders: null } : { border: null, sideBorders: { top, right, bottom, left } };
}

export function radiiOf(style: Style): Corners {
  const of = (corner: string) => {
    const value = style.get(`border-${corner}-radius`);
    if (value === '') return 0;
    const [across = '0', down = across] = splitValue(value);
    if (across !== down) style.lost(`border-${corner}-radius`, value);
    const mixed = parseMixed(across, style.units);
    if (!mixed) return 0;
    if (mixed.percent >= 50) return ROUND;
    const [width, height] = [style.mixed('width'), style.mixed('height')];
    if (mixed.percent > 0 && width?.px && height?.px)
      return mixed.px + (mixed.percent / 100) * Math.min(width.px, height.px);
    if (mixed.percent > 0) style.lost(`border-${corner}-radius`, value);
    return Math.max(0, mixed.px);
  };
  return {
    topLeft: of('top-left'),
    topRight: of('top-right'),
    bottomRight: of('bottom-right'),
    bottomLeft: of('bottom-left'),
  };
}

/** One layer of a background, from back to front. */
type BackgroundLayer =
  | { readonly kind: 'fill'; readonly fill: Fill; readonly tiles: Tiles | null }
  | { readonly kind: 'image'; readonly source: string; readonly tiles: Tiles };

export interface Background {
  readonly color: Color | null;
  readonly layers: readonly BackgroundLayer[];
  /** Whether it fills the letters, not the box. */
  readonly isText: boolean;
}

export function backgroundOf(style: Style): Background {
  const color = style.get('background-color') === '' ? null : style.colorOf('background-color');
  const isText = style.word('background-clip').split(',')[0]?.trim() === 'text';
  const images = splitValue(style.get('background-image'), ',').filter((each) => each !== '');
  const at = (property: string, i: number, initial: string) => {
    const list = splitValue(style.get(property), ',').filter((each) => each !== '');
    return list[i % Math.max(1, list.length)] ?? initial;
  };
  const layers = images.flatMap((image, i): readonly BackgroundLayer[] => {
    if (/^none$/i.test(image)) return [];
    const size = at('background-size', i, 'auto').toLowerCase();
    const tiles = tilesOf(
      size,
      at('background-repeat', i, 'repeat').toLowerCase(),
      at('background-position', i, '0% 0%'),
      style,
    );
    const extent = typeof tiles.size === 'string' ? [null, null] : tiles.size;
    const [across, down] = extent.map((length) => (length?.kind === 'px' ? length.value : null));
    const fill = gradientOf(image, style, { across: across ?? null, down: down ?? null });
    // A gradient has no size of its own, so that it fills the box unless it is given one.
    if (fill)
      return [
        { kind: 'fill', fill, tiles: /^(auto|auto auto|100% 100%|100%|cover|contain)$/.test(size) ? null : tiles },
      ];
    const [source] = urlsOf(image);
    if (source !== undefined) return [{ kind: 'image', source, tiles }];
    style.lost('background-image', image.slice(0, 60));
    return [];
  });
  return { color: color && color.a > 0 ? color : null, layers: layers.toReversed(), isText };
}

function tilesOf(size: string, repeat: string, position: string, style: Style): Tiles {
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
  const [left, top] = positionOf(position, style);
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
  const words = splitValue(value.toLowerCase());
  const of = (word: string | undefined): Mixed => {
    const known = word === undefined ? 50 : WORDS[word];
    return known === undefined
      ? (parseMixed(word ?? '', style.units) ?? { px: 0, percent: 0 })
      : { px: 0, percent: known };
  };
  if (words.length > 2) {
    const edge = (near: string, far: string) => {
      const i = words.findIndex((word) => word === near || word === far);
      const offset = i < 0 ? null : parseMixed(words[i + 1] ?? '', style.units);
      if (i < 0) return of('center');
      if (words[i] === near) return offset ?? of(near);
      return offset ? { px: -offset.px, percent: 100 - offset.percent } : of(far);
    };
    return [edge('left', 'right'), edge('top', 'bottom')];
  }
  const [first, second] = words;
  const isTurned = /^(top|bottom)$/.test(first ?? '') || /^(left|right)$/.test(second ?? '');
  return isTurned ? [of(second), of(first)] : [of(first), of(second)];
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
const TURNS: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/** Degrees; null for anything else. */
function parseAngle(text: string): number | null {
  const [, number, unit = ''] = /^\s*([+-]?[\d.]+)(deg|grad|rad|turn)\s*$/i.exec(text) ?? [];
  if (number !== undefined) return Number(number) * (TURNS[unit.toLowerCase()] ?? 1);
  return /^\s*0\s*$/.test(text) ? 0 : null;
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
  // The space in which colours are mixed is not drawn.
  const space = given.indexOf('in');
  const words = space < 0 ? given : given.toSpliced(space, given.at(space + 3) === 'hue' ? 4 : 2);
  const [word = ''] = words;
  const isPrelude =
    /^(to|at|from|circle|ellipse|closest-\w+|farthest-\w+)$/.test(word) ||
    parseAngle(word) !== null ||
    parsePx(word, style.units) !== null;
  if (space >= 0 && words.length === 0) parts.shift();
  const isLinear = kind.toLowerCase() === 'linear';
  const sides = words.slice(1).toSorted((a, b) => Number(/left|right/.test(a)) - Number(/left|right/.test(b)));
  const angle = (word === 'to' ? DIRECTIONS[sides.join(' ')] : parseAngle(word)) ?? 180;
  // Along a side whose length is known, px are a share of it.
  const extent = isLinear && angle % 90 === 0 ? (angle % 180 === 0 ? size.down : size.across) : null;
  const stops = stopsOf(isPrelude ? parts.slice(1) : parts, style, kind === 'conic', extent);
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
  if (/closest|farthest-side/.test(words.join(' ')) || parsePx(word, style.units) !== null)
    style.lost('background-image', image.slice(0, 60));
  return { kind: 'radial', shape: words.includes('circle') ? 'circle' : 'ellipse', center, radius: null, stops };
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
export function shadowsOf(style: Style, property: string): readonly Shadow[] {
  const value = style.get(property);
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

const NEUTRAL: Filters = {
  brightness: 1,
  contrast: 1,
  saturate: 1,
  grayscale: 0,
  sepia: 0,
  hueRotate: 0,
  invert: 0,
  duotone: null,
  blur: 0,
};

function filtersOf(
  style: Style,
  property: string,
): { readonly filters: Filters | null; readonly shadows: readonly Shadow[] } {
  const value = style.get(property);
  if (value === '' || /^none$/i.test(value)) return { filters: null, shadows: [] };
  let filters = NEUTRAL;
  const shadows: Shadow[] = [];
  for (const call of splitValue(value)) {
    const [, name = '', inside = ''] = /^([a-z-]+)\((.*)\)$/is.exec(call) ?? [];
    const amount = /%$/.test(inside) ? Number.parseFloat(inside) / 100 : (parseNumber(inside) ?? 1);
    switch (name.toLowerCase()) {
      case 'blur':
        filters = { ...filters, blur: parsePx(inside, style.units) ?? 0 };
        break;
      case 'brightness':
      case 'contrast':
      case 'saturate':
      case 'grayscale':
      case 'sepia':
      case 'invert':
        filters = { ...filters, [name.toLowerCase()]: amount };
        break;
      case 'hue-rotate':
        filters = { ...filters, hueRotate: parseAngle(inside) ?? 0 };
        break;
      default:
        style.lost(property, call.slice(0, 60));
    }
  }
  return { filters: filters === NEUTRAL ? null : filters, shadows };
}

type Effects = Pick<NodeBase, 'rotation' | 'opacity' | 'blend' | 'blur' | 'filters' | 'backdropFilters'>;

/** What changes a box as a whole, with `translate()` as far as it goes. */
export function effectsOf(
  style: Style,
): Effects & { readonly translate: { readonly x: Mixed; readonly y: Mixed } | null } {
  const opacity = style.get('opacity');
  const amount = /%$/.test(opacity) ? Number.parseFloat(opacity) / 100 : (style.number('opacity') ?? 1);
  const blend = style.word('mix-blend-mode');
  const { rotation, translate } = transformOf(style);
  for (const property of ['clip-path', 'mask', 'mask-image', '-webkit-mask', '-webkit-mask-image']) {
    const value = style.get(property);
    if (value !== '' && !/^none$/i.test(value)) style.lost(property, value.slice(0, 60));
  }
  return {
    rotation,
    translate,
    opacity: Math.min(1, Math.max(0, amount)),
    blend: (BLEND_MODES as readonly string[]).includes(blend) ? (blend as BlendMode) : 'normal',
    blur: 0,
    filters: filtersOf(style, 'filter').filters,
    backdropFilters: filtersOf(style, 'backdrop-filter').filters,
  };
}

function transformOf(style: Style): { rotation: number; translate: { x: Mixed; y: Mixed } | null } {
  let rotation = 0;
  let [x, y]: Mixed[] = [NOTHING, NOTHING];
  const turn = style.get('rotate');
  if (turn !== '' && !/^none$/i.test(turn)) rotation += parseAngle(turn) ?? 0;
  const move = style.get('translate');
  const moves = move === '' || /^none$/i.test(move) ? [] : splitValue(move);
  const calls: (readonly [string, readonly string[]])[] = moves.length > 0 ? [['translate', moves]] : [];
  const value = style.get('transform');
  if (value !== '' && !/^none$/i.test(value)) {
    for (const call of splitValue(value)) {
      const [, name = '', inside = ''] = /^([a-z0-9]+)\((.*)\)$/is.exec(call) ?? [];
      calls.push([name.toLowerCase(), splitValue(inside, ',')]);
    }
  }
  for (const [name, values] of calls) {
    const [first = '0', second = '0'] = values;
    const of = (text: string) => parseMixed(text, style.units) ?? NOTHING;
    if (name === 'rotate' || name === 'rotatez') rotation += parseAngle(first) ?? 0;
    else if (name === 'translate' || name === 'translate3d') [x, y] = [plus(x, of(first)), plus(y, of(second))];
    else if (name === 'translatex') x = plus(x, of(first));
    else if (name === 'translatey') y = plus(y, of(first));
    else if (name === 'translatez' || name === 'perspective') continue;
    else if (/^scale/.test(name) && values.every((each) => Number(each) === 1)) continue;
    else style.lost('transform', `${name}()`);
  }
  if (rotation !== 0) {
    const origin = style.word('transform-origin');
    if (origin !== '' && !/^(center|50%)( (center|50%))?$/.test(origin)) style.lost('transform-origin', origin);
  }
  return { rotation, translate: x === NOTHING && y === NOTHING ? null : { x: x ?? NOTHING, y: y ?? NOTHING } };
}

const NOTHING: Mixed = { px: 0, percent: 0 };
const plus = (a: Mixed = NOTHING, b: Mixed = NOTHING): Mixed => ({ px: a.px + b.px, percent: a.percent + b.percent });
