// Checks whether a laid-out text has ink outside an area, by the outlines that are painted.
//
// Ink is letters with their stroke, colour glyphs, decoration lines and inline images. Line backgrounds, shadows and
// blurs extend beyond boxes by design and are ignored. A run far from every edge costs one comparison.

import {
  type Corners,
  inflate,
  inset,
  type Matrix,
  multiply,
  type Point,
  type Radius,
  type Rect,
  rectContains,
  transformRect,
} from '../geometry.ts';
import type { TextBox } from '../layout/box.ts';
import { type PathData, pathBounds, transformPath } from '../path.ts';
import type { CharacterStyle } from '../resolve/scene.ts';
import type { ColorGlyph } from '../text/color-glyph.ts';
import type { FontFace } from '../text/font-face.ts';
import type { FontSet } from '../text/font-set.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import { canvasMatrix, lineSpace, pointOnCanvas } from '../text/line-space.ts';
import type { Line, LineRun } from '../text/paragraph.ts';
import { bendPath, cutToRing } from './bend-path.ts';
import { glyphBounds } from './bounds.ts';
import { extraWidth } from './embolden.ts';
import { glyphMatrix } from './glyph-path.ts';
import { axesOfRadius, depthOf, isSharp, rectPath } from './outline.ts';
import { clustersOnArc } from './paint-arc.ts';
import { silhouette } from './paint-color-glyph.ts';
import { bendsOf, pictureArea } from './paint-text.ts';
import { type DecoratedText, decorationArea, spanOf, stretches } from './text-decoration.ts';

/** A box with round corners. */
export interface Area {
  readonly rect: Rect;
  readonly radii: Corners;
}

/**
 * How far ink may extend outside: 1 px, since antialiasing softens an edge by as much, and 2 % of the font size where
 * that is more, since round letters overshoot the baseline and the height of capitals by up to that.
 */
const SLACK = { px: 1, ofSize: 0.02 };
/** The distance from a run's pen positions beyond which no glyph has ink, in font sizes. */
const REACH = 2;

/** @param toArea from the coordinates of the box to those of the area */
export function hasInkOutside(box: TextBox, toArea: Matrix, area: Area, fonts: FontSet): boolean {
  const { node, rect, paragraph, content } = box;
  const { spans, strut: own, arc } = node;
  const space = lineSpace(node, content);
  const isCentred = space.vertical && node.textOrientation !== 'sideways';
  const text: DecoratedText = { paragraph, spans, own, isCentred, fonts };
  const isDecorated = own.decorations.length > 0 || spans.some(({ style }) => style.decorations.length > 0);
  if (arc) {
    return [...bendsOf(arc, node, rect, paragraph)].some(
      ([line, bend]) =>
        clustersOnArc(line, bend).some(({ placed, turn, origin }) =>
          isRunOut(text, placed, origin, multiply(toArea, turn), area),
        ) ||
        (isDecorated &&
          decorationsOf(text, line).some((r) => isPathOut(bendPath(rectPath(cutToRing(r, bend)), bend), toArea, area))),
    );
  }
  const alongLines = multiply(toArea, canvasMatrix(space));
  for (const line of paragraph.lines) {
    for (const placed of line.runs) {
      const start = { x: placed.x, y: placed.baseline };
      // Upright letters of vertical lines are placed on the canvas itself.
      const isOut =
        isUpright(placed.run) && !placed.box
          ? isRunOut(text, placed, pointOnCanvas(space, start), toArea, area)
          : isRunOut(text, placed, start, alongLines, area);
      if (isOut) return true;
    }
    if (isDecorated && decorationsOf(text, line).some((r) => isPathOut(rectPath(r), alongLines, area))) return true;
  }
  return false;
}

function decorationsOf(text: DecoratedText, line: Line): readonly Rect[] {
  return stretches(line.runs).flatMap((stretch) => {
    const span = spanOf(text, stretch.span);
    if (!span || span.image) return [];
    return span.style.decorations.flatMap((each) => decorationArea(text, span.style, each, line, stretch) ?? []);
  });
}

