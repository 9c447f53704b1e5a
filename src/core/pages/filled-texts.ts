// Fills in page numbers in the text of a document's flow, once pages are divided. Each text is laid out again in its own
// box, which has room for them, so boxes and page breaks stay where they are.

import type { LayoutBox, TextBox } from '../layout/box.ts';
import { TableBox } from '../layout/table-box.ts';
import type { SceneNode, TextNode } from '../resolve/scene.ts';

export class FilledTexts {
  readonly #texts = new Map<SceneNode, TextBox>();
  readonly #filled = new Map<SceneNode, TextBox>();
  readonly #fill: (box: TextBox) => TextBox;

  /**
   * @param boxes what flows
   * @param fill the same text with its numbers, in the same box
   */
  constructor(boxes: readonly LayoutBox[], fill: (box: TextBox) => TextBox) {
    this.#fill = fill;
    this.#find(boxes);
  }

  /** A part of what flows, as it is on a page, with the numbers in its texts. */
  in(box: LayoutBox): LayoutBox {
    if (this.#texts.size === 0) return box;
    if (box.kind === 'frame') return { ...box, children: box.children.map((child) => this.in(child)) };
    return box.kind === 'text' ? this.#textIn(box) : box;
  }

  #textIn(box: TextBox): TextBox {
    const whole = this.#texts.get(box.node);
    if (!whole) return box;
    const filled = this.#filled.get(box.node) ?? this.#fill(whole);
    this.#filled.set(box.node, filled);
    const { paragraph, node } = filled;
    const lines = box.paragraph.lines.length;
    if (lines === whole.paragraph.lines.length) {
      const [dx, dy] = [box.rect.x - whole.rect.x, box.rect.y - whole.rect.y];
      const content = { ...filled.content, x: filled.content.x + dx, y: filled.content.y + dy };
      return { ...box, node, paragraph, content };
    }
    // Of a text that is divided, each part has the lines that begin where its own did.
    const [first, last] = [box.paragraph.lines[0], box.paragraph.lines.at(-1)];
    const isFirst = first === whole.paragraph.lines[0];
    const isLast = last === whole.paragraph.lines.at(-1);
    const end = last ? last.box.y + last.box.height : 0;
    const shown = paragraph.lines.filter(
      ({ box: { y } }) => (isFirst || y >= (first?.box.y ?? 0) - ROUNDING) && (isLast || y < end - ROUNDING),
    );
    return { ...box, node, paragraph: { ...paragraph, lines: shown } };
  }

  #find(boxes: readonly LayoutBox[]): void {
    for (const box of boxes) {
      // A table makes its boxes when it is asked for them, and its cells name no pages.
      if (box instanceof TableBox) continue;
      if (box.kind === 'frame') this.#find(box.children);
      else if (box.kind === 'text' && isCounting(box.node)) this.#texts.set(box.node, box);
    }
  }
}

const isCounting = ({ spans }: TextNode): boolean => spans.some(({ counter }) => counter !== null);

/** Rounding error allowed in sums of heights, px. */
const ROUNDING = 0.01;
