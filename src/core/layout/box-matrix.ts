// Where a box is drawn: mirrored and rotated, or as CSS transforms it.

import { centreOf, type Matrix, multiply, type Point, type Rect, rotation, translation } from '../geometry.ts';
import type { BoxPoint, CssEffects, Length } from '../resolve/scene.ts';
import type { LayoutBox } from './box.ts';

/** From a box's own coordinates to its parent's; null = they are the same. */
export function matrixOf({ node, rect }: Pick<LayoutBox, 'node' | 'rect'>): Matrix | null {
  if (node.css?.transform) return transformMatrix(node.css.transform, rect);
  if (!node.flip) return node.rotation === 0 ? null : rotation(node.rotation, centreOf(rect));
  const [sx, sy] = [node.flip === 'y' ? 1 : -1, node.flip === 'x' ? 1 : -1];
  const { x, y } = centreOf(rect);
  return multiply(rotation(node.rotation, { x, y }), [sx, 0, 0, sy, x - sx * x, y - sy * y]);
}

/** Whether a box is drawn just where it is laid out, as what pages divide has to be. */
export const isStraight = ({ rotation: turn, flip }: Pick<LayoutBox['node'], 'rotation' | 'flip'>): boolean =>
  turn === 0 && !flip;

/** CSS Transforms 1, 6. */
export function transformMatrix({ steps, origin }: NonNullable<CssEffects['transform']>, box: Rect): Matrix {
  const { x, y } = pointIn(box, origin);
  const about = translation(box.x + x, box.y + y);
  const moved = steps.map((step): Matrix => {
    if ('matrix' in step) return step.matrix;
    const by = pointIn(box, step.move);
    return translation(by.x, by.y);
  });
  return [...moved, translation(-box.x - x, -box.y - y)].reduce(multiply, about);
}

/** px, of a side of the box. */
export const lengthIn = (whole: number, length: Length): number =>
  length.kind === 'px' ? length.value : (length.value / 100) * whole + (length.plus ?? 0);

/** From the top left of the box. */
export const pointIn = ({ width, height }: Rect, { x, y }: BoxPoint): Point => ({
  x: lengthIn(width, x),
  y: lengthIn(height, y),
});
