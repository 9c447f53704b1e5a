// A display list in canvas px in; out comes one in device px whose groups only clip, filter, fade or blend.
//
// From here on there is no scale, and what a group would only move or turn lies where it is seen. So its coordinates
// are rounded where they are drawn, which makes an outline look the same whatever it is drawn with, and turned letters
// are outlines like any other.

import {
  IDENTITY,
  isIdentity,
  type Matrix,
  multiply,
  type Size,
  transformPoint,
  transformRect,
} from '#core/geometry.ts';
import type { Brush, DisplayList, GroupOp, PaintOp, Stroke } from '#core/paint/display-list.ts';
import { runPath } from '#core/paint/glyph-path.ts';
import { movedBrush } from '#core/paint/move-brush.ts';
import { transformPath } from '#core/path.ts';
import type { Resources } from '#core/resources.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** Of operations that come again in a later list, and are not what they were. */
const madeBefore = new WeakMap<PaintOp, { readonly matrix: Matrix; readonly ops: readonly PaintOp[] }>();

/**
 * Every length times `scale`; stretched a little where that makes no whole pixels of the canvas.
 *
 * @param device px, integers
 */
export function toDevice(list: DisplayList, scale: number, device: Size, { fonts }: Resources): DisplayList {
  const { width, height } = device;
  const isWhole = width === list.width * scale && height === list.height * scale;
  const matrix: Matrix = isWhole ? [scale, 0, 0, scale, 0, 0] : [width / list.width, 0, 0, height / list.height, 0, 0];
  const ops = list.ops.flatMap((op) => {
    if (isIdentity(matrix) && op.kind !== 'group' && !isOutlined(op)) return moved(op, matrix, fonts);
    const before = madeBefore.get(op);
    if (before && before.matrix[0] === matrix[0] && before.matrix[3] === matrix[3]) return before.ops;
    const made = moved(op, matrix, fonts);
    madeBefore.set(op, { matrix, ops: made });
    return made;
  });
  return { width, height, ops };
}

/** How much larger a matrix makes everything; null where not all sides alike. */
function evenScale([a, b, c, d]: Matrix): number | null {
  const isEven = Math.abs(a - d) < 1e-9 && Math.abs(b + c) < 1e-9;
  return isEven ? Math.hypot(a, b) : null;
}

const isUpright = ([a, b, c, d]: Matrix) => b === 0 && c === 0 && a > 0 && d > 0;

/** Letters above their outline: two things to draw, each in a colour of its own. */
function isOutlined(op: PaintOp): boolean {
  return op.kind === 'glyphs' && op.brush !== null && op.outline !== null;
}

function moved(op: PaintOp, matrix: Matrix, fonts: Resources['fonts']): readonly PaintOp[] {
  const stays = isIdentity(matrix) && op.kind !== 'group' && op.kind !== 'link' && !isOutlined(op);
  if (stays) return op.kind !== 'glyphs' || op.brush || op.outline ? [op] : [];
  const scale = evenScale(matrix);
  switch (op.kind) {
    case 'fill':
      if (scale === null && op.brush.kind !== 'solid') return [within(matrix, op)];
      return [{ ...op, path: transformPath(op.path, matrix), brush: movedBrush(op.brush, matrix) }];
    case 'stroke': {
      if (scale === null) return [within(matrix, op)];
      const { path, brush, stroke } = op;
      return [
        {
          ...op,
          path: transformPath(path, matrix),
          brush: movedBrush(brush, matrix),
          stroke: scaledStroke(stroke, scale),
        },
      ];
    }
    case 'glyphs':
      return movedGlyphs(op, matrix, scale, fonts);
    case 'image':
      if (!isUpright(matrix)) return [within(matrix, op)];
      return [{ ...op, dest: transformRect(matrix, op.dest) }];
    case 'link':
      return [];
    case 'group':
      return movedGroup(op, multiply(matrix, op.transform), fonts);
  }
}

function movedGroup(group: GroupOp, matrix: Matrix, fonts: Resources['fonts']): readonly PaintOp[] {
  const { opacity, blend, clip, filters, ops } = group;
  const isPlain = opacity === 1 && blend === 'normal' && clip === null && filters.length === 0;
  if (isPlain) return ops.flatMap((op) => moved(op, matrix, fonts));
  const scale = evenScale(matrix);
  if (scale === null || !isUpright(matrix)) {
    return [{ ...group, transform: matrix, ops: ops.flatMap((op) => moved(op, IDENTITY, fonts)) }];
  }
  return [
    {
      ...group,
      transform: IDENTITY,
      clip: clip && { ...clip, path: transformPath(clip.path, matrix) },
      filters: filters.map((filter) => (filter.kind === 'blur' ? { ...filter, sigma: filter.sigma * scale } : filter)),
      ops: ops.flatMap((op) => moved(op, matrix, fonts)),
    },
  ];
}

function movedGlyphs(
  op: GlyphsOp,
  matrix: Matrix,
  scale: number | null,
  fonts: Resources['fonts'],
): readonly PaintOp[] {
  const { run, origin, brush, outline } = op;
  if (brush === null && outline === null) return [];
  if (isOutlined(op)) {
    const parts = [
      { ...op, brush: null },
      { ...op, outline: null },
    ];
    return parts.flatMap((part) => movedGlyphs(part, matrix, scale, fonts));
  }
  if (scale !== null && isUpright(matrix)) {
    const edge = outline && { brush: movedBrush(outline.brush, matrix), stroke: scaledStroke(outline.stroke, scale) };
    return [
      {
        ...op,
        run: scaledRun(run, scale),
        origin: transformPoint(matrix, origin),
        brush: brush && movedBrush(brush, matrix),
        outline: edge,
      },
    ];
  }
  const ink: Brush | null = outline === null && (scale !== null || brush?.kind === 'solid') ? brush : null;
  if (ink === null) return [within(matrix, op)];
  const path = transformPath(runPath(run, origin, fonts.face(run.face)), matrix);
  return path.length === 0 ? [] : [{ kind: 'fill', path, rule: 'nonzero', brush: movedBrush(ink, matrix) }];
}

/** What cannot be moved by its own coordinates. */
function within(transform: Matrix, op: PaintOp): GroupOp {
  return { kind: 'group', transform, opacity: 1, blend: 'normal', clip: null, filters: [], text: null, ops: [op] };
}

function scaledStroke(stroke: Stroke, scale: number): Stroke {
  return { ...stroke, width: stroke.width * scale, dash: stroke.dash.map((length) => length * scale) };
}

function scaledRun(run: GlyphRun, scale: number): GlyphRun {
  if (scale === 1) return run;
  const { fontSize, width, glyphs } = run;
  return {
    ...run,
    fontSize: fontSize * scale,
    width: width * scale,
    glyphs: glyphs.map((glyph) => ({
      ...glyph,
      x: glyph.x * scale,
      y: glyph.y * scale,
      advance: glyph.advance * scale,
    })),
  };
}
