// Keeps an `<svg>` equal to a picture's operations by rewriting only the groups whose text changed.
//
// Replacing everything took three times as long for 60 layers with 30 shadows, mostly in the browser's raster. A group
// that was only moved gets a transform, in a compositing layer of its own if there are few, and is rewritten at the
// next pause. So shadows are not blurred again at each movement. What is out of sight waits for the pause, too: of a
// table on twenty pages a drag rewrites two.

import {
  type Matrix,
  type Point,
  type Rect,
  rectContains,
  rectsOverlap,
  type Size,
  transformPoint,
} from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { Brush, DisplayList, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import type { FontSet } from '#core/text/font-set.ts';
import { ownSvg } from '../../shell/trusted.ts';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The most groups that are moved in compositing layers of their own; with more, compositing costs more than painting.
 */
const MOST_LAYERS = 4;
/** The most groups that get a transform; with more, sorting them into compositing layers takes longest. */
const MOST_MOVED = 24;
interface Part {
  text: string;
  readonly group: SVGGElement;
  /**
   * `op` is the operation that `text` was written from; `written` is the one that the group's markup shows until it is
   * settled, at which it may have been moved only, or is out of sight. null if unknown.
   */
  op: PaintOp | null;
  written: PaintOp | null;
  isSettled: boolean;
}

/** The operations behind the texts, with which movements are told from other changes. */
export interface Painted {
  readonly list: DisplayList;
  readonly fonts: FontSet;
  /** Addresses of the pictures that the list names by key. If they differ, equal operations may show other pictures. */
  readonly addresses: string;
}

export class SvgPatcher {
  /** ms without a change after which groups that wait are rewritten. */
  pause = 400;
  readonly #root: SVGGElement;
  #parts: Part[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #addresses = '';
  /** Parts that follow each other and were moved alike: they are in one group, which has the transform. */
  #together: { readonly parts: readonly Part[]; readonly group: SVGGElement } | null = null;

  /** @param root is emptied; this patcher then owns its children */
  constructor(root: SVGGElement) {
    this.#root = root;
    root.replaceChildren();
  }

  /**
   * @param sight the part of the canvas that can be seen; null = all of it
   * @returns how many groups were changed
   */
  patch(texts: readonly string[], painted: Painted | null = null, sight: Rect | null = null): number {
    const before = this.#parts;
    const hasSamePictures = painted?.addresses === this.#addresses;
    this.#addresses = painted?.addresses ?? '';
    let start = 0;
    while (start < before.length && start < texts.length && before[start]?.text === texts[start]) start++;
    let end = 0;
    const most = Math.min(before.length, texts.length) - start;
    while (end < most && before[before.length - 1 - end]?.text === texts[texts.length - 1 - end]) end++;
    const old = before.slice(start, before.length - end);
    const wanted = texts.slice(start, texts.length - end);
    if (old.length === 0 && wanted.length === 0) return 0;
    if (old.length === wanted.length) return this.#rewritten(old, wanted, start, painted, hasSamePictures, sight);
    this.settle();
    const made = this.#rearranged(old, wanted, before[before.length - end]);
    this.#parts = [...before.slice(0, start), ...made.parts, ...before.slice(before.length - end)];
    if (painted) for (const [i, part] of this.#parts.entries()) part.op = part.written = painted.list.ops[i] ?? null;
    return made.written;
  }

  /** How many groups are not rewritten yet. */
  get moved(): number {
    return this.#parts.filter(({ isSettled }) => !isSettled).length;
  }

  /** Rewrites the groups that were only moved, or out of sight. */
  settle(): void {
    clearTimeout(this.#timer);
    if (this.#together) {
      const { parts, group } = this.#together;
      group.replaceWith(...parts.map((part) => part.group));
      this.#together = null;
    }
    write(this.#parts.filter(({ isSettled }) => !isSettled).map((part) => [part, part.text, part.op]));
  }

  /** The markup after settling: for tests. */
  get markup(): string {
    this.settle();
    return this.#root.innerHTML;
  }

  #rewritten(
    old: readonly Part[],
    wanted: readonly string[],
    start: number,
    painted: Painted | null,
    canMove: boolean,
    sight: Rect | null,
  ): number {
    const isFar = (op: PaintOp | null): boolean => {
      const bounds = sight && painted && op && opBounds(op, painted.fonts);
      return bounds !== null && sight !== null && !rectsOverlap(bounds, sight);
    };
    const changed = [...old.entries()].filter(([i, part]) => part.text !== wanted[i]);
    const all = canMove && changed.length > MOST_MOVED && changed.length === old.length;
    if (all && painted && this.#movedTogether(old, wanted, painted.list.ops.slice(start), painted))
      return changed.length;
    if (this.#together) this.settle();
    const near = changed.filter(([i, part]) => {
      const op = painted?.list.ops[start + i] ?? null;
      if (!op || !isFar(op) || !isFar(part.op) || !isFar(part.written)) return true;
      part.text = wanted[i] ?? '';
      part.op = op;
      part.isSettled = false;
      return false;
    });
    const isFew = canMove && near.length <= MOST_MOVED;
    const rewritten: Rewritten[] = [];
    let moved = 0;
    for (const [i, part] of near) {
      const text = wanted[i] ?? '';
      const op = painted?.list.ops[start + i] ?? null;
      const by = isFew && painted && op && part.written ? movedWhole(part.written, op, painted) : null;
      if (by === null) {
        rewritten.push([part, text, op]);
        continue;
      }
      part.text = text;
      part.op = op;
      part.isSettled = false;
      moved++;
      part.group.setAttribute('transform', `translate(${by.x} ${by.y})`);
      part.group.classList.toggle('is-moved', moved <= MOST_LAYERS);
    }
    write(rewritten);
    if (moved > 0 || near.length < changed.length) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.settle(), this.pause);
    }
    return changed.length;
  }

  /** Moves many parts as one, if all were moved alike since they were written. @param ops the first are theirs */
  #movedTogether(parts: readonly Part[], texts: readonly string[], ops: readonly PaintOp[], painted: Painted): boolean {
    const last = this.#together?.parts;
    const isSameRun = last?.length === parts.length && last[0] === parts[0];
    if (!isSameRun) this.settle();
    let by: Point | null = null;
    for (const [i, { written }] of parts.entries()) {
      const op = ops[i];
      const own: Point | null = written && op ? movedWhole(written, op, painted) : null;
      if (!own || (by && !isSamePoint(own, by))) return false;
      by ??= own;
    }
    if (!isSameRun) {
      const group = document.createElementNS(SVG, 'g');
      parts[0]?.group.before(group);
      group.append(...parts.map((part) => part.group));
      this.#together = { parts, group };
    }
    this.#together?.group.setAttribute('transform', `translate(${by?.x} ${by?.y})`);
    for (const [i, part] of parts.entries())
      Object.assign(part, { text: texts[i], op: ops[i], isSettled: false } satisfies Partial<Part>);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.settle(), this.pause);
    return true;
  }

  #rearranged(old: readonly Part[], wanted: readonly string[], next: Part | undefined): Made {
    const kept = new Map<string, Part[]>();
    for (const part of old) {
      const same = kept.get(part.text);
      if (same) same.push(part);
      else kept.set(part.text, [part]);
    }
    let written = 0;
    const parts = wanted.map((text) => {
      const part = kept.get(text)?.shift();
      if (part) return part;
      written++;
      const group = document.createElementNS(SVG, 'g');
      group.innerHTML = ownSvg(text);
      return { text, group, op: null, written: null, isSettled: true };
    });
    for (const left of kept.values()) for (const { group } of left) group.remove();
    let anchor: SVGGElement | null = next?.group ?? null;
    for (const { group } of [...parts].reverse()) {
      // Inserting a group where it already is would make the browser repaint it.
      if (group.parentNode !== this.#root || group.nextSibling !== anchor) this.#root.insertBefore(group, anchor);
      anchor = group;
    }
    return { parts, written };
  }
}

interface Made {
  readonly parts: Part[];
  readonly written: number;
}

type Rewritten = readonly [part: Part, text: string, op: PaintOp | null];

/** All texts are parsed at once: a parser for each takes longer than the parsing. */
function write(parts: readonly Rewritten[]): void {
  if (parts.length === 0) return;
  const parsed = document.createElementNS(SVG, 'g');
  parsed.innerHTML = ownSvg(parts.map(([, text]) => `<g>${text}</g>`).join(''));
  const groups = [...parsed.children];
  for (const [at, [part, text, op]] of parts.entries()) {
    part.group.replaceChildren(...(groups[at]?.childNodes ?? []));
    part.group.removeAttribute('transform');
    part.group.removeAttribute('class');
    part.text = text;
    part.op = part.written = op;
    part.isSettled = true;
  }
}

/**
 * How far an operation moved, if it lies entirely on the canvas before and after; parts outside the canvas are not
 * written.
 */
function movedWhole(from: PaintOp, to: PaintOp, { list, fonts }: Painted) {
  const by = movedBy(from, to);
  if (!by) return null;
  const canvas = { x: 0, y: 0, width: list.width, height: list.height };
  const isWhole = [from, to].every((op) => {
    const bounds = opBounds(op, fonts);
    return bounds !== null && rectContains(canvas, bounds);
  });
  return isWhole ? by : null;
}

// Detects whether one operation is another one moved over the canvas. The page then moves the drawn group instead of
// redrawing it.

/** Tolerance in px between coordinates that are computed in different ways. */
const CLOSE = 1e-4;

/**
 * The offset from `from` to `to` in px; null if they differ in anything else.
 *
 * Operations that blend never count as moved, because a group that is moved alone no longer blends with what is below.
 * Blurred and masked operations must move by whole px, because the region of a filter or mask is cut at whole px.
 */
export function movedBy(from: PaintOp, to: PaintOp): Point | null {
  const by = shift(from, to);
  if (!by) return null;
  const isWhole = Math.abs(by.x - Math.round(by.x)) < CLOSE && Math.abs(by.y - Math.round(by.y)) < CLOSE;
  return isWhole || !hasFilters(from) ? by : null;
}

function hasFilters(op: PaintOp): boolean {
  return op.kind === 'group' && (op.filters.length > 0 || op.mask !== undefined || op.ops.some(hasFilters));
}

function shift(from: PaintOp, to: PaintOp): Point | null {
  switch (from.kind) {
    case 'fill':
      return to.kind === 'fill' && from.rule === to.rule
        ? along(pathShift(from.path, to.path), (by) => isBrushMoved(from.brush, to.brush, by))
        : null;
    case 'stroke':
      return to.kind === 'stroke' && isSame(from.stroke, to.stroke)
        ? along(pathShift(from.path, to.path), (by) => isBrushMoved(from.brush, to.brush, by))
        : null;
    case 'glyphs':
      return to.kind === 'glyphs' && isSame(from.run, to.run) && isSame(from.outline?.stroke, to.outline?.stroke)
        ? along(
            between(from.origin, to.origin),
            (by) =>
              isBrushMoved(from.brush, to.brush, by) &&
              isBrushMoved(from.outline?.brush ?? null, to.outline?.brush ?? null, by),
          )
        : null;
    case 'image': {
      const isLike =
        to.kind === 'image' &&
        from.image === to.image &&
        isSamePoint(from.source, to.source) &&
        isSameSize(from.source, to.source) &&
        isSameSize(from.dest, to.dest);
      return isLike ? between(from.dest, to.dest) : null;
    }
    case 'link':
      return to.kind === 'link' ? between(from.rect, to.rect) : null;
    case 'group':
      return to.kind === 'group' ? groupShift(from, to) : null;
  }
}

function groupShift(from: GroupOp, to: GroupOp): Point | null {
  if (from.blend !== 'normal' || to.blend !== 'normal' || from.opacity !== to.opacity) return null;
  if (from.ops.length !== to.ops.length || from.mask?.length !== to.mask?.length || !isSame(from.filters, to.filters))
    return null;
  const [a, b] = [from.transform, to.transform];
  if (![0, 1, 2, 3].every((i) => isNear(a[i] ?? 0, b[i] ?? 0))) return null;
  let inner: Point | null = null;
  const [parts, others] = [from, to].map(({ ops, mask = [] }) => [...ops, ...mask]);
  for (const [i, op] of (parts ?? []).entries()) {
    const by = shift(op, others?.[i] as PaintOp);
    if (!by || (inner && !isSamePoint(inner, by))) return null;
    inner ??= by;
  }
  if (!inner) return null;
  if ((from.clip === null) !== (to.clip === null)) return null;
  if (from.clip && to.clip) {
    const by = from.clip.rule === to.clip.rule ? pathShift(from.clip.path, to.clip.path) : null;
    if (!by || !isSamePoint(inner, by)) return null;
  }
  // The movement inside the group, plus the movement of the group itself.
  const turned = vector(a, inner);
  return { x: turned.x + b[4] - a[4], y: turned.y + b[5] - a[5] };
}

function pathShift(from: PathData, to: PathData): Point | null {
  if (from.length !== to.length) return null;
  let by: Point | null = null;
  for (const [i, segment] of from.entries()) {
    const other = to[i];
    if (other?.[0] !== segment[0] || other.length !== segment.length) return null;
    for (let k = 1; k < segment.length; k += 2) {
      const moved = {
        x: Number(other[k]) - Number(segment[k]),
        y: Number(other[k + 1]) - Number(segment[k + 1]),
      };
      if (by && !isSamePoint(by, moved)) return null;
      by ??= moved;
    }
  }
  return by;
}

function isBrushMoved(from: Brush | null, to: Brush | null, by: Point): boolean {
  if (from === null || to === null) return from === to;
  if (from.kind === 'solid') return isSame(from, to);
  if (from.kind !== to.kind || !isSame(from.stops, to.stops)) return false;
  if (from.kind === 'linear' && to.kind === 'linear')
    return isSamePoint(between(from.from, to.from), by) && isSamePoint(between(from.to, to.to), by);
  if (from.kind === 'conic' && to.kind === 'conic')
    return from.angle === to.angle && isSamePoint(between(from.centre, to.centre), by);
  if (from.kind === 'radial' && to.kind === 'radial') {
    const [a, b] = [from.transform, to.transform];
    const isLike = [0, 1, 2, 3].every((i) => isNear(a[i] ?? 0, b[i] ?? 0));
    return isLike && isSamePoint({ x: b[4] - a[4], y: b[5] - a[5] }, by);
  }
  return false;
}

/** Transforms a vector by a matrix, without its translation. */
function vector(matrix: Matrix, by: Point): Point {
  const origin = transformPoint(matrix, { x: 0, y: 0 });
  const end = transformPoint(matrix, by);
  return { x: end.x - origin.x, y: end.y - origin.y };
}

const along = (by: Point | null, also: (by: Point) => boolean): Point | null => (by && also(by) ? by : null);
const between = (a: Point, b: Point): Point => ({ x: b.x - a.x, y: b.y - a.y });
const isNear = (a: number, b: number): boolean => Math.abs(a - b) < CLOSE;
const isSamePoint = (a: Point, b: Point): boolean => isNear(a.x, b.x) && isNear(a.y, b.y);
const isSameSize = (a: Size, b: Size): boolean => isNear(a.width, b.width) && isNear(a.height, b.height);
const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
