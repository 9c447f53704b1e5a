// Recognises an outline that is a rectangle of whole pixels.

import type { Matrix, Rect } from '#core/geometry.ts';
import type { PathData } from '#core/path.ts';

/** The rectangle in device px; null for any other outline. */
export function pixelRect(path: PathData, [a, b, c, d, e, f]: Matrix): Rect | null {
  if (path.length !== 5 || b !== 0 || c !== 0) return null;
  const [m, l1, l2, l3, z] = path;
  if (m?.[0] !== 'M' || l1?.[0] !== 'L' || l2?.[0] !== 'L' || l3?.[0] !== 'L' || z?.[0] !== 'Z') return null;
  const isLevel = m[2] === l1[2] && l1[1] === l2[1] && l2[2] === l3[2] && l3[1] === m[1];
  const isUpright = m[1] === l1[1] && l1[2] === l2[2] && l2[1] === l3[1] && l3[2] === m[2];
  if (!isLevel && !isUpright) return null;
  const [x0, y0, x1, y1] = [a * m[1] + e, d * m[2] + f, a * l2[1] + e, d * l2[2] + f];
  if (!Number.isInteger(x0) || !Number.isInteger(y0) || !Number.isInteger(x1) || !Number.isInteger(y1)) return null;
  const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  return width > 0 && height > 0 ? { x: Math.min(x0, x1), y: Math.min(y0, y1), width, height } : null;
}
