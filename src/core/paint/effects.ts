// Applies to what was painted of a node the effects that every node can have: shadows, clips, masks, filters, opacity.
//
// CSS's order (Filter Effects 1 §4): the painted node, clipped by its mask, over its shadows; then blur, opacity and
// blend mode. Neutral groups are never written.

import { type Color, WHITE } from '../color.ts';
import { inflate, type Rect } from '../geometry.ts';
import { lengthIn, pointIn } from '../layout/box-matrix.ts';
import { fitImage } from '../layout/image-fit.ts';
import type { PathData } from '../path.ts';
import type { BasicShape, Fade, Filters, Inset, Length, Mask, SceneNode } from '../resolve/scene.ts';
import type { ImageResource, Resources } from '../resources.ts';
import { backdropMark } from './backdrop.ts';
import { borderOps } from './border.ts';
import type { Brush, Clip, PaintOp } from './display-list.ts';
import { blurred, greyed, layerFilters, silhouetted } from './filter.ts';
import { brushFor } from './gradient.ts';
import { clipped, group } from './group.ts';
import {
  eachAxis,
  ellipsePath,
  fitRadii,
  grownOutlinePath,
  mapCorners,
  outlinePath,
  rectPath,
  roundedRectPath,
  SHARP,
} from './outline.ts';
import { backgroundOps, paintImage } from './paint-boxes.ts';
import type { PaintResult } from './shadow.ts';
import { dropShadows, innerShadows, outerShadows } from './shadow.ts';

/** Applies all effects except the rotation, which applies to the link as well. */
export function withEffects(
  node: SceneNode,
  rect: Rect,
  painted: PaintResult,
  { fonts, images }: Resources,
): readonly PaintOp[] {
  const { mask, opacity, blend, css } = node;
  const isUnfiltered = node.blur === 0 && node.filters === null && node.backdropFilters === null;
  if (isUnfiltered && node.shadows.length === 0 && mask === null && opacity === 1 && blend === 'normal' && !css) {
    return painted.ops;
  }
  const cut = (all: readonly PaintOp[]) => {
    const ops = css?.clip ? clipped(all, shapeClip(css.clip, rect)) : all;
    if (!mask) return ops;
    if (mask.fade) return masked(ops, mask, rect, images);
    return clipped(ops, { path: outlinePath(mask.outline, rect), rule: 'nonzero' });
  };
  const own = cut(css?.outline ? [...painted.ops, ...outlineOps(node, rect)] : painted.ops);
  const ops = css && css.dropShadows.length > 0 ? [...dropShadows(css.dropShadows, own, fonts), ...own] : own;
  // Boxes and shapes have painted theirs already, over their fill.
  const inner =
    node.type === 'text' || node.type === 'image' ? cut(innerShadows(node.shadows, painted.ops, fonts)) : [];
  const { caster } = painted;
  const shadows =
    caster && !mask?.fade
      ? outerShadows(node.shadows, mask ? { ...caster, outline: mask.outline, box: rect, reach: 0 } : caster)
      : dropShadows(node.shadows, ops, fonts);
  const ownFilters = node.filters === null || node.type === 'image' ? [] : layerFilters(node.filters);
  const filters = [...ownFilters, ...blurred(node.blur)];
  // A blur turns letters into pixels; their text is added again, undrawn, so that a PDF can be searched.
  const words = filters.some(({ kind }) => kind === 'blur') ? searchable(ops) : [];
  const behind = node.backdropFilters === null ? [] : [backdropOf(node, node.backdropFilters, rect, painted, images)];
  return [...behind, ...group({ opacity, blend, filters }, [...shadows, ...ops, ...inner]), ...words];
}

/** Stands for what lies behind a node, within its outline. */
function backdropOf(
  node: SceneNode,
  filters: Filters,
  rect: Rect,
  { caster }: PaintResult,
  images: Resources['images'],
): PaintOp {
  const outline = node.mask?.outline ?? (node.type === 'shape' ? node.outline : null);
  const path = outline
    ? outlinePath(outline, rect)
    : caster
      ? grownOutlinePath(caster.outline, caster.box, caster.reach)
      : 'radii' in node
        ? roundedRectPath(rect, node.radii)
        : rectPath(rect);
  const { mask = null } = lightOf(node.mask?.fade ?? null, rect, images);
  return backdropMark({ path, rule: 'nonzero' }, layerFilters(filters), node.opacity, mask);
}

/** The text of operations, with no brush; a filtered group is already followed by its own. */
function searchable(ops: readonly PaintOp[]): readonly PaintOp[] {
  return ops.flatMap((op): readonly PaintOp[] => {
    if (op.kind === 'glyphs') return [{ ...op, brush: null, outline: null }];
    if (op.kind === 'group' && op.filters.length === 0) return group({ transform: op.transform }, searchable(op.ops));
    return [];
  });
}

// Paints what a mask lets through as tones of grey: a gradient over the box, or a picture in it (CSS Masking 1 §6).
//
// A display list has masks of light only, so an opacity becomes a tone: opaque where that is exact, because a
// translucent gradient takes a mask of its own in a PDF.

const CENTRE = { x: 0.5, y: 0.5 };

type Images = ReadonlyMap<string, ImageResource>;

/** Operations as a node's mask shows them: within its outline, and faded. */
function masked(ops: readonly PaintOp[], { outline, fade }: Mask, box: Rect, images: Images): readonly PaintOp[] {
  const clip = { path: outlinePath(outline, box), rule: 'nonzero' } as const;
  return group({ clip, ...lightOf(fade, box, images) }, ops);
}

