// Draws a display list, back to front, as content stream operators.

import type { Color } from '#core/color.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { Brush, GroupOp, PaintOp, Stroke } from '#core/paint/display-list.ts';
import { runPath } from '#core/paint/glyph-path.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { paintWith, setAlpha } from './brush.ts';
import { imageResource } from './encoded-image.ts';
import { invisibleText, type RunText, visibleText } from './glyph-text.ts';
import { drawGroup, drawInForm, enterGroup } from './groups.ts';
import { imageMatrix } from './image-matrix.ts';
import { annotateLink } from './links.ts';
import { markWords } from './marked-words.ts';
import { hasArea } from './path-area.ts';
import type { Picture } from './picture.ts';
import type { Recolourings } from './recolouring.ts';
import { num, pathOperators, rectPath } from './syntax.ts';
import { inside, type Target } from './target.ts';

type StrokeOp = Extract<PaintOp, { kind: 'stroke' }>;
type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;

/** PDF's numbers for CSS's keywords (8.4.3.3, 8.4.3.4). */
const LINE_CAP = { butt: 0, round: 1, square: 2 };
const LINE_JOIN = { miter: 0, round: 1, bevel: 2 };

export function drawOps(target: Target, ops: readonly PaintOp[]): void {
  for (const op of ops) drawOp(target, op);
}

export function drawOp(target: Target, op: PaintOp): void {
  switch (op.kind) {
    case 'fill':
      if (!hasArea(op.path)) break;
      paintWith(
        target,
        op.brush,
        'fill',
        () => opBounds(op, target.faces),
        () => {
          target.content.write(`${pathOperators(op.path)}\n${op.rule === 'evenodd' ? 'f*' : 'f'}`);
        },
      );
      break;
    case 'stroke':
      drawStroke(target, op);
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
      markWords(target, op, () => {
        if (isCutAway(op)) drawWordsOf(target, op);
        else if (target.recolourings.needsPixels(op)) drawPictureOf(target, op);
        else drawGroup(target, op, drawOps);
      });
      break;
  }
}

/** Whether a group's clip hides all of it. */
const isCutAway = ({ clip }: GroupOp) => clip !== null && !hasArea(clip.path);

/** The runs that are drawn as text, so that their shadow or blur need not repeat the text invisibly. */
export function runsInText(
  ops: readonly PaintOp[],
  recolourings: Recolourings,
  found = new Set<GlyphRun>(),
): Set<GlyphRun> {
  for (const op of ops) {
    if (op.kind === 'glyphs') found.add(op.run);
    else if (op.kind === 'group' && op.opacity > 0 && !recolourings.needsPixels(op) && !isCutAway(op))
      runsInText(op.ops, recolourings, found);
  }
  return found;
}

function drawStroke(target: Target, op: StrokeOp): void {
  const { path, stroke, brush } = op;
  const { content } = target;
  paintWith(
    target,
    brush,
    'stroke',
    () => opBounds(op, target.faces),
    () => {
      setStroke(target, stroke);
      content.write(`${pathOperators(path)}\nS`);
    },
  );
}

function setStroke({ content }: Target, { width, cap, join, miterLimit, dash }: Stroke): void {
  content.set('line width', `${num(width)} w`);
  content.set('line cap', `${LINE_CAP[cap]} J`);
  content.set('line join', `${LINE_JOIN[join]} j`);
  content.set('miter limit', `${num(Math.max(1, miterLimit))} M`);
  content.set('dash', `[${dash.map((length) => num(length)).join(' ')}] 0 d`);
}

/** With translucent colours, the overlap of fill and outline would look different. */
const isSameOpaque = (a: Color, b: Color) => a.a === 1 && b.a === 1 && a.r === b.r && a.g === b.g && a.b === b.b;

function drawGlyphs(target: Target, op: GlyphsOp): void {
  const { run, origin, brush, outline } = op;
  if (brush?.kind === 'solid' && outline?.brush.kind === 'solid' && isSameOpaque(brush.color, outline.brush.color)) {
    drawBoldly(target, op, brush, outline.stroke);
    return;
  }
  if (outline) {
    // As a path: if the text were shown a second time, search and copy would find it twice.
    drawStroke(target, { kind: 'stroke', path: runPath(run, origin, target.faces.face(run.face)), ...outline });
  }
  const isShown =
    brush !== null &&
    paintWith(
      target,
      brush,
      'fill',
      () => opBounds(op, target.faces),
      () => {
        showText(target, 0, visibleText(run, origin, target.fonts));
      },
    );
  if (!isShown) showText(target, 3, invisibleText(run, origin, target.fonts));
}

/** Draws letters with an outline of the same colour as one piece of text. */
function drawBoldly(target: Target, op: GlyphsOp, brush: Brush, stroke: Stroke): void {
  const { run, origin } = op;
  const bounds = () => opBounds(op, target.faces);
  const isShown = paintWith(target, brush, 'stroke', bounds, () => {
    paintWith(target, brush, 'fill', bounds, () => {
      setStroke(target, stroke);
      showText(target, 2, visibleText(run, origin, target.fonts));
    });
  });
  if (!isShown) showText(target, 3, invisibleText(run, origin, target.fonts));
}

/** @param rendering of the text: 0 = filled, 2 = filled and outlined, 3 = invisible (9.3.6) */
function showText({ content }: Target, rendering: 0 | 2 | 3, { font, size, operators }: RunText): void {
  content.set('text rendering', `${rendering} Tr`);
  content.set('font', `${content.use(font.resource)} ${num(size)} Tf`);
  content.write(operators);
}

function drawPicture(target: Target, picture: Picture | undefined): void {
  const { document, content } = target;
  if (!picture || !setAlpha(target, 1)) return;
  const { image, place, clip, smooth } = picture;
  const resource = imageResource(document, image, smooth);
  content.isolate(() => {
    if (clip) content.write(`${rectPath(clip)} W n`);
    // An image XObject is a unit square with its top at y = 1.
    content.transform(imageMatrix(place, image.orientation));
    content.write(`${content.use(resource)} Do`);
  });
}

/**
 * Draws a group that the raster back end has drawn: its picture, its text invisibly where no other operation shows it,
 * and its links.
 */
function drawPictureOf(target: Target, group: GroupOp): void {
  const picture = target.pictures.get(group);
  enterGroup(target, group, drawOps, (inner) => {
    const faded = { ...inner, opacity: target.opacity * group.opacity };
    // The picture's own soft mask would replace that of the group.
    if (group.mask && picture) drawInForm(faded, picture.place, (form) => drawPicture(form, picture));
    else drawPicture(faded, picture);
    drawWords(inner, group.ops);
  });
}

/** Draws only the text, invisibly, and the links of a group. */
function drawWordsOf(target: Target, { transform, ops }: GroupOp): void {
  target.content.isolate(() => {
    target.content.transform(transform);
    drawWords(inside(target, transform), ops);
  });
}

function drawWords(target: Target, ops: readonly PaintOp[]): void {
  for (const op of ops) {
    if (op.kind === 'glyphs') {
      if (target.said.has(op.run)) continue;
      target.said.add(op.run);
      showText(target, 3, invisibleText(op.run, op.origin, target.fonts));
    } else if (op.kind === 'link') annotateLink(target, op.rect, op.href);
    else if (op.kind === 'group' && op.opacity > 0) markWords(target, op, () => drawWordsOf(target, op));
  }
}
