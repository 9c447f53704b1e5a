// A template on another canvas: layers with constraints follow them, the others keep their place and proportions.
//
// Layers are scaled by the smaller of the two ratios of the sides, so what fitted still fits. What covers the canvas, or
// most of it between equal margins, is stretched. Text is not measured: its extent is estimated.

import { type Rect, rectContains, type Size, union } from '#core/geometry.ts';
import { type Constraints, constrained } from '#core/template/constraints.ts';
import type { FrameLayer, Layer } from '#core/template/layer.ts';
import { LAYER_TRAITS } from '#core/template/layer-traits.ts';
import type { Template } from '#core/template/template.ts';
import type { TextLayer } from '#core/template/text-layer.ts';
import { scaleLayer, tidy } from './scale-layer.ts';
import { blocksOf, type Span, spread, spreadBeside } from './spread.ts';

/** @param to the sides of the new canvas, px */
export function atSize(template: Template, to: Size): Template {
  const { width, height } = template;
  const by = Math.min(to.width / width, to.height / height);
  return { ...template, ...to, layers: placed(template.layers, { width, height }, to, by) };
}

/** How long one character is, of the font size: for extents of text. */
const CHARACTER = 0.5;
/** The share of an axis that a layer between equal margins must take to be stretched, and how unequal they may be. */
const MOST = 0.6;
const EVEN = 0.04;
/** The share of an axis that a picture at its end must take to get the room beside it. */
const LARGE = 0.25;
/** How many times as long as wide a rule between parts is. */
const THIN = 50;

/** Places layers that no layout places: in the canvas or in a frame. */
function placed(layers: readonly Layer[], from: Size, to: Size, by: number): Layer[] {
  const rects = new Map(layers.map((layer) => [layer, rectOf(layer, from)]));
  const rectAt = (layer: Layer): Rect => rects.get(layer) ?? rectOf(layer, from);
  const free = layers.filter((layer) => layer.constraints === undefined);
  const axis = (start: 'x' | 'y', side: 'width' | 'height') => {
    const spanOf = (layer: Layer): Span => ({ start: rectAt(layer)[start], length: rectAt(layer)[side] });
    const stretched = new Set<Layer>();
    const solid: Layer[] = [];
    // From the back: what lies in something that keeps its proportions keeps them too.
    for (const layer of free) {
      const isHeld = solid.some((behind) => rectContains(rectAt(behind), rectAt(layer)));
      if (!isHeld && isStretched(layer, side, rectAt(layer), from)) stretched.add(layer);
      else solid.push(layer);
    }
    const picture = solid.find((layer) => isBleeding(layer, side, spanOf(layer), from));
    const [before, after] = [from[side], to[side]];
    const startOf = (() => {
      if (picture) return spreadBeside(spanOf(picture), before, after, by);
      if (side === 'height') return spread(solid.map(spanOf), before, after, by);
      return null;
    })();
    const shares = startOf ? null : anchors(solid.map(movable), [...stretched].map(rectAt), from);
    return (layer: Layer): Span => {
      const span = spanOf(layer);
      if (layer === picture) return { start: span.start * by, length: span.length * by + after - before * by };
      if (!stretched.has(layer)) {
        const isShare = String(layer[side]).endsWith('%');
        const room = (shares?.get(layer) ?? 0) * (after - before * by);
        return {
          start: startOf ? startOf(span) : span.start * by + room,
          length: isShare ? (span.length * after) / before : span.length * by,
        };
      }
      const [lead, trail] = [span.start * by, (before - span.start - span.length) * by];
      return { start: lead, length: Math.max(1, after - lead - trail) };
    };
  };
  const [across, down] = [axis('x', 'width'), axis('y', 'height')];
  return layers.map((layer) => {
    const rect = rectAt(layer);
    if (layer.constraints !== undefined) return pinned(layer, rect, layer.constraints, from, to);
    const [x, y] = [across(layer), down(layer)];
    return moved(layer, rect, { x: x.start, y: y.start, width: x.length, height: y.length }, by);
  });

  function movable(layer: Layer): Movable<Layer> {
    const isWords = layer.type === 'text' || (layer.type === 'frame' && !isPainted(layer));
    return { layer, rect: rectAt(layer), isWords };
  }
}

