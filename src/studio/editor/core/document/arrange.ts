// Aligns and distributes boxes; positions are canvas px.

import type { Rect } from '#core/geometry.ts';

export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';

/** How far each box moves to be aligned within `within`. */
export function aligned(
  boxes: readonly Rect[],
  within: Rect,
  to: Alignment,
): readonly { readonly dx: number; readonly dy: number }[] {
  return boxes.map(({ x, y, width, height }) => {
    switch (to) {
      case 'left':
        return { dx: within.x - x, dy: 0 };
      case 'centre':
        return { dx: within.x + (within.width - width) / 2 - x, dy: 0 };
      case 'right':
        return { dx: within.x + within.width - width - x, dy: 0 };
      case 'top':
        return { dx: 0, dy: within.y - y };
      case 'middle':
        return { dx: 0, dy: within.y + (within.height - height) / 2 - y };
      default:
        return { dx: 0, dy: within.y + within.height - height - y };
    }
  });
}

/** Makes the gaps between neighbours equal; the outermost two stay. */
export function distributed(
  boxes: readonly Rect[],
  axis: 'x' | 'y',
): readonly { readonly dx: number; readonly dy: number }[] {
  const side = axis === 'x' ? 'width' : 'height';
  const order = boxes.map((_, i) => i).sort((a, b) => (boxes[a]?.[axis] ?? 0) - (boxes[b]?.[axis] ?? 0));
  const first = boxes[order[0] ?? 0];
  const last = boxes[order.at(-1) ?? 0];
  const moves = boxes.map(() => ({ dx: 0, dy: 0 }));
  if (!first || !last || boxes.length < 3) return moves;
  const filled = boxes.reduce((sum, box) => sum + box[side], 0);
  const gap = (last[axis] + last[side] - first[axis] - filled) / (boxes.length - 1);
  let at = first[axis];
  for (const i of order) {
    const box = boxes[i] as Rect;
    moves[i] = axis === 'x' ? { dx: at - box.x, dy: 0 } : { dx: 0, dy: at - box.y };
    at += box[side] + gap;
  }
  return moves;
}
