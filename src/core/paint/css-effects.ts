// Paints outlines of html boxes, and clips them by basic shapes (CSS UI 4, 3; CSS Shapes 1, 3.1).

import { inflate, type Rect } from '../geometry.ts';
import { lengthIn, pointIn } from '../layout/box-matrix.ts';
import type { PathData } from '../path.ts';
import type { BasicShape, SceneNode } from '../resolve/scene.ts';
import { borderOps } from './border.ts';
import type { Clip, PaintOp } from './display-list.ts';
import { ellipsePath, fitRadii, roundedRectPath, SHARP } from './outline.ts';

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
      const [x, y] = [lengthIn(box.width, left), lengthIn(box.height, top)];
      const width = Math.max(0, box.width - x - lengthIn(box.width, right));
      const height = Math.max(0, box.height - y - lengthIn(box.height, bottom));
      const inner = { x: box.x + x, y: box.y + y, width, height };
      return { path: roundedRectPath(inner, fitRadii(inner, shape.radii)), rule: 'nonzero' };
    }
    case 'polygon': {
      const path: PathData = shape.points.map((point, i) => {
        const { x, y } = pointIn(box, point);
        return [i === 0 ? 'M' : 'L', box.x + x, box.y + y] as const;
      });
      return { path: [...path, ['Z']], rule: shape.rule };
    }
    default: {
      const { x, y } = pointIn(box, shape.center);
      const sides = { x: [x, box.width - x].map(Math.abs), y: [y, box.height - y].map(Math.abs) };
      const isCircle = shape.kind === 'circle';
      const radiusOf = (axis: 'x' | 'y', i: number): number => {
        const radius = shape.radii[i] ?? 'closest-side';
        const reach = isCircle ? [...sides.x, ...sides.y] : sides[axis];
        if (radius === 'closest-side') return Math.min(...reach);
        if (radius === 'farthest-side') return Math.max(...reach);
        const whole = isCircle ? Math.hypot(box.width, box.height) / Math.SQRT2 : axis === 'x' ? box.width : box.height;
        return Math.max(0, lengthIn(whole, radius));
      };
      const [across, down] = [radiusOf('x', 0), isCircle ? radiusOf('x', 0) : radiusOf('y', 1)];
      const around = { x: box.x + x - across, y: box.y + y - down, width: 2 * across, height: 2 * down };
      return { path: ellipsePath(around), rule: 'nonzero' };
    }
  }
}
