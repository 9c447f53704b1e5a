// An outline filled with one colour in, a number out that hardly any other has: told sooner than a digest is.

import type { Color } from '#core/color.ts';
import type { FillRule, PathData } from '#core/path.ts';
import { premultiplied } from './surface.ts';

/** Equal for equal outlines, to the thousandth of a px that they are drawn with. */
export function fillGlance(path: PathData, rule: FillRule, color: Color): number {
  let glance = premultiplied(color) ^ (rule === 'evenodd' ? 1 : 0);
  for (const segment of path) {
    glance = mixed(glance, segment.length);
    for (let i = 1; i < segment.length; i++) glance = mixed(glance, Math.round(1000 * Number(segment[i])));
  }
  return glance;
}

function mixed(glance: number, value: number): number {
  const product = Math.imul(glance ^ value, 0x9e3779b1);
  return product ^ (product >>> 15);
}
