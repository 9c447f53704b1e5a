// Paints boxes to a display list: each node with the painter of its kind, the effects that every node can have, then the
// rotation, which applies to children too. Layers are painted in the order of the scene; the boxes of a page in that of
// CSS 2, appendix E: within a stacking context backgrounds, floats and words of all blocks, between what is raised.

import { inflate, isSameRect, type Rect, transformRect } from '../geometry.ts';
import type { FrameBox, InlineContent, LayoutBox, TextBox } from '../layout/box.ts';
import { matrixOf } from '../layout/box-matrix.ts';
import type { Fill, Placement, Scene, StackingLevel } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import type { Role } from '../role.ts';
import { pixels } from '../template/page-setup.ts';
import { withBackdrops } from './backdrop.ts';
import type { DisplayList, PaintOp } from './display-list.ts';
import { outlineOps, withEffects } from './effects.ts';
import { brushFor } from './gradient.ts';
import { group } from './group.ts';
import { memoizePaint } from './memoize-paint.ts';
import { rectPath } from './outline.ts';
import { clippedByFrame, paintCode, paintFrame, paintImage, paintShape } from './paint-boxes.ts';
import { paintChart } from './paint-chart.ts';
import { paintText, textRole } from './paint-text.ts';
import type { PaintResult } from './shadow.ts';
import { outerShadows } from './shadow.ts';
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
  const reading: Reading = { roles: [], isMoved: false };
  const painted = [...background, ...boxes.flatMap((box) => paintRemembered(box, resources, view, memory, reading))];
  const ops = withBackdrops(painted, resources.fonts, memory?.owners);
  const moved = reading.isMoved && { reading: reading.roles };
  return { width, height, ...(bleed > 0 && { bleed }), ...(document && { document }), ...moved, ops };
}

function paintRemembered(
  box: LayoutBox,
  resources: Resources,
  view: View,
  memory: PaintedBefore | null,
  reading: Reading,
): readonly PaintOp[] {
  const known = memory?.boxes.get(box);
  if (known) {
    view.spendAgain(known.work);
    return known.ops;
  }
  const before = view.spent;
  const ops = paintBox(box, resources, view, pageAround(box, view, reading));
  memory?.boxes.set(box, { ops, work: view.spent - before });
  return ops;
}

