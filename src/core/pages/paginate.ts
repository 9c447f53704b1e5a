// Divides what flows into pages: boxes → pages, one after the other.

import { ValidationError } from '../diagnostics.ts';
import type { FrameBox, LayoutBox } from '../layout/box.ts';
import { type Page, pageMargins, sheetSize } from '../template/page.ts';
import { moveBox } from './move-box.ts';
import { BoxPlacer, isOnlyHeight, type Rest } from './place-box.ts';

/** The most pages of a document. */
export const MAX_PAGES = 5_000;

/**
 * @param flow laid out between the left and right margins of the first page, as high as its content
 * @returns the part of `flow` on each page; null on a cover
 * @throws ValidationError when there are more than `MAX_PAGES`
 */
export function* paginate(flow: FrameBox, page: Page): Generator<FrameBox | null> {
  const placer = new BoxPlacer();
  const { height } = sheetSize(page);
  const left = pageMargins(page, 1).left;
  let number = 1;
  if (page.cover) {
    yield null;
    number += 1;
  }
  const offset = flow.node.placement.y - pageMargins(page, 1).top;
  let rest: Rest | null = null;
  do {
    if (number > MAX_PAGES) {
      throw new ValidationError('layers', `the document has more than ${MAX_PAGES} pages; give it fewer entries`);
    }
    const margins = pageMargins(page, number);
    const top: number = margins.top + (rest === null ? offset : 0);
    // A page has some room, whatever its margins are.
    const bottom = Math.max(top + 1, height - margins.bottom);
    const piece = placer.place(flow, rest, { top, bottom, dx: margins.left - left, isEmpty: true });
    if (piece?.box.kind !== 'frame') throw new Error('The first box of a page is always placed.');
    rest = piece.rest && isOnlyHeight(piece.rest) ? null : piece.rest;
    yield rest === null ? withFoot(piece.box, bottom) : piece.box;
    number += 1;
  } while (rest !== null);
}

/** On the last page, what follows an auto margin stands at the foot. */
function withFoot(box: FrameBox, bottom: number): FrameBox {
  const first = box.children.findIndex(({ node }) => node.placement.autoMargins?.top && !node.placement.absolute);
  const end = Math.max(...box.children.map(({ rect }) => rect.y + rect.height));
  if (first === -1 || end >= bottom) return box;
  const move = (child: LayoutBox, index: number) => (index < first ? child : moveBox(child, 0, bottom - end));
  return { ...box, rect: { ...box.rect, height: bottom - box.rect.y }, children: box.children.map(move) };
}
