// Writes the operators that set off a group: coordinates and clip, or a transparency group.
//
// The opacity and blend mode of a single simple operation are applied to that operation. Anything else becomes an
// isolated form XObject (ISO 32000-1, 11.6.6), so that its parts are composited with each other before the backdrop. So
// does an operation with both a blend mode and a soft mask: pdf.js loses the blend mode when one graphics state has
// both.

import type { BlendMode } from '#core/blend-mode.ts';
import { intersection, isIdentity, type Rect } from '#core/geometry.ts';
import { opsBounds } from '#core/paint/bounds.ts';
import type { GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { isPassThrough } from '#core/paint/group.ts';
import { pathBounds } from '#core/path.ts';
import { isShared } from '../vector-pictures.ts';
import { needsSoftMask, setAlpha } from './brush.ts';
import { after } from './color-matrix.ts';
import { ContentStream, type Resource } from './content-stream.ts';
import { ISOLATED_GROUP } from './document.ts';
import { inForm, inside, type Target } from './target.ts';

type DrawOps = (target: Target, ops: readonly PaintOp[]) => void;

/** PDF's names for CSS's blend modes (11.3.5). */
const BLEND_NAMES: Readonly<Record<BlendMode, string>> = {
  normal: 'Normal',
  multiply: 'Multiply',
  screen: 'Screen',
  overlay: 'Overlay',
  darken: 'Darken',
  lighten: 'Lighten',
  'color-dodge': 'ColorDodge',
  'color-burn': 'ColorBurn',
  'hard-light': 'HardLight',
  'soft-light': 'SoftLight',
  difference: 'Difference',
  exclusion: 'Exclusion',
  hue: 'Hue',
  saturation: 'Saturation',
  color: 'Color',
  luminosity: 'Luminosity',
};

/** Draws a group that has no filters or only recolouring ones; `drawOps` draws its contents. */
export function drawGroup(target: Target, group: GroupOp, drawOps: DrawOps): void {
  enterGroup(target, group, drawOps, (inner) => {
    const colorMatrices = after(target.colorMatrices, target.recolourings.of(group));
    const opacity = target.opacity * group.opacity;
    const recoloured = { ...inner, colorMatrices, opacity: 1 };
    if (opacity === 1 && group.blend === 'normal' && !group.mask) drawOnce(recoloured, group.ops, drawOps);
    else if (isSimple(group)) drawOps({ ...recoloured, opacity }, group.ops);
    else drawIsolated({ ...recoloured, opacity }, group.ops, group.clip && pathBounds(group.clip.path), drawOps);
  });
}

/** Draws operations; those that are shared as a form XObject, which the file has once. */
function drawOnce(target: Target, ops: readonly PaintOp[], drawOps: DrawOps): void {
  const { document, content, faces, colorMatrices } = target;
  const bounds = isShared(ops) && colorMatrices === null ? opsBounds(ops, faces) : null;
  if (!bounds || !setAlpha(target, 1)) {
    drawOps(target, ops);
    return;
  }
  const form = document.resource('XObject', ops, () => {
    const inner = new ContentStream({ isPage: false, isMarked: false });
    drawOps(inForm(target, inner), ops);
    const { x, y, width, height } = bounds;
    return document.form({ BBox: [x, y, x + width, y + height] }, inner);
  });
  content.write(`${content.use(form)} Do`);
}

/** Applies a group's coordinates, clip, mask and blend mode while `draw` runs; `drawOps` draws the mask. */
export function enterGroup(target: Target, group: GroupOp, drawOps: DrawOps, draw: (inner: Target) => void): void {
  const { content, document } = target;
  content.isolate(() => {
    if (!isIdentity(group.transform)) content.transform(group.transform);
    if (group.clip) content.clip(group.clip.path, group.clip.rule);
    if (group.blend !== 'normal') {
      const mode = BLEND_NAMES[group.blend];
      content.write(`${content.use(document.graphicsState(mode, () => ({ BM: mode })))} gs`);
    }
    const inner = inside(target, group.transform);
    if (group.mask) content.write(`${content.use(softMask(inner, group.mask, drawOps))} gs`);
    draw(inner);
  });
}

/** A graphics state whose soft mask is the light of operations, in the user space in force (11.6.5.2). */
function softMask(target: Target, ops: readonly PaintOp[], drawOps: DrawOps): Resource {
  const { document, faces } = target;
  const { x, y, width, height } = opsBounds(ops, faces) ?? { x: 0, y: 0, width: 0, height: 0 };
  const content = new ContentStream({ isPage: false, isMarked: false });
  drawOps({ ...inForm(target, content), colorMatrices: null }, ops);
  const form = document.form({ BBox: [x, y, x + width, y + height], Group: ISOLATED_GROUP }, content);
  const state = document.object({ Type: 'ExtGState', SMask: { S: 'Luminosity', G: form } });
  return document.resource('ExtGState', form, () => state);
}

/** Draws operations as one object, with the target's opacity. @param clip the visible part of them, or null */
export function drawIsolated(target: Target, ops: readonly PaintOp[], clip: Rect | null, drawOps: DrawOps): void {
  const bounds = opsBounds(ops, target.faces);
  const box = bounds && clip ? intersection(bounds, clip) : bounds;
  if (!box) {
    // Nothing is visible or blended, but there may be text and links.
    drawOps({ ...target, opacity: 1 }, ops);
    return;
  }
  drawInForm(target, box, (inner) => drawOps(inner, ops));
}

/** Runs `draw` in a form XObject of its own, shown with the target's opacity. @param box of what is drawn */
export function drawInForm(target: Target, { x, y, width, height }: Rect, draw: (inner: Target) => void): void {
  const { document, content } = target;
  if (!setAlpha(target, 1)) return;
  content.endMarked();
  const inner = new ContentStream({ isPage: false, isMarked: !content.isHeld });
  draw(inForm(target, inner));
  const form = document.form({ BBox: [x, y, x + width, y + height], Group: document.isolatedGroup }, inner);
  content.write(`${content.use(document.resource('XObject', form, () => form))} Do`);
}

/** Whether any of these operations is blended with the backdrop of all of them, not only with the others. */
export function blendsWithBackdrop(ops: readonly PaintOp[]): boolean {
  return ops.some(
    (op) => op.kind === 'group' && (op.blend !== 'normal' || (isPassThrough(op) && blendsWithBackdrop(op.ops))),
  );
}

/**
 * Whether a group is one operation that paints once: its opacity, mask or blend mode then needs no form XObject. An
 * image may have a soft mask of its own, which would replace that of the group (11.6.5.2).
 */
function isSimple({ ops, blend, mask }: GroupOp): boolean {
  const painting = ops.filter((op) => op.kind !== 'link');
  const [only] = painting;
  if (painting.length !== 1 || !only || only.kind === 'group') return false;
  if (only.kind === 'glyphs' && only.outline) return false;
  if (only.kind === 'image') return !mask;
  return (blend === 'normal' && !mask) || only.brush === null || !needsSoftMask(only.brush);
}
