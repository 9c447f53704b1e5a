// Paints a paragraph: line backgrounds, letters, decoration lines and links.
//
// Letters stay glyph runs, so that a PDF has them as text. Only decoration lines are measured here.

import { BLACK } from '../color.ts';
import { type Corners, centreOf, type Edges, type Point, type Rect, transformRect } from '../geometry.ts';
import type { TextBox } from '../layout/box.ts';
import { type PathData, pathBounds, transformPath } from '../path.ts';
import type { CharacterStyle, InlineImage, TextArc, TextList, TextNode, TextSpan } from '../resolve/scene.ts';
import type { Resources } from '../resources.ts';
import type { Role } from '../role.ts';
import { segmentsIn } from '../text/color-glyph.ts';
import type { FontFace } from '../text/font-face.ts';
import type { GlyphRun } from '../text/glyph-run.ts';
import { canvasMatrix, type LineSpace, lineSpace, pointOnCanvas, rectOnCanvas } from '../text/line-space.ts';
import { lineText, wholeText } from '../text/line-text.ts';
import type { Line, LineRun, Paragraph } from '../text/paragraph.ts';
import { type Bend, bendPath, cutToRing, turnOf } from './bend-path.ts';
import type { Brush, PaintOp } from './display-list.ts';
import { emboldened } from './embolden.ts';
import { glyphMatrix, runPath } from './glyph-path.ts';
import { brushFor, keepBrushes } from './gradient.ts';
import { clippedToBox, group } from './group.ts';
import { rectPath, roundedRectPath, SHARP } from './outline.ts';
import { bendOf, paintOnArc } from './paint-arc.ts';
import { paintColorGlyph } from './paint-color-glyph.ts';
import type { PaintResult } from './shadow.ts';
import { type DecoratedText, decorationArea, type Stretch, spanOf, stretches } from './text-decoration.ts';
import { View } from './view.ts';

export function paintText(box: TextBox, { fonts, images }: Resources, view: View): PaintResult {
  const { node, rect } = box;
  const { paragraph, content } = view.snapsText && node.writingMode === 'horizontal-tb' ? onWholePixels(box) : box;
  const role = textRole(box);
  if (node.arc) {
    return { ops: paintCircle(node.arc, { node, rect, paragraph, fonts, images, view, role }), caster: null };
  }
  const space = lineSpace(node, content);
  const isCentred = space.vertical && node.textOrientation !== 'sideways';
  const backgrounds = lineBackgrounds(node, rect, paragraph.lines, ({ box }, padding, radii) => {
    const area = padded(rectOnCanvas(space, box), padding);
    return area ? roundedRectPath(area, radii) : [];
  });
  const { strut: own, firstLine } = node;
  const spans = firstLine
    ? [...node.spans, ...node.spans.map((span, i) => ({ ...span, style: firstLine.styles[i] ?? span.style }))]
    : node.spans;
  const lettering = { paragraph, spans, own, space, isCentred, brushBox: rect, fonts, images, view, role };
  const lines = paintLines({ ...lettering, list: node.list });
  const ops = backgrounds.length > 0 ? [...backgrounds, ...lines] : lines;
  return { ops: node.overflow === 'clip' ? clippedToBox(ops, rect, SHARP, fonts) : ops, caster: null };
}

/** Rounds baselines, as Skia does: letters of every line are as sharp. */
function onWholePixels({ paragraph, content }: TextBox): Pick<TextBox, 'paragraph' | 'content'> {
  const y = Math.round(content.y);
  const rounded = (baseline: number) => Math.round(content.y + baseline) - y;
  const isWhole = ({ baseline, runs }: Line) =>
    [{ baseline }, ...runs].every((each) => Number.isInteger(each.baseline));
  if (y === content.y && paragraph.lines.every(isWhole)) return { paragraph, content };
  const lines = paragraph.lines.map((line) => ({
    ...line,
    baseline: rounded(line.baseline),
    runs: line.runs.map((run) => ({ ...run, baseline: rounded(run.baseline) })),
  }));
  return { paragraph: { ...paragraph, lines }, content: { ...content, y } };
}

/** What a text is in a document. */
export function textRole({ node, role }: TextBox): Role {
  const { link } = node;
  if (role) return link === null || role.kind === 'artefact' ? role : { ...role, link };
  const level = node.fragmentation?.heading ?? 0;
  const kind = level > 0 ? 'heading' : 'paragraph';
  return { kind, layer: node.name, level, language: node.strut.lang, ...(link !== null && { link }) };
}

