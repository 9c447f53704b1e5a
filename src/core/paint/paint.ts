// Paints boxes to a display list: each node with the painter of its kind, then the effects that every node can have.
//
// CSS's order (Filter Effects 1 §4): the painted node, clipped by its mask, over its shadows; then blur, opacity and
// blend mode; then the rotation, which applies to children too. Neutral groups are never written.

import { type Color, WHITE } from '../color.ts';
import { inflate, isSameRect, type Rect, transformRect } from '../geometry.ts';
import type { FrameBox, InlineContent, LayoutBox, TextBox } from '../layout/box.ts';
import { lengthIn, matrixOf, pointIn } from '../layout/box-matrix.ts';
import { fitImage } from '../layout/image-fit.ts';
import type { PathData } from '../path.ts';
import type { BasicShape, Fade, Fill, Filters, Inset, Length, Mask, Scene, SceneNode } from '../resolve/scene.ts';
import type { ImageResource, Resources } from '../resources.ts';
import type { Role } from '../role.ts';
import { pixels } from '../template/page-setup.ts';
import { backdropMark, withBackdrops } from './backdrop.ts';
import { borderOps } from './border.ts';
import type { Brush, Clip, DisplayList, PaintOp } from './display-list.ts';
import { blurred, greyed, layerFilters, silhouetted } from './filter.ts';
import { brushFor } from './gradient.ts';
import { clipped, group } from './group.ts';
import { memoizePaint } from './memoize-paint.ts';
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
import { backgroundOps, paintCode, paintFrame, paintImage, paintShape } from './paint-boxes.ts';
import { paintChart } from './paint-chart.ts';
import type { PaintResult } from './paint-result.ts';
import { paintText, textRole } from './paint-text.ts';
import { dropShadows, innerShadows, outerShadows } from './shadow.ts';
import { type Owners, View } from './view.ts';

/** Cached operations of top-level boxes, valid for the same resources and a canvas of the same size. */
export interface PaintedBefore {
  readonly boxes: WeakMap<LayoutBox, { readonly ops: readonly PaintOp[]; readonly work: number }>;
  /** Receives the layer of each operation, at any depth. */
  readonly owners: Owners;
}

/** @param memory for an editor: boxes painted with it before get the same operations */
export function paint(
  scene: Scene,
  boxes: readonly LayoutBox[],
  resources: Resources,
  memory: PaintedBefore | null = null,
): DisplayList {
  const { width, height, document } = scene;
  const bleed = document?.bleed === undefined ? 0 : pixels(document.bleed);
  const canvas = inflate({ x: 0, y: 0, width, height }, bleed);
  const background = scene.background === null ? [] : [canvasFill(scene.background, canvas)];
  const view = View.of(canvas, memory?.owners, scene.snaps);
  const painted = [...background, ...boxes.flatMap((box) => paintRemembered(box, resources, view, memory))];
  const ops = withBackdrops(painted, resources.fonts, memory?.owners);
  return { width, height, ...(bleed > 0 && { bleed }), ...(document && { document }), ops };
}

function paintRemembered(
  box: LayoutBox,
  resources: Resources,
  view: View,
  memory: PaintedBefore | null,
): readonly PaintOp[] {
  const known = memory?.boxes.get(box);
  if (known) {
    view.spendAgain(known.work);
    return known.ops;
  }
  const before = view.spent;
  const ops = paintBox(box, resources, view);
  memory?.boxes.set(box, { ops, work: view.spent - before });
  return ops;
}

/** The layer of the scene's top-level operation at `index`; null = the background, or none. */
export function layerOfOp(
  scene: Scene,
  boxes: readonly LayoutBox[],
  resources: Resources,
  index: number,
): string | null {
  const view = View.of({ x: 0, y: 0, width: scene.width, height: scene.height });
  let begin = scene.background === null ? 0 : 1;
  for (const box of boxes) {
    const end = begin + paintBox(box, resources, view).length;
    if (index >= begin && index < end) return box.node.name;
    begin = end;
  }
  return null;
}

const canvasFill = memoizePaint(
  isSameRect,
  (fill: Fill, canvas: Rect): PaintOp => ({
    kind: 'fill',
    path: rectPath(canvas),
    rule: 'nonzero',
    brush: brushFor(fill, canvas),
  }),
);