/** null = the box is a layer. */
function pageAround(box: LayoutBox, view: View, reading: Reading = { roles: [], isMoved: false }): Stacking | null {
  if (box.kind !== 'frame' || box.node.layout?.type !== 'block') return null;
  return { reading, raised: null, far: view, floats: null };
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
    const end = begin + paintBox(box, resources, view, pageAround(box, view)).length;
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

/** What of a page has a role, in the order of its elements, and whether it is painted in another one. */
interface Reading {
  readonly roles: Role[];
  isMoved: boolean;
}

/** A box of a page that is painted by its level, above or below what is in the flow of its stacking context. */
interface Raised {
  readonly at: StackingLevel;
  readonly ops: readonly PaintOp[];
  /** Up to which frames none clips it. */
  readonly isFar: Placement['isFar'];
}

/** Where boxes of a page are painted. */
interface Stacking {
  readonly reading: Reading;
  /** Receives what is raised; null = the box is a stacking context in any case. */
  readonly raised: Raised[] | null;
  /** The visible region for what no frame clips up to the nearest containing one. */
  readonly far: View;
  /** Receives floats in lines; null = they are painted with these. */
  readonly floats: (readonly PaintOp[])[] | null;
}

/** What is painted of blocks, in this order. */
const PHASES = ['backgrounds', 'floats', 'contents', 'outlines'] as const;
type Phases = Readonly<Record<(typeof PHASES)[number], (readonly PaintOp[])[]>>;
const newPhases = (): Phases => ({ backgrounds: [], floats: [], contents: [], outlines: [] });

/** @param raised none if it is painted with what is around */
function inOrder(phases: Phases, raised: readonly Raised[]): readonly PaintOp[] {
  const levels = raised.toSorted(({ at: a }, { at: b }) => a.level - b.level || a.order - b.order);
  const raisedTo = (isAbove: boolean) => levels.flatMap(({ at, ops }) => (at.level >= 0 === isAbove ? [ops] : []));
  return [...raisedTo(false), ...PHASES.flatMap((name) => phases[name]), ...raisedTo(true)].flat();
}

/**
 * @param around the visible region in the parent's coordinates
 * @param page null = the box is a layer
 */
function paintBox(box: LayoutBox, resources: Resources, around: View, page: Stacking | null): readonly PaintOp[] {
  const { node } = box;
  const rect = box.kind === 'text' ? box.rect : around.placeOf(box.rect);
  const view = viewOf(box, around);
  const painted =
    node.opacity > 0 ? withEffects(node, rect, paintNode(box, rect, resources, view, page), resources) : [];
  const inline = box.kind === 'text' && node.opacity > 0 ? box.inline : undefined;
  const shown = view.kept(inline ? withInline(inline, painted, resources, view, page) : painted, rect, resources.fonts);
  const link = linkOps(box, rect);
  if (page && shown.length > 0) page.reading.roles.push(...rolesOf(box, link));
  const ops = view.owned(link.length > 0 ? [...shown, ...link] : shown);
  const transform = matrixOf(box);
  if (transform === null) return ops;
  return view.owned(around.kept(group({ transform }, ops), transformRect(transform, rect), resources.fonts));
}

function linkOps(box: LayoutBox, rect: Rect): readonly PaintOp[] {
  const { link: href } = box.node;
  return href === null ? [] : [{ kind: 'link', rect, href, words: wordsOf(box), role: linkRole(box, href) }];
}

function rolesOf(box: LayoutBox, link: readonly PaintOp[]): readonly Role[] {
  const own = box.kind === 'text' ? textRole(box) : box.kind === 'frame' ? undefined : figureRole(box);
  return [own, ...link.map(({ role }) => role)].filter((role) => role !== undefined);
}

/** The letters of a text with the boxes in its lines. */
function withInline(
  { behind, among }: InlineContent,
  letters: readonly PaintOp[],
  resources: Resources,
  view: View,
  page: Stacking | null,
): readonly PaintOp[] {
  const own = newPhases();
  for (const { box } of behind) own.contents.push(paintBox(box, resources, view, page));
  own.contents.push(letters);
  const phases = page?.floats ? { ...own, floats: page.floats } : own;
  for (const { box } of among) paintChild(box, true, phases, resources, view, page);
  return inOrder(own, []);
}

/** Adds a box to what it is in. @param isAtomic whether it is painted as a whole with the words around it */
function paintChild(
  box: LayoutBox,
  isAtomic: boolean,
  phases: Phases,
  resources: Resources,
  view: View,
  page: Stacking | null,
): void {
  const { layer, float, isFar, absolute } = box.node.placement;
  if (layer === 'background') phases.backgrounds.push(paintBox(box, resources, view, page));
  else if (page && (layer || float)) {
    const before = page.reading.roles.length;
    const ops = paintBox(box, resources, isFar ? page.far : view, { ...page, floats: null });
    if (page.reading.roles.length > before) page.reading.isMoved = true;
    if (layer) page.raised?.push({ at: layer, ops, isFar });
    else phases.floats.push(ops);
  } else if (page && box.kind === 'frame' && !isAtomic && !absolute) paintFlow(box, phases, resources, view, page);
  else phases.contents.push(paintBox(box, resources, view, page && withFloats(page, isAtomic ? null : phases.floats)));
}

const withFloats = (page: Stacking, floats: Stacking['floats']): Stacking =>
  page.floats === floats ? page : { ...page, floats };

/** A block in the flow, the parts of which are painted with those of the blocks around it. */
function paintFlow(box: FrameBox, phases: Phases, resources: Resources, around: View, page: Stacking): void {
  const { node } = box;
  const rect = around.placeOf(box.rect);
  const view = viewOf(box, around);
  const { ops, caster } = paintFrame(node, rect, [], box.rect);
  const own = caster ? [...outerShadows(node.shadows, caster), ...ops] : ops;
  if (own.length > 0) phases.backgrounds.push(view.owned(view.kept(own, rect, resources.fonts)));
  paintChildren(box, phases, resources, view, page);
  const link = linkOps(box, rect);
  if (link.length > 0) {
    page.reading.roles.push(...rolesOf(box, link));
    phases.contents.push(view.owned(link));
  }
  if (node.css?.outline) phases.outlines.push(view.owned(outlineOps(node, rect)));
}

function paintChildren(box: FrameBox, phases: Phases, resources: Resources, around: View, page: Stacking): void {
  const { node } = box;
  const rect = around.placeOf(box.rect);
  const { isContaining } = node.placement;
  const view = node.clip ? around.cutTo(rect) : around;
  const within = isContaining ? { ...page, far: view } : page;
  const isAtomic = node.layout?.type === 'flex' || node.layout?.type === 'grid';
  const raised = page.raised ?? [];
  const before = raised.length;
  const own = node.clip ? newPhases() : phases;
  for (const child of box.children) paintChild(child, isAtomic, own, resources, view, within);
  if (!node.clip && !isContaining) return;
  const clip = (ops: readonly PaintOp[]) => clippedByFrame(node, rect, ops, resources.fonts);
  if (own !== phases) for (const name of PHASES) if (own[name].length > 0) phases[name].push(clip(own[name].flat()));
  for (const [i, { at, ops, isFar }] of raised.entries()) {
    if (i < before) continue;
    const isIn = !isFar || isContaining === 'fixed' || isContaining === isFar;
    raised[i] = { at, ops: node.clip && isIn ? clip(ops) : ops, isFar: isIn ? undefined : isFar };
  }
}

/** The visible region in the box's own coordinates, widened by what effects can bring in from outside. */
function viewOf(box: LayoutBox, around: View): View {
  const { node } = box;
  const matrix = matrixOf(box);
  const turned = matrix ? around.within(matrix) : around;
  let reach = 0;
  for (const shadows of [node.shadows, node.css?.dropShadows ?? []])
    for (const { x, y, sigma, spread } of shadows)
      reach = Math.max(reach, Math.hypot(x, y) + 3 * sigma + Math.max(0, spread));
  const filtered = node.type === 'image' ? 0 : (node.filters?.blur ?? 0);
  return turned.widened(reach + 3 * (node.blur + filtered)).ofLayer(node.name);
}

/** @param rect where its box is painted */
function paintNode(box: LayoutBox, rect: Rect, resources: Resources, view: View, page: Stacking | null): PaintResult {
  const { fonts, images } = resources;
  switch (box.kind) {
    case 'text':
      return paintText(box, resources, view);
    case 'code':
      return asFigure(box, paintCode(box, fonts, view));
    case 'frame': {
      const { node } = box;
      if (!page) {
        const inner = node.clip ? view.cutTo(rect) : view;
        const children = box.children.flatMap((child) => paintBox(child, resources, inner, null));
        return paintFrame(node, rect, clippedByFrame(node, rect, children, fonts), box.rect);
      }
      const { layer } = node.placement;
      const isContext = page.raised === null || (typeof layer === 'object' && layer.isContext);
      const raised = isContext ? [] : page.raised;
      const phases = newPhases();
      paintChildren(box, phases, resources, view, { ...page, raised, floats: phases.floats });
      return paintFrame(node, rect, inOrder(phases, isContext ? raised : []), box.rect);
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