interface CircleText extends Pick<TextBox, 'node' | 'rect' | 'paragraph'>, Pick<Resources, 'fonts' | 'images'> {
  readonly view: View;
  readonly role: Role;
}

function paintCircle(
  arc: TextArc,
  { node, rect, paragraph, fonts, images, view, role }: CircleText,
): readonly PaintOp[] {
  const whole = wholeText(node);
  const bends = bendsOf(arc, node, rect, paragraph);
  const common = {
    paragraph,
    spans: node.spans,
    own: node.strut,
    isCentred: false,
    brushBox: rect,
    fonts,
    images,
    role,
    // The view is in straight coordinates, and a bent line puts letters elsewhere, so none are culled.
    view: view.everywhere(),
  };
  const lines = [...bends].flatMap(([line, bend]) => {
    const shape = circleShape(bend);
    const letters = paintOnArc(line, bend, (placed, point) => {
      // The run is painted at its own origin, not at its position on the straight line.
      const run = { ...placed, x: 0, baseline: 0 };
      return spanRunOps({ ...common, space: { origin: point, vertical: false } }, run);
    });
    view.spend(letters.length);
    const { below, above } = besideLetters({ ...common, shape }, line);
    const words = lineText(whole, line) + (line.runs.some(({ run }) => run.hangs) ? ' ' : '');
    return [...below, ...group({ text: words }, letters), ...above];
  });
  const areas = [...bends].map(([line, bend]) => ({ box: line.box, bend }));
  return [
    ...lineBackgrounds(node, rect, areas, ({ box, bend }, padding, radii) => {
      const area = padded(box, padding);
      if (!area) return [];
      const ring = cutToRing(area, bend);
      // The corners of an area that is cut lie on the ring that it covers.
      return bendPath(ring === area ? roundedRectPath(area, radii) : rectPath(ring), bend);
    }),
    ...lines,
  ];
}

/** The bend of each line around the circle; lines without a positive radius are left out. */
export function bendsOf(arc: TextArc, node: TextNode, rect: Rect, { lines }: Paragraph): ReadonlyMap<Line, Bend> {
  const firstBaseline = lines[0]?.baseline ?? 0;
  const bends = new Map<Line, Bend>();
  for (const line of lines) {
    const bend = bendOf(line, { arc, centre: centreOf(rect), firstBaseline, before: shareBefore(node, line) });
    if (bend) bends.set(line, bend);
  }
  return bends;
}

/** The fraction of a line that lies before its alignment point. */
function shareBefore({ align, direction }: TextNode, line: Line): number {
  if (align === 'center') return 0.5;
  const isRtl = direction === 'auto' ? line.runs.at(-1)?.run.direction === 'rtl' : direction === 'rtl';
  return align === 'right' || (align === 'end' ? !isRtl : align !== 'left' && isRtl) ? 1 : 0;
}

/** Places areas of a line on the canvas: straight, or around a circle. */
interface LineShape {
  /** @param area along and across the line */
  path(area: Rect): PathData;
  /** Rectangles that together contain the area, small enough to contain little else. */
  rects(area: Rect): readonly Rect[];
}

function straightShape(space: LineSpace): LineShape {
  return { path: (area) => rectPath(rectOnCanvas(space, area)), rects: (area) => [rectOnCanvas(space, area)] };
}

function circleShape(bend: Bend): LineShape {
  return {
    path: (area) => bendPath(rectPath(cutToRing(area, bend)), bend),
    rects: (area) => {
      const ring = cutToRing(area, bend);
      const count = Math.max(1, Math.ceil(turnOf(ring, bend) / LINK_TURN));
      return Array.from({ length: count }, (_, i) => {
        const piece = { ...ring, x: ring.x + (i * ring.width) / count, width: ring.width / count };
        return pathBounds(bendPath(rectPath(piece), bend));
      }).filter((rect) => rect !== null);
    },
  };
}

/** How far around a circle one rectangle of a link extends, radians. */
const LINK_TURN = Math.PI / 8;

/** Laid-out lines and all that is needed to draw them. */
interface Lettering extends DecoratedText {
  readonly space: LineSpace;
  /** The box over which gradients run. */
  readonly brushBox: Rect;
  readonly images: Resources['images'];
  /** The visible part of the canvas, in the coordinates of `space`. */
  readonly view: View;
  /** What the text is in a document; absent = part of a picture. */
  readonly role?: Role;
  /** Whose items its paragraphs are; absent = it is no list. */
  readonly list?: TextList | null;
}