const isPainted = ({ background, border, shadow }: FrameLayer): boolean =>
  background !== null || border !== null || shadow !== null;

/** A layer without constraints at its new place. */
function moved(layer: Layer, before: Rect, after: Rect, by: number): Layer {
  const scaled = scaleLayer(layer.type === 'frame' ? { ...layer, children: [] } : layer, by);
  const sized = withRect(scaled, inProportion(before, by), after);
  if (layer.type !== 'frame') return sized;
  const children =
    layer.layout === null ? placed(layer.children, before, after, by) : laidOut(layer, before, after, by);
  return { ...(sized as FrameLayer), children };
}

/** The sides of a frame; null = its content decides. */
type Extent = { readonly [side in 'width' | 'height']: number | null };

/** The children of a layout: scaled, and those that fill it grow with it. Only those that it does not place are placed. */
function laidOut(frame: FrameLayer, before: Extent, after: Extent, by: number): Layer[] {
  const across = shareOfRoom(frame, 'width', before.width);
  const down = shareOfRoom(frame, 'height', before.height);
  return frame.children.map((child) => {
    if (child.position === 'absolute') return inAll([child], before, after, by)[0] ?? child;
    const [width, height] = [across(child), down(child)];
    const grown = (side: 'width' | 'height', { length, share }: ReturnType<typeof across>) =>
      length === null ? null : length * by + share * ((after[side] ?? 0) - (before[side] ?? 0) * by);
    const [from, to] = [
      { width: width.length, height: height.length },
      { width: grown('width', width), height: grown('height', height) },
    ];
    const scaled = scaleLayer(child.type === 'frame' ? { ...child, children: [] } : child, by);
    const own = { width: (from.width ?? 0) * by, height: (from.height ?? 0) * by };
    const sized = withSides(scaled, own, { width: to.width ?? 0, height: to.height ?? 0 });
    if (child.type !== 'frame') return sized;
    const children = child.layout === null ? inAll(child.children, from, to, by) : laidOut(child, from, to, by);
    return { ...(sized as FrameLayer), children };
  });
}

/** Places layers in a frame if its sides are known, and scales them otherwise. */
function inAll(layers: readonly Layer[], before: Extent, after: Extent, by: number): Layer[] {
  const [from, to] = [before, after].map(({ width, height }) => width !== null && height !== null && { width, height });
  return from && to ? placed(layers, from, to, by) : layers.map((layer) => scaleLayer(layer, by));
}

/** A layer with constraints: moved and stretched, but not scaled, and so is what lies in it. */
function pinned(layer: Layer, before: Rect, constraints: Constraints, from: Size, to: Size): Layer {
  const after = constrained(before, constraints, from, to);
  const sized = withRect(layer, before, after);
  if (layer.type !== 'frame') return sized;
  const children = layer.children.map((child) => {
    if (layer.layout !== null && child.position !== 'absolute') return child;
    return pinned(child, rectOf(child, before), child.constraints ?? FIXED, before, after);
  });
  return { ...(sized as FrameLayer), children };
}

const FIXED: Constraints = { horizontal: 'left', vertical: 'top' };

const inProportion = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
});

const withRect = (layer: Layer, before: Rect, after: Rect): Layer => ({
  ...withSides(layer, before, after),
  x: tidy(after.x),
  y: tidy(after.y),
});

