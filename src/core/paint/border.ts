// Paints a border just inside its box (CSS Backgrounds 3 §4).
//
// Dashes are two border widths long and one apart, dots are one apart; both are spread so that a whole number fits.
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
  const middle = inset(box, width / 2);
  const strokes = isSharp(outer)
    ? sideStrokes(middle, width, border.style)
    : roundStroke(middle, innerRadii(outer, width / 2), width, border.style);
  return group(
    { opacity: border.color.a },
    strokes.map(({ path, stroke }) => ({ kind: 'stroke', path, stroke, brush })),
  );
}

interface StrokedPath {
  readonly path: PathData;
  readonly stroke: Stroke;
}

function sideStrokes(middle: Rect, width: number, style: 'dashed' | 'dotted'): readonly StrokedPath[] {
  const { x, y } = middle;
  const right = x + middle.width;
  const bottom = y + middle.height;
  // A dash extends into the corners, a dot is centred in them; rounding must not push the last one off the end.
  const into = style === 'dashed' ? width / 2 : 0;
  const tail = style === 'dashed' ? into : width / 10;
  return [
    {
      path: [
        ['M', x - into, y],
        ['L', right + tail, y],
        ['M', x - into, bottom],
        ['L', right + tail, bottom],
      ],
      stroke: pattern(width, style, middle.width + 2 * into, false),
    },
    {
      path: [
        ['M', x, y - into],
        ['L', x, bottom + tail],
        ['M', right, y - into],
        ['L', right, bottom + tail],
      ],
      stroke: pattern(width, style, middle.height + 2 * into, false),
    },
  ];
}

function roundStroke(middle: Rect, radii: Corners, width: number, style: 'dashed' | 'dotted'): readonly StrokedPath[] {
  // Each corner replaces its two radii of straight side by a quarter of an ellipse (Ramanujan's approximation).
  const saved = (x: number, y: number) => x + y - (Math.PI / 4) * (3 * (x + y) - Math.sqrt((3 * x + y) * (x + 3 * y)));
  const corners = Object.values(radii).map(axesOfRadius);
  const length = 2 * (middle.width + middle.height) - corners.reduce((sum, { x, y }) => sum + saved(x, y), 0);
  return [{ path: roundedRectPath(middle, radii), stroke: pattern(width, style, length, true) }];
}

/** Dashes or dots that begin and end with a whole one. @param length of the line, px */
export function pattern(width: number, style: 'dashed' | 'dotted', length: number, closed: boolean): Stroke {
  const dotted = style === 'dotted';
  const dash = dotted ? 0 : 2 * width;
  const period = dotted ? 2 * width : 3 * width;
  const periods = Math.max(1, Math.round((closed ? length : length - dash) / period));
  const gap = closed ? length / periods - dash : (length - dash * (periods + 1)) / periods;
  return {
    width,
    cap: dotted ? 'round' : 'butt',
    join: 'miter',
    miterLimit: 4,
    dash: gap > 0 ? [dash, gap] : [],
  };
}
