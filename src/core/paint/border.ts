// Paints a border just inside its box (CSS Backgrounds 3 §4).
//
// Dashes are two border widths long and one apart, dots are one apart; both are spread so that a whole number fits. Thin
// ones of html are as Chromium's.
// Each side of a sharp box starts and ends with a dash or dot; a rounded box has one pattern all the way round.

import { type Corners, inset, type Rect } from '../geometry.ts';
import type { PathData } from '../path.ts';
import type { Border } from '../resolve/scene.ts';
import type { Brush, PaintOp, Stroke } from './display-list.ts';
import { group } from './group.ts';
import { axesOfRadius, fitRadii, innerRadii, isSharp, roundedRectPath } from './outline.ts';

export function borderOps(box: Rect, radii: Corners, border: Border): readonly PaintOp[] {
  const width = Math.min(border.width, box.width / 2, box.height / 2);
  if (width <= 0 || border.color.a === 0) return [];
  const outer = fitRadii(box, radii);
  if (border.style === 'solid' || border.style === 'double') {
    // Two lines of a third each, and as much between them.
    const third = Math.floor((width + 1) / 3);
    const edges = border.style === 'solid' ? [0, width] : [0, third, width - third, width];
    const path = edges.flatMap((by) => roundedRectPath(inset(box, by), innerRadii(outer, by)));
    return [{ kind: 'fill', path, rule: 'evenodd', brush: { kind: 'solid', color: border.color } }];
  }
  // Dashes of two sides overlap in a corner: drawn opaque and faded as a group, a translucent colour does not add up.
  const brush: Brush = { kind: 'solid', color: { ...border.color, a: 1 } };
  const line = { ...border, style: border.style, width };
  const strokes = isSharp(outer) ? sideStrokes(box, line) : roundStroke(box, outer, line);
  return group(
    { opacity: border.color.a },
    strokes.map(({ path, stroke }) => ({ kind: 'stroke', path, stroke, brush })),
  );
}

interface StrokedPath {
  readonly path: PathData;
  readonly stroke: Stroke;
}

/** A border or line of dashes or dots. */
type Dashed = Pick<Border, 'width' | 'isThin'> & { readonly style: 'dashed' | 'dotted' };

function sideStrokes({ x, y, width, height }: Rect, line: Dashed): readonly StrokedPath[] {
  const into = line.width / 2;
  const beside = (isFlat: boolean, from: number, to: number, sides: readonly [number, number]): StrokedPath => {
    const [one, other] = sides.map((middle) => dashedLine(line, { isFlat, middle, from, to })) as [
      StrokedPath,
      StrokedPath,
    ];
    return { ...one, path: [...one.path, ...other.path] };
  };
  return [
    beside(true, x, x + width, [y + into, y + height - into]),
    beside(false, y, y + height, [x + into, x + width - into]),
  ];
}

/** @param along whether it is flat, the middle of its width, and where it begins and ends, px */
export function dashedLine(
  line: Dashed,
  along: { readonly isFlat: boolean; readonly middle: number; readonly from: number; readonly to: number },
): StrokedPath {
  const { width, style, isThin } = line;
  const { isFlat, middle, from, to } = along;
  const stretch = (begin: number, end: number): PathData =>
    isFlat
      ? [
          ['M', begin, middle],
          ['L', end, middle],
        ]
      : [
          ['M', middle, begin],
          ['L', middle, end],
        ];
  if (style === 'dotted' && isThin) {
    // A square at each end, and others that begin on whole px, as Chromium has them.
    const ends = [stretch(from, from + width), stretch(to - width, to)].flat();
    const path = [...ends, ...stretch(from + 2 * width - 1, to - width)];
    return { path, stroke: { ...PLAIN_STROKE, width, dash: [width, width] } };
  }
  // A dot's middle is half a width from the end; rounding must not push the last one off the end.
  const [into, tail] = style === 'dotted' ? [width / 2, width / 10] : [0, 0];
  return { path: stretch(from + into, to - into + tail), stroke: pattern(line, to - from - 2 * into, false) };
}

const PLAIN_STROKE = { cap: 'butt', join: 'miter', miterLimit: 4 } as const;

function roundStroke(box: Rect, outer: Corners, line: Dashed): readonly StrokedPath[] {
  const [middle, radii] = [inset(box, line.width / 2), innerRadii(outer, line.width / 2)];
  // Each corner replaces its two radii of straight side by a quarter of an ellipse (Ramanujan's approximation).
  const saved = (x: number, y: number) => x + y - (Math.PI / 4) * (3 * (x + y) - Math.sqrt((3 * x + y) * (x + 3 * y)));
  const corners = Object.values(radii).map(axesOfRadius);
  const length = 2 * (middle.width + middle.height) - corners.reduce((sum, { x, y }) => sum + saved(x, y), 0);
  return [{ path: roundedRectPath(middle, radii), stroke: pattern(line, length, true) }];
}

/** Dashes or dots that begin and end with a whole one. @param length of the line, px */
function pattern({ width, style, isThin }: Dashed, length: number, closed: boolean): Stroke {
  const isRound = style === 'dotted' && !isThin;
  const [on, off] = style === 'dotted' ? [1, 1] : isThin ? [3, 2] : [2, 1];
  const dash = isRound ? 0 : on * width;
  const period = (on + off) * width;
  const periods = Math.max(1, Math.round((closed ? length : length - dash) / period));
  const gap = closed ? length / periods - dash : (length - dash * (periods + 1)) / periods;
  return { ...PLAIN_STROKE, width, cap: isRound ? 'round' : 'butt', dash: gap > 0 ? [dash, gap] : [] };
}
