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
import { pathBounds } from '#core/path.ts';
import { needsSoftMask, setAlpha } from './brush.ts';
import { after } from './color-matrix.ts';
import { ContentStream } from './content-stream.ts';
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
  enterGroup(target, group, (inner) => {
    const colorMatrices = after(target.colorMatrices, target.recolourings.of(group));
    const opacity = target.opacity * group.opacity;
    const recoloured = { ...inner, colorMatrices, opacity: 1 };
    if (opacity === 1 && group.blend === 'normal') drawOps(recoloured, group.ops);
    else if (isSimple(group)) drawOps({ ...recoloured, opacity }, group.ops);
    else drawIsolated({ ...recoloured, opacity }, group.ops, group.clip && pathBounds(group.clip.path), drawOps);
  });
}

/** Applies a group's coordinates, clip and blend mode while `draw` runs. */
export function enterGroup(target: Target, group: GroupOp, draw: (inner: Target) => void): void {
  const { content, document } = target;
  content.isolate(() => {
    if (!isIdentity(group.transform)) content.transform(group.transform);
    if (group.clip) content.clip(group.clip.path, group.clip.rule);
    if (group.blend !== 'normal') {
      const mode = BLEND_NAMES[group.blend];
      content.write(`${content.use(document.graphicsState(mode, () => ({ BM: mode })))} gs`);
    }
    draw(inside(target, group.transform));
  });
}

/** Draws operations as one object, with the target's opacity. @param clip the visible part of them, or null */
export function drawIsolated(target: Target, ops: readonly PaintOp[], clip: Rect | null, drawOps: DrawOps): void {
  const { document, content, faces } = target;
  const bounds = opsBounds(ops, faces);
  const box = bounds && clip ? intersection(bounds, clip) : bounds;
  if (!box) {
    // Nothing is visible or blended, but there may be text and links.
    drawOps({ ...target, opacity: 1 }, ops);
    return;
  }
  if (!setAlpha(target, 1)) return;
  const inner = new ContentStream();
  drawOps(inForm(target, inner), ops);
  const form = document.form(
    { BBox: [box.x, box.y, box.x + box.width, box.y + box.height], Group: ISOLATED_GROUP },
    inner,
  );
  content.write(`${content.use(document.resource('XObject', form, () => form))} Do`);
}

/** Whether any of these operations is blended with the backdrop of all of them, not only with the others. */
export function blendsWithBackdrop(ops: readonly PaintOp[]): boolean {
  return ops.some(
    (op) =>
      op.kind === 'group' &&
      (op.blend !== 'normal' || (op.opacity === 1 && !op.filters.length && blendsWithBackdrop(op.ops))),
  );
}

/** Whether a group is one operation that paints once: its opacity or blend mode then needs no form XObject. */
function isSimple({ ops, blend }: GroupOp): boolean {
  const painting = ops.filter((op) => op.kind !== 'link');
  const [only] = painting;
  if (painting.length !== 1 || !only || only.kind === 'group') return false;
  if (only.kind === 'glyphs' && only.outline) return false;
  return blend === 'normal' || only.kind === 'image' || only.brush === null || !needsSoftMask(only.brush);
}
