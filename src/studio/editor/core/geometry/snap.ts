// Computes where a moved or resized box snaps: edges, centres, guides, equal gaps, the grid. Pure functions.

import type { Point, Rect } from '#core/geometry.ts';

/** A snap line to show, canvas px, from end to end. */
export interface SnapLine {
  /** `x`: a vertical line at x = `at`. */
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Two equal gaps, which are shown with their length. */
export interface GapMark {
  readonly axis: 'x' | 'y';
  readonly from: number;
  readonly to: number;
  /** The position on the other axis. */
  readonly at: number;
}

export interface Snapped {
  readonly dx: number;
  readonly dy: number;
  readonly lines: readonly SnapLine[];
  readonly gaps: readonly GapMark[];
}

export interface SnapTargets {
  /** The axis-aligned boxes of other layers and of the canvas. */
  readonly rects: readonly Rect[];
  readonly guides: readonly { readonly axis: 'x' | 'y'; readonly at: number }[];
  /** px; null = no grid. */
  readonly grid: number | null;
}

export const NOTHING_CAUGHT: Snapped = { dx: 0, dy: 0, lines: [], gaps: [] };

/** The lines of a box that may snap on an axis: its start, middle and end. */
type Parts = readonly ('start' | 'middle' | 'end')[];
const ALL: Parts = ['start', 'middle', 'end'];

interface Span {
  readonly start: number;
  readonly end: number;
}

const along = (rect: Rect, axis: 'x' | 'y'): Span =>
  axis === 'x' ? { start: rect.x, end: rect.x + rect.width } : { start: rect.y, end: rect.y + rect.height };
const across = (rect: Rect, axis: 'x' | 'y'): Span => along(rect, axis === 'x' ? 'y' : 'x');
const partOf = ({ start, end }: Span, part: Parts[number]) =>
  part === 'start' ? start : part === 'end' ? end : (start + end) / 2;

/**
 * The remaining movement with which a box snaps to the nearest target on each axis.
 *
 * @param reach snapping distance, canvas px
 * @param parts the box's own lines that may snap; a resize moves only some
 */
export function snapRect(
  rect: Rect,
  targets: SnapTargets,
  reach: number,
  parts: { readonly x: Parts; readonly y: Parts } = { x: ALL, y: ALL },
): Snapped {
  const x = snapAxis(rect, targets, reach, 'x', parts.x);
  const y = snapAxis(rect, targets, reach, 'y', parts.y);
  const moved = { ...rect, x: rect.x + x.by, y: rect.y + y.by };
  return {
    dx: x.by,
    dy: y.by,
    lines: [...linesAt(moved, targets, 'x', parts.x, x.caught), ...linesAt(moved, targets, 'y', parts.y, y.caught)],
    gaps: [...(x.gaps ? shifted(x.gaps, 'x', moved) : []), ...(y.gaps ? shifted(y.gaps, 'y', moved) : [])],
  };
}

interface Caught {
  readonly by: number;
  readonly caught: boolean;
  readonly gaps: readonly Span[] | null;
}

function snapAxis(rect: Rect, targets: SnapTargets, reach: number, axis: 'x' | 'y', parts: Parts): Caught {
  const own = along(rect, axis);
  let best = Number.POSITIVE_INFINITY;
  const consider = (by: number) => {
    if (Math.abs(by) <= reach && Math.abs(by) < Math.abs(best)) best = by;
  };
  for (const part of parts) {
    const at = partOf(own, part);
    for (const target of targets.rects) for (const other of ALL) consider(partOf(along(target, axis), other) - at);
    for (const guide of targets.guides) if (guide.axis === axis) consider(guide.at - at);
  }
  if (Number.isFinite(best)) return { by: best, caught: true, gaps: null };
  if (parts === ALL) {
    const equal = equalGap(rect, targets.rects, axis, reach);
    if (equal) return { by: equal.by, caught: false, gaps: equal.gaps };
  }
  const { grid } = targets;
  if (grid !== null && grid > 0) {
    for (const part of parts) {
      if (part === 'middle') continue;
      const at = partOf(own, part);
      consider(Math.round(at / grid) * grid - at);
    }
    if (Number.isFinite(best)) return { by: best, caught: false, gaps: null };
  }
  return { by: 0, caught: false, gaps: null };
}

/** Between two neighbours, or beside a pair of them at the same gap as theirs. */
function equalGap(rect: Rect, rects: readonly Rect[], axis: 'x' | 'y', reach: number) {
  const own = along(rect, axis);
  const beside = rects
    .filter((other) => overlaps(across(other, axis), across(rect, axis)))
    .map((other) => along(other, axis))
    .filter(({ start, end }) => end - start > 0);
  const before = beside.filter(({ end }) => end <= own.start + reach).sort((a, b) => b.end - a.end);
  const after = beside.filter(({ start }) => start >= own.end - reach).sort((a, b) => a.start - b.start);
  const [near, far] = before;
  const [next, beyond] = after;
  const length = own.end - own.start;
  const tries: { readonly by: number; readonly gaps: readonly Span[] }[] = [];
  if (near && next) {
    const gap = (next.start - near.end - length) / 2;
    const start = near.end + gap;
    if (gap > 0)
      tries.push({
        by: start - own.start,
        gaps: [
          { start: near.end, end: start },
          { start: start + length, end: next.start },
        ],
      });
  }
  if (near && far && near.start > far.end) {
    const gap = near.start - far.end;
    const start = near.end + gap;
    tries.push({
      by: start - own.start,
      gaps: [
        { start: far.end, end: near.start },
        { start: near.end, end: start },
      ],
    });
  }
  if (next && beyond && beyond.start > next.end) {
    const gap = beyond.start - next.end;
    const end = next.start - gap;
    tries.push({
      by: end - own.end,
      gaps: [
        { start: end, end: next.start },
        { start: next.end, end: beyond.start },
      ],
    });
  }
  return tries.filter(({ by }) => Math.abs(by) <= reach).sort((a, b) => Math.abs(a.by) - Math.abs(b.by))[0] ?? null;
}

const overlaps = (a: Span, b: Span) => a.start < b.end && b.start < a.end;

function shifted(gaps: readonly Span[], axis: 'x' | 'y', moved: Rect): readonly GapMark[] {
  const { start, end } = across(moved, axis);
  return gaps.map((gap) => ({ axis, from: gap.start, to: gap.end, at: (start + end) / 2 }));
}

/** The lines on which the box, in its new place, is aligned with targets. */
function linesAt(
  rect: Rect,
  targets: SnapTargets,
  axis: 'x' | 'y',
  parts: Parts,
  caught: boolean,
): readonly SnapLine[] {
  if (!caught) return [];
  const own = along(rect, axis);
  const side = across(rect, axis);
  const lines = new Map<number, SnapLine>();
  for (const part of parts) {
    const at = partOf(own, part);
    for (const target of targets.rects) {
      const other = across(target, axis);
      if (!ALL.some((one) => Math.abs(partOf(along(target, axis), one) - at) < 0.01)) continue;
      const known = lines.get(at);
      const from = Math.min(side.start, other.start, known?.from ?? Number.POSITIVE_INFINITY);
      const to = Math.max(side.end, other.end, known?.to ?? Number.NEGATIVE_INFINITY);
      lines.set(at, { axis, at, from, to });
    }
    for (const guide of targets.guides) {
      if (guide.axis === axis && Math.abs(guide.at - at) < 0.01 && !lines.has(at)) {
        lines.set(at, { axis, at, from: side.start, to: side.end });
      }
    }
  }
  return [...lines.values()];
}

/** Snaps a single point that is drawn or dragged. */
export function snapPoint(point: Point, targets: SnapTargets, reach: number): Snapped {
  return snapRect({ ...point, width: 0, height: 0 }, targets, reach, { x: ['start'], y: ['start'] });
}
