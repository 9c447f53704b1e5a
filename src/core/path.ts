// Outlines: what fills, strokes and clips follow.
//
// Absolute moveto, lineto, cubic curveto and closepath are all that is left of any shape (as in usvg's Micro SVG), so
// a back end knows four commands and no arcs, quadratics or relative coordinates.

export type PathSegment =
  | readonly ['M', x: number, y: number]
  | readonly ['L', x: number, y: number]
  | readonly ['C', x1: number, y1: number, x2: number, y2: number, x: number, y: number]
  | readonly ['Z'];
export type PathData = readonly PathSegment[];

export type FillRule = 'nonzero' | 'evenodd';
