// Moves a laid-out box with all that is in it, or marks all of it as repeated.

import type { Rect } from '../geometry.ts';
import type { InlineContent, LayoutBox } from '../layout/box.ts';
import { ARTEFACT } from '../role.ts';

function movedInline({ behind, among }: InlineContent, dx: number, dy: number): InlineContent {
  const moved = ({ line, box }: InlineContent['among'][number]) => ({ line, box: moveBox(box, dx, dy) });
  return { behind: behind.map(moved), among: among.map(moved) };
}

/** @param dx @param dy px */
export function moveBox<Box extends LayoutBox>(box: Box, dx: number, dy: number): Box;
export function moveBox(box: LayoutBox, dx: number, dy: number): LayoutBox {
  if (dx === 0 && dy === 0) return box;
  const move = (rect: Rect): Rect => ({ ...rect, x: rect.x + dx, y: rect.y + dy });
  const rect = move(box.rect);
  switch (box.kind) {
    case 'frame':
      return { ...box, rect, children: box.children.map((child) => moveBox(child, dx, dy)) };
    case 'text':
      return {
        ...box,
        rect,
        content: move(box.content),
        ...(box.inline && { inline: movedInline(box.inline, dx, dy) }),
      };
    case 'code': {
      const captions = box.captions.map((caption) => ({ ...caption, content: move(caption.content) }));
      return { ...box, rect, area: move(box.area), captions };
    }
    case 'leaf':
      return { ...box, rect };
  }
}

/**
 * The box, with the role of an artefact for all that is in it. So is marked what pages repeat: it is no content of its own, and a
 * back end that tags text leaves it out.
 */
export function artefact(box: LayoutBox): LayoutBox {
  if (box.kind === 'frame') return { ...box, role: ARTEFACT, children: box.children.map(artefact) };
  return { ...box, role: ARTEFACT };
}
