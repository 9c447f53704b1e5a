// What a box looks like: its background, border, corners and shadows, from the style of its element.

import { COLOR_SPACES, type Color } from '../color.ts';
import { parseCssColor } from '../css/css-color.ts';
import { urlsOf } from '../css/css-text.ts';
import type { Corners, Point, Radius } from '../geometry.ts';
import type {
  Border,
  BoxGradient,
  Fill,
  FrameNode,
  Length,
  Shadow,
  Sides,
  TileRepeat,
  Tiles,
} from '../resolve/scene.ts';
import { asLength, type Mixed, parseMixed, parseNumber, parsePx } from './lengths.ts';
import { eachCorner, eachSide, fourOf, positionAxes, SIDES, splitValue, tableOf } from './shorthands.ts';
import { keyword, type Style } from './style.ts';

const WIDTHS = tableOf({ thin: 1, medium: 3, thick: 5 });

/** A border of a side, or a line of the same properties by another name; null = none. */
export function borderOf(style: Style, side: (typeof SIDES)[number], name = `border-${side}`): Border | null {
  const line = style.word(`${name}-style`).replace(/^auto$/, 'solid');
  if (line === '' || line === 'none' || line === 'hidden') return null;
  const given = style.word(`${name}-width`) || 'medium';
  const width = WIDTHS.get(given) ?? parsePx(given, style.units) ?? 0;
  // A hairline is drawn, and all else is whole px (CSS Backgrounds 4, 3.3).
  const snapped = width <= 0 ? 0 : width < 1 ? 1 : Math.floor(width);
  if (snapped <= 0) return null;
  const color = style.colorOf(`${name}-color`) ?? style.color;
  const isDrawn = line === 'dashed' || line === 'dotted' || (line === 'double' && snapped >= 3);
  const isThin = (line === 'dashed' && snapped < 3) || (line === 'dotted' && snapped <= 3);
  const drawn = { width: snapped, color: shaded(color, line, side), style: isDrawn ? line : 'solid' } as const;
  return isThin ? { ...drawn, isThin } : drawn;
}

/** Darker than this, Chromium lightens both sides of a border that looks carved. */
const NEARLY_BLACK = 56;

/** The darker sides of a border that looks carved. */
function shaded(color: Color, line: string, side: string): Color {
  const isDark =
    line === 'inset'
      ? side === 'top' || side === 'left'
      : line === 'outset'
        ? side === 'bottom' || side === 'right'
        : false;
  if (/^(inset|outset)$/.test(line) && Math.hypot(color.r, color.g, color.b) < NEARLY_BLACK) {
    const tone = isDark ? 0x54 : 0xa8;
    return { r: tone, g: tone, b: tone, a: color.a };
  }
  if (!isDark) return color;
  const dark = (channel: number) => Math.round(channel * 0.66);
  return { r: dark(color.r), g: dark(color.g), b: dark(color.b), a: color.a };
}

export const bordersOf = (style: Style) => asBorders(eachSide((side) => borderOf(style, side)));

