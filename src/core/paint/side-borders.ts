// Paints borders that differ between the sides of a box (CSS Backgrounds 3, section 4.4).
//
// Two sides meet on the line from the outer to the inner corner. Sides of one colour are one path, so that no seam shows
// where they meet. Dashes and dots follow the straight middle of their side.

import type { Color } from '../color.ts';
import { type Corners, type Edges, type Radius, type Rect, rectToRect } from '../geometry.ts';
import { borderWidths, fittingWidths } from '../layout/border-box.ts';
import { lengthIn } from '../layout/box-matrix.ts';
import type { PathData, PathSegment } from '../path.ts';
import type { Border, BorderImage, EdgeLine, Sides } from '../resolve/scene.ts';
import { dashedLine } from './border.ts';
import type { PaintOp } from './display-list.ts';
import { brushFor } from './gradient.ts';
import { group } from './group.ts';
import { axesOfRadius, fitRadii, isSharp, QUARTER, rectPath, roundedRectPath } from './outline.ts';

const SIDES = ['top', 'right', 'bottom', 'left'] as const;
type Side = (typeof SIDES)[number];

export function sideBorderOps(box: Rect, radii: Corners, borders: Sides<Border | null>): readonly PaintOp[] {
  if (box.width <= 0 || box.height <= 0 || SIDES.every((side) => !borders[side]?.color.a)) return [];
  const widths = fittingWidths(borderWidths({ border: null, sideBorders: borders }), box);
  const outer = fitRadii(box, radii);
  const ops: PaintOp[] = [];
  const done = new Set<Side>();
  for (const side of SIDES) {
    const border = borders[side];
    if (border === null || widths[side] <= 0 || border.color.a === 0 || done.has(side)) continue;
    const isWhole = border.style === 'solid' || border.style === 'double';
    const alike = isWhole ? SIDES.filter((other) => isAlike(borders[other], border)) : [side];
    for (const other of alike) done.add(other);
    ops.push(...sidesOps(box, outer, widths, border, alike));
  }
  return ops;
}

/** The eight parts of a picture that stand in the corners and along the sides. @param widths of the border, px */
export function borderImageOps(box: Rect, widths: Edges, { fill, slices }: BorderImage): readonly PaintOp[] {
  const brush = brushFor(fill, box);
  const cut = (side: Side, whole: number) => Math.min(whole, Math.max(0, lengthIn(whole, slices[side])));
  /** The three parts of an axis: where each begins, and its size. */
  const parts = (start: number, whole: number, before: number, after: number) =>
    [
      [start, before],
      [start + before, whole - before - after],
      [start + whole - after, after],
    ] as const;
  const from = [
    parts(box.x, box.width, cut('left', box.width), cut('right', box.width)),
    parts(box.y, box.height, cut('top', box.height), cut('bottom', box.height)),
  ] as const;
  const to = [
    parts(box.x, box.width, widths.left, widths.right),
    parts(box.y, box.height, widths.top, widths.bottom),
  ] as const;
  const rectOf = ([across, down]: typeof from, column: number, row: number): Rect => {
    const [[x, width], [y, height]] = [across[column] ?? [0, 0], down[row] ?? [0, 0]];
    return { x, y, width, height };
  };
  return Array.from({ length: 9 }, (_, i): readonly PaintOp[] => {
    const [column, row] = [i % 3, Math.floor(i / 3)];
    const [part, place] = [rectOf(from, column, row), rectOf(to, column, row)];
    if (i === 4 || [part, place].some(({ width, height }) => width <= 0 || height <= 0)) return [];
    return group({ transform: rectToRect(part, place) }, [
      { kind: 'fill', path: rectPath(part), rule: 'nonzero', brush },
    ]);
  }).flat();
}