/** @param matrix from the run's coordinates, in which its origin is at `origin`, to the area's */
function isRunOut(text: DecoratedText, placed: LineRun, origin: Point, matrix: Matrix, area: Area): boolean {
  const picture = placed.box && pictureArea({ ...placed, x: origin.x, baseline: origin.y });
  if (picture) return isPathOut(rectPath(picture), matrix, area);
  const { run } = placed;
  if (run.glyphs.length === 0) return false;
  const style = spanOf(text, placed.span)?.style;
  const safe = safePart(area);
  if (!style || isInvisible(style) || rectContains(safe, moved(matrix, aroundPens(run, origin)))) return false;

  const face = text.fonts.face(run.face);
  const stroke = (style.stroke?.width ?? 0) * text.paragraph.scale + (run.embolden ? extraWidth(run) : 0);
  const slack = Math.max(SLACK.px, run.fontSize * SLACK.ofSize) - stroke / 2;
  if (face.isColor || !isMove(matrix) || run.slant !== 0) {
    return run.glyphs.some((glyph) => isGlyphOut(face, glyph.id, glyphMatrix(run, face, origin, glyph), slack));
  }
  // Nearly every run is unrotated, so the bounds of its glyphs can be compared directly.
  const scale = run.fontSize / face.unitsPerEm;
  const x = origin.x + matrix[4];
  const y = origin.y + matrix[5];
  const { x: left, y: top, width, height } = inflate(safe, slack);
  const boundsOf = glyphBounds(face);
  for (const glyph of run.glyphs) {
    const bounds = boundsOf(glyph.id);
    if (!bounds) continue;
    const penX = x + glyph.x;
    const penY = y + glyph.y;
    const isWithin =
      penX + bounds.x * scale >= left &&
      penX + (bounds.x + bounds.width) * scale <= left + width &&
      penY - (bounds.y + bounds.height) * scale >= top &&
      penY - bounds.y * scale <= top + height;
    if (!isWithin && isGlyphOut(face, glyph.id, glyphMatrix(run, face, origin, glyph), slack)) return true;
  }
  return false;

  function isGlyphOut(of: FontFace, id: number, place: Matrix, by: number): boolean {
    const colors = of.colorGlyph(id);
    return isPathOut(colors ? silhouetteOf(colors) : of.outline(id), multiply(matrix, place), area, by);
  }
}

const isMove = (m: Matrix): boolean => m[0] === 1 && m[1] === 0 && m[2] === 0 && m[3] === 1;

const moved = (m: Matrix, r: Rect): Rect =>
  isMove(m) ? { x: r.x + m[4], y: r.y + m[5], width: r.width, height: r.height } : transformRect(m, r);

const isUpright = ({ direction }: GlyphRun): boolean => direction === 'ttb' || direction === 'btt';

const isInvisible = ({ fill, stroke }: CharacterStyle): boolean =>
  stroke === null && fill.kind === 'solid' && fill.color.a === 0;

/** A rectangle that contains all ink of a run, from its pen positions alone. */
function aroundPens(run: GlyphRun, { x, y }: Point): Rect {
  const { width, fontSize } = run;
  let left = 0;
  let top = 0;
  let right = isUpright(run) ? 0 : width;
  let bottom = isUpright(run) ? width : 0;
  for (const glyph of run.glyphs) {
    left = Math.min(left, glyph.x);
    right = Math.max(right, glyph.x);
    top = Math.min(top, glyph.y);
    bottom = Math.max(bottom, glyph.y);
  }
  return inflate({ x: x + left, y: y + top, width: right - left, height: bottom - top }, REACH * fontSize);
}

const silhouettes = new WeakMap<ColorGlyph, PathData>();

function silhouetteOf(glyph: ColorGlyph): PathData {
  let path = silhouettes.get(glyph);
  if (!path) {
    path = silhouette(glyph);
    silhouettes.set(glyph, path);
  }
  return path;
}

/** The part of an area that its round corners do not reach. */
function safePart({ rect, radii }: Area): Rect {
  if (isSharp(radii)) return rect;
  return inset(rect, depthOf(radii));
}

function isPathOut(path: PathData, matrix: Matrix, area: Area, slack: number = SLACK.px): boolean {
  const placed = transformPath(path, matrix);
  const bounds = pathBounds(placed);
  if (!bounds) return false;
  if (!rectContains(area.rect, inflate(bounds, -slack))) return true;
  return !rectContains(safePart(area), bounds) && pointsOn(placed).some((point) => isBeyondCorner(point, area, slack));
}

/** Points along a path, dense enough to check it against a round corner. */
function pointsOn(path: PathData): readonly Point[] {
  const points: Point[] = [];
  let [x, y] = [0, 0];
  for (const segment of path) {
    if (segment[0] === 'Z') continue;
    if (segment[0] === 'C') {
      const [, x1, y1, x2, y2, x3, y3] = segment;
      for (const t of [0.25, 0.5, 0.75]) {
        const u = 1 - t;
        const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
        points.push({ x: a * x + b * x1 + c * x2 + d * x3, y: a * y + b * y1 + c * y2 + d * y3 });
      }
      [x, y] = [x3, y3];
    } else {
      [, x, y] = segment;
    }
    points.push({ x, y });
  }
  return points;
}

function isBeyondCorner({ x, y }: Point, { rect, radii }: Area, slack: number): boolean {
  const [right, bottom] = [rect.x + rect.width - x, rect.y + rect.height - y];
  const [left, top] = [x - rect.x, y - rect.y];
  const isBeyond = (radius: Radius, beside: number, above: number) => {
    const { x: across, y: down } = axesOfRadius(radius);
    if (beside >= across || above >= down) return false;
    // Of an ellipse, the slack is measured along its shorter axis.
    const reach = Math.hypot((across - beside) / across, (down - above) / down);
    return (reach - 1) * Math.min(across, down) > slack;
  };
  return (
    isBeyond(radii.topLeft, left, top) ||
    isBeyond(radii.topRight, right, top) ||
    isBeyond(radii.bottomRight, right, bottom) ||
    isBeyond(radii.bottomLeft, left, bottom)
  );
}
