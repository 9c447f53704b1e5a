// Divides what flows into pages: boxes → pages, one after the other.

import { ValidationError } from '../diagnostics.ts';
import type { FrameBox, LayoutBox } from '../layout/box.ts';
import { type Page, pageMargins, sheetSize } from '../template/page.ts';
import type { Landmark, Landmarks } from './landmarks.ts';
import { moveBox } from './move-box.ts';
import { BoxPlacer, type Piece, type Rest, type Space } from './place-box.ts';

/** The most pages of a document. */
export const MAX_PAGES = 5_000;

export class Pagination {
  readonly #flow: FrameBox;
  readonly #page: Page;
  readonly #placer: BoxPlacer;
  /** What is left of the flow where each page begins; null = all of it. Without those before the first. */
  readonly #starts: (Rest | null)[] = [null];
  readonly #landmarks: (readonly Landmark[])[] = [];

  /**
   * @param flow laid out between the left and right margins of the first page, as high as its content
   * @throws ValidationError when there are more than `MAX_PAGES`
   */
  constructor(flow: FrameBox, page: Page, landmarks: Landmarks) {
    this.#placer = new BoxPlacer(landmarks);
    this.#flow = flow;
    this.#page = page;
    for (;;) {
      const { rest, landmarks } = this.#piece(this.#starts.length - 1);
      this.#landmarks.push(landmarks());
      if (rest === null || this.#placer.isOver(flow, rest)) break;
      this.#starts.push(rest);
      if (this.count > MAX_PAGES) {
        throw new ValidationError('layers', `the document has more than ${MAX_PAGES} pages; give it fewer entries`);
      }
    }
  }

  get count(): number {
    return this.#starts.length + this.#covers;
  }

  /** What begins on a page. */
  landmarks(number: number): readonly Landmark[] {
    return this.#landmarks[number - 1 - this.#covers] ?? [];
  }

  /** What flows on a page; null on a cover. It is made anew each time. */
  box(number: number): FrameBox | null {
    const index = number - 1 - this.#covers;
    if (index < 0) return null;
    const box = this.#piece(index).box();
    if (box.kind !== 'frame') throw new Error('What flows is a frame.');
    return number === this.count ? withFoot(box, this.#space(index).bottom) : box;
  }

  /** The pages before the first that has something that flows. */
  get #covers(): number {
    return this.#page.cover ? 1 : 0;
  }

  #piece(index: number): Piece {
    const piece = this.#placer.place(this.#flow, this.#starts[index] ?? null, this.#space(index));
    if (!piece) throw new Error('The first box of a page is always placed.');
    return piece;
  }

  #space(index: number): Space {
    const margins = pageMargins(this.#page, index + 1 + this.#covers);
    const first = pageMargins(this.#page, 1);
    const top = margins.top + (index === 0 ? this.#flow.node.placement.y - first.top : 0);
    // A page has some room, whatever its margins are.
    const bottom = Math.max(top + 1, sheetSize(this.#page).height - margins.bottom);
    return { top, bottom, dx: margins.left - first.left, isEmpty: true, isHeld: true, page: bottom - top };
  }
}

/** Where a box ends with its margin, which a negative one leaves beyond. */
const bottomWithMargin = ({ node, rect }: LayoutBox): number =>
  rect.y + rect.height + (node.placement.absolute ? 0 : node.placement.margin.bottom);

/** On the last page, what follows an auto margin stands at the foot. */
function withFoot(box: FrameBox, bottom: number): FrameBox {
  const first = box.children.findIndex(({ node }) => node.placement.autoMargins?.top && !node.placement.absolute);
  const end = Math.max(...box.children.map(bottomWithMargin));
  if (first === -1 || end >= bottom) return box;
  const move = (child: LayoutBox, index: number) => (index < first ? child : moveBox(child, 0, bottom - end));
  return { ...box, rect: { ...box.rect, height: bottom - box.rect.y }, children: box.children.map(move) };
}