/** Lines of whole px along the edges of a box, half of each inside. */
export function edgeLineOps(box: Rect, lines: Sides<EdgeLine | null>): readonly PaintOp[] {
  let dashed: readonly PaintOp[] = [];
  // Of lists that grow, V8 has room for sixteen more: each cell of a table has these.
  let solid: readonly { readonly color: Border['color']; path: PathData }[] = [];
  for (const side of SIDES) {
    const line = lines[side];
    if (!line || line.color.a === 0) continue;
    const { width, style, color, before, after } = line;
    const isFlat = side === 'top' || side === 'bottom';
    const edge =
      side === 'top' ? box.y : side === 'bottom' ? box.y + box.height : side === 'left' ? box.x : box.x + box.width;
    const across = Math.round(edge - width / 2);
    const from = Math.round((isFlat ? box.x : box.y) - before);
    const length = Math.round((isFlat ? box.x + box.width : box.y + box.height) + after) - from;
    if (length <= 0) continue;
    if (style === 'dashed' || style === 'dotted') {
      const along = { isFlat, middle: across + width / 2, from, to: from + length };
      dashed = [
        ...dashed,
        { kind: 'stroke', ...dashedLine({ ...line, style }, along), brush: { kind: 'solid', color } },
      ];
      continue;
    }
    const third = Math.floor((width + 1) / 3);
    const bars =
      style === 'double'
        ? [...bar(isFlat, from, length, across, third), ...bar(isFlat, from, length, across + width - third, third)]
        : bar(isFlat, from, length, across, width);
    const same = solid.find((each) => isSameColor(each.color, color));
    if (same) same.path = [...same.path, ...bars];
    else solid = [...solid, { color, path: bars }];
  }
  const filled = solid.map(
    ({ color, path }): PaintOp => ({ kind: 'fill', path, rule: 'nonzero', brush: { kind: 'solid', color } }),
  );
  return dashed.length > 0 ? [...dashed, ...filled] : filled;
}

/** @param from @param length along the line @param at @param thick across it, px */
const bar = (isFlat: boolean, from: number, length: number, at: number, thick: number): PathData =>
  rectPath(
    isFlat ? { x: from, y: at, width: length, height: thick } : { x: at, y: from, width: thick, height: length },
  );

/** The edge of a box inside borders that differ. @param radii of the border box */
export function paddingEdge(box: Rect, radii: Corners, borders: Sides<Border | null>): PathData {
  const widths = borderWidths({ border: null, sideBorders: borders });
  return innerPath(box, fitRadii(box, radii), fittingWidths(widths, box));
}

const isAlike = (other: Border | null, { color, style }: Border): boolean =>
  other !== null && other.style === style && isSameColor(other.color, color);

const isSameColor = (one: Color, other: Color): boolean =>
  one === other || (one.r === other.r && one.g === other.g && one.b === other.b && one.a === other.a);

/** Sides of one colour and style. */
function sidesOps(
  box: Rect,
  outer: Corners,
  widths: Edges,
  border: Border,
  sides: readonly Side[],
): readonly PaintOp[] {
  const isAll = SIDES.every((side) => sides.includes(side) || widths[side] === 0);
  const wedges = isAll ? rectPath(box) : sides.flatMap((side) => wedge(box, widths, side));
  if (border.style === 'double') return doubleOps(box, outer, widths, border, wedges);
  if (border.style !== 'solid') {
    const ring = ringPath(box, outer, widths);
    const brush = { kind: 'solid', color: { ...border.color, a: 1 } } as const;
    const strokes = sides.map((side): PaintOp => ({ kind: 'stroke', ...dashes(box, widths, border, side), brush }));
    const inRing = isSharp(outer) ? strokes : group({ clip: { path: ring, rule: 'evenodd' } }, strokes);
    return group({ opacity: border.color.a, clip: { path: wedges, rule: 'nonzero' } }, inRing);
  }
  const brush = { kind: 'solid', color: border.color } as const;
  if (isSharp(outer)) {
    const path = isAll ? bandsPath(box, widths) : sides.flatMap((side) => trapezoid(box, widths, side));
    return [{ kind: 'fill', path, rule: 'nonzero', brush }];
  }
  const ring: PaintOp = { kind: 'fill', path: ringPath(box, outer, widths), rule: 'evenodd', brush };
  return isAll ? [ring] : group({ clip: { path: wedges, rule: 'nonzero' } }, [ring]);
}

