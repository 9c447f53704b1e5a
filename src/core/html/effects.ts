// What changes a box as a whole: opacity, filters, transforms, clips and masks, and the outline round it, from the style of
// its element.

import { BLEND_MODES } from '../blend-mode.ts';
import type { Matrix } from '../geometry.ts';
import type {
  BasicShape,
  BoxPoint,
  CssEffects,
  Fade,
  Filters,
  Length,
  NodeBase,
  SceneNode,
  Shadow,
  TransformStep,
} from '../resolve/scene.ts';
import { asLength, type Mixed, parseMixed, parseNumber, parsePx } from './lengths.ts';
import {
  type Background,
  type BackgroundLayer,
  backgroundOf,
  borderOf,
  parseAngle,
  positionOf,
  shadowsOf,
} from './paint-style.ts';
import { NO_CORNERS } from './placement.ts';
import { fourOf, splitValue } from './shorthands.ts';
import { keyword, type Style } from './style.ts';

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

/** `filter` or `backdrop-filter`; shadows are under what the others make of the box. */
function filtersOf(
  style: Style,
  property: string,
): { readonly filters: Filters | null; readonly shadows: readonly Shadow[]; readonly opacity: number } {
  const value = style.get(property);
  if (value === '' || /^none$/i.test(value)) return { filters: null, shadows: [], opacity: 1 };
  let filters = NEUTRAL;
  const shadows: Shadow[] = [];
  let opacity = 1;
  for (const call of splitValue(value)) {
    const [, given = '', inside = ''] = /^([a-z-]+)\((.*)\)$/is.exec(call) ?? [];
    const name = given.toLowerCase();
    const amount = /%$/.test(inside) ? Number.parseFloat(inside) / 100 : (parseNumber(inside) ?? 1);
    if (name === 'blur') filters = { ...filters, blur: parsePx(inside, style.units) ?? 0 };
    else if (name === 'hue-rotate') filters = { ...filters, hueRotate: parseAngle(inside) ?? 0 };
    else if (name === 'opacity') opacity *= Math.min(1, Math.max(0, amount));
    else if (name === 'drop-shadow') {
      // Here, the length is the deviation itself (Filter Effects 1, 8.1).
      shadows.push(...shadowsOf(style, 'filter', inside).map((shadow) => ({ ...shadow, sigma: shadow.sigma * 2 })));
    } else if (/^(brightness|contrast|saturate|grayscale|sepia|invert)$/.test(name))
      filters = { ...filters, [name]: amount };
    else style.lost(property, call);
  }
  if (property !== 'filter' && shadows.length > 0) style.lost(property, 'drop-shadow()');
  if (property !== 'filter' && opacity < 1) style.lost(property, 'opacity()');
  return { filters: filters === NEUTRAL ? null : filters, shadows, opacity };
}

type Effects = Pick<
  NodeBase,
  'rotation' | 'opacity' | 'blend' | 'blur' | 'filters' | 'backdropFilters' | 'mask' | 'css'
>;

/**
 * `translate` is a move alone, which boxes have as their place.
 *
 * @param nodesOf what paints the layers of a mask
 */
export function effectsOf(
  style: Style,
  nodesOf: (layers: Background) => readonly SceneNode[],
): Effects & { readonly translate: BoxPoint | null } {
  const { rotation, translate, transform, isTurnedAway } = transformOf(style);
  const { filters, shadows: dropShadows, opacity: veil } = filtersOf(style, 'filter');
  const [outline, clip] = [outlineOf(style), clipOf(style)];
  const isPlain = !transform && !outline && !clip && dropShadows.length === 0;
  return {
    rotation,
    translate,
    opacity: isTurnedAway ? 0 : veil * style.opacity,
    blend: keyword(style.word('mix-blend-mode'), BLEND_MODES, 'normal'),
    blur: 0,
    filters,
    backdropFilters: filtersOf(style, 'backdrop-filter').filters,
    mask: maskOf(style, nodesOf),
    css: isPlain ? undefined : { transform, outline, clip, dropShadows },
  };
}

function outlineOf(style: Style): CssEffects['outline'] {
  const line = borderOf(style, 'top', 'outline');
  return line && { ...line, offset: style.px('outline-offset') };
}

