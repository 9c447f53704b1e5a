// A display list in canvas px in, the same in device px out: from here on there is no scale.
//
// So whatever lies on whole device pixels does so in exact numbers, and equal pictures are kept under equal keys.

import type { Matrix, Point, Rect, Size } from '#core/geometry.ts';
import type { Brush, DisplayList, PaintOp, Stroke } from '#core/paint/display-list.ts';
import { type PathData, transformPath } from '#core/path.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';

/**
 * Every length times `scale`. Where that makes no whole pixels of the canvas, it is stretched to them.
 *
 * @param device px, integers
 */
export function scaleList(list: DisplayList, scale: number, device: Size): DisplayList {
  const { width, height } = device;
  const isWhole = width === list.width * scale && height === list.height * scale;
  if (isWhole) return scale === 1 ? list : { width, height, ops: list.ops.map((op) => scaled(op, scale)) };
  const transform: Matrix = [width / list.width, 0, 0, height / list.height, 0, 0];
  const stretched = { transform, opacity: 1, blend: 'normal', clip: null, filters: [], text: null } as const;
  return { width, height, ops: [{ kind: 'group', ...stretched, ops: list.ops }] };
}

/** By operation, for those that come again in a later list. */
const scaledBefore = new WeakMap<PaintOp, { readonly scale: number; readonly op: PaintOp }>();

function scaled(op: PaintOp, scale: number): PaintOp {
  const before = scaledBefore.get(op);
  if (before?.scale === scale) return before.op;
  const result = scaledOp(op, scale);
  scaledBefore.set(op, { scale, op: result });
  return result;
}

function scaledOp(op: PaintOp, scale: number): PaintOp {
  switch (op.kind) {
    case 'fill':
      return { ...op, path: scaledPath(op.path, scale), brush: scaledBrush(op.brush, scale) };
    case 'stroke': {
      const { path, brush, stroke } = op;
      const [outline, ink] = [scaledPath(path, scale), scaledBrush(brush, scale)];
      return { ...op, path: outline, brush: ink, stroke: scaledStroke(stroke, scale) };
    }
    case 'glyphs': {
      const { run, origin, brush, outline } = op;
      const edge = outline && {
        brush: scaledBrush(outline.brush, scale),
        stroke: scaledStroke(outline.stroke, scale),
      };
      return {
        ...op,
        run: scaledRun(run, scale),
        origin: scaledPoint(origin, scale),
        brush: brush && scaledBrush(brush, scale),
        outline: edge,
      };
    }
    case 'image':
      return { ...op, dest: scaledRect(op.dest, scale) };
    case 'link':
      return { ...op, rect: scaledRect(op.rect, scale) };
    case 'group': {
      const [a, b, c, d, e, f] = op.transform;
      return {
        ...op,
        transform: [a, b, c, d, e * scale, f * scale],
        clip: op.clip && { ...op.clip, path: scaledPath(op.clip.path, scale) },
        filters: op.filters.map((filter) =>
          filter.kind === 'blur' ? { ...filter, sigma: filter.sigma * scale } : filter,
        ),
        ops: op.ops.map((inner) => scaledOp(inner, scale)),
      };
    }
  }
}

const scaledPoint = ({ x, y }: Point, scale: number): Point => ({ x: x * scale, y: y * scale });

function scaledRect({ x, y, width, height }: Rect, scale: number): Rect {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}

function scaledPath(path: PathData, scale: number): PathData {
  return transformPath(path, [scale, 0, 0, scale, 0, 0]);
}

function scaledBrush(brush: Brush, scale: number): Brush {
  switch (brush.kind) {
    case 'solid':
      return brush;
    case 'linear':
      return { ...brush, from: scaledPoint(brush.from, scale), to: scaledPoint(brush.to, scale) };
    case 'radial': {
      const [a, b, c, d, e, f] = brush.transform;
      return { ...brush, transform: [a * scale, b * scale, c * scale, d * scale, e * scale, f * scale] };
    }
    case 'conic':
      return { ...brush, centre: scaledPoint(brush.centre, scale) };
  }
}

function scaledStroke(stroke: Stroke, scale: number): Stroke {
  return { ...stroke, width: stroke.width * scale, dash: stroke.dash.map((length) => length * scale) };
}

function scaledRun(run: GlyphRun, scale: number): GlyphRun {
  return {
    ...run,
    fontSize: run.fontSize * scale,
    width: run.width * scale,
    glyphs: run.glyphs.map((glyph) => ({
      ...glyph,
      x: glyph.x * scale,
      y: glyph.y * scale,
      advance: glyph.advance * scale,
    })),
  };
}