export function paintLines(lettering: Lettering): readonly PaintOp[] {
  const { spans, own, paragraph, space, view, fonts } = lettering;
  const hasMore =
    own.decorations.length > 0 || spans.some((span) => span.style.decorations.length > 0 || span.link !== null);
  const lettersOf = (line: Line) => {
    const body = inItem(lettering, line, false);
    return line.runs.flatMap((run) => spanRunOps(run.isMarker ? inItem(lettering, line, true) : body, run));
  };
  const shown = (line: Line, ops: readonly PaintOp[]) => {
    const kept = view.kept(ops, rectOnCanvas(space, line.box), fonts);
    view.spend(kept.length);
    return kept;
  };
  if (!hasMore) return paragraph.lines.flatMap((line) => shown(line, lettersOf(line)));
  const shape = straightShape(lettering.space);
  return paragraph.lines.flatMap((line) => {
    const { below, above } = besideLetters({ ...inItem(lettering, line, false), shape }, line);
    return shown(line, [...below, ...lettersOf(line), ...above]);
  });
}

/** What draws the marker of a line, or its words, in the item of the list that it is of. */
function inItem(lettering: Lettering, { item: number }: Line, isLabel: boolean): Lettering {
  const { role, list } = lettering;
  if (number === undefined || !list || role?.kind !== 'paragraph') return lettering;
  return { ...lettering, role: { ...role, item: { number, style: list.style, isLabel } } };
}

/** The decoration lines of a line under and over its letters, and its links. */
function besideLetters(
  lettering: Omit<Lettering, 'space'> & { readonly shape: LineShape },
  line: Line,
): { readonly below: readonly PaintOp[]; readonly above: readonly PaintOp[] } {
  const below: PaintOp[] = [];
  const above: PaintOp[] = [];
  for (const stretch of stretches(line.runs)) {
    const span = spanOf(lettering, stretch.span);
    if (!span) continue;
    for (const decoration of span.image ? [] : span.style.decorations) {
      const area = decorationArea(lettering, span.style, decoration, line, stretch);
      if (!area) continue;
      const brush = brushFor(decoration.fill ?? span.style.fill, lettering.brushBox);
      const op: PaintOp = { kind: 'fill', path: lettering.shape.path(area), rule: 'nonzero', brush };
      (decoration.line === 'line-through' ? above : below).push(op);
    }
    const { link } = span;
    if (link === null) continue;
    const role = lettering.role && spanRole(lettering.role, span, lettering.own);
    for (const rect of lettering.shape.rects(linkArea(line, stretch))) {
      above.push({ kind: 'link', href: link, rect, words: span.text, ...(role && { role }) });
    }
  }
  return { below, above };
}

function spanRunOps(lettering: Lettering, placed: LineRun): readonly PaintOp[] {
  const span = spanOf(lettering, placed.span);
  // Boxes in lines are painted by themselves; the sign that stands for them is no letter.
  if (!span || span.atom) return [];
  if (placed.isMarker) return runOps(lettering, span.style, placed);
  const role = lettering.role && spanRole(lettering.role, span, lettering.own);
  if (span.image) return pictureOps(lettering, span.image, placed, role);
  return runOps(role === lettering.role || !role ? lettering : { ...lettering, role }, span.style, placed);
}

/** The role of a span in a text, which may be a link or in another language. */
function spanRole(role: Role, { link, style, footnote }: TextSpan, own: CharacterStyle): Role {
  const lang = style.lang === null || style.lang === own.lang ? undefined : style.lang;
  if ((link === null && lang === undefined && !footnote) || role.kind === 'artefact') return role;
  const note = footnote && { note: footnote.number };
  return { ...role, ...(link !== null && { link }), ...(lang !== undefined && { lang }), ...note };
}

