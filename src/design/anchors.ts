// Decides where layers go when the canvas gets wider: those at the left margin stay there, those at the right margin move
// with it, centred ones stay centred.
//
// What lies on something goes with it, and shapes that touch are one. Vertically parts of a page are spread instead
// (`spread.ts`): a wide canvas keeps columns aligned, a tall one keeps paragraphs apart.

import { type Rect, rectContains, type Size, union } from '#core/geometry.ts';
import { blocksOf } from './spread.ts';

/** A layer that is moved and scaled, but not stretched. */
export interface Movable<Layer> {
  readonly layer: Layer;
  readonly rect: Rect;
  /** Text, or a frame without a look of its own: it touches others without being one with them. */
  readonly isWords: boolean;
}

/** Shares of the width: how near parts are that belong together, and how unequal the margins of what is centred. */
const NEAR = 0.05;
const EVEN = 0.04;
/** Of both sides: how near shapes are that are one, and what is at a margin to it. */
const TOUCHING = 0.02;
const SAME = 0.01;

/**
 * The share of the new room that is left of each: 0 = it stays at the left, 1 = at the right.
 *
 * @param movables from the back
 * @param stretched rectangles of what is stretched across the width, which have margins too
 */
export function anchors<Layer>(
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
