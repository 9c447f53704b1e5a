// Where a box is drawn: its own rotation, or what CSS transforms it by.

import { centreOf, type Matrix, multiply, type Point, type Rect, rotation, translation } from '../geometry.ts';
import type { BoxPoint, CssEffects, Length } from '../resolve/scene.ts';
import type { LayoutBox } from './box.ts';

/** From a box's own coordinates to its parent's; null = they are the same. */
export function matrixOf({ node, rect }: Pick<LayoutBox, 'node' | 'rect'>): Matrix | null {
  if (node.css?.transform) return transformMatrix(node.css.transform, rect);
  return node.rotation === 0 ? null : rotation(node.rotation, centreOf(rect));
}

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