/** Sides that are numbers are set; others follow what they are relative to. */
function withSides(layer: Layer, before: Size, after: Size): Layer {
  const isSet = (side: 'width' | 'height') => typeof layer[side] === 'number' && after[side] !== before[side];
  const sized = {
    ...layer,
    ...(isSet('width') && { width: tidy(after.width) }),
    ...(isSet('height') && { height: tidy(after.height) }),
  };
  if (sized.type !== 'shape' || !Array.isArray(sized.points)) return sized;
  const [across, down] = [after.width / Math.max(1, before.width), after.height / Math.max(1, before.height)];
  return { ...sized, points: sized.points.map(([x, y]) => [tidy(x * across), tidy(y * down)]) };
}

/** Where a layer lies in its surroundings, as far as that is known without layout. */
function rectOf(layer: Layer, around: Size): Rect {
  const { x, y } = layer;
  const follows = layer.type === 'frame' && layer.layout === null;
  const sideOf = (side: 'width' | 'height', start: number): number | null => {
    const value = layer[side];
    if (typeof value === 'number') return value;
    if (value.endsWith('%')) return (Number.parseFloat(value) / 100) * around[side];
    return value === 'fill' || follows ? Math.max(0, around[side] - start) : null;
  };
  const width = sideOf('width', x);
  const height = sideOf('height', y);
  if (width !== null && height !== null) return { x, y, width, height };
  if (layer.type === 'text') return { x, y, ...extentOfText(layer, width, height, around.width - x) };
  const content = layer.type === 'frame' ? extentOfContent(layer, around) : null;
  return { x, y, width: width ?? content?.width ?? height ?? 0, height: height ?? content?.height ?? width ?? 0 };
}

/** An estimate: the text is not laid out. */
function extentOfText(layer: TextLayer, width: number | null, height: number | null, most: number): Size {
  const { text, spans, fontSize, lineHeight, maxLines } = layer;
  const letters = spans?.reduce((sum, span) => sum + span.text.length, 0) ?? text.length;
  const whole = letters * fontSize * CHARACTER;
  const room = width ?? Math.max(fontSize, most);
  const lines = Math.min(Math.max(1, Math.ceil(whole / room)), maxLines ?? Number.POSITIVE_INFINITY);
  return { width: width ?? Math.min(whole, room), height: height ?? lines * fontSize * lineHeight };
}

/** An estimate: children in a row beside each other, else one below the other. */
function extentOfContent({ children, layout, padding, width }: FrameLayer, around: Size): Size {
  const inner = { width: typeof width === 'number' ? width : around.width, height: around.height };
  const rects = children.filter(({ visible }) => visible).map((child) => rectOf(child, inner));
  const isRow = layout?.type === 'flex' && layout.direction.startsWith('row');
  const gap = layout && 'gap' in layout && typeof layout.gap === 'number' ? layout.gap : 0;
  const along = (side: 'width' | 'height') => rects.reduce((sum, rect) => sum + rect[side] + gap, -gap);
  const across = (side: 'width' | 'height') => Math.max(0, ...rects.map((rect) => rect[side]));
  const edge = typeof padding === 'number' ? 2 * padding : 0;
  return {
    width: edge + Math.max(0, isRow ? along('width') : across('width')),
    height: edge + Math.max(0, isRow ? across('height') : along('height')),
  };
}

/** Whether a layer is a picture that covers one end of the axis, over the whole of the other axis. */
function isBleeding(layer: Layer, side: 'width' | 'height', { start, length }: Span, from: Size): boolean {
  if (layer.type !== 'image' || layer.fit !== 'cover' || typeof layer[side] !== 'number') return false;
  const other = side === 'width' ? 'height' : 'width';
  const across = layer[side === 'width' ? 'y' : 'x'];
  const covers = across <= from[other] / 100 && across + Number(layer[other]) >= from[other] * 0.99;
  const isAtEnd = start <= from[side] / 100 || start + length >= from[side] * 0.99;
  return covers && isAtEnd && length >= from[side] * LARGE;
}

