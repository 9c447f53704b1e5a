// Applies `feColorMatrix` to colours and pixels, so that a group that is only recoloured stays vector.
//
// Recolouring commutes with painting as long as the matrix keeps alpha unchanged, does not read it, and nothing in the
// group is blended. Each colour can then be changed before it is painted, instead of the finished pixels.

import type { Color } from '#core/color.ts';
import type { Brush, Filter, GroupOp, PaintOp } from '#core/paint/display-list.ts';

/** Rows r, g, b of `feColorMatrix` without the alpha column: 3 × (r, g, b, constant), on 0..1. */
export type ColorMatrix = readonly number[];

/**
 * The colour matrix of a group's filters; null when it has none, or when they can only be applied to finished pixels.
 */
export function recolouring(group: GroupOp): ColorMatrix | null {
  return blends(group.ops) ? null : asColorMatrix(group.filters);
}

function blends(ops: readonly PaintOp[]): boolean {
  return ops.some((op) => op.kind === 'group' && (op.blend !== 'normal' || blends(op.ops)));
}

/** The filters as one colour matrix, or null when there are none or they do more than recolour. */
export function asColorMatrix(filters: readonly Filter[]): ColorMatrix | null {
  let product: ColorMatrix | null = null;
  for (const filter of filters) {
    if (filter.kind !== 'color-matrix') return null;
    const [alphaRed, alphaGreen, alphaBlue, alphaAlpha, alphaConstant] = filter.values.slice(15);
    const keepsAlpha = alphaRed === 0 && alphaGreen === 0 && alphaBlue === 0 && alphaAlpha === 1 && alphaConstant === 0;
    const takesAlpha = [3, 8, 13].some((i) => filter.values[i] !== 0);
    if (!keepsAlpha || takesAlpha) return null;
    const rows = [0, 5, 10].flatMap((i) => [...filter.values.slice(i, i + 3), filter.values[i + 4] ?? 0]);
    product = after(rows, product);
  }
  return product;
}

/** The matrix that applies `first`, then `then`; null = identity. */
export function after(then: ColorMatrix | null, first: ColorMatrix | null): ColorMatrix | null {
  if (then === null || first === null) return then ?? first;
  const at = (m: ColorMatrix, row: number, column: number) => m[row * 4 + column] ?? 0;
  return [0, 1, 2].flatMap((row) =>
    [0, 1, 2, 3].map(
      (column) =>
        at(then, row, 0) * at(first, 0, column) +
        at(then, row, 1) * at(first, 1, column) +
        at(then, row, 2) * at(first, 2, column) +
        (column === 3 ? at(then, row, 3) : 0),
    ),
  );
}

export function recolor(brush: Brush, m: ColorMatrix | null): Brush {
  if (m === null) return brush;
  if (brush.kind === 'solid') return { kind: 'solid', color: recolorOne(brush.color, m) };
  return { ...brush, stops: brush.stops.map((stop) => ({ ...stop, color: recolorOne(stop.color, m) })) };
}

function recolorOne({ r, g, b, a }: Color, m: ColorMatrix): Color {
  const pixel = Uint8Array.of(r, g, b);
  recolorPixels(pixel, 3, m);
  return { r: pixel[0] ?? 0, g: pixel[1] ?? 0, b: pixel[2] ?? 0, a };
}

/** Recolours straight RGB or RGBA in place. @param channels bytes from one pixel to the next */
export function recolorPixels(pixels: Uint8Array, channels: number, m: ColorMatrix): void {
  const [rr = 0, rg = 0, rb = 0, r1 = 0, gr = 0, gg = 0, gb = 0, g1 = 0, br = 0, bg = 0, bb = 0, b1 = 0] = m;
  const clamp = (value: number) => (value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0);
  for (let i = 0; i + 2 < pixels.length; i += channels) {
    const r = pixels[i] as number;
    const g = pixels[i + 1] as number;
    const b = pixels[i + 2] as number;
    pixels[i] = clamp(rr * r + rg * g + rb * b + r1 * 255);
    pixels[i + 1] = clamp(gr * r + gg * g + gb * b + g1 * 255);
    pixels[i + 2] = clamp(br * r + bg * g + bb * b + b1 * 255);
  }
}