/** CSS Masking 1, 6: a gradient over the whole box, or layers as of a background; a layer that lets all through is none. */
function maskOf(style: Style, nodesOf: (layers: Background) => readonly SceneNode[]): NodeBase['mask'] {
  if (/^(none)?$/i.test(style.get('mask-image'))) return null;
  const { layers, ...others } = backgroundOf(style, 'mask');
  const [mode = 'alpha', ...otherModes] = new Set(
    splitValue(style.word('mask-mode'), ',').map((word) => (word === 'luminance' ? 'luminance' : 'alpha')),
  );
  // What the last layer is composited with is nothing: its own word does not count.
  const words = splitValue(style.word('mask-composite') || 'add', ',');
  const between = layers.slice(1).map((_, i) => words[i % words.length]);
  const isIntersection = layers.length > 1 && between.every((word) => word === 'intersect');
  const isKnown =
    [...splitValue(style.word('mask-origin'), ','), ...splitValue(style.word('mask-clip'), ',')].every((word) =>
      /^(|(border|padding|content)-box)$/.test(word),
    ) &&
    otherModes.length === 0 &&
    (isIntersection || between.every((word) => word === 'add'));
  if (!isKnown || layers.length === 0) {
    style.lost('mask-image', style.get('mask-image'));
    return null;
  }
  const isOpaque = (layer: (typeof layers)[number]) =>
    mode === 'alpha' &&
    layer.kind === 'fill' &&
    isWhole(layer) &&
    layer.fill.kind !== 'solid' &&
    layer.fill.stops.every(({ color }) => color.a === 1);
  const seen = isIntersection || layers.length === 1 ? layers.filter((layer) => !isOpaque(layer)) : layers;
  const [first] = seen;
  if (!first) return null;
  const fade: Fade =
    seen.length === 1 && first.kind === 'fill' && isWhole(first)
      ? { kind: 'gradient', fill: first.fill, mode }
      : { kind: 'layers', nodes: nodesOf({ ...others, layers: seen }), isIntersection, mode };
  return { outline: { kind: 'rect', radii: NO_CORNERS }, fade };
}

const isWhole = ({ tiles, origin, clip }: BackgroundLayer): boolean =>
  tiles === null && origin === 'border-box' && clip === 'border-box';

/** CSS Masking 1, 5.1: a basic shape; null = none, or none that is drawn. */
function clipOf(style: Style): BasicShape | null {
  const value = style.get('clip-path');
  const [, sides] = /^rect\((.*)\)$/is.exec(style.get('clip')) ?? [];
  if (/^(|none)$/i.test(value) && style.isOut && sides !== undefined) return oldClip(sides, style);
  if (value === '' || /^none$/i.test(value)) return null;
  const shape = shapeOf(value, style);
  if (!shape) style.lost('clip-path', value);
  return shape;
}

/** CSS Masking 1, 8: lengths from the top left; `auto` = the edge of the box, and what is drawn outside of it. */
function oldClip(sides: string, style: Style): BasicShape {
  const [top, right, bottom, left] = splitValue(sides.replaceAll(',', ' ')).map((each) => parsePx(each, style.units));
  const px = (value: number | null | undefined, edge: number) => asLength({ px: value ?? edge, percent: 0 });
  const at = (x: Length, y: Length) => ({ x, y });
  const [x, y, toX, toY] = [px(left, -FAR), px(top, -FAR), px(right, FAR), px(bottom, FAR)];
  return { kind: 'polygon', points: [at(x, y), at(toX, y), at(toX, toY), at(x, toY)], rule: 'nonzero' };
}

/** px; farther than any box. */
const FAR = 100_000;

