// Paints CSS shadows: box shadows of outlines, drop shadows of whatever was painted.
//
// A box shadow is cut out where its box is, unless the box hides it anyway (CSS Backgrounds 3 §6.1); a drop shadow lies
// below all of its layer (Filter Effects 1 §11.8).

import { BLACK, type Color, WHITE } from '../color.ts';
import { inflate, isSameRect, type Rect, translation, union } from '../geometry.ts';
import { pathBounds, transformPath } from '../path.ts';
import type { Outline, Shadow } from '../resolve/scene.ts';
import type { FontSet } from '../text/font-set.ts';
import { opsBounds } from './bounds.ts';
import type { Brush, Filter, PaintOp } from './display-list.ts';
import { blurred, silhouetted } from './filter.ts';
import { runPath } from './glyph-path.ts';
import { group } from './group.ts';
import { memoizePaint } from './memoize-paint.ts';
import { grownOutlinePath, isSameOutline, rectPath } from './outline.ts';

/** What painting one node gives. */
export interface PaintResult {
  /** The node by itself: without outer shadows, rotation, mask, opacity. */
  readonly ops: readonly PaintOp[];
  /** null when the node has no outline of its own, so that its shadow follows what was painted. */
  readonly caster: Caster | null;
}

/** An outline that casts a box shadow. */
export interface Caster {
  readonly outline: Outline;
  readonly box: Rect;
  /** How far paint extends beyond the outline: half of a stroke's width, px. */
  readonly reach: number;
  /** Whether nothing shows through, so that the shadow need not be cut out below it. */
  readonly opaque: boolean;
}

/** The outer box shadows, the first on top as in CSS. */
export function outerShadows(shadows: readonly Shadow[], caster: Caster): readonly PaintOp[] {
  return shadows
    .filter(isOuter)
    .toReversed()
    .flatMap((shadow) => outerShadow(shadow, caster));
}

const isOuter = ({ inset, color }: Shadow) => !inset && color.a > 0;

function isSameCaster(a: Caster, b: Caster): boolean {
  return (
    isSameOutline(a.outline, b.outline) && isSameRect(a.box, b.box) && a.reach === b.reach && a.opaque === b.opaque
  );
}

const outerShadow = memoizePaint(isSameCaster, (shadow: Shadow, caster: Caster): readonly PaintOp[] => {
  const { x, y, sigma, spread, color } = shadow;
  const grown = grownOutlinePath(caster.outline, caster.box, caster.reach + spread);
  const bounds = pathBounds(grown);
  if (!bounds) return [];
  const cast = transformPath(grown, translation(x, y));
  const fill: PaintOp = { kind: 'fill', path: cast, rule: 'nonzero', brush: { kind: 'solid', color } };
  if (caster.opaque) return group({ filters: blurred(sigma) }, [fill]);
  const hole = grownOutlinePath(caster.outline, caster.box, caster.reach);
  const outside = around(pathBounds(hole), pathBounds(cast), sigma);
  const clip = { path: [...rectPath(outside), ...hole], rule: 'evenodd' } as const;
  return group({ filters: blurred(sigma), clip }, [fill]);
});

/** The inset shadows, which fall from an outline's edge inwards, the first on top. */
export function insetShadows(shadows: readonly Shadow[], outline: Outline, box: Rect): readonly PaintOp[] {
  const inner = shadows.filter((shadow) => shadow.inset && shadow.color.a > 0);
  if (inner.length === 0) return [];
  const edge = grownOutlinePath(outline, box, 0);
  if (edge.length === 0) return [];
  return inner.toReversed().flatMap(({ x, y, sigma, spread, color }) => {
    const lit = transformPath(grownOutlinePath(outline, box, -spread), translation(x, y));
    const path = [...rectPath(around(pathBounds(edge), pathBounds(lit), sigma)), ...lit];
    const fill: PaintOp = { kind: 'fill', path, rule: 'evenodd', brush: { kind: 'solid', color } };
    return group({ filters: blurred(sigma), clip: { path: edge, rule: 'nonzero' } }, [fill]);
  });
}

/**
 * The outer shadows of what was painted, whatever its shape, the first on top.
 *
 * `spread` has no meaning here. Letters of a sharp shadow become plain outlines: a PDF would otherwise hold them as
 * text twice.
 */
