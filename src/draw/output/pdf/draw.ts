// Draws a display list, back to front, as content stream operators.

import type { Color } from '#core/color.ts';
import { type Matrix, multiply, type Rect, transformRect } from '#core/geometry.ts';
import { placeInLink } from '#core/page-link.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { Brush, GroupOp, PaintOp, Stroke } from '#core/paint/display-list.ts';
import { runPath } from '#core/paint/glyph-path.ts';
import type { PathData } from '#core/path.ts';
import type { Role } from '#core/role.ts';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { colorsOf, paintWith, setAlpha } from './brush.ts';
import { imageResource } from './encoded-image.ts';
import { invisibleText, type RunText, visibleText } from './glyph-text.ts';
import { drawGroup, drawInForm, enterGroup } from './groups.ts';
import { paperResource, sheetMatrix } from './letter-paper.ts';
import type { Picture } from './picture.ts';
import type { Recolourings } from './recolouring.ts';
import { num, pathOperators, rectOperators, utf16Hex } from './syntax.ts';
import { inside, type Target } from './target.ts';

type StrokeOp = Extract<PaintOp, { kind: 'stroke' }>;
type GlyphsOp = Extract<PaintOp, { kind: 'glyphs' }>;
type LinkOp = Extract<PaintOp, { kind: 'link' }>;

/** PDF's numbers for CSS's keywords (8.4.3.3, 8.4.3.4). */
const LINE_CAP = { butt: 0, round: 1, square: 2 };
const LINE_JOIN = { miter: 0, round: 1, bevel: 2 };

export function drawOps(target: Target, ops: readonly PaintOp[]): void {
  for (const op of ops) drawOp(target, op);
}

/** Draws an operation as part of what it is of, or as decoration; the parts of a group say themselves what they are. */
export function drawOp(target: Target, op: PaintOp): void {
  const { content } = target;
  if (op.kind === 'link') annotateLink(target, op);
  else if (content.isHeld || (op.kind === 'group' && op.text === null && !op.role && hasRoles(op.ops))) {
    drawPart(target, op);
  } else {
    const isOurs = holdFor(target, op.kind === 'group' && op.text !== null ? (op.role ?? firstRole(op.ops)) : op.role);
    if (op.role?.kind === 'figure') extendFigure(target, op);
    if (op.kind === 'glyphs' && op.role && 'total' in op.role && op.role.total) {
      target.document.noteTotal(op.role, op.role.total, op.run.text);
    }
    drawPart(target, op);
    if (isOurs) content.release();
  }
}

function holdFor({ content, document: { structure } }: Target, role: Role | undefined): boolean {
  if (content.isHeld) return false;
  return content.hold(structure.tagOf(role), structure);
}

/** Whether any part says what it is. */
const hasRoles = (ops: readonly PaintOp[]): boolean =>
  ops.some((op) => op.role !== undefined || (op.kind === 'group' && hasRoles(op.ops)));

function firstRole(ops: readonly PaintOp[]): Role | undefined {
  for (const op of ops) {
    const role = op.role ?? (op.kind === 'group' ? firstRole(op.ops) : undefined);
    if (role) return role;
  }
  return undefined;
}

function extendFigure({ document, canvasMatrix, faces }: Target, op: PaintOp): void {
  const bounds = opBounds(op, faces);
  const area = bounds && transformRect(multiply(document.pageMatrix, canvasMatrix), bounds);
  if (area) document.structure.extend(document.structure.tagOf(op.role), area);
}

function drawPart(target: Target, op: Exclude<PaintOp, { kind: 'link' }>): void {
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
    case 'group':
      if (op.opacity <= 0) break;
      markWords(target, op, () => {
        if (isCutAway(op)) drawWordsOf(target, op);
        else if (target.recolourings.needsPixels(op)) {
          if (hasInks(op.ops)) target.document.lostInks.add('inks-filtered');
          drawPictureOf(target, op);
        } else drawGroup(target, op, drawOps);
      });
      break;
  }
}

const hasInks = (ops: readonly PaintOp[]): boolean =>
  ops.some((op) => {
    if (op.kind === 'group') return hasInks(op.ops);
    const brushes = op.kind === 'glyphs' ? [op.brush, op.outline?.brush] : 'brush' in op ? [op.brush] : [];
    return brushes.some((brush) => brush && colorsOf(brush).some(({ inks }) => inks));
  });

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
const isSameOpaque = (a: Color, b: Color) =>
  a.a === 1 && b.a === 1 && a.r === b.r && a.g === b.g && a.b === b.b && String(a.inks) === String(b.inks);

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
function showText({ content }: Target, rendering: 0 | 2 | 3, text: RunText): void {
  content.set('text rendering', `${rendering} Tr`);
  content.set('font', `${content.use(text.font.resource)} ${num(text.size)} Tf`);
  content.showText(text);
}

function drawPicture(target: Target, picture: Picture | undefined): void {
  const { document, content } = target;
  if (!picture || !setAlpha(target, 1)) return;
  const { image, place, clip, smooth } = picture;
  const isPaper = 'page' in image;
  if (isPaper) document.checkPaper(image.isArchive);
  const resource = isPaper ? paperResource(document, image) : imageResource(document, image, smooth);
  const isOurs = holdFor(target, undefined);
  content.isolate(() => {
    if (clip) content.write(`${rectOperators(clip)} W n`);
    // An image XObject is a unit square with its top at y = 1.
    content.transform(
      isPaper ? multiply(imageMatrix(place), sheetMatrix(image.page)) : imageMatrix(place, image.orientation),
    );
    content.write(`${content.use(resource)} Do`);
  });
  if (isOurs) content.release();
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
      if (target.inText.has(op.run)) continue;
      target.inText.add(op.run);
      const isOurs = holdFor(target, op.role);
      showText(target, 3, invisibleText(op.run, op.origin, target.fonts));
      if (isOurs) target.content.release();
    } else if (op.kind === 'link') annotateLink(target, op);
    else if (op.kind === 'group' && op.opacity > 0) markWords(target, op, () => drawWordsOf(target, op));
  }
}

