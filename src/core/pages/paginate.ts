// Divides what flows into pages: boxes → pages, one after the other.

import { ValidationError } from '../diagnostics.ts';
import type { Landmark, Landmarks } from '../fragmentation/landmarks.ts';
import { moveBox } from '../fragmentation/move-box.ts';
import { BoxPlacer, isCut, type Piece, type Rest, type Space } from '../fragmentation/place-box.ts';
import type { FrameBox, LayoutBox } from '../layout/box.ts';
import type { Footnote } from '../resolve/scene.ts';
import { type Page, pageMargins, sheetSize } from '../template/page.ts';
import type { NotesArea } from './footnotes.ts';

/** The most pages of a document. */
export const MAX_PAGES = 5_000;

/** What flows on a page, and the notes below it. */
interface Placed {
  readonly piece: Piece;
  readonly notes: readonly Footnote[];
  /** Where the notes begin, px. */
  readonly bottom: number;
}

export class Pagination {
  readonly #flow: FrameBox;
  readonly #page: Page;
  readonly #placer: BoxPlacer;
  /** What is left of the flow where each page begins; null = all of it. Without those before the first. */
  readonly #starts: (Rest | null)[] = [null];
  readonly #landmarks: (readonly Landmark[])[] = [];
  /** Of each page. */
  readonly #spaces: Space[] = [];
  /** Whether what flows ended on a page without the margins of a last one, which has to come after it. */
  #lacksFoot = false;
  /** The pages before the first of these. */
  readonly #before: number;
  /** Whether the document ends with these. */
  readonly #isEnd: boolean;
  /** Pages of a longer file that come before the document. */
  readonly #earlier: number;
  /** null = it has no notes. */
  readonly #notes: NotesArea | null;
  /** Where what flows ends above the notes of a space, px. */
  readonly #ends = new WeakMap<Space, number>();

  /**
   * @param flow laid out between the left and right margins of the first page, as high as its content
   * @param before how many pages come before, of other sheets @param isEnd whether none come after
   * @param notes null = what flows has none
   * @param earlier pages of a longer file that come before the document
   * @throws ValidationError when there are more than `MAX_PAGES`
   */
  constructor(
    flow: FrameBox,
    page: Page,
    landmarks: Landmarks,
    before = 0,
    isEnd = true,
    notes: NotesArea | null = null,
    earlier = 0,
  ) {
    this.#placer = new BoxPlacer(landmarks);
    this.#flow = flow;
    this.#page = page;
    this.#before = before;
    this.#isEnd = isEnd;
    this.#notes = notes;
    this.#earlier = earlier;
    for (;;) {
      const index = this.#starts.length - 1;
      this.#spaces.push(this.#spaceFor(index));
      const { rest, landmarks } = this.#placed(index).piece;
      this.#landmarks.push(landmarks());
      if (this.#isOver(rest)) {
        if (!this.#lacksFoot) break;
        this.#lacksFoot = false;
        this.#starts.push(this.#placer.nothing(flow));
        continue;
      }
      this.#starts.push(rest);
      if (this.count + before > MAX_PAGES) {
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
    const { piece, bottom } = this.#placed(index);
    const box = piece.box();
    if (box.kind !== 'frame') throw new Error('What flows is a frame.');
    return number === this.count ? withFoot(box, bottom) : box;
  }

  /** The notes at the foot of a page, and whether they have no room there beside what flows. */
  notes(number: number): { readonly boxes: readonly LayoutBox[]; readonly isCrowded: boolean } {
    const index = number - 1 - this.#covers;
    const space = this.#spaces[index];
    if (!this.#notes || !space) return { boxes: [], isCrowded: false };
    const { piece, notes, bottom } = this.#placed(index);
    const boxes = this.#notes.boxes(notes, this.#flow.node.placement.x + space.dx, space.bottom);
    return { boxes, isCrowded: boxes.length > 0 && piece.bottom > bottom + 1 };
  }

  /** The pages before the first that has something that flows. */
  get #covers(): number {
    return this.#page.cover && this.#before === 0 ? 1 : 0;
  }

  #placed(index: number, space = this.#spaces[index]): Placed {
    const place = (bottom: number): Placed => {
      const piece = space && this.#placer.place(this.#flow, this.#starts[index] ?? null, { ...space, bottom });
      if (!piece) throw new Error('The first box of a page is always placed.');
      return { piece, notes: this.#notes ? piece.landmarks().flatMap(({ notes }) => notes) : [], bottom };
    };
    const all = place(space?.bottom ?? 0);
    if (!space || !this.#notes || all.notes.length === 0) return all;
    const known = this.#ends.get(space);
    if (known !== undefined) return place(known);
    // The more flows on a page, the more notes it has: what flows ends where the two still fit.
    let low = Math.max(space.top + 1, space.bottom - this.#notes.heightOf(all.notes));
    for (let high = space.bottom; high - low > NEAR; ) {
      const middle = (low + high) / 2;
      if (middle + this.#notes.heightOf(place(middle).notes) <= space.bottom) low = middle;
      else high = middle;
    }
    this.#ends.set(space, low);
    return place(low);
  }

  #isOver(rest: Rest | null): boolean {
    return rest === null || this.#placer.isOver(this.#flow, rest);
  }

  /**
   * The room on a page. What fits into that of a last page makes it the last; what would only fit into that of others is
   * divided, so that a last page comes after it; or left whole, and a page without anything that flows comes after it.
   */
  #spaceFor(index: number): Space {
    const usual = this.#space(index, false);
    if (!this.#isEnd || !this.#page.last) return usual;
    const last = this.#space(index, true);
    if (this.#isOver(this.#placed(index, last).piece.rest)) return last;
    if (!this.#isOver(this.#placed(index, usual).piece.rest)) return usual;
    const shorter = { ...usual, bottom: Math.min(usual.bottom, usual.top + last.bottom - last.top) };
    const { rest } = this.#placed(index, shorter).piece;
    if (rest !== null && !isCut(rest)) return shorter;
    this.#lacksFoot = true;
    return usual;
  }

  #space(index: number, isLast: boolean): Space {
    const margins = pageMargins(this.#page, this.#before + index + 1 + this.#covers, isLast, this.#earlier);
    const first = pageMargins(this.#page, 1);
    const top = margins.top + (index === 0 ? this.#flow.node.placement.y - first.top : 0);
    // A page has some room, whatever its margins are.
    const bottom = Math.max(top + 1, sheetSize(this.#page).height - margins.bottom);
    return { top, bottom, dx: margins.left - first.left, isEmpty: true, isHeld: true, page: bottom - top };
  }
}

/** How near to the best end of a page, above its notes, px. */
const NEAR = 0.05;

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
