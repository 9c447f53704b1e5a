// Compares gradients with their definition, pixel by pixel, in double precision.

import { expect, test } from 'vitest';
import type { GradientStop } from '#core/color.ts';
import { IDENTITY, invert, type Matrix, multiply, transformPoint } from '#core/geometry.ts';
import type { GradientBrush } from '#core/paint/display-list.ts';
import { brushAxes, slopesOf } from '#draw/output/raster/paint-brush.ts';
import { get, kernels, memory } from './kernel-memory.ts';

const [WIDTH, HEIGHT] = [123, 45];
const stop = (offset: number, r: number, g: number, b: number, a = 1): GradientStop => ({
  offset,
  color: { r, g, b, a },
});
const OPAQUE = [stop(0, 255, 0, 10), stop(0.3, 20, 200, 30), stop(1, 0, 0, 255)];
const FADING = [stop(0.1, 255, 0, 10, 0), stop(0.6, 20, 200, 30, 0.8), stop(0.9, 0, 0, 255, 0.1)];
const STEEP = [stop(0, 255, 0, 0), stop(0.5, 255, 0, 0), stop(0.5, 0, 0, 255), stop(1, 0, 0, 255)];

/** The offset along a gradient at a point. */
function placeOf(brush: GradientBrush, matrix: Matrix, x: number, y: number): number {
  const at = transformPoint(invert(matrix) ?? IDENTITY, { x, y });
  if (brush.kind === 'linear') {
    const [dx, dy] = [brush.to.x - brush.from.x, brush.to.y - brush.from.y];
    return ((at.x - brush.from.x) * dx + (at.y - brush.from.y) * dy) / (dx * dx + dy * dy);
  }
  if (brush.kind === 'radial') {
    const unit = transformPoint(invert(brush.transform) ?? IDENTITY, at);
    return Math.hypot(unit.x, unit.y);
  }
  const turn = Math.atan2(at.x - brush.centre.x, brush.centre.y - at.y) / (2 * Math.PI) - brush.angle / 360;
  return turn - Math.floor(turn);
}

function colorAt(stops: readonly GradientStop[], place: number): number[] {
  const after = stops.findIndex(({ offset }) => offset > place);
  const [low, high] = [stops[(after < 0 ? stops.length : after) - 1] ?? stops[0], stops[after] ?? stops.at(-1)];
  if (!low || !high) return [];
  const t = high.offset > low.offset ? (Math.max(place, low.offset) - low.offset) / (high.offset - low.offset) : 0;
  const mix = (a: number, b: number) => a + (b - a) * t;
  const a = mix(low.color.a, high.color.a);
  return [...(['r', 'g', 'b'] as const).map((c) => mix(low.color[c], high.color[c]) * a), 255 * a];
}

/** The share of channels that are off by more than 1 level, or by 1.6 if both colour and alpha are rounded. */
function wrong(brush: GradientBrush, matrix: Matrix = IDENTITY): number {
  const mark = memory.mark();
  const { values, isOpaque } = slopesOf(brush.stops);
  const axes = memory.takeFloats(brushAxes(brush, matrix) ?? []);
  const slopes = memory.takeFloats(values);
  const to = memory.take(4 * WIDTH * HEIGHT);
  if (brush.kind === 'linear') kernels.fillLinear(to, WIDTH, HEIGHT, 0.5, 0.5, axes, slopes, isOpaque);
  else kernels.fillGradient(brush.kind === 'radial', to, WIDTH, HEIGHT, 0.5, 0.5, axes, slopes, isOpaque);
  const pixels = get(to, 4 * WIDTH * HEIGHT);
  memory.release(mark);
  let count = 0;
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const expected = colorAt(brush.stops, placeOf(brush, matrix, (i % WIDTH) + 0.5, Math.floor(i / WIDTH) + 0.5));
    expected.forEach((value, c) => {
      if (Math.abs((pixels[4 * i + c] ?? 0) - value) > (isOpaque ? 1 : 1.6)) count++;
    });
  }
  return count / pixels.length;
}

const turned: Matrix = multiply([0.8, 0.6, -0.6, 0.8, 40, -20], [1.5, 0, 0.4, 1, 0, 0]);
for (const [name, stops] of Object.entries({ opaque: OPAQUE, fading: FADING, steep: STEEP })) {
  const linear: GradientBrush = { kind: 'linear', from: { x: 20.3, y: 5 }, to: { x: 90, y: 33.7 }, stops };
  const back: GradientBrush = { ...linear, from: linear.to, to: linear.from };
  const upright: GradientBrush = { ...linear, to: { x: 20.3, y: 40 } };
  const radial: GradientBrush = { kind: 'radial', transform: [50, 0, 0, 20, 60.2, 22], stops };
  const conic: GradientBrush = { kind: 'conic', centre: { x: 55.3, y: 21.8 }, angle: 35, stops };
  // At a hard stop, rounding may put a pixel's centre on either side.
  const most = name === 'steep' ? 0.002 : 0;
  test(`linear, ${name}`, () => expect(wrong(linear)).toBeLessThanOrEqual(most));
  test(`linear to the left, ${name}`, () => expect(wrong(back)).toBeLessThanOrEqual(most));
  test(`linear down, ${name}`, () => expect(wrong(upright)).toBeLessThanOrEqual(most));
  test(`linear, stretched, ${name}`, () => expect(wrong(upright, [2, 0, 0, 0.5, 3, 4])).toBeLessThanOrEqual(most));
  test(`radial, ${name}`, () => expect(wrong(radial)).toBeLessThanOrEqual(most));
  test(`radial, turned and skewed, ${name}`, () => expect(wrong(radial, turned)).toBeLessThanOrEqual(most));
  test(`conic, ${name}`, () => expect(wrong(conic)).toBeLessThanOrEqual(most));
  test(`conic, turned and skewed, ${name}`, () => expect(wrong(conic, turned)).toBeLessThanOrEqual(most));
}