export function dropShadows(shadows: readonly Shadow[], ops: readonly PaintOp[], fonts: FontSet): readonly PaintOp[] {
  return shadows
    .filter(isOuter)
    .toReversed()
    .flatMap(({ x, y, sigma, color, ofLetters }) => {
      const silhouette = recolored(ops, color, sigma > 0 ? null : fonts, ofLetters);
      return group({ transform: translation(x, y), opacity: color.a, filters: blurred(sigma) }, silhouette);
    });
}

/** Operations in one colour with their own alpha, or none; letters become outlines if fonts are given. */
export function recolored(
  ops: readonly PaintOp[],
  color: Color,
  fonts: FontSet | null,
  isOpaque = false,
): readonly PaintOp[] {
  return ops.flatMap((op) => recoloredOp(op, color, fonts, isOpaque));
}

function recoloredOp(op: PaintOp, color: Color, fonts: FontSet | null, isOpaque: boolean): readonly PaintOp[] {
  switch (op.kind) {
    case 'fill':
    case 'stroke':
      return [{ ...op, brush: recoloredBrush(op.brush, color, isOpaque) }];
    case 'image':
      return group({ filters: [silhouetted(color)] }, [op]);
    case 'link':
      return [];
    case 'group':
      return [
        {
          ...op,
          blend: 'normal',
          opacity: isOpaque ? 1 : op.opacity,
          ops: recolored(op.ops, color, fonts, isOpaque),
        },
      ];
    case 'glyphs': {
      const brush = op.brush && recoloredBrush(op.brush, color, isOpaque);
      const outline = op.outline && { ...op.outline, brush: recoloredBrush(op.outline.brush, color, isOpaque) };
      if (!fonts) return [{ ...op, brush, outline }];
      const path = runPath(op.run, op.origin, fonts.face(op.run.face));
      const stroke: readonly PaintOp[] = outline ? [{ kind: 'stroke', path, ...outline }] : [];
      return brush ? [...stroke, { kind: 'fill', path, rule: 'nonzero', brush }] : stroke;
    }
  }
}

function recoloredBrush(brush: Brush, { r, g, b }: Color, isOpaque: boolean): Brush {
  if (isOpaque) return { kind: 'solid', color: { r, g, b, a: 1 } };
  if (brush.kind === 'solid') return { kind: 'solid', color: { r, g, b, a: brush.color.a } };
  return { ...brush, stops: brush.stops.map((stop) => ({ ...stop, color: { r, g, b, a: stop.color.a } })) };
}

/** A rectangle that contains both with a margin larger than the blur's reach. */
function around(a: Rect | null, b: Rect | null, sigma: number): Rect {
  const both = union(a, b) ?? { x: 0, y: 0, width: 0, height: 0 };
  return inflate(both, Math.ceil(3 * sigma) + 1);
}

// Paints the inset shadows of what has any shape: letters, and pictures with transparent parts.
//
// A shadow shows where the shape is and its own moved, blurred copy is not. A display list has no masks, so both are
// drawn as tones of grey that multiply, and a colour matrix makes the result the opacity of the shadow's colour.

/** The inset shadows of what was painted, the first on top; `spread` has no meaning here. */
export function innerShadows(shadows: readonly Shadow[], ops: readonly PaintOp[], fonts: FontSet): readonly PaintOp[] {
  const inner = shadows.filter(({ inset, color }) => inset && color.a > 0);
  const bounds = inner.length > 0 ? opsBounds(ops, fonts) : null;
  if (bounds === null) return [];
  const area = inflate(bounds, 1);
  // Larger than the white area: where both edges are antialiased on one pixel, its grey would be a frame.
  const shape = [filled(inflate(area, 2), BLACK), ...recolored(ops, WHITE, fonts)];
  return inner.toReversed().flatMap(({ x, y, sigma, color }) => {
    const lit = group({ transform: translation(x, y), filters: blurred(sigma) }, recolored(ops, BLACK, fonts));
    const shaded = group({ blend: 'multiply' }, [filled(area, WHITE), ...lit]);
    return group({ filters: [opacityOf(color)] }, [...shape, ...shaded]);
  });
}

function filled(area: Rect, color: Color): PaintOp {
  return { kind: 'fill', path: rectPath(area), rule: 'nonzero', brush: { kind: 'solid', color } };
}

/** Makes grey of 0..1 that share of a colour's opacity. */
function opacityOf({ r, g, b, a }: Color): Filter {
  const values = [r, g, b].flatMap((channel) => [0, 0, 0, 0, channel / 255]);
  return { kind: 'color-matrix', values: [...values, a, 0, 0, 0, 0] };
}
