// Warns of content that is cut off by a clip or the canvas, naming the layer.
//
// Reported are text that was cut, or that does not fit at the smallest size of `autoFit`; text with ink outside its own
// box if that clips, outside the canvas or outside a frame that clips; and other layers that lie there because the
// content of a frame with a layout needs more space than there is; and the values of a chart that it does not draw, and
// its labels that are cut. Not reported, as it is deliberate: pictures and shapes that were placed across an edge, masks,
// and ornaments of up to three characters without a letter or digit (a large quotation mark).

import { cutLabels, lostValues } from './chart/lost-values.ts';
import { type Diagnostic, quoted } from './diagnostics.ts';
import { IDENTITY, intersection, invert, type Matrix, multiply, type Rect, transformRect } from './geometry.ts';
import { paddingBoxOf, widestBorder } from './layout/border-box.ts';
import type { FrameBox, LayoutBox, TextBox } from './layout/box.ts';
import { matrixOf } from './layout/box-matrix.ts';
import { hasInkOutside, type Area as InkArea } from './paint/ink-outside.ts';
import { fitRadii, innerRadii, SHARP } from './paint/outline.ts';
import { type ChartResources, chartMarks } from './paint/paint-chart.ts';
import type { Scene } from './resolve/scene.ts';
import type { FontSet } from './text/font-set.ts';
import { wholeText } from './text/line-text.ts';
import { isOrnament } from './text/ornament.ts';

/** The most layers that are reported by name. */
const MAX_NAMED = 12;
/** How far boxes may extend outside before that is reported, px: sums of lengths are not exact. */
const ROUNDING = 0.5;

/** @param found what is known already: of a table in it, no cell is reported beside */
export function lostContent(
  { width, height }: Scene,
  boxes: readonly LayoutBox[],
  resources: ChartResources,
  found: readonly Diagnostic[] = [],
): readonly Diagnostic[] {
  const outside = found.filter(({ code }) => code === 'content-outside');
  const search = new Search(resources, new Set(outside.map(({ layer }) => layer)));
  const rect = { x: 0, y: 0, width, height };
  const canvas: Area = { rect, ink: { rect, radii: SHARP }, matrix: null, name: 'the canvas' };
  for (const box of boxes) search.visit(box, { areas: [canvas], matrix: null, flows: false });
  return search.diagnostics();
}

/** An area outside of which nothing shows: the canvas, a clipping frame or a clipping text box. */
interface Area {
  /** Its bounds on the canvas. */
  readonly rect: Rect;
  /** The area itself, in its own coordinates. */
  readonly ink: InkArea;
  /** From its own coordinates to the canvas; null = the same. */
  readonly matrix: Matrix | null;
  readonly name: string;
}

interface Surroundings {
  readonly areas: readonly Area[];
  /** From a box's coordinates to the canvas; null = the same. */
  readonly matrix: Matrix | null;
  /** Whether a frame's layout decided the box's position. */
  readonly flows: boolean;
}

class Search {
  readonly #resources: ChartResources;
  readonly #known: ReadonlySet<string | null>;
  readonly #found: Diagnostic[] = [];
  /** By code and table: how many cells more could be reported than the first, which is. */
  readonly #cells = new Map<string, number>();
  #more = 0;

  constructor(resources: ChartResources, known: ReadonlySet<string | null>) {
    this.#resources = resources;
    this.#known = known;
  }

