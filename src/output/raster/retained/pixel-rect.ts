// An outline in, the whole pixels that it covers out, where it is a rectangle of just these.

import type { Rect } from '#core/geometry.ts';
import type { PathData } from '#core/path.ts';

/** Null for any other outline, and for one that runs backwards. */
export function pixelRect(path: PathData): Rect | null {
  if (path.length !== 5) return null;
  const [a, b, c, d] = path.map((segment) => segment.slice(1).map(Number));
  const isRect =
    path.every(([command], i) => command === 'MLLLZ'[i]) &&
    [a, b, c, d].every((corner) => corner?.every(Number.isInteger)) &&
    a?.[1] === b?.[1] &&
    b?.[0] === c?.[0] &&
    c?.[1] === d?.[1] &&
    d?.[0] === a?.[0];
  if (!isRect) return null;
  const [x = 0, y = 0] = a ?? [];
  const [right = 0, bottom = 0] = c ?? [];
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}