/** Whether a layer is stretched along an axis rather than scaled. */
function isStretched(layer: Layer, side: 'width' | 'height', rect: Rect, from: Size): boolean {
  if (layer[side] === 'fill' || (layer.type === 'frame' && layer.layout === null && layer[side] === 'hug')) return true;
  if (LAYER_TRAITS[layer.type].keepsRatio || typeof layer[side] !== 'number') return false;
  const [start, length, around] = [side === 'width' ? rect.x : rect.y, rect[side], from[side]];
  const trail = around - start - length;
  const near = around / 100;
  if (start <= near && trail <= near) return true;
  const isPlain = layer.type !== 'shape' || layer.shape === 'rect' || layer.shape === 'line';
  if (!isPlain || layer.rotation % 180 !== 0 || length < around * MOST) return false;
  const isRule = Math.min(rect.width, rect.height) * THIN <= length;
  return isRule || Math.abs(start - trail) <= around * EVEN;
}

// Divides the extra space of a flex frame that grows among its children: those that have sides in px and together filled
// the frame take it, as wide rules and columns do. All others keep their proportions.

interface Share {
  /** Of the child along the side before, px; null = its content decides. */
  readonly length: number | null;
  /** Of the room that the frame gets: 0 = none, 1 = all. */
  readonly share: number;
}

const UNKNOWN: Share = { length: null, share: 0 };
/** How much of a frame children must fill. */
const FILLED = 0.99;

/** @param around the frame's own side before; null = its content decides, so that nothing fills it */
function shareOfRoom(
  { layout, padding, children }: FrameLayer,
  side: 'width' | 'height',
  around: number | null,
): (child: Layer) => Share {
  const fixed = (child: Layer): Share => {
    const length = child[side];
    return typeof length === 'number' ? { length, share: 0 } : UNKNOWN;
  };
  if (layout?.type !== 'flex' || around === null || typeof padding !== 'number') return fixed;
  const inner = around - 2 * padding;
  const isMain = layout.direction.startsWith('row') === (side === 'width');
  if (!isMain) {
    return (child) => {
      const { length } = fixed(child);
      if (length !== null) return { length, share: length >= inner * FILLED && isPlain(child) ? 1 : 0 };
      const align = child.alignSelf === 'auto' ? layout.align : child.alignSelf;
      const isStretched = child.type === 'frame' && align === 'stretch';
      return isStretched ? { length: inner, share: 1 } : UNKNOWN;
    };
  }
  const flowing = children.filter(({ position, visible }) => position !== 'absolute' && visible);
  const sum = flowing.reduce((all, child) => all + (fixed(child).length ?? Number.NaN), 0);
  const gaps = (typeof layout.gap === 'number' ? layout.gap : 0) * (flowing.length - 1);
  const isFilled = sum + gaps >= inner * FILLED && sum + gaps <= inner / FILLED && flowing.every(isPlain);
  return (child) => {
    const { length } = fixed(child);
    return length === null ? UNKNOWN : { length, share: isFilled ? length / sum : 0 };
  };
}

/** Whether a layer keeps its look when it is stretched. */
const isPlain = (layer: Layer): boolean =>
  layer.type === 'shape'
    ? layer.rotation % 180 === 0 && (layer.shape === 'rect' || layer.shape === 'line')
    : !LAYER_TRAITS[layer.type].keepsRatio;

// Decides where layers go when the canvas gets wider: those at the left margin stay there, those at the right margin move
// with it, centred ones stay centred.
//
// What lies on something goes with it, and shapes that touch are one. Vertically parts of a page are spread instead
// (`spread.ts`): a wide canvas keeps columns aligned, a tall one keeps paragraphs apart.

/** A layer that is moved and scaled, but not stretched. */
interface Movable<Layer> {
  readonly layer: Layer;
  readonly rect: Rect;
  /** Text, or a frame without a look of its own: it touches others without being one with them. */
  readonly isWords: boolean;
}

/** Of the width: how near parts are that belong together. */
const NEAR = 0.05;
/** Of both sides: how near shapes are that are one, and what is at a margin to it. */
const TOUCHING = 0.02;
const SAME = 0.01;