/** Two lines of a third each, and as much between them. @param wedges the areas of the sides that have them */
function doubleOps(box: Rect, outer: Corners, widths: Edges, { color }: Border, wedges: PathData): readonly PaintOp[] {
  const edge = (of: (width: number) => number): PathData => {
    const { top, right, bottom, left } = widths;
    return joined(cornerCurves(box, outer, { top: of(top), right: of(right), bottom: of(bottom), left: of(left) }));
  };
  const third = (width: number) => Math.floor((width + 1) / 3);
  const path = [edge(() => 0), edge(third), edge((width) => width - third(width)), edge((width) => width)].flat();
  const ring: PaintOp = { kind: 'fill', path, rule: 'evenodd', brush: { kind: 'solid', color } };
  return group({ clip: { path: wedges, rule: 'nonzero' } }, [ring]);
}

/**
 * The sides of a sharp box as rectangles beside each other. A ring would have two edges on one another where a side has
 * no width, and viewers of PDF draw a hairline there.
 */
function bandsPath({ x, y, width, height }: Rect, { top, right, bottom, left }: Edges): PathData {
  const between = { y: y + top, height: height - top - bottom };
  return [
    { x, y, width, height: top },
    { x, y: y + height - bottom, width, height: bottom },
    { x, ...between, width: left },
    { x: x + width - right, ...between, width: right },
  ].flatMap((band) => (band.width > 0 && band.height > 0 ? rectPath(band) : []));
}

/**
 * The area between the outer and the inner edge of all borders; drawn with `evenodd`. Sides that have a width and follow
 * each other are one outline, for the reason that `bandsPath` gives.
 */
function ringPath(box: Rect, outer: Corners, widths: Edges): PathData {
  const isMissing = SIDES.map((side) => widths[side] === 0);
  if (!isMissing.includes(true)) return [...roundedRectPath(box, outer), ...innerPath(box, outer, widths)];
  const [edge, inside] = [cornerCurves(box, outer, NO_WIDTHS), cornerCurves(box, outer, widths)];
  const at = <T>(list: readonly T[], index: number): T => list[index % 4] as T;
  return SIDES.flatMap((_, first): PathData => {
    if (at(isMissing, first) || !at(isMissing, first + 3)) return [];
    let end = first + 1;
    while (!at(isMissing, end)) end += 1;
    const corners = Array.from({ length: end - first + 1 }, (_each, i) => first + i);
    const back = corners.toReversed().map((corner) => at(inside, corner).toReversed());
    return joined([...corners.map((corner) => at(edge, corner)), ...back]);
  });
}

const NO_WIDTHS: Edges = { top: 0, right: 0, bottom: 0, left: 0 };

/** The padding edge: its corners are elliptical where two borders differ in width (section 5.2). */
function innerPath(box: Rect, outer: Corners, widths: Edges): PathData {
  if (box.width <= widths.left + widths.right || box.height <= widths.top + widths.bottom) return [];
  return joined(cornerCurves(box, outer, widths));
}

/** A corner: a point, or the four of a cubic curve. */
type Curve = readonly (readonly [x: number, y: number])[];

