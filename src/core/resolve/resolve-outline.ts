// Resolves a stored shape to an Outline, which needs only a box to be drawn.

import { ValidationError } from '../diagnostics.ts';
import { parsePathData } from '../path-data.ts';
import type { ShapeLayer } from '../template/layer.ts';
import { resolveCorners } from './resolve-style.ts';
import type { Outline } from './scene.ts';

type StoredOutline = Pick<ShapeLayer, 'shape' | 'borderRadius' | 'points' | 'innerRadius' | 'd' | 'viewBox'>;

/** Least side of a view box: coordinates that are divided by a smaller one might leave the range of numbers. */
const LEAST_SIDE = 0.001;

/** @throws ValidationError below `path` when properties that the shape needs are missing or do not fit it */
export function checkOutline({ shape, points, d, viewBox }: StoredOutline, path: string): void {
  if (shape === 'line' && typeof points === 'number')
    throw new ValidationError(`${path}.points`, 'must be a list of points for a line');
  if (shape === 'polygon' && Array.isArray(points) && points.length < 3)
    throw new ValidationError(`${path}.points`, 'must have at least 3 points for a polygon');
  if (shape === 'star' && Array.isArray(points))
    throw new ValidationError(`${path}.points`, 'must be a number of tips for a star');
  if (shape !== 'path') return;
  if (d === null) throw new ValidationError(`${path}.d`, 'is required for a path');
  if (viewBox && Math.min(viewBox[2], viewBox[3]) < LEAST_SIDE)
    throw new ValidationError(`${path}.viewBox`, `must have a width and a height of at least ${LEAST_SIDE}`);
}

/** @throws as `checkOutline` */
export function resolveOutline(stored: StoredOutline, path: string): Outline {
  checkOutline(stored, path);
  const { shape, points, d, viewBox } = stored;
  switch (shape) {
    case 'rect':
      return { kind: 'rect', radii: resolveCorners(stored.borderRadius) };
    case 'ellipse':
      return { kind: 'ellipse' };
    case 'line':
      return { kind: 'line', points: Array.isArray(points) ? points.map(([x, y]) => ({ x, y })) : null };
    case 'polygon':
      if (Array.isArray(points)) return { kind: 'polygon', points: points.map(([x, y]) => ({ x, y })) };
      return { kind: 'regular-polygon', sides: points ?? 6 };
    case 'star':
      return { kind: 'star', tips: typeof points === 'number' ? points : 5, innerRadius: stored.innerRadius };
    case 'path': {
      const parsed = parsePathData(d ?? '');
      if ('at' in parsed) throw new Error('The schema let bad path data through.');
      if (viewBox === null) return { kind: 'path', path: parsed.path, viewBox: null };
      const [x, y, width, height] = viewBox;
      return { kind: 'path', path: parsed.path, viewBox: { x, y, width, height } };
    }
  }
}
