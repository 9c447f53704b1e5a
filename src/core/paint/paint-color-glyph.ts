// Paints a colour glyph, given in font units, as fills and groups on the canvas.
//
// Exact: solid colours, linear and concentric radial gradients, sweeps, clips, groups and blend modes. Approximate: a
// gradient between circles with two centres (drawn about the end's), one that repeats (drawn with a constant last
// colour), and Porter-Duff operators other than "in" (drawn as "over"). The bundled emoji have 17 of the first kind and
// none of the others.

import type { BlendMode } from '../blend-mode.ts';
import { BLEND_MODES } from '../blend-mode.ts';
import type { Color, GradientStop } from '../color.ts';
import { invert, type Matrix, multiply } from '../geometry.ts';
import { type PathData, transformPath } from '../path.ts';
import type { ColorGlyphOp, GlyphBrush, GlyphColor, GlyphStop } from '../text/color-glyph.ts';
import type { Brush, PaintOp } from './display-list.ts';
import { clipped, group } from './group.ts';

/**
 * @param matrix from font units to the canvas
 * @param foreground the colour of the text, for parts of the glyph that use it
 */
export function paintColorGlyph(ops: readonly ColorGlyphOp[], matrix: Matrix, foreground: Color): readonly PaintOp[] {
  const painted: PaintOp[] = [];
  const add = (made: readonly PaintOp[]) => {
    for (const op of made) painted.push(op);
  };
  // "In" keeps the source where the destination, all that precedes it in its group, has any paint. What it replaces is
  // not painted at all, or each of many would paint all that precede it.
  const last = ops.findLastIndex((op) => op.kind === 'group' && op.composite === 'src-in');
  const inside = ops[last];
  if (inside?.kind === 'group') {
    const source = paintColorGlyph(inside.ops, matrix, foreground);
    add(clipped(source, { path: transformPath(silhouette(ops.slice(0, last)), matrix), rule: 'nonzero' }));
  }
  for (const op of ops.slice(last + 1)) {
    if (op.kind === 'fill') {
      add(fillOps(op.path, op.brush, matrix, foreground));
    } else if (op.kind === 'clip') {
      const clip = { path: transformPath(op.path, matrix), rule: 'nonzero' } as const;
      add(clipped(paintColorGlyph(op.ops, matrix, foreground), clip));
    } else {
      const blend = isBlendMode(op.composite) ? op.composite : 'normal';
      add(group({ blend }, paintColorGlyph(op.ops, matrix, foreground)));
    }
  }
  return painted;
}

function fillOps(path: PathData, brush: GlyphBrush, matrix: Matrix, foreground: Color): readonly PaintOp[] {
  if (brush.kind === 'solid') {
    const solid: Brush = { kind: 'solid', color: colorOf(brush, foreground) };
    return [{ kind: 'fill', path: transformPath(path, matrix), rule: 'nonzero', brush: solid }];
  }
  // A gradient may be skewed and a brush cannot, so it is drawn in its own coordinates.
  const toGradient = invert(brush.transform);
  const own = ownBrush(brush, stopsOf(brush.stops, foreground));
  if (!toGradient || !own) return [];
  const fill: PaintOp = { kind: 'fill', path: transformPath(path, toGradient), rule: 'nonzero', brush: own };
  return group({ transform: multiply(matrix, brush.transform) }, [fill]);
}

function ownBrush(brush: Exclude<GlyphBrush, { kind: 'solid' }>, stops: readonly GradientStop[]): Brush | null {
  switch (brush.kind) {
    case 'linear':
      return { kind: 'linear', from: brush.from, to: brush.to, stops };
    case 'radial': {
      const { start, end } = brush;
      const radius = Math.max(start.radius, end.radius);
      if (radius === 0) return null;
      return {
        kind: 'radial',
        transform: [radius, 0, 0, radius, end.x, end.y],
        stops: remapped(stops, (t) => (start.radius + t * (end.radius - start.radius)) / radius),
      };
    }
    case 'sweep': {
      // Both angles are measured from the x axis towards the y axis, wherever that points; a conic's from −y.
      const turn = 2 * Math.PI;
      const [start, end] = [brush.startAngle / turn, brush.endAngle / turn];
      const around = remapped(stops, (t) => Math.min(1, Math.max(0, start + t * (end - start))));
      return { kind: 'conic', centre: brush.center, angle: 90, stops: around };
    }
  }
}

/** Stops with their offsets mapped, reversed if that changed their direction. */
function remapped(stops: readonly GradientStop[], map: (offset: number) => number): readonly GradientStop[] {
  const moved = stops.map(({ offset, color }) => ({ offset: map(offset), color }));
  return (moved.at(-1)?.offset ?? 0) < (moved[0]?.offset ?? 0) ? moved.reverse() : moved;
}

function stopsOf(stops: readonly GlyphStop[], foreground: Color): readonly GradientStop[] {
  return stops.map((stop) => ({ offset: stop.offset, color: colorOf(stop, foreground) }));
}

function colorOf({ color, alpha }: GlyphColor, foreground: Color): Color {
  return color ?? { ...foreground, a: foreground.a * alpha };
}

/** The outline of everything that operations paint. */
export function silhouette(ops: readonly ColorGlyphOp[]): PathData {
  return ops.flatMap((op) => (op.kind === 'group' ? silhouette(op.ops) : op.path));
}

function isBlendMode(composite: string): composite is BlendMode {
  return (BLEND_MODES as readonly string[]).includes(composite);
}