// Writes a link operation as a link annotation (ISO 32000-1, 12.5.6.5): to an address, or to a page of the file.
//
// Only web and mail addresses are allowed, nothing that a reader would execute.

const PROTOCOLS = ['http:', 'https:', 'mailto:'];
/** Most characters of an address; longer ones are not usable. */
const MAX_LENGTH = 2_048;

/** Adds nothing for an address that is not allowed. */
function annotateLink({ document, canvasMatrix }: Target, op: LinkOp): void {
  const { rect, href } = op;
  const place = placeInLink(href);
  const address = place === null && href.length <= MAX_LENGTH ? URL.parse(href) : null;
  if (place === null && (!address || !PROTOCOLS.includes(address.protocol))) return;
  const area = transformRect(multiply(document.pageMatrix, canvasMatrix), rect);
  document.annotateLink(op, {
    Rect: [area.x, area.y, area.x + area.width, area.y + area.height],
    Border: [0, 0, 0],
    // The Print flag: it changes nothing visible, and PDF/A requires it.
    F: 4,
    ...(place && { Dest: document.destination(place.page, place.top) }),
    ...(address && { A: { S: 'URI', URI: Uint8Array.from(address.href, (char) => char.charCodeAt(0)) } }),
  });
}

// Wraps letters that are too scattered to be read as words in a marked-content span with their text (14.9.4,
// ActualText).
//
// Each letter keeps its own code and place and can be selected individually; search and copy get the whole line.

/** Draws a group, in a span if it has text of its own. */
function markWords({ content, fonts }: Target, { text, ops }: GroupOp, draw: () => void): void {
  const first = text === null ? null : firstRun(ops);
  if (text === null || first === null) {
    draw();
    return;
  }
  // Readers lay out the ActualText with the text state at the end of the span, so the span ends with a horizontal text
  // matrix and the font size of the letters.
  content.set('font', `${content.use(fonts.face(first.face).resource)} ${num(first.fontSize)} Tf`);
  content.write(`/Span <</ActualText <feff${utf16Hex(text)}>>> BDC`);
  draw();
  content.write('BT 1 0 0 -1 0 0 Tm ET\nEMC');
}

function firstRun(ops: readonly PaintOp[]): GlyphRun | null {
  for (const op of ops) {
    const run = op.kind === 'glyphs' ? op.run : op.kind === 'group' ? firstRun(op.ops) : null;
    if (run) return run;
  }
  return null;
}

// Tells whether a path encloses an area.
//
// PDF requires readers to paint something for every fill and to keep something of every clip, however thin (ISO
// 32000-1, 10.6.5). Some draw a hairline where SVG and the raster back end draw nothing.

/** Twice the area of a triangle, square px, up to which its corners count as collinear. */
const FLAT = 1e-9;

/** Whether any subpath encloses an area: its ends and control points do not all lie on one line. */
export function hasArea(path: PathData): boolean {
  let [startX, startY] = [0, 0];
  /**
   * The longest vector from the start so far. Compared with a short one, everything looks flat, and rounding leaves
   * circles a side of 1e-15 px.
   */
  let [alongX, alongY] = [0, 0];
  for (const segment of path) {
    if (segment[0] === 'M') {
      [, startX, startY] = segment;
      [alongX, alongY] = [0, 0];
      continue;
    }
    for (let i = 1; i < segment.length; i += 2) {
      const dx = Number(segment[i]) - startX;
      const dy = Number(segment[i + 1]) - startY;
      if (Math.abs(alongX * dy - alongY * dx) > FLAT) return true;
      if (dx * dx + dy * dy > alongX * alongX + alongY * alongY) [alongX, alongY] = [dx, dy];
    }
  }
  return false;
}

// Computes the matrix that maps an image XObject's unit square to the place of the upright picture (ISO 32000-1,
// 8.9.5).

/** For x and y of the upright picture: the coefficients of the stored picture's across and down, and the offset. */
type Turned = readonly [
  x: readonly [across: number, down: number, start: number],
  y: readonly [number, number, number],
];

const UPRIGHT: Turned = [
  [1, 0, 0],
  [0, 1, 0],
];

/** By EXIF's orientation (CIPA DC-008, 4.6.5.1.4), 1 to 8. */
const TURNED: readonly Turned[] = [
  UPRIGHT,
  [
    [-1, 0, 1],
    [0, 1, 0],
  ],
  [
    [-1, 0, 1],
    [0, -1, 1],
  ],
  [
    [1, 0, 0],
    [0, -1, 1],
  ],
  [
    [0, 1, 0],
    [1, 0, 0],
  ],
  [
    [0, -1, 1],
    [1, 0, 0],
  ],
  [
    [0, -1, 1],
    [-1, 0, 1],
  ],
  [
    [0, 1, 0],
    [-1, 0, 1],
  ],
];

/** @param place of the upright picture, y down */
export function imageMatrix({ x, y, width, height }: Rect, orientation = 1): Matrix {
  const [[xAcross, xDown, xStart], [yAcross, yDown, yStart]] = TURNED[orientation - 1] ?? UPRIGHT;
  // The unit square has y up: the stored picture's first row is at 1.
  return [
    width * xAcross,
    height * yAcross,
    -width * xDown + 0,
    -height * yDown,
    x + width * (xDown + xStart),
    y + height * (yDown + yStart),
  ];
}
