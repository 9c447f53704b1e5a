// Maps between characters of a laid-out text and caret positions on the canvas.
//
// Offsets are UTF-16 units of the text of all spans. Lines are those of the drawn picture, so typing follows what is
// shown.

import type { Point, Rect } from '#core/geometry.ts';
import type { TextBox } from '#core/layout/box.ts';
import { lineSpace, pointOnCanvas, rectOnCanvas } from '#core/text/line-space.ts';
import { wholeText } from '#core/text/line-text.ts';
import type { Line, LineRun } from '#core/text/paragraph.ts';

interface CaretLine {
  readonly start: number;
  /** The last offset at which the caret can be on this line. */
  readonly end: number;
  /** The x position along the line for each offset from `start` on. */
  readonly xs: readonly number[];
  readonly box: Rect;
}

export class CaretMap {
  readonly lines: readonly CaretLine[];
  readonly length: number;
  readonly #box: TextBox;

  constructor(box: TextBox) {
    this.#box = box;
    const whole = wholeText(box.node);
    this.length = whole.length;
    const { lines } = box.paragraph;
    this.lines = lines.map((line, i) => caretLine(line, whole, i === lines.length - 1));
  }

  /** The caret as a line between two points, canvas px before rotation. */
  caret(offset: number): readonly [Point, Point] {
    const line = this.#lineOf(offset);
    const x = line?.xs[Math.min(offset, line.end) - line.start] ?? 0;
    const top = line?.box.y ?? 0;
    return [this.#onCanvas({ x, y: top }), this.#onCanvas({ x, y: top + (line?.box.height ?? 16) })];
  }

  /** Rectangles of the selected text, canvas px before rotation. */
  selection(from: number, to: number): readonly Rect[] {
    return this.lines.flatMap((line) => {
      const [start, end] = [Math.max(from, line.start), Math.min(to, line.end)];
      if (start > end || to <= line.start || from > line.end) return [];
      const xs = line.xs.slice(start - line.start, end - line.start + 1);
      const left = Math.min(...xs);
      // A selected line break is shown as a narrow bar.
      const width = Math.max(...xs) - left + (to > line.end ? 6 : 0);
      return width > 0 ? [this.#rect({ x: left, y: line.box.y, width, height: line.box.height })] : [];
    });
  }

  /** @param point canvas px, before rotation */
  offsetAt(point: Point): number {
    const { x, y } = this.#inParagraph(point);
    const line = this.lines.find(({ box }) => y < box.y + box.height) ?? this.lines.at(-1);
    return line ? nearest(line, x) : 0;
  }

  /** The offset one line up or down, at the same position along the line. */
  beside(offset: number, step: 1 | -1): number {
    const line = this.#lineOf(offset);
    const index = line ? this.lines.indexOf(line) : -1;
    const target = this.lines[index + step];
    if (!line || !target) return step < 0 ? 0 : this.length;
    return nearest(target, line.xs[Math.min(offset, line.end) - line.start] ?? 0);
  }

  lineEnds(offset: number): { readonly start: number; readonly end: number } {
    return this.#lineOf(offset) ?? { start: 0, end: this.length };
  }

  #lineOf(offset: number): CaretLine | undefined {
    return this.lines.findLast(({ start }) => start <= offset) ?? this.lines[0];
  }

  #space() {
    return lineSpace(this.#box.node, this.#box.content);
  }

  #onCanvas(point: Point): Point {
    return pointOnCanvas(this.#space(), point);
  }

  #rect(rect: Rect): Rect {
    return rectOnCanvas(this.#space(), rect);
  }

  #inParagraph({ x, y }: Point): Point {
    const { origin, vertical } = this.#space();
    return vertical ? { x: y - origin.y, y: origin.x - x } : { x: x - origin.x, y: y - origin.y };
  }
}

function nearest({ xs, start, end }: CaretLine, x: number): number {
  let best = start;
  for (let offset = start; offset <= end; offset++) {
    if (Math.abs((xs[offset - start] ?? 0) - x) < Math.abs((xs[best - start] ?? 0) - x)) best = offset;
  }
  return best;
}

function caretLine(line: Line, whole: string, isLast: boolean): CaretLine {
  const { start, box } = line;
  const text = whole.slice(start, line.end);
  // The caret cannot be after a hard line break; after a soft one it is on the next line.
  const visible = text.replace(/\r?\n$/, '');
  const end = start + (isLast || visible.length < text.length ? visible.length : Math.max(0, text.trimEnd().length));
  const xs = new Array<number>(text.length + 1).fill(Number.NaN);
  const taken = new Uint8Array(text.length);
  // Runs are in visual order; runs of one direction are reordered to their order in the text.
  const ofText = line.runs.filter(({ span, isMarker }) => span !== null && !isMarker);
  const rtl = ofText.filter(({ run }) => run.direction === 'rtl').reverse();
  for (const run of [...ofText.filter(({ run: { direction } }) => direction !== 'rtl'), ...rtl]) {
    const at = findFree(text, run.run.text, taken);
    if (at < 0) continue;
    taken.fill(1, at, at + run.run.text.length);
    for (const [i, x] of edgesOf(run).entries()) if (Number.isNaN(xs[at + i]) || i > 0) xs[at + i] = x;
  }
  // White space at the end of a line hangs, and empty lines have no runs.
  const known = xs.filter((x) => !Number.isNaN(x));
  let last = known.length > 0 ? Number.NaN : box.x;
  for (let i = 0; i < xs.length; i++) {
    if (Number.isNaN(xs[i])) xs[i] = Number.isNaN(last) ? box.x : last;
    last = xs[i] ?? last;
  }
  return { start, end, xs, box };
}

function findFree(text: string, part: string, taken: Uint8Array): number {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (part.length === 0 || !taken[at]) return at;
  }
  return -1;
}

/** The x position of each offset in a run's text, including its end. */
function edgesOf({ run, x }: LineRun): readonly number[] {
  const { text, glyphs, direction } = run;
  const isRtl = direction === 'rtl';
  const edges = new Array<number>(text.length + 1).fill(Number.NaN);
  let pen = x;
  const widths = new Map<number, { left: number; right: number }>();
  for (const { cluster, advance } of glyphs) {
    const known = widths.get(cluster);
    if (known) known.right = pen + advance;
    else widths.set(cluster, { left: pen, right: pen + advance });
    pen += advance;
  }
  const starts = [...widths.keys()].sort((a, b) => a - b);
  for (const [i, cluster] of starts.entries()) {
    const { left, right } = widths.get(cluster) as { left: number; right: number };
    const next = starts[i + 1] ?? text.length;
    for (let offset = cluster; offset < next; offset++) {
      const share = (offset - cluster) / (next - cluster);
      edges[offset] = isRtl ? right - (right - left) * share : left + (right - left) * share;
    }
  }
  edges[text.length] = isRtl ? x : pen;
  let last = isRtl ? pen : x;
  return edges.map((edge) => {
    if (!Number.isNaN(edge)) last = edge;
    return last;
  });
}