  visit(box: LayoutBox, around: Surroundings): void {
    const { node, rect } = box;
    if (node.opacity === 0) return;
    const matrix = within(around.matrix, box);
    if (box.kind === 'text') {
      const isKnown = isCell(box) && this.#known.has(node.name);
      const lost = isKnown ? null : lostText(box, around.areas, matrix, this.#resources.fonts);
      if (lost && isCell(box)) this.#reportCell(lost, box);
      else if (lost) this.#report(...lost);
      return;
    }
    const shown = onCanvas(rect, matrix);
    const isEmpty = rect.width === 0 || rect.height === 0;
    const isOut = box.kind === 'code' ? isPartlyOut : isWhollyOut;
    const isLost = !isEmpty && isOut(shown, around.areas);
    if (around.flows && isLost && (box.kind !== 'frame' || isAllOut(box, around.areas, matrix))) {
      const place = around.areas.find((area) => isPartlyOut(shown, [area]))?.name;
      const whole = box.kind === 'code' ? ' whole' : '';
      this.#report('content-outside', node.name, `there is no room for it in ${place}, and it is not shown${whole}`);
      return;
    }
    if (node.type === 'chart') {
      for (const lost of lostValues(node)) this.#report('entries-left-out', node.name, lost);
      const cut = cutLabels(chartMarks(node, rect, this.#resources));
      if (cut !== null) this.#report('text-overflow', node.name, cut);
    }
    if (box.kind !== 'frame') return;
    const areas = box.node.clip ? [...around.areas, clipOf(box, matrix)] : around.areas;
    const placed = areas === around.areas && matrix === around.matrix ? around : { areas, matrix, flows: around.flows };
    const flowing = placed.flows ? placed : { areas, matrix, flows: true };
    for (const child of box.children)
      this.visit(child, box.node.layout !== null && !child.node.placement.absolute ? flowing : placed);
  }

  #report(...[code, layer, what]: Lost): void {
    if (this.#found.length === MAX_NAMED) this.#more += 1;
    else this.#found.push({ code, layer, message: `Layer ${JSON.stringify(layer)}: ${what}.` });
  }

  /** One of each table, in its place. */
  #reportCell([code, layer, what]: Lost, { node, role }: TextBox): void {
    const key = `${code} ${layer}`;
    const more = this.#cells.get(key);
    this.#cells.set(key, (more ?? -1) + 1);
    if (more !== undefined) return;
    const text = wholeText(node);
    const shown = quoted(text, CELL_TEXT);
    const column = role && 'table' in role ? ` in column ${(role.of.cells[role.index]?.column ?? 0) + 1}` : '';
    this.#report(code, layer, `of the cell ${shown}${column}, ${what}`);
  }

  diagnostics(): readonly Diagnostic[] {
    for (const [i, { code, layer, message }] of this.#found.entries()) {
      const more = this.#cells.get(`${code} ${layer}`) ?? 0;
      const cells = more === 1 ? 'cell' : 'cells';
      if (more > 0)
        this.#found[i] = { code, layer, message: message.replace(/\.$/, `; so it is of ${more} more ${cells}.`) };
    }
    if (this.#more === 0) return this.#found;
    const layers = this.#more === 1 ? 'layer has' : 'layers have';
    const message = `${this.#more} more ${layers} content that is cut or not shown.`;
    return [...this.#found, { code: 'content-outside', layer: null, message }];
  }
}

/** Whether a text is that of a table's cell. */
const isCell = ({ node }: TextBox): boolean => node.keepsNumbers === true;

/** Characters of a cell that are told. */
const CELL_TEXT = 25;

/** Whether a frame shows something, and all of it lies outside. */
function isAllOut(frame: FrameBox, areas: readonly Area[], matrix: Matrix | null): boolean {
  let shows = isPainted(frame);
  const isOut = (box: LayoutBox, around: Matrix | null): boolean => {
    const { node, rect } = box;
    if (node.opacity === 0) return true;
    const own = within(around, box);
    if (box.kind === 'frame' && !isPainted(box)) return box.children.every((child) => isOut(child, own));
    shows = true;
    if (!isWhollyOut(onCanvas(rect, own), areas)) return false;
    return box.kind !== 'frame' || box.children.every((child) => isOut(child, own));
  };
  return frame.children.every((child) => isOut(child, matrix)) && shows;
}

const isPainted = ({ node }: FrameBox) =>
  node.background !== null || node.border !== null || node.sideBorders !== null || node.shadows.length > 0;

/** The area in which a clipping frame shows its children: its padding box. */
function clipOf({ node, rect }: FrameBox, matrix: Matrix | null): Area {
  const ink = { rect: paddingBoxOf(node, rect), radii: innerRadii(fitRadii(rect, node.radii), widestBorder(node)) };
  return { rect: onCanvas(ink.rect, matrix), ink, matrix, name: `the frame ${JSON.stringify(node.name)}` };
}

type Lost = readonly [code: Diagnostic['code'], layer: string, what: string];

/** Describes the part of a text that is not shown; null when all of it is. */
function lostText(box: TextBox, areas: readonly Area[], matrix: Matrix | null, fonts: FontSet): Lost | null {
  const { node, paragraph } = box;
  const last = paragraph.lines.at(-1);
  if (paragraph.overflows && (last === undefined || last.ellipsized || last.end < wholeText(node).trimEnd().length)) {
    const rest = last?.ellipsized ? 'an ellipsis stands for the rest' : 'the rest is left out';
    return ['text-overflow', node.name, `its text does not fit and is cut: ${rest}`];
  }
  if (node.autoFitMin !== null && paragraph.overflows) {
    const size = `${Math.round(node.autoFitMin * 100) / 100} px`;
    return ['text-overflow', node.name, `its text does not fit its box even at the least size of autoFit, ${size}`];
  }
  if (isOrnament(wholeText(node))) return null;
  const own: Area = { rect: box.rect, ink: { rect: box.rect, radii: SHARP }, matrix, name: 'its own box' };
  const area = (node.overflow === 'clip' && node.arc === null ? [own, ...areas] : areas).find((each) =>
    hasInkOutside(box, between(matrix, each.matrix), each.ink, fonts),
  );
  return area ? ['content-outside', node.name, `some of its text stands outside ${area.name} and is not shown`] : null;
}

/** The matrix from the coordinates of `from` to those of `to`; both map to the canvas. */
function between(from: Matrix | null, to: Matrix | null): Matrix {
  if (from === to) return IDENTITY;
  const back = to && invert(to);
  return back ? multiply(back, from ?? IDENTITY) : (from ?? IDENTITY);
}

/** From a box's own coordinates to the canvas, by the matrix of what it is in; null = they are the same. */
function within(matrix: Matrix | null, box: LayoutBox): Matrix | null {
  const own = matrixOf(box);
  return matrix !== null && own !== null ? multiply(matrix, own) : (own ?? matrix);
}

const onCanvas = (rect: Rect, matrix: Matrix | null): Rect => (matrix === null ? rect : transformRect(matrix, rect));

const isWhollyOut = (rect: Rect, areas: readonly Area[]): boolean =>
  areas.some((area) => {
    const common = intersection(rect, area.rect);
    // A hairline is thinner than that by itself.
    const isOut = (side: 'width' | 'height') => (common?.[side] ?? 0) < Math.min(ROUNDING, rect[side] / 2);
    return isOut('width') || isOut('height');
  });

const isPartlyOut = (rect: Rect, areas: readonly Area[]): boolean =>
  areas.some(
    ({ rect: area }) =>
      rect.x < area.x - ROUNDING ||
      rect.y < area.y - ROUNDING ||
      rect.x + rect.width > area.x + area.width + ROUNDING ||
      rect.y + rect.height > area.y + area.height + ROUNDING,
  );