function shapeOf(value: string, style: Style): BasicShape | null {
  const [, given = '', inside = ''] = /^([a-z]+)\((.*)\)$/is.exec(value.trim()) ?? [];
  const length = (text: string | undefined): Length | null => {
    const mixed = parseMixed(text ?? '', style.units);
    return mixed && asLength(mixed);
  };
  const words = splitValue(inside);
  switch (given.toLowerCase()) {
    case 'inset': {
      const at = words.findIndex((word) => /^round$/i.test(word));
      const [top, right, bottom, left] = fourOf((at < 0 ? words : words.slice(0, at)).map(length), null);
      const [first = '0', second = first] = splitValue(at < 0 ? '0' : words.slice(at + 1).join(' '), '/');
      const [across, down] = [first, second].map((each) => splitValue(each).map((word) => parsePx(word, style.units)));
      if (!top || !right || !bottom || !left || !across || !down) return null;
      if ([across, down].some((each) => each.length === 0 || each.length > 4 || each.includes(null))) return null;
      const [x, y] = [fourOf(across as number[], 0), fourOf(down as number[], 0)];
      const radius = (i: number) => (x[i] === y[i] ? (x[i] ?? 0) : { x: x[i] ?? 0, y: y[i] ?? 0 });
      const radii = { topLeft: radius(0), topRight: radius(1), bottomRight: radius(2), bottomLeft: radius(3) };
      return { kind: 'inset', inset: { top, right, bottom, left }, radii };
    }
    case 'circle':
    case 'ellipse': {
      const kind = given.toLowerCase() as 'circle' | 'ellipse';
      const at = words.findIndex((word) => /^at$/i.test(word));
      const radii = (at < 0 ? words : words.slice(0, at)).map((word) =>
        /^(closest|farthest)-side$/i.test(word) ? (word.toLowerCase() as 'closest-side') : length(word),
      );
      const all = radii.filter((radius) => radius !== null);
      if (all.length !== radii.length || all.length > (kind === 'circle' ? 1 : 2)) return null;
      const [x, y] = positionOf(at < 0 ? '50% 50%' : words.slice(at + 1).join(' '), style);
      return { kind, center: { x: asLength(x), y: asLength(y) }, radii: all };
    }
    case 'polygon': {
      const parts = splitValue(inside, ',');
      const [first = ''] = parts;
      const isRule = /^(nonzero|evenodd)$/i.test(first);
      const points = (isRule ? parts.slice(1) : parts).map((part) => splitValue(part).map(length));
      const found = points.flatMap(([x, y]) => (x && y ? [{ x, y }] : []));
      if (found.length < 3 || found.length !== points.length) return null;
      return { kind: 'polygon', points: found, rule: /^evenodd$/i.test(first) ? 'evenodd' : 'nonzero' };
    }
    default:
      return null;
  }
}

interface Transform {
  /** Degrees about the middle, and a move before that: what layers have, too. */
  readonly rotation: number;
  readonly translate: BoxPoint | null;
  /** Instead of both. */
  readonly transform: CssEffects['transform'];
  /** Whether its back is to the viewer, and not shown. */
  readonly isTurnedAway: boolean;
}

/** CSS Transforms 2, 3: `translate`, `rotate` and `scale` come before the functions of `transform`. */
function transformOf(style: Style): Transform {
  const wordsOf = (property: string) => splitValue(style.get(property)).filter((word) => !/^none$/i.test(word));
  const [move, turn, scale] = [wordsOf('translate'), wordsOf('rotate'), wordsOf('scale')];
  const calls: (readonly [name: string, values: readonly string[]])[] = [];
  if (move.length > 0) calls.push(['translate', move]);
  if (turn.length > 0)
    calls.push([
      `rotate${turn.length === 2 ? (turn[0] ?? '').toLowerCase() : turn.length > 1 ? '3d' : ''}`,
      turn.slice(-1),
    ]);
  if (scale.length > 0) calls.push(['scale', scale.slice(0, 2)]);
  for (const call of wordsOf('transform')) {
    const [, name = '', inside = ''] = /^([a-z0-9]+)\((.*)\)$/is.exec(call) ?? [];
    calls.push([name.toLowerCase(), splitValue(inside, ',')]);
  }
  const steps = calls.flatMap(([name, values]) => stepsOf(name, values, style));
  const isTurnedAway =
    style.word('backface-visibility') === 'hidden' && steps.reduce((sign, { facing = 1 }) => sign * facing, 1) < 0;
  const origin = splitValue(style.word('transform-origin') || '50% 50%')
    .slice(0, 2)
    .join(' ');
  const [x, y] = positionOf(origin, style);
  const isCentred = [x, y].every(({ px, percent }) => px === 0 && percent === 50);
  // Moves alone, and turns about the middle after them.
  const moves = steps.findLastIndex(({ moved }) => moved !== undefined);
  const isSimple = steps.every((step, i) => (i <= moves ? step.moved : step.angle) !== undefined);
  const rotation = steps.reduce((sum, step) => sum + (step.angle ?? 0), 0);
  if (isSimple && (rotation === 0 || isCentred)) {
    const all = steps.flatMap(({ moved }) => (moved ? [moved] : []));
    const sum = (axis: 0 | 1): Mixed =>
      all.reduce((a, each) => ({ px: a.px + each[axis].px, percent: a.percent + each[axis].percent }), {
        px: 0,
        percent: 0,
      });
    const translate = all.length === 0 ? null : { x: asLength(sum(0)), y: asLength(sum(1)) };
    return { rotation, translate, transform: null, isTurnedAway };
  }
  return {
    rotation: 0,
    translate: null,
    transform: { steps: steps.map(({ step }) => step), origin: { x: asLength(x), y: asLength(y) } },
    isTurnedAway,
  };
}

