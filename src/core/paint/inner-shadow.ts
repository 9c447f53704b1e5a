// Paints the inset shadows of what has any shape: letters, and pictures with transparent parts.
//
// A shadow shows where the shape is and its own moved, blurred copy is not. A display list has no masks, so both are
// drawn as tones of grey that multiply, and a colour matrix makes the result the opacity of the shadow's colour.

import { BLACK, type Color, WHITE } from '../color.ts';
import { inflate, type Rect, translation } from '../geometry.ts';
import type { Shadow } from '../resolve/scene.ts';
import type { FontSet } from '../text/font-set.ts';
import { opsBounds } from './bounds.ts';
import type { Filter, PaintOp } from './display-list.ts';
import { blurred } from './filter.ts';
import { group } from './group.ts';
import { rectPath } from './outline.ts';
import { recolored } from './shadow.ts';

/** The inset shadows of what was painted, the first on top; `spread` has no meaning here. */
export function innerShadows(shadows: readonly Shadow[], ops: readonly PaintOp[], fonts: FontSet): readonly PaintOp[] {
  const inner = shadows.filter(({ inset, color }) => inset && color.a > 0);
  const bounds = inner.length > 0 ? opsBounds(ops, fonts) : null;
  if (bounds === null) return [];
  const area = inflate(bounds, 1);
  // Larger than the white area: where both edges are antialiased on one pixel, its grey would be a frame.
  const shape = [filled(inflate(area, 2), BLACK), ...recolored(ops, WHITE, fonts)];
  return inner.toReversed().flatMap(({ x, y, sigma, color }) => {
    const lit = group({ transform: translation(x, y), filters: blurred(sigma) }, recolored(ops, BLACK, fonts));
    const shaded = group({ blend: 'multiply' }, [filled(area, WHITE), ...lit]);
    return group({ filters: [opacityOf(color)] }, [...shape, ...shaded]);
  });
}

function filled(area: Rect, color: Color): PaintOp {
  return { kind: 'fill', path: rectPath(area), rule: 'nonzero', brush: { kind: 'solid', color } };
}

/** Makes grey of 0..1 that share of a colour's opacity. */
function opacityOf({ r, g, b, a }: Color): Filter {
  const values = [r, g, b].flatMap((channel) => [0, 0, 0, 0, channel / 255]);
  return { kind: 'color-matrix', values: [...values, a, 0, 0, 0, 0] };
}
