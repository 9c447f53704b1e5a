// A blurred fill in, its pixels out: the shadow of a box, drawn here in less time than the rasteriser takes to begin.
//
// As the rasteriser does it, sample by sample: the fill alone on a canvas as large as its filter reaches, then blurred.

import { inflate, isIdentity, type Rect, rectContains, roundOut } from '#core/geometry.ts';
import { filterReach } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { pathBounds } from '#core/path.ts';
import { coverPath } from '../coverage.ts';
import { blurPixels, LEAST_SIGMA } from './blur.ts';
import { pathMovesExactly } from './moves-exactly.ts';
import { premultiplied, Surface } from './surface.ts';

type FillOp = Extract<PaintOp, { kind: 'fill' }>;

/** Pixels that are blurred here: some 2 ms. Larger shadows are drawn on another thread. */
const MOST_PIXELS = 65_536;

/**
 * How a shadow is drawn, without the opacity of its group.
 *
 * @param area whole px: all that it can touch
 * @returns null for anything else, and for one that takes long
 */
export function shadowDrawer(op: PaintOp, area: Rect): (() => Uint32Array) | null {
  if (op.kind !== 'group' || !isIdentity(op.transform) || op.clip) return null;
  const [fill, ...others] = op.ops;
  const [blur, ...more] = op.filters;
  if (fill?.kind !== 'fill' || fill.brush.kind !== 'solid' || others.length > 0) return null;
  if (blur?.kind !== 'blur' || more.length > 0) return null;
  // As SVG text has it.
  const sigma = Math.round(blur.sigma * 1000) / 1000;
  const bounds = pathBounds(fill.path);
  const reach = bounds && roundOut(inflate(bounds, filterReach(op.filters)));
  if (sigma < LEAST_SIGMA || !reach || !rectContains(area, reach)) return null;
  // The rasteriser draws it at the corner of a canvas of its own.
  if (!pathMovesExactly(fill.path, { x: -reach.x, y: -reach.y })) return null;
  const color = premultiplied(fill.brush.color);
  return reach.width * reach.height > MOST_PIXELS ? null : () => drawn(fill, color, sigma, reach, area);
}

/** @param reach where the blur works; what it would carry further is lost */
function drawn({ path, rule }: FillOp, color: number, sigma: number, reach: Rect, area: Rect): Uint32Array {
  const pixels = new Uint32Array(reach.width * reach.height);
  const alphas = coverPath(path, rule, reach);
  new Surface(reach, pixels).drawMask({ ...reach, alphas }, color);
  blurPixels(pixels, reach, sigma);
  const whole = new Surface(area, new Uint32Array(area.width * area.height));
  whole.draw({ ...reach, pixels, stretch: null, edges: 'opaque', opacity: 1 });
  return whole.pixels;
}