/** A step, and what else is known of it. */
interface Step {
  readonly step: TransformStep;
  /** Of a turn in the plane, degrees. */
  readonly angle?: number;
  readonly moved?: readonly [x: Mixed, y: Mixed];
  /** -1 where it turns the back to the viewer. */
  readonly facing?: number;
}

const NOTHING: Mixed = { px: 0, percent: 0 };
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Without `perspective`, a turn about an axis of the plane is a scale by its cosine. */
function stepsOf(name: string, values: readonly string[], style: Style): readonly Step[] {
  const [first = '0', second] = values;
  const matrix = (...m: Matrix): Step => ({ step: { matrix: m } });
  const move = (x: string, y: string): Step => {
    const moved = [parseMixed(x, style.units) ?? NOTHING, parseMixed(y, style.units) ?? NOTHING] as const;
    return { step: { move: { x: asLength(moved[0]), y: asLength(moved[1]) } }, moved };
  };
  const angle = parseAngle(first) ?? 0;
  const [cos, sin, tan] = [Math.cos(radians(angle)), Math.sin(radians(angle)), Math.tan(radians(angle))];
  const factor = (text = '') => {
    const share = parseMixed(text, style.units)?.percent ?? 0;
    return share === 0 ? parseNumber(text) : share / 100;
  };
  const [, kind, axis = ''] = /^(translate|rotate|scale|skew)(3d|x|y|z)?$/.exec(name) ?? [];
  if (kind === 'rotate' && (axis === '' || axis === 'z')) return [{ ...matrix(cos, sin, -sin, cos, 0, 0), angle }];
  if (kind === 'rotate' && axis !== '3d') {
    const turned = axis === 'x' ? matrix(1, 0, 0, cos, 0, 0) : matrix(cos, 0, 0, 1, 0, 0);
    return [{ ...turned, facing: Math.sign(cos) }];
  }
  if ((kind === 'translate' || kind === 'scale') && axis === 'z') return [];
  if (kind === 'translate') {
    const down = axis === 'x' ? '0' : (second ?? '0');
    return [axis === 'y' ? move('0', first) : move(first, down)];
  }
  if (kind === 'scale') {
    const by = factor(first) ?? 1;
    const down = axis === 'x' ? 1 : (factor(second) ?? by);
    return [axis === 'y' ? matrix(1, 0, 0, by, 0, 0) : matrix(by, 0, 0, down, 0, 0)];
  }
  if (kind === 'skew' && !/[3z]/.test(axis)) {
    const down = axis === 'x' ? 0 : Math.tan(radians(parseAngle(second ?? '0') ?? 0));
    return [axis === 'y' ? matrix(1, tan, 0, 1, 0, 0) : matrix(1, down, tan, 1, 0, 0)];
  }
  if (name === 'matrix') {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = values.map((value) => parseNumber(value) ?? 0);
    return [matrix(a, b, c, d, e, f)];
  }
  style.lost('transform', `${name}()`);
  return [];
}