/** Of gradients alone, as wide as the border and stretched; all else is named. */
export function borderImageOf(style: Style): FrameNode['borderImage'] {
  const longhands = ['source', 'slice', 'width', 'outset', 'repeat'].map((name) => style.get(`border-image-${name}`));
  const [source = '', slice = '', ...others] = longhands;
  const whole = /^(|none)$/i.test(style.get('border-image')) ? `${source} ${slice}`.trim() : style.get('border-image');
  if (/^(|none|initial|unset)(\s|$)/i.test(whole)) return undefined;
  const words = splitValue(whole);
  const gradient = words.find((word) => /gradient\(/i.test(word));
  const slices = words.filter((word) => /^[\d.]+%?$/.test(word));
  const isPlain = words.length === slices.length + 1 + words.filter((word) => /^stretch$/i.test(word)).length;
  const fill = gradient && isPlain && others.every((word) => word === '') ? gradientOf(gradient, style) : null;
  if (!fill) {
    style.lost('border-image', whole);
    return undefined;
  }
  const [top, right, bottom, left] = fourOf(slices, '100%');
  const cut = (text: string): Length => ({ kind: /%$/.test(text) ? 'percent' : 'px', value: Number.parseFloat(text) });
  return { fill, slices: { top: cut(top), right: cut(right), bottom: cut(bottom), left: cut(left) } };
}

/** Borders as wide as these that are not seen. */
export function clearBorders({ border, sideBorders }: ReturnType<typeof asBorders>): ReturnType<typeof asBorders> {
  const clear = (each: Border | null): Border | null => each && { ...each, color: { ...each.color, a: 0 } };
  return {
    border: clear(border),
    sideBorders: sideBorders && eachSide((side) => clear(sideBorders[side])),
  };
}

export function asBorders(sides: Sides<Border | null>): Pick<FrameNode, 'border' | 'sideBorders'> {
  const { top } = sides;
  if (SIDES.every((side) => !sides[side])) return { border: null, sideBorders: null };
  const isSame = SIDES.every((name) => {
    const side = sides[name];
    const isLike = side && top && side.width === top.width && side.style === top.style;
    return isLike && JSON.stringify(side.color) === JSON.stringify(top.color);
  });
  return isSame ? { border: top, sideBorders: null } : { border: null, sideBorders: sides };
}

export const radiiOf = (style: Style): Corners =>
  eachCorner((corner) => {
    const value = style.get(`border-${corner}-radius`);
    if (value === '') return 0;
    const [across = null, down = across] = splitValue(value).map((each) => parseMixed(each, style.units));
    return radiusOf(across, down);
  });

function radiusOf(across: Mixed | null, down: Mixed | null): Radius {
  if (!across || !down) return 0;
  if (across.percent === 0 && down.percent === 0 && across.px === down.px) return Math.max(0, across.px);
  return { x: across.px, y: down.px, ofWidth: across.percent / 100, ofHeight: down.percent / 100 };
}

type BoxArea = 'border-box' | 'padding-box' | 'content-box';

/** One layer of a background, from back to front: where it is placed, and where it is seen. */
export type BackgroundLayer = {
  readonly origin: BoxArea;
  readonly clip: BoxArea;
} /** Without tiles it is as large as its area, and goes on around it unless it `isOnce`. */ & (
  | { readonly kind: 'fill'; readonly fill: Fill; readonly tiles: Tiles | null; readonly isOnce?: boolean }
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

/** Most pictures of one background, and shadows of one box: pictures made of them have thousands. */
const MOST_LAYERS = 10_000;

/** As many as are drawn; that there are more is told. */
function firstOf(list: readonly string[], style: Style, property: string): readonly string[] {
  if (list.length <= MOST_LAYERS) return list;
  style.lost(property, `${list.length} of them`);
  return list.slice(0, MOST_LAYERS);
}

export const isFilled = ({ color, layers }: Background): boolean => color !== null || layers.length > 0;

/** @param kind what the properties begin with: the layers of a mask are as those of a background */
export function backgroundOf(style: Style, kind: 'background' | 'mask' = 'background'): Background {
  const color = style.get(`${kind}-color`) === '' ? null : style.colorOf(`${kind}-color`);
  const isText = style.word(`${kind}-clip`).split(',')[0]?.trim() === 'text';
  const lists = new Map<string, readonly string[]>();
  const listOf = (property: string) => {
    const list = lists.get(property) ?? splitValue(style.get(property), ',').filter((each) => each !== '');
    lists.set(property, list);
    return list;
  };
  const at = (property: string, i: number, initial: string) => {
    const list = listOf(property);
    return list[i % Math.max(1, list.length)] ?? initial;
  };
  const areaOf = (property: string, i: number, initial: BoxArea): BoxArea => {
    const word = at(property, i, initial).toLowerCase();
    if (word === 'content-box' && SIDES.some((side) => style.mixed(`padding-${side}`)?.percent))
      style.lost(property, 'content-box with padding in percent');
    return keyword(word, ['padding-box', 'content-box', 'border-box'], initial);
  };
  const images = firstOf(listOf(`${kind}-image`), style, `${kind}-image`);
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
    const areas = {
      origin: areaOf(`${kind}-origin`, i, kind === 'mask' ? 'border-box' : 'padding-box'),
      clip: areaOf(`${kind}-clip`, i, 'border-box'),
    };
    const fill = gradientOf(image, style);
    // A gradient has no size of its own, so that it fills the box unless it is given one.
    if (fill)
      return [
        {
          ...areas,
          kind: 'fill',
          fill,
          isOnce: tiles.repeat.every((word) => word === 'no-repeat'),
          tiles: /^(auto|auto auto|100% 100%|100%|cover|contain)$/.test(size) ? null : tiles,
        },
      ];
    const [source] = urlsOf(image);
    if (source !== undefined) return [{ ...areas, kind: 'image', source, tiles }];
    style.lost(`${kind}-image`, image);
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
  const [width = 'auto', height = 'auto'] = splitValue(size);
  const side = (value: string) => {
    const mixed = value === 'auto' ? null : parseMixed(value, style.units);
    if (value !== 'auto' && !mixed) style.lost('background-size', size);
    return mixed && asLength(mixed);
  };
  const [x = 'repeat', y] = splitValue(repeat);
  const word = (value: string): TileRepeat => keyword(value, ['no-repeat', 'space', 'round'], 'repeat');
  return {
    size: width === 'cover' || width === 'contain' ? width : [side(width), side(height)],
    position: [asLength(along(position[0], style)), asLength(along(position[1], style))],
    repeat: x === 'repeat-x' ? ['repeat', 'no-repeat'] : [word(x === 'repeat-y' ? 'no-repeat' : x), word(y ?? x)],
  };
}

const WORDS = tableOf({ left: 0, top: 0, center: 50, right: 100, bottom: 100 });

/** CSS Backgrounds 3, 3.6: a point of the picture lies on the same point of the box. */
export function positionOf(value: string, style: Style): readonly [Mixed, Mixed] {
  const [across, down] = positionAxes(value);
  return [along(across, style), along(down, style)];
}

function along(value: string, style: Style): Mixed {
  const [word = '', offset] = splitValue(value.toLowerCase());
  const known = WORDS.get(word);
  if (known === undefined) return parseMixed(word, style.units) ?? { px: 0, percent: 0 };
  const by = (offset && parseMixed(offset, style.units)) || { px: 0, percent: 0 };
  return known === 100 ? { px: -by.px, percent: 100 - by.percent } : { px: by.px, percent: known + by.percent };
}

const INSET = /^inset$/i;
const HUE_ARCS = ['shorter', 'longer', 'increasing', 'decreasing'] as const;
const GRADIENT = /^(repeating-)?(linear|radial|conic)-gradient\((.*)\)$/is;
const DIRECTIONS = tableOf({ top: 0, right: 90, bottom: 180, left: 270 });
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
function gradientOf(image: string, style: Style): Fill | null {
  const [, repeating, given = '', inside = ''] = GRADIENT.exec(image.trim()) ?? [];
  if (given === '') return null;
  const kind = given.toLowerCase() as 'linear' | 'radial' | 'conic';
  const parts = splitValue(inside, ',');
  const prelude = splitValue((parts[0] ?? '').toLowerCase());
  const from = prelude.indexOf('in');
  const isHued = prelude.at(from + 3) === 'hue';
  const words = from < 0 ? prelude : prelude.toSpliced(from, isHued ? 4 : 2);
  const [space = 'srgb', hue = 'shorter'] = from < 0 ? [] : [prelude[from + 1], isHued ? prelude[from + 2] : 'shorter'];
  const [word = ''] = words;
  const isPrelude =
    from >= 0 ||
    /^(to|at|from|circle|ellipse|closest-\w+|farthest-\w+)$/.test(word) ||
    parseAngle(word) !== null ||
    parseMixed(word, style.units) !== null;
  const at = isPrelude ? words.indexOf('at') : -1;
  const stops = stopsOf(isPrelude ? parts.slice(1) : parts, style, kind === 'conic');
  const [x, y] = at < 0 ? [] : positionOf(words.slice(at + 1).join(' '), style);
  const shapes = isPrelude ? words.slice(0, at < 0 ? words.length : at) : [];
  const size = kind === 'radial' ? radialSize(shapes, style) : 'farthest-corner';
  const [colorSpace, arc] = [keyword(space, COLOR_SPACES, null), keyword(hue, HUE_ARCS, null)];
  if (!stops || !size || !colorSpace || !arc) {
    style.lost('background-image', image);
    return null;
  }
  const [across, down] = [
    words.indexOf('right') - words.indexOf('left'),
    words.indexOf('bottom') - words.indexOf('top'),
  ];
  const inBox: BoxGradient = {
    ...{ stops, repeats: repeating !== undefined, space: colorSpace, hue: arc, size },
    corner: word === 'to' && across !== 0 && down !== 0 ? { x: Math.sign(across), y: Math.sign(down) } : null,
    center: x && y ? { x: asLength(x), y: asLength(y) } : null,
  };
  const colors = stops.map(({ color }, i) => ({ offset: i / Math.max(1, stops.length - 1), color }));
  const center: Point = { x: 0.5, y: 0.5 };
  if (kind === 'linear') {
    const angle = (word === 'to' ? DIRECTIONS.get(words.slice(1).join(' ')) : parseAngle(word)) ?? 180;
    return { kind, angle, stops: colors, inBox };
  }
  if (kind === 'conic') {
    const angle = word === 'from' ? (parseAngle(words[1] ?? '') ?? 0) : 0;
    return { kind, angle, center, stops: colors, inBox };
  }
  const sides = shapes.filter((each) => !/^(circle|ellipse)$/.test(each));
  const isCircle =
    shapes.includes('circle') || (sides.length === 1 && parseMixed(sides[0] ?? '', style.units) !== null);
  return { kind, shape: isCircle ? 'circle' : 'ellipse', center, radius: null, stops: colors, inBox };
}

/** Of a radial gradient; null = it is none. */
function radialSize(words: readonly string[], style: Style): BoxGradient['size'] | null {
  const [first, second = first, ...more] = words.filter((word) => !/^(circle|ellipse)$/.test(word));
  if (first === undefined || second === undefined) return 'farthest-corner';
  if (/^(closest|farthest)-(side|corner)$/.test(first)) return first as 'closest-side';
  const [x, y] = [parseMixed(first, style.units), parseMixed(second, style.units)];
  const isNegative = [x, y].some((each) => each && (each.px < 0 || each.percent < 0));
  return x && y && more.length === 0 && !isNegative ? [asLength(x), asLength(y)] : null;
}

/** The stops of a gradient with the hints between them. null = they are none that are known. */
function stopsOf(parts: readonly string[], style: Style, isAngular: boolean): BoxGradient['stops'] | null {
  const found: { at: Length | null; color: Color; hint: Length | null }[] = [];
  const lengthOf = (word: string): Length | null => {
    const angle = isAngular ? parseAngle(word) : null;
    if (angle !== null) return { kind: 'percent', value: angle / 3.6 };
    const mixed = parseMixed(word, style.units);
    return mixed && (!isAngular || mixed.px === 0) ? asLength(mixed) : null;
  };
  for (const part of parts) {
    const words = splitValue(part);
    const [only = '', ...others] = words;
    const last = found.at(-1);
    const hint = others.length === 0 ? lengthOf(only) : null;
    if (hint && last && last.hint === null) {
      last.hint = hint;
      continue;
    }
    const color = parseCssColor(only, style.color);
    const at = others.map(lengthOf);
    if (!color || hint || at.includes(null) || at.length > 2) return null;
    for (const each of at.length === 0 ? [null] : at) found.push({ at: each, color, hint: null });
  }
  return found.length < 2 || found.at(-1)?.hint ? null : found;
}

/** What `box-shadow` or `text-shadow` says, or a filter of such a `value`. */
export function shadowsOf(style: Style, property: string, value = style.get(property)): readonly Shadow[] {
  if (/^(none)?$/i.test(value)) return [];
  return firstOf(splitValue(value, ','), style, property).flatMap((each): readonly Shadow[] => {
    const words = splitValue(each);
    const [x, y, blur = 0, spread = 0] = words.flatMap((word) => parsePx(word, style.units) ?? []);
    const [given = 'currentcolor'] = words.filter((word) => parsePx(word, style.units) === null && !INSET.test(word));
    const color = parseCssColor(given, style.color);
    if (x === undefined || y === undefined || !color) return [];
    return [{ x, y, sigma: blur / 2, spread, color, inset: words.some((word) => INSET.test(word)) }];
  });
}
