// A filled outline in, the coverage of its pixels out, kept for those that come again.

import { keptMemory } from '../../kept-memory.ts';
import { coverPath } from '../coverage.ts';
import type { Shape } from './pieces.ts';

const masks = keptMemory.of<Uint8Array>('shape masks');

/** Smaller ones are covered in less time than it takes to forget something else for them. */
const SMALLEST_KEPT = 16_384;

/** Alphas of the shape's area. */
export function shapeMask({ op, area, digest }: Shape): Uint8Array {
  const { x, y, width, height } = area;
  const cover = () => coverPath(op.path, op.rule, { x: 0, y: 0 }, area);
  if (width * height < SMALLEST_KEPT) return cover();
  const key = `${digest()} ${x} ${y} ${width} ${height}`;
  const kept = masks.get(key);
  if (kept) return kept;
  const mask = cover();
  masks.set(key, mask, mask.length);
  return mask;
}
