// Collects the marks of a chart: fills, lines, and labels that are measured before they are placed.
//
// Charts are drawn from left to right; those that run from the right are mirrored here, but for their letters.

import type { Color } from '../color.ts';
import { intersection, type Point, type Rect } from '../geometry.ts';
import { ellipsePath } from '../paint/outline.ts';
import { type PathData, withPoints } from '../path.ts';
import type { CharacterStyle, ChartNode } from '../resolve/scene.ts';
import type { ChartMark, ChartTools } from '../resources.ts';
import { isRightToLeft } from '../template/right-to-left.ts';
import type { Paragraph } from '../text/paragraph.ts';
import { fractionDigits } from './scale.ts';

/** Where a label lies: its middle line, and which part of it is at `x`. */
export interface ChartLabelPlace extends Point {
  readonly anchor: 'start' | 'middle' | 'end';
  /** px; a longer label ends with an ellipsis. */
  readonly most?: number;
  readonly color?: Color;
  /** Left out where it would touch a label that is there, or one of the `obstacles`. */
  readonly ifFree?: boolean;
  readonly obstacles?: readonly (Segment | Rect)[];
}

/** A straight line from one point to another. */
type Segment = readonly [Point, Point];

type Brush = Extract<ChartMark, { readonly kind: 'fill' }>['brush'];

/** After the point, of a value whose format says nothing of them. */
const MOST_DIGITS = 6;
/** After the point, of a tick and of a value that are written short. */
const [SHORT_TICK, SHORT_VALUE] = [3, 1];
/** Room that labels keep between each other, em. */
const APART = 0.35;

export class ChartPen {
  readonly marks: ChartMark[] = [];
  readonly node: ChartNode;
  /** Height of a line of labels, px. */
  readonly line: number;
  readonly #box: Rect;
  readonly #tools: ChartTools;
  readonly #capital: number;
  readonly #paragraphs = new Map<string, Paragraph>();
  readonly #labels: Rect[] = [];
  readonly #isMirrored: boolean;
  #isShort = false;

  constructor(node: ChartNode, box: Rect, tools: ChartTools) {
    this.node = node;
    this.#box = box;
    this.#tools = tools;
    this.line = node.style.fontSize * (node.style.lineHeight ?? 1.2);
    this.#capital = tools.capitalOf(node.style);
    const { direction, numbers } = node;
    this.#isMirrored = direction === 'auto' ? isRightToLeft(numbers.language) : direction === 'rtl';
  }

  /** What makes an angle run clockwise: -1 if the chart is mirrored. */
  get clockwise(): 1 | -1 {
    return this.#isMirrored ? -1 : 1;
  }