/** Clockwise from the top left, within borders of these widths. */
function cornerCurves(
  box: Rect,
  { topLeft, topRight, bottomRight, bottomLeft }: Corners,
  widths: Edges,
): readonly Curve[] {
  const [left, top] = [box.x + widths.left, box.y + widths.top];
  const [right, bottom] = [box.x + box.width - widths.right, box.y + box.height - widths.bottom];
  // (ux, uy) is the direction in which the corner is reached, (vx, vy) where it is left to.
  const corner = (
    x: number,
    y: number,
    radius: Radius,
    across: number,
    down: number,
    u: [number, number],
    v: [number, number],
  ): Curve => {
    const axes = axesOfRadius(radius);
    const [rx, ry] = [Math.max(0, axes.x - across), Math.max(0, axes.y - down)];
    if (rx === 0 || ry === 0) return [[x, y]];
    const k = 1 - QUARTER;
    return [
      [x - u[0] * rx, y - u[1] * ry],
      [x - u[0] * rx * k, y - u[1] * ry * k],
      [x + v[0] * rx * k, y + v[1] * ry * k],
      [x + v[0] * rx, y + v[1] * ry],
    ];
  };
  return [
    corner(left, top, topLeft, widths.left, widths.top, [0, -1], [1, 0]),
    corner(right, top, topRight, widths.right, widths.top, [1, 0], [0, 1]),
    corner(right, bottom, bottomRight, widths.right, widths.bottom, [0, 1], [-1, 0]),
    corner(left, bottom, bottomLeft, widths.left, widths.bottom, [-1, 0], [0, -1]),
  ];
}

/** Corners with straight lines between them, closed. */
function joined(curves: readonly Curve[]): PathData {
  const path: PathSegment[] = [];
  for (const [from, ...rest] of curves) {
    if (!from) continue;
    path.push([path.length === 0 ? 'M' : 'L', ...from]);
    const [a, b, c] = rest;
    if (a && b && c) path.push(['C', ...a, ...b, ...c]);
  }
  return [...path, ['Z']];
}

type Quad = readonly [x: number, y: number][];

/** A side of a box with sharp corners. */
function trapezoid(box: Rect, widths: Edges, side: Side): PathData {
  return closed(quad(box, widths, side, 1));
}

/** The part of a box that belongs to a side: as its trapezoid, on to where the lines of two corners meet. */
function wedge(box: Rect, widths: Edges, side: Side): PathData {
  const { top, right, bottom, left } = widths;
  const meet = (length: number, both: number) => (both > 0 ? length / both : Number.POSITIVE_INFINITY);
  const reach = Math.min(meet(box.width, left + right), meet(box.height, top + bottom));
  return closed(quad(box, widths, side, reach));
}

/** @param times how far the lines of the corners are followed, in border widths */
function quad(box: Rect, { top, right, bottom, left }: Edges, side: Side, times: number): Quad {
  const [x, y] = [box.x, box.y];
  const [far, low] = [x + box.width, y + box.height];
  const [t, r, b, l] = [top * times, right * times, bottom * times, left * times];
  switch (side) {
    case 'top':
      return [
        [x, y],
        [far, y],
        [far - r, y + t],
        [x + l, y + t],
      ];
    case 'right':
      return [
        [far, y],
        [far, low],
        [far - r, low - b],
        [far - r, y + t],
      ];
    case 'bottom':
      return [
        [far, low],
        [x, low],
        [x + l, low - b],
        [far - r, low - b],
      ];
    case 'left':
      return [
        [x, low],
        [x, y],
        [x + l, y + t],
        [x + l, low - b],
      ];
  }
}

function closed(points: Quad): PathData {
  return [...points.map(([x, y], i): PathSegment => [i === 0 ? 'M' : 'L', x, y]), ['Z']];
}

function dashes(box: Rect, widths: Edges, border: Border, side: Side): ReturnType<typeof dashedLine> {
  const width = widths[side];
  const style = border.style === 'dotted' ? 'dotted' : 'dashed';
  const isFlat = side === 'top' || side === 'bottom';
  const [along, start] = isFlat ? [box.width, box.x] : [box.height, box.y];
  const middle =
    side === 'top'
      ? box.y + width / 2
      : side === 'bottom'
        ? box.y + box.height - width / 2
        : side === 'left'
          ? box.x + width / 2
          : box.x + box.width - width / 2;
  return dashedLine({ ...border, width, style }, { isFlat, middle, from: start, to: start + along });
}
