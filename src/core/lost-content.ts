// Warns of content that is cut off by a clip or the canvas, naming the layer.
//
// Told of are text that was cut, or that does not fit at the least size of `autoFit`; text outside the canvas or a frame
// that clips; and what stands there because the content of a frame with a layout takes more room than there is.
// Pictures and shapes that somebody placed across an edge, or beyond it, are design, and are not.

import type { Diagnostic } from './diagnostics.ts';
import { inset, intersection, type Matrix, multiply, type Rect, rotation, transformRect } from './geometry.ts';
import type { FrameBox, LayoutBox, TextBox } from './layout/box.ts';
import type { Scene } from './resolve/scene.ts';
import { lineSpace, rectOnCanvas } from './text/line-space.ts';
import { wholeText } from './text/line-text.ts';
import type { Line } from './text/paragraph.ts';

/** Layers that are told of by name. */
const MAX_NAMED = 12;
/** How far things may stand out before that is told of, px: sums of lengths are not exact. */
const ROUNDING = 0.5;
/** Shares of the ascent: how high a capital is, and what may be cut off beside letters (italics, swashes) and above. */
const CAPITAL = 0.7;
const OVERHANG = 0.15;
const ACCENT = 0.1;

export function lostContent({ width, height }: Scene, boxes: readonly LayoutBox[]): readonly Diagnostic[] {
  const search = new Search();
  const canvas: Area = { rect: { x: 0, y: 0, width, height }, name: 'the canvas' };
  for (const box of boxes) search.visit(box, { areas: [canvas], matrix: null, flows: false });
  return search.diagnostics();
}

/** Where something may show, canvas px. */
interface Area {
  readonly rect: Rect;
  readonly name: string;
}

interface Surroundings {
  readonly areas: readonly Area[];
  /** From a box's coordinates to the canvas; null = the same. */
  readonly matrix: Matrix | null;
  /** Whether a frame's layout put it where it is. */
  readonly flows: boolean;
}

class Search {
  readonly #found: Diagnostic[] = [];
  #more = 0;

  visit(box: LayoutBox, around: Surroundings): void {
    const { node, rect } = box;
    if (node.opacity === 0) return;
    const matrix = node.rotation === 0 ? around.matrix : turned(around.matrix, rect, node.rotation);
    if (box.kind === 'text') {
      const lost = lostText(box, around.areas, matrix);
      if (lost) this.#report(...lost);
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
    if (box.kind !== 'frame') return;
    const clip: readonly Area[] = box.node.clip
      ? [
          {
            rect: onCanvas(inset(rect, box.node.border?.width ?? 0), matrix),
            name: `the frame ${JSON.stringify(node.name)}`,
          },
        ]
      : [];
    const areas = [...around.areas, ...clip];
    for (const child of box.children) {
      const flows = around.flows || (box.node.layout !== null && !child.node.placement.absolute);
      this.visit(child, { areas, matrix, flows });
    }
  }

  #report(...[code, layer, what]: Lost): void {
    if (this.#found.length === MAX_NAMED) this.#more += 1;
    else this.#found.push({ code, layer, message: `Layer ${JSON.stringify(layer)}: ${what}.` });
  }

  diagnostics(): readonly Diagnostic[] {
    if (this.#more === 0) return this.#found;
    const layers = this.#more === 1 ? 'layer has' : 'layers have';
    const message = `${this.#more} more ${layers} content that is cut or not shown.`;
    return [...this.#found, { code: 'content-outside', layer: null, message }];
  }
}

/** Whether a frame shows something, and all of that lies outside. */
function isAllOut(frame: FrameBox, areas: readonly Area[], matrix: Matrix | null): boolean {
  let shows = isPainted(frame);
  const isOut = (box: LayoutBox, around: Matrix | null): boolean => {
    const { node, rect } = box;
    if (node.opacity === 0) return true;
    const own = node.rotation === 0 ? around : turned(around, rect, node.rotation);
    if (box.kind === 'frame' && !isPainted(box)) return box.children.every((child) => isOut(child, own));
    shows = true;
    if (!isWhollyOut(onCanvas(rect, own), areas)) return false;
    return box.kind !== 'frame' || box.children.every((child) => isOut(child, own));
  };
  return frame.children.every((child) => isOut(child, matrix)) && shows;
}

const isPainted = ({ node }: FrameBox) => node.background !== null || node.border !== null || node.shadows.length > 0;

/** Signs alone, such as a large quotation mark, are ornaments. */
const WORDS = /[\p{L}\p{N}]/u;

type Lost = readonly [code: Diagnostic['code'], layer: string, what: string];

/** What of a text is not shown, in words; null when all of it is. */
function lostText(box: TextBox, areas: readonly Area[], matrix: Matrix | null): Lost | null {
  const { node, paragraph, content } = box;
  const last = paragraph.lines.at(-1);
  if (paragraph.overflows && (last === undefined || last.ellipsized || last.end < wholeText(node).trimEnd().length)) {
    const rest = last?.ellipsized ? 'an ellipsis stands for the rest' : 'the rest is left out';
    return ['text-overflow', node.name, `its text does not fit and is cut: ${rest}`];
  }
  if (node.autoFitMin !== null && paragraph.overflows) {
    const size = `${Math.round(node.autoFitMin * 100) / 100} px`;
    return ['text-overflow', node.name, `its text does not fit its box even at the least size of autoFit, ${size}`];
  }
  if (node.arc !== null || !node.spans.some(({ text }) => WORDS.test(text))) return null;
  const space = lineSpace(node, content);
  const own = node.overflow === 'clip' ? [{ rect: onCanvas(box.rect, matrix), name: 'its own box' }] : [];
  const inked = paragraph.lines.filter((line) => line.box.width > 0 && line.ascent > 0);
  const letters = inked.map((line) => onCanvas(rectOnCanvas(space, lettersOf(line)), matrix));
  const area = [...own, ...areas].find((each) => letters.some((rect) => isPartlyOut(rect, [each])));
  return area ? ['content-outside', node.name, `some of its text stands outside ${area.name} and is not shown`] : null;
}

function turned(matrix: Matrix | null, { x, y, width, height }: Rect, degrees: number): Matrix {
  const own = rotation(degrees, { x: x + width / 2, y: y + height / 2 });
  return matrix === null ? own : multiply(matrix, own);
}

const onCanvas = (rect: Rect, matrix: Matrix | null): Rect => (matrix === null ? rect : transformRect(matrix, rect));

const isWhollyOut = (rect: Rect, areas: readonly Area[]): boolean =>
  areas.some((area) => {
    const common = intersection(rect, area.rect);
    return common === null || common.width < ROUNDING || common.height < ROUNDING;
  });

const isPartlyOut = (rect: Rect, areas: readonly Area[]): boolean =>
  areas.some(
    ({ rect: area }) =>
      rect.x < area.x - ROUNDING ||
      rect.y < area.y - ROUNDING ||
      rect.x + rect.width > area.x + area.width + ROUNDING ||
      rect.y + rect.height > area.y + area.height + ROUNDING,
  );

/** Where the letters of a line most likely have their ink, less what may stand out: from a capital's height to the baseline. */
function lettersOf({ box, baseline, ascent }: Line): Rect {
  const beside = Math.min(ascent * OVERHANG, box.width / 2);
  const height = ascent * (CAPITAL - 2 * ACCENT);
  return { x: box.x + beside, y: baseline - ascent * ACCENT - height, width: box.width - 2 * beside, height };
}