/** The `mask` of a group that fades so. */
function lightOf(fade: Fade | null, box: Rect, images: Images): { readonly mask?: readonly PaintOp[] } {
  if (fade === null) return {};
  if (fade.kind === 'gradient') {
    const brush = brushFor(fade.fill, box);
    return { mask: [{ kind: 'fill', path: rectPath(box), rule: 'nonzero', brush: toned(brush, fade.mode) }] };
  }
  const filter = fade.mode === 'alpha' ? silhouetted(WHITE) : greyed(1);
  if (fade.kind === 'layers') {
    const layers = fade.nodes.map((node) => group({ filters: [filter] }, layerOps(node, box, images)));
    if (!fade.isIntersection) return { mask: layers.flat() };
    return { mask: layers.reduce((mask, layer) => group({ mask }, layer)) };
  }
  const image = images.get(fade.image);
  const placement = image && fitImage(image, box, fade.fit, CENTRE);
  // As in CSS, what cannot be seen lets nothing through.
  if (!placement) return { mask: [] };
  return { mask: group({ filters: [filter] }, [{ kind: 'image', image: fade.image, ...placement }]) };
}

/** The part of a box between its sides and an area of it. */
function insetBox(box: Rect, inset: Inset | null): Rect {
  if (!inset) return box;
  const along = (whole: number, length: Length | null) => (length ? lengthIn(whole, length) : 0);
  const [left, top] = [along(box.width, inset.left), along(box.height, inset.top)];
  const width = Math.max(0, box.width - left - along(box.width, inset.right));
  return {
    x: box.x + left,
    y: box.y + top,
    width,
    height: Math.max(0, box.height - top - along(box.height, inset.bottom)),
  };
}

function layerOps(node: SceneNode, around: Rect, images: Images): readonly PaintOp[] {
  const box = insetBox(around, node.placement.inset);
  if (node.type === 'frame') return backgroundOps(node, box, box);
  const image = node.type === 'image' ? images.get(node.image) : undefined;
  return node.type === 'image' && image ? paintImage(node, box, image).ops : [];
}

function toned(brush: Brush, mode: Fade['mode']): Brush {
  const tone = (color: Color): Color => {
    if (mode === 'alpha') return grey(255 * color.a, 1);
    return grey(0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b, color.a);
  };
  if (brush.kind === 'solid') return { kind: 'solid', color: tone(brush.color) };
  return { ...brush, stops: brush.stops.map(({ offset, color }) => ({ offset, color: tone(color) })) };
}

const grey = (tone: number, a: number): Color => ({ r: tone, g: tone, b: tone, a });

// Paints outlines of html boxes, and clips them by basic shapes (CSS UI 4, 3; CSS Shapes 1, 3.1).

/** CSS UI 4, 3.3: along the corners of the border box. */
export function outlineOps({ css, ...node }: SceneNode, box: Rect): readonly PaintOp[] {
  if (!css?.outline) return [];
  const by = Math.max(css.outline.offset + css.outline.width, -box.width / 2, -box.height / 2);
  const radii = 'radii' in node ? fitRadii(box, node.radii) : SHARP;
  const outer = mapCorners(radii, (radius) => eachAxis(radius, (px) => (px > 0 ? Math.max(0, px + by) : 0)));
  return borderOps(inflate(box, by), outer, css.outline);
}

/** CSS Shapes 1, 3.1. */
export function shapeClip(shape: BasicShape, box: Rect): Clip {
  switch (shape.kind) {
    case 'inset': {
      const { top, right, bottom, left } = shape.inset;
      const [x, y] = [lengthIn(box.width, left), lengthIn(box.height, top)];
      const width = Math.max(0, box.width - x - lengthIn(box.width, right));
      const height = Math.max(0, box.height - y - lengthIn(box.height, bottom));
      const inner = { x: box.x + x, y: box.y + y, width, height };
      return { path: roundedRectPath(inner, fitRadii(inner, shape.radii)), rule: 'nonzero' };
    }
    case 'polygon': {
      const path: PathData = shape.points.map((point, i) => {
        const { x, y } = pointIn(box, point);
        return [i === 0 ? 'M' : 'L', box.x + x, box.y + y] as const;
      });
      return { path: [...path, ['Z']], rule: shape.rule };
    }
    default: {
      const { x, y } = pointIn(box, shape.center);
      const sides = { x: [x, box.width - x].map(Math.abs), y: [y, box.height - y].map(Math.abs) };
      const isCircle = shape.kind === 'circle';
      const radiusOf = (axis: 'x' | 'y', i: number): number => {
        const radius = shape.radii[i] ?? 'closest-side';
        const reach = isCircle ? [...sides.x, ...sides.y] : sides[axis];
        if (radius === 'closest-side') return Math.min(...reach);
        if (radius === 'farthest-side') return Math.max(...reach);
        const whole = isCircle ? Math.hypot(box.width, box.height) / Math.SQRT2 : axis === 'x' ? box.width : box.height;
        return Math.max(0, lengthIn(whole, radius));
      };
      const [across, down] = [radiusOf('x', 0), isCircle ? radiusOf('x', 0) : radiusOf('y', 1)];
      const around = { x: box.x + x - across, y: box.y + y - down, width: 2 * across, height: 2 * down };
      return { path: ellipsePath(around), rule: 'nonzero' };
    }
  }
}
