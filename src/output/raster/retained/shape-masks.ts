// A filled outline in, the coverage of its pixels out, kept for those that come again, wherever whole pixels move them to.

import { translation } from '#core/geometry.ts';
import { roundedPath, transformPath } from '#core/path.ts';
import { keptMemory } from '../../kept-memory.ts';
import { coverPath } from '../coverage.ts';
import { isWrittenExactly } from './moves-exactly.ts';
import { digestOf } from './op-digest.ts';
import type { Shape } from './pieces.ts';

const masks = keptMemory.of<Uint8Array>('shape masks');

/** Smaller ones are covered in less time than it takes to forget something else for them. */
const SMALLEST_KEPT = 16_384;

/** Alphas of the shape's area. */
export function shapeMask({ op, area }: Shape): Uint8Array {
  const { path, rule } = op;
  const { x, y, width, height } = area;
  if (width * height < SMALLEST_KEPT) return coverPath(path, rule, area);
  const atCorner = roundedPath(transformPath(path, translation(-x, -y)));
  const isAlike = isWrittenExactly(path, atCorner);
  const place = isAlike ? { x: 0, y: 0 } : { x, y };
  const key = digestOf([JSON.stringify([isAlike ? atCorner : path, rule, place, width, height])]);
  const kept = masks.get(key);
  if (kept) return kept;
  const mask = coverPath(path, rule, area);
  masks.set(key, mask, mask.length);
  return mask;
}
