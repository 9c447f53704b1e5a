// Constraints: which sides of a layer keep their distance when the canvas or the frame that it lies in gets another size.

import { z } from 'zod';
import type { Rect, Size } from '../geometry.ts';

/** `left-right` and `top-bottom` keep both sides, so the layer is stretched; `scale` keeps place and size in proportion. */
const HORIZONTAL = ['left', 'right', 'left-right', 'center', 'scale'] as const;
const VERTICAL = ['top', 'bottom', 'top-bottom', 'center', 'scale'] as const;

export const Constraints = z
  .strictObject({
    horizontal: z.enum(HORIZONTAL).default('left'),
    vertical: z.enum(VERTICAL).default('top'),
  })
  .meta({
    id: 'Constraints',
    description:
      'Which sides keep their distance when the studio resizes the canvas or the frame around it. Of a layer that a layout places, nothing.',
  });
export type Constraints = z.infer<typeof Constraints>;

/**
 * Where a layer lies after the area around it was resized, px.
 *
 * @param rect the layer, from the corner of the area
 * @returns sides of at least 1 px
 */
export function constrained(rect: Rect, { horizontal, vertical }: Constraints, from: Size, to: Size): Rect {
  const [x, width] = along(rect.x, rect.width, horizontal, from.width, to.width);
  const [y, height] = along(rect.y, rect.height, vertical, from.height, to.height);
  return { x, y, width, height };
}

function along(
  start: number,
  length: number,
  constraint: Constraints['horizontal'] | Constraints['vertical'],
  from: number,
  to: number,
): readonly [start: number, length: number] {
  switch (constraint) {
    case 'left':
    case 'top':
      return [start, length];
    case 'right':
    case 'bottom':
      return [start + to - from, length];
    case 'center':
      return [start + (to - from) / 2, length];
    case 'left-right':
    case 'top-bottom':
      return [start, Math.max(1, length + to - from)];
    case 'scale': {
      const scale = from > 0 ? to / from : 1;
      return [start * scale, Math.max(1, length * scale)];
    }
  }
}