/** @param around the visible region in the parent's coordinates */
function paintBox(box: LayoutBox, resources: Resources, around: View): readonly PaintOp[] {
  const { node } = box;
  const rect = box.kind === 'text' ? box.rect : around.placeOf(box.rect);
  const view = viewOf(box, around);
  const link: readonly PaintOp[] =
    node.link === null
      ? []
      : [{ kind: 'link', rect, href: node.link, words: wordsOf(box), role: linkRole(box, node.link) }];
  const visible = node.opacity > 0 ? withEffects(node, rect, paintNode(box, rect, resources, view), resources) : [];
  const shown = view.kept(visible, rect, resources.fonts);
  const ops = view.owned(link.length > 0 ? [...shown, ...link] : shown);
  const transform = matrixOf(box);
  if (transform === null) return ops;
  return view.owned(around.kept(group({ transform }, ops), transformRect(transform, rect), resources.fonts));
}

/** The visible region in the box's own coordinates, widened by what effects can bring in from outside. */
function viewOf(box: LayoutBox, around: View): View {
  const { node } = box;
  const matrix = matrixOf(box);
  const turned = matrix ? around.within(matrix) : around;
  const reach = Math.max(
    0,
    ...[...node.shadows, ...(node.css?.dropShadows ?? [])].map(
      ({ x, y, sigma, spread }) => Math.hypot(x, y) + 3 * sigma + Math.max(0, spread),
    ),
  );
  const filtered = node.type === 'image' ? 0 : (node.filters?.blur ?? 0);
  return turned.widened(reach + 3 * (node.blur + filtered)).ofLayer(node.name);
}

/** @param rect where its box is painted */
function paintNode(box: LayoutBox, rect: Rect, resources: Resources, view: View): PaintResult {
  const { fonts, images } = resources;
  switch (box.kind) {
    case 'text': {
      const text = paintText(box, resources, view);
      if (!box.inline) return text;
      const painted = (some: InlineContent['among']) => some.flatMap(({ box: own }) => paintBox(own, resources, view));
      return { ...text, ops: [...painted(box.inline.behind), ...text.ops, ...painted(box.inline.among)] };
    }
    case 'code':
      return asFigure(box, paintCode(box, fonts, view));
    case 'frame': {
      const inner = box.node.clip ? view.cutTo(rect) : view;
      const children = box.children.flatMap((child) => paintBox(child, resources, inner));
      return paintFrame(box.node, rect, children, fonts, box.rect);
    }
    case 'leaf': {
      if (box.node.type === 'shape') return asFigure(box, paintShape(box.node, rect));
      if (box.node.type === 'chart') return asFigure(box, paintChart(box.node, rect, resources, view));
      const image = images.get(box.node.image);
      return image ? asFigure(box, paintImage(box.node, rect, image)) : { ops: [], caster: null };
    }
  }
}

function figureRole({ node, role }: Exclude<LayoutBox, FrameBox | TextBox>): Role | undefined {
  const { name: layer, alt, link } = node;
  if (role || (node.type === 'shape' && !alt)) return role;
  return { kind: 'figure', layer, alt, hasWords: node.type === 'chart', ...(link !== null && { link }) };
}

function asFigure(box: Exclude<LayoutBox, FrameBox | TextBox>, painted: PaintResult): PaintResult {
  const role = figureRole(box);
  return role ? { ...painted, ops: painted.ops.map((op) => ({ ...op, role })) } : painted;
}

/** What stands in a box, or what it shows. */
function wordsOf(box: LayoutBox): string {
  if (box.kind === 'text') return box.node.spans.map(({ text }) => text).join('');
  return box.kind === 'frame' ? box.children.map(wordsOf).filter(Boolean).join(' ') : (box.node.alt ?? '');
}

/** The words of a link are those of its text, picture or first cell. */
function linkRole(box: LayoutBox, link: string): Role {
  const own =
    box.kind === 'text'
      ? textRole(box)
      : box.kind !== 'frame'
        ? figureRole(box)
        : box.tableRow && box.children[0]?.role && { ...box.children[0].role, link };
  return own && own.kind !== 'artefact' ? own : { kind: 'link', layer: box.node.name, link };
}

/** Applies all effects except the rotation, which applies to the link as well. */
function withEffects(
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