function runOps(lettering: Lettering, style: CharacterStyle, placed: LineRun): readonly PaintOp[] {
  const { run, x, baseline } = placed;
  if (run.glyphs.length === 0) return [];
  const { brushBox, paragraph, space, role } = lettering;
  const { stroke } = style;
  if (space.vertical && (run.direction === 'ltr' || run.direction === 'rtl')) {
    const turn = canvasMatrix(space);
    const straight = { origin: { x: 0, y: 0 }, vertical: false };
    const inLine = { ...lettering, space: straight, view: lettering.view.within(turn) };
    return group({ transform: turn }, keepBrushes(runOps(inLine, style, placed), turn));
  }
  const origin = pointOnCanvas(space, { x, y: baseline });
  const brush = brushFor(style.fill, brushBox);
  const face = lettering.fonts.face(run.face);
  if (face.isColor) return colorRunOps(run, origin, brush, face, lettering.view, role);
  const outline = stroke && {
    brush: brushFor(stroke.fill, brushBox),
    // Round joins, since the sharp corners of letters would grow spikes.
    stroke: { width: stroke.width * paragraph.scale, cap: 'butt', join: 'round', miterLimit: 4, dash: [] } as const,
  };
  const op = { kind: 'glyphs', run, origin, brush, outline: stroke?.isOver ? null : outline, role } as const;
  const over: readonly PaintOp[] =
    outline && stroke?.isOver ? [{ kind: 'stroke', path: runPath(run, origin, face), ...outline }] : [];
  return [...(run.embolden ? emboldened(op, brush, face) : [op]), ...over];
}

function pictureOps(
  { space, images }: Lettering,
  { image, alt }: InlineImage,
  placed: LineRun,
  textRole: Role | undefined,
): readonly PaintOp[] {
  const picture = images.get(image);
  const area = pictureArea(placed);
  if (!picture || !area) return [];
  const source = { x: 0, y: 0, width: picture.width, height: picture.height };
  const role = textRole && (textRole.kind === 'artefact' ? textRole : { ...textRole, alt: alt ?? null });
  return [{ kind: 'image', image, source, dest: rectOnCanvas(space, area), ...(role && { role }) }];
}

/** The area of a run's picture, in the paragraph's coordinates; null if it has none or an empty one. */
export function pictureArea({ box, run, x, baseline }: LineRun): Rect | null {
  if (!box || box.width <= 0 || box.height <= 0) return null;
  return { ...box, x: x + (run.glyphs[0]?.x ?? 0), y: baseline - box.height };
}

/** Paints colour glyphs as pictures; the run itself stays with no brush, for its text. */
export function colorRunOps(
  run: GlyphRun,
  origin: Point,
  brush: Brush,
  face: FontFace,
  view: View = View.all(),
  role?: Role,
): readonly PaintOp[] {
  const foreground = brush.kind === 'solid' ? brush.color : (brush.stops[0]?.color ?? BLACK);
  const pictures = run.glyphs.flatMap((glyph): readonly PaintOp[] => {
    const matrix = glyphMatrix(run, face, origin, glyph);
    if (!view.shows(transformRect(matrix, aroundEm(face)))) return [];
    const colors = face.colorGlyph(glyph.id);
    if (colors) return view.spendOn(segmentsIn(colors), () => paintColorGlyph(colors, matrix, foreground));
    const outline = face.outline(glyph.id);
    if (outline.length === 0) return [];
    return view.spendOn(outline.length, () => [
      { kind: 'fill', path: transformPath(outline, matrix), rule: 'nonzero', brush },
    ]);
  });
  return [...pictures, { kind: 'glyphs', run, origin, brush: null, outline: null, ...(role && { role }) }];
}

/** An area around the em that contains whatever a colour glyph draws, font units. */
function aroundEm({ unitsPerEm: em }: FontFace): Rect {
  return { x: -em, y: -em, width: 4 * em, height: 3 * em };
}

function linkArea({ baseline, ascent, descent }: Line, { start, end }: Stretch): Rect {
  return { x: start, y: baseline - ascent, width: end - start, height: ascent + descent };
}

/**
 * One path for all lines: where they touch or overlap, a translucent colour must not show a seam.
 *
 * @param outline the path on the canvas of a line's box with this padding and these corners
 */
function lineBackgrounds<L extends Pick<Line, 'box'>>(
  { lineBackground }: TextNode,
  brushBox: Rect,
  lines: readonly L[],
  outline: (line: L, padding: Edges, radii: Corners) => PathData,
): readonly PaintOp[] {
  if (lineBackground === null) return [];
  const { fill, padding, radii } = lineBackground;
  const path = lines.filter(({ box }) => box.width > 0).flatMap((line) => outline(line, padding, radii));
  return path.length > 0 ? [{ kind: 'fill', path, rule: 'nonzero', brush: brushFor(fill, brushBox) }] : [];
}

/** Null where negative padding leaves nothing. */
function padded({ x, y, width, height }: Rect, { top, right, bottom, left }: Edges): Rect | null {
  const area = { x: x - left, y: y - top, width: width + left + right, height: height + top + bottom };
  return area.width > 0 && area.height > 0 ? area : null;
}
