// Paints what boxes of pages have beside the effects of layers: transforms, outlines, and clips by a basic shape.

import { inflate, type Matrix, multiply, type Point, type Rect, translation } from '../geometry.ts';
import type { PathData } from '../path.ts';
import type { BasicShape, BoxPoint, CssEffects, Length, SceneNode } from '../resolve/scene.ts';
import { borderOps } from './border.ts';
import type { Clip, PaintOp } from './display-list.ts';
import { ellipsePath, fitRadii, roundedRectPath, SHARP } from './outline.ts';

const lengthOf = (length: Length, whole: number): number =>
  length.kind === 'px' ? length.value : (length.value / 100) * whole + (length.plus ?? 0);

/** From the top left of the box. */
const pointOf = ({ x, y }: BoxPoint, box: Rect): Point => ({
  x: lengthOf(x, box.width),
  y: lengthOf(y, box.height),
});

/** CSS Transforms 1, 6: from the node's own coordinates to those around it. */
export function transformMatrix({ steps, origin }: NonNullable<CssEffects['transform']>, box: Rect): Matrix {
  const { x, y } = pointOf(origin, box);
  const about = translation(box.x + x, box.y + y);
  const moved = steps.map((step): Matrix => {
    if ('matrix' in step) return step.matrix;
    const by = pointOf(step.move, box);
    return translation(by.x, by.y);
  });
  return [...moved, translation(-box.x - x, -box.y - y)].reduce(multiply, about);
}

/** CSS UI 4, 3.3: along the corners of the border box. */
export function outlineOps({ css, ...node }: SceneNode, box: Rect): readonly PaintOp[] {
  if (!css?.outline) return [];
  const by = Math.max(css.outline.offset + css.outline.width, -box.width / 2, -box.height / 2);
  const radii = 'radii' in node ? fitRadii(box, node.radii) : SHARP;
  const grown = (radius: number) => (radius > 0 ? Math.max(0, radius + by) : 0);
  const { topLeft, topRight, bottomRight, bottomLeft } = radii;
  const outer = {
    topLeft: grown(topLeft),
    topRight: grown(topRight),
    bottomRight: grown(bottomRight),
    bottomLeft: grown(bottomLeft),
  };
  return borderOps(inflate(box, by), outer, css.outline);
}

/** CSS Shapes 1, 3.1. */
export function shapeClip(shape: BasicShape, box: Rect): Clip {
  switch (shape.kind) {
    case 'inset': {
      const { top, right, bottom, left } = shape.inset;
      const [x, y] = [lengthOf(left, box.width), lengthOf(top, box.height)];
      const width = Math.max(0, box.width - x - lengthOf(right, box.width));
      const height = Math.max(0, box.height - y - lengthOf(bottom, box.height));
      const inner = { x: box.x + x, y: box.y + y, width, height };
      return { path: roundedRectPath(inner, fitRadii(inner, shape.radii)), rule: 'nonzero' };
    }
    case 'polygon': {
      const path: PathData = shape.points.map((point, i) => {
        const { x, y } = pointOf(point, box);
        return [i === 0 ? 'M' : 'L', box.x + x, box.y + y] as const;
      });
      return { path: [...path, ['Z']], rule: shape.rule };
    }
    default: {
      const { x, y } = pointOf(shape.center, box);
      const sides = { x: [x, box.width - x].map(Math.abs), y: [y, box.height - y].map(Math.abs) };
      const isCircle = shape.kind === 'circle';
      const radiusOf = (axis: 'x' | 'y', i: number): number => {
        const radius = shape.radii[i] ?? 'closest-side';
        const reach = isCircle ? [...sides.x, ...sides.y] : sides[axis];
        if (radius === 'closest-side') return Math.min(...reach);
        if (radius === 'farthest-side') return Math.max(...reach);
        const whole = isCircle ? Math.hypot(box.width, box.height) / Math.SQRT2 : axis === 'x' ? box.width : box.height;
        return Math.max(0, lengthOf(radius, whole));
      };
      const [across, down] = [radiusOf('x', 0), isCircle ? radiusOf('x', 0) : radiusOf('y', 1)];
      const around = { x: box.x + x - across, y: box.y + y - down, width: 2 * across, height: 2 * down };
      return { path: ellipsePath(around), rule: 'nonzero' };
    }
  }
}