  #mirrored(path: PathData): PathData {
    const { x: left, width } = this.#box;
    return this.#isMirrored
      ? withPoints(
          path,
          (x) => 2 * left + width - x,
          (_, y) => y,
        )
      : path;
  }

  /** The colour of a series, or of a slice. */
  colorOf(index: number): Color {
    const { colors, color } = this.node;
    return colors[index % colors.length] ?? color;
  }

  /** The colour of labels, so faint. */
  faint(alpha: number): Color {
    const { color } = this.node;
    return { ...color, a: color.a * alpha };
  }

  /** Writes all numbers from a thousand on short, such as 1.2M, because there is no room for their digits. */
  shorten(): void {
    this.#isShort = true;
  }

  /** A number of a scale with this step; without it, a value. */
  number(value: number, step?: number): string {
    const { numbers } = this.node;
    const { format } = numbers;
    const { numberText } = this.#tools;
    if (this.#isShort && Math.abs(value) >= 1000) {
      const maximumFractionDigits = step === undefined ? SHORT_VALUE : SHORT_TICK;
      const short = { ...format, notation: 'compact', minimumFractionDigits: null, maximumFractionDigits } as const;
      return numberText(value, { ...numbers, format: short });
    }
    if (format.type === 'plural' || format.maximumFractionDigits !== null) return numberText(value, numbers);
    if (step === undefined) {
      const isPlain = format.type === 'number' && format.notation === 'standard';
      return numberText(
        value,
        isPlain ? { ...numbers, format: { ...format, maximumFractionDigits: MOST_DIGITS } } : numbers,
      );
    }
    const digits = fractionDigits(format.type === 'percent' ? step * 100 : step);
    // A short number has digits of its own.
    if (format.type === 'number' && format.notation === 'compact') return numberText(value, numbers);
    const exact = { ...format, minimumFractionDigits: digits, maximumFractionDigits: digits };
    return numberText(value, { ...numbers, format: exact });
  }

  /** @param clip the fill is cut to it */
  fill(path: PathData, paint: Color | Brush, clip: PathData | null = null): void {
    if (path.length === 0) return;
    const brush: Brush = 'kind' in paint ? paint : { kind: 'solid', color: paint };
    this.marks.push({ kind: 'fill', path: this.#mirrored(path), brush, clip: clip && this.#mirrored(clip) });
  }

  /** A line with round ends and corners. */
  stroke(path: PathData, color: Color, width: number): void {
    if (path.length > 0 && width > 0) this.marks.push({ kind: 'stroke', path: this.#mirrored(path), color, width });
  }

  dot({ x, y }: Point, radius: number, color: Color): void {
    this.fill(ellipsePath({ x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }), color);
  }

  /** px */
  widthOf(text: string): number {
    return text === '' ? 0 : this.#paragraph(text).size.width;
  }

  widest(texts: readonly string[]): number {
    return Math.max(0, ...texts.map((text) => this.widthOf(text)));
  }

  /** Draws a label within the width of the chart. @returns whether it is drawn */
  label(
    text: string,
    { x, y, anchor, most = this.#box.width, color, ifFree = false, obstacles = [] }: ChartLabelPlace,
  ): boolean {
    if (text === '') return false;
    const whole = this.#paragraph(text);
    if (most < Math.min(whole.size.width, this.node.style.fontSize)) return false;
    const paragraph = whole.size.width > most ? this.#tools.layOut(text, this.node.style, most) : whole;
    const { width } = paragraph.size;
    const wanted = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    const left = Math.max(this.#box.x, Math.min(this.#box.x + this.#box.width - width, wanted));
    const room = APART * this.node.style.fontSize;
    const area = { x: left, y: y - this.#capital / 2, width, height: this.#capital };
    const around = { x: area.x - room, y: area.y - room, width: width + 2 * room, height: area.height + 2 * room };
    if (ifFree && (area.y < this.#box.y || area.y + area.height > this.#box.y + this.#box.height)) return false;
    if (ifFree && this.#labels.some((other) => intersection(other, around) !== null)) return false;
    if (obstacles.some((one) => ('width' in one ? intersection(one, area) !== null : crosses(one, area)))) return false;
    this.#labels.push(area);
    const { style } = this.node;
    const baseline = paragraph.lines[0]?.baseline ?? 0;
    const shown = this.#isMirrored ? 2 * this.#box.x + this.#box.width - left - width : left;
    this.marks.push({
      kind: 'label',
      paragraph,
      span: spanOf(text, color ? { ...style, fill: { kind: 'solid', color } } : style),
      origin: { x: shown, y: y + this.#capital / 2 - baseline },
      area: { ...area, x: shown },
    });
    return true;
  }

  #paragraph(text: string): Paragraph {
    let paragraph = this.#paragraphs.get(text);
    if (!paragraph) {
      paragraph = this.#tools.layOut(text, this.node.style, null);
      this.#paragraphs.set(text, paragraph);
    }
    return paragraph;
  }
}

/** Whether a line has a point in an area (Liang and Barsky). */
function crosses([from, to]: Segment, { x, y, width, height }: Rect): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [start, end] = [0, 1];
  for (const [by, room] of [
    [-dx, from.x - x],
    [dx, x + width - from.x],
    [-dy, from.y - y],
    [dy, y + height - from.y],
  ] as const) {
    if (by === 0 && room < 0) return false;
    if (by < 0) start = Math.max(start, room / by);
    if (by > 0) end = Math.min(end, room / by);
  }
  return start <= end;
}

const spanOf = (text: string, style: CharacterStyle) => ({ text, style, link: null, counter: null, image: null });

/** Black or white, whichever is read better on a colour (WCAG 2.2, contrast ratio). */
export function inkOn({ r, g, b }: Color): Color {
  const light = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  return luminance > 0.4 ? { r: 15, g: 23, b: 42, a: 1 } : { r: 255, g: 255, b: 255, a: 1 };
}