/**
 * The share of the new room that is left of each: 0 = it stays at the left, 1 = at the right.
 *
 * @param movables from the back
 * @param stretched rectangles of what is stretched across the width, which have margins too
 */
function anchors<Layer>(
  movables: readonly Movable<Layer>[],
  stretched: readonly Rect[],
  { width, height }: Size,
): ReadonlyMap<Layer, number> {
  const groups = groupsOf(movables, width * TOUCHING, height * TOUCHING);
  const trailOf = ({ x, width: own }: Rect) => width - x - own;
  const inner = (margins: readonly number[]) => Math.min(...margins.filter((margin) => margin > width * SAME));
  const rects = [...stretched, ...groups.map(({ rect }) => rect)];
  const [lead, trail] = [inner(rects.map(({ x }) => x)), inner(rects.map(trailOf))];
  const isAt = (margin: number, common: number) => margin <= width * SAME || margin <= common + width * SAME;
  const isLast = (rect: Rect) => isAt(trailOf(rect), trail) && rect.x > trailOf(rect);

  const shares = new Map<Group<Layer>, number>();
  const isCentred = ({ rect }: Group<Layer>) => Math.abs(rect.x - trailOf(rect)) <= width * EVEN;
  const isFirst = (group: Group<Layer>) =>
    isAt(group.rect.x, lead) && group.rect.x < trailOf(group.rect) && !isCentred(group);
  const first = groups.filter(isFirst);
  for (const group of groups) {
    const { rect, isWords } = group;
    const follows = () => isWords && !isLast(rect) && first.some((one) => isBeside(one.rect, rect, width * NEAR));
    if (first.includes(group) || follows()) shares.set(group, 0);
    else if (isCentred(group)) shares.set(group, 0.5);
  }
  const others = groups.filter((group) => !shares.has(group));
  const blocks = blocksOf(
    others.map(({ rect }) => ({ start: rect.x, length: rect.width })),
    width * NEAR,
  );
  for (const { start, end } of blocks) {
    const own = others.filter(({ rect }) => rect.x >= start && rect.x <= end);
    const after = width - end;
    const inProportion = Math.min(1, Math.max(0, start / Math.max(1, start + after)));
    const share = own.some(({ rect }) => isLast(rect)) ? 1 : inProportion;
    for (const group of own) shares.set(group, share);
  }
  return new Map(groups.flatMap((group) => group.members.map(({ layer }) => [layer, shares.get(group) ?? 0])));
}

interface Group<Layer> {
  readonly members: readonly Movable<Layer>[];
  readonly rect: Rect;
  readonly isWords: boolean;
}

/** What lies on another goes with it; shapes that touch go together. */
function groupsOf<Layer>(
  movables: readonly Movable<Layer>[],
  acrossNear: number,
  downNear: number,
): readonly Group<Layer>[] {
  let groups: Group<Layer>[] = [];
  for (const movable of movables) {
    const { rect, isWords } = movable;
    const holder = groups.find((group) => group.members.some((member) => rectContains(member.rect, rect)));
    const touching = groups.filter(
      (group) => !group.isWords && group.members.some((member) => isNear(member.rect, rect, acrossNear, downNear)),
    );
    const joined = holder ? [holder] : isWords ? [] : touching;
    const members = [...joined.flatMap((group) => group.members), movable];
    const whole = joined.reduce((sum, group) => union(sum, group.rect) ?? sum, rect);
    groups = groups.filter((group) => !joined.includes(group));
    groups.push({ members, rect: whole, isWords: isWords && joined.length === 0 });
  }
  return groups;
}

const isNear = (one: Rect, other: Rect, across: number, down: number): boolean =>
  one.x - across <= other.x + other.width &&
  other.x - across <= one.x + one.width &&
  one.y - down <= other.y + other.height &&
  other.y - down <= one.y + one.height;

/** Whether `next` is right of `before`, at the same height, and near it. */
const isBeside = (before: Rect, next: Rect, near: number): boolean =>
  next.x >= before.x + before.width / 2 && isNear(before, next, near, 0);
