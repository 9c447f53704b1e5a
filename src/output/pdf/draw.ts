// Operations in, content stream operators out: the walk over the display list, back to front.

import type { Brush, GroupOp, PaintOp, Stroke } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import { paintWith, setAlpha } from './brush.ts';
import { asColorMatrix } from './color-matrix.ts';
import { imageXObject } from './encoded-image.ts';
import { invisibleText, type RunText, visibleText } from './glyph-text.ts';
import { drawGroup, enterGroup } from './groups.ts';
import { annotateLink } from './links.ts';
import { pathBounds, runBounds, strokeBounds } from './op-bounds.ts';
import type { Picture } from './picture.ts';
import { runOutline } from './run-outline.ts';
import { num, pathOperators, rectPath } from './syntax.ts';
import { inside, type Target } from './target.ts';

type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

export function drawOps(target: Target, ops: readonly PaintOp[]): void {
  for (const op of ops) drawOp(target, op);
}

function drawOp(target: Target, op: PaintOp): void {
  switch (op.kind) {
    case 'fill':
      paintWith(target, op.brush, 'fill', pathBounds(op.path), () => {
        target.content.write(`${pathOperators(op.path)}\n${op.rule === 'evenodd' ? 'f*' : 'f'}`);
      });
      break;
    case 'stroke':
      drawStroke(target, op.path, op.stroke, op.brush);
      break;
    case 'glyphs':
      drawGlyphs(target, op);
      break;
    case 'image':
      drawPicture(target, target.pictures.get(op));
      break;
    case 'link':
      annotateLink(target, op.rect, op.href);
      break;
    case 'group':
      if (op.opacity <= 0) break;
      if (op.filters.length > 0 && !asColorMatrix(op.filters)) drawPictureOf(target, op);
      else drawGroup(target, op, drawOps);
      break;
  }
}

function drawStroke(target: Target, path: PathData, stroke: Stroke, brush: Brush): void {
  const { content } = target;
  paintWith(target, brush, 'stroke', strokeBounds(path, stroke), () => {
    content.set('line width', `${num(stroke.width)} w`);
    content.set('line cap', `${{ butt: 0, round: 1, square: 2 }[stroke.cap]} J`);
    content.set('line join', `${{ miter: 0, round: 1, bevel: 2 }[stroke.join]} j`);
    content.set('miter limit', `${num(Math.max(1, stroke.miterLimit))} M`);
    content.set('dash', `[${stroke.dash.map((length) => num(length)).join(' ')}] 0 d`);
    content.write(`${pathOperators(path)}\nS`);
  });
}

function drawGlyphs(target: Target, { run, origin, brush, outline }: GlyphsOp): void {
  if (outline) {
    // As a path, for a second showing of the same text would be found, and copied, twice.
    const letters = runOutline(run, origin, target.faces.face(run.face));
    drawStroke(target, letters, outline.stroke, outline.brush);
  }
  const isShown =
    brush !== null &&
    paintWith(target, brush, 'fill', runBounds(run, origin), () => {
      showText(target, 0, visibleText(run, origin, target.fonts));
    });
  if (!isShown) showText(target, 3, invisibleText(run, origin, target.fonts));
}

/** @param rendering of the text: 0 = filled, 3 = invisible (9.3.6) */
function showText({ content }: Target, rendering: 0 | 3, { font, operators }: RunText): void {
  content.set('text rendering', `${rendering} Tr`);
  content.set('font', font);
  content.write(operators);
}

function drawPicture(target: Target, picture: Picture | undefined): void {
  const { document, content } = target;
  if (!picture || !setAlpha(target, 1)) return;
  const { image, place, clip, smooth } = picture;
  const name = document.resource('XObject', image, () => imageXObject(document, image, smooth));
  content.isolate(() => {
    if (clip) content.write(`${rectPath(clip)} W n`);
    // An image is a unit square with its top at y = 1.
    content.transform([place.width, 0, 0, -place.height, place.x, place.y + place.height]);
    content.write(`${name} Do`);
  });
}

/** A group that the raster back end has drawn: its picture, its words without a mark, its links. */
function drawPictureOf(target: Target, group: GroupOp): void {
  enterGroup(target, group, (inner) => {
    drawPicture({ ...inner, opacity: target.opacity * group.opacity }, target.pictures.get(group));
    drawWords(inner, group.ops);
  });
}

function drawWords(target: Target, ops: readonly PaintOp[]): void {
  for (const op of ops) {
    if (op.kind === 'glyphs') showText(target, 3, invisibleText(op.run, op.origin, target.fonts));
    else if (op.kind === 'link') annotateLink(target, op.rect, op.href);
    else if (op.kind === 'group' && op.opacity > 0) {
      target.content.isolate(() => {
        target.content.transform(op.transform);
        drawWords(inside(target, op.transform), op.ops);
      });
    }
  }
}
