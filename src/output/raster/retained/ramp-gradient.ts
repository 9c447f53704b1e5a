// A rectangle of whole pixels with a linear or radial gradient in, drawn on a surface out, in less time than it takes to
// read its pixels where they are kept.
//
// The door to gradient.wasm, which is compiled from wasm/gradient.ts by `npm run kernel`. What leads there is worked out
// as the rasteriser does it, in single precision step by step, so that the pixels are its own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Matrix, Rect } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';
import type { RectGradient } from './gradient.ts';
import { type Ramp, rampOf } from './ramp.ts';
import type { Surface } from './surface.ts';
import { factorRead, lengthRead } from './svg-number.ts';

interface GradientKernel {
  readonly memory: WebAssembly.Memory;
  fillGradient(
    pixels: number,
    width: number,
    rows: number,
    x: number,
    y: number,
    axes: number,
    isRadial: boolean,
    slopes: number,
    isPadded: boolean,
    isOpaque: boolean,
  ): void;
}

const bytes = readFileSync(join(import.meta.dirname, 'gradient.wasm'));
const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as GradientKernel;

const PAGE = 65_536;
const AXES = PAGE;
/** Behind the numbers of two axes. */
const SLOPES = AXES + 32;
/** Bytes behind the pixels that the kernel may write with the last of them. */
const BEYOND = 12;
/** Pixels that pass through the kernel at a time: they stay in the processor's cache. */
const MOST_PIXELS = 1 << 14;
/** Pixels that are drawn here: some 4 ms. Larger ones are drawn on another thread. */
const LARGEST = 2_500_000;
/** What is no larger than this, the rasteriser takes to be nothing. */
const NEARLY_ZERO = 1 / 4096;
/** Numbers of an axis beyond which a place would not be finite, or its square. */
const STEEPEST = 1e14;

const f32 = Math.fround;

/** @returns null for what takes long or comes to nothing */
export function rampGradient(rect: Rect, brush: Extract<Brush, { kind: 'linear' | 'radial' }>): RectGradient | null {
  if (rect.width * rect.height > LARGEST) return null;
  const axes = brush.kind === 'linear' ? axisOf(brush) : axesOf(brush.transform);
  const isTold = axes?.every((axis) => Object.values(axis).every((value) => Math.abs(value) < STEEPEST));
  const ramp = rampOf(brush.stops);
  if (!axes || !isTold || !ramp) return null;
  const { isSteep, isOpaque } = ramp;
  // Of a radial gradient the rasteriser does not ask.
  const edges = isOpaque && brush.kind === 'linear' ? 'opaque' : 'ink';
  return { rect, isSteep, edges, draw: (surface) => drawRamp(surface, rect, axes, ramp) };
}

function drawRamp(surface: Surface, { x, y, width, height }: Rect, axes: readonly Axis[], ramp: Ramp): void {
  const { slopes, isPadded, isOpaque } = ramp;
  const most = Math.max(1, Math.floor(MOST_PIXELS / width));
  const first = SLOPES + 4 * slopes.length;
  const missing = first + 4 * width * most + BEYOND - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE));
  const numbers = new Float32Array(kernel.memory.buffer);
  const places = axes.flatMap(({ perX, perY, start }) => [perX, perY, start]);
  numbers.set(places, AXES / 4);
  numbers.set(slopes, SLOPES / 4);
  const pixels = new Uint32Array(kernel.memory.buffer, first, width * most);
  const edges = isOpaque ? 'opaque' : 'ink';
  const isRadial = axes.length === 2;
  for (let top = y; top < y + height; top += most) {
    const rows = Math.min(most, y + height - top);
    kernel.fillGradient(first, width, rows, x + 0.5, top + 0.5, AXES, isRadial, SLOPES, isPadded, isOpaque);
    const drawn = rows === most ? pixels : pixels.subarray(0, width * rows);
    surface.draw({ x, y: top, width, height: rows, pixels: drawn, stretch: null, edges, opacity: 1 });
  }
}

/** Where a place lies on an axis: `perX` x + `perY` y + `start`. */
interface Axis {
  readonly perX: number;
  readonly perY: number;
  readonly start: number;
}

/** Along a linear gradient, from its first point at 0 to its last at 1. */
function axisOf({ from, to }: Extract<Brush, { kind: 'linear' }>): readonly [Axis] | null {
  const [x, y] = [lengthRead(from.x), lengthRead(from.y)];
  const [dx, dy] = [f32(lengthRead(to.x) - x), f32(lengthRead(to.y) - y)];
  const length = f32(Math.sqrt(f32(f32(dx * dx) + f32(dy * dy))));
  if (!(length > NEARLY_ZERO && Number.isFinite(length))) return null;
  const inverse = f32(1 / length);
  const [cos, sin] = [f32(dx * inverse), f32(-dy * inverse)];
  // Turned about its first point until it lies across, moved to 0, and shrunk to 1.
  const turned = f32(f32(sin * y) + f32(f32(1 - cos) * x));
  return [{ perX: f32(inverse * cos), perY: f32(inverse * -sin), start: f32(inverse * f32(turned - x)) }];
}

/** The way back from an ellipse to the unit circle, where a place is as far along as it is from the centre. */
function axesOf(transform: Matrix): readonly [Axis, Axis] | null {
  const [a, b, c, d] = [
    factorRead(transform[0]),
    factorRead(transform[1]),
    factorRead(transform[2]),
    factorRead(transform[3]),
  ];
  const [x, y] = [lengthRead(transform[4]), lengthRead(transform[5])];
  const determinant = a * d - b * c;
  if (!(Math.min(Math.hypot(a, c), Math.hypot(b, d)) > NEARLY_ZERO && Math.abs(determinant) > NEARLY_ZERO ** 3)) {
    return null;
  }
  if (b === 0 && c === 0) {
    const [perX, perY] = [f32(1 / a), f32(1 / d)];
    return [
      { perX, perY: 0, start: f32(-x * perX) },
      { perX: 0, perY, start: f32(-y * perY) },
    ];
  }
  const inverse = 1 / determinant;
  return [
    { perX: f32(d * inverse), perY: f32(-c * inverse), start: f32((c * y - d * x) * inverse) },
    { perX: f32(-b * inverse), perY: f32(a * inverse), start: f32((b * x - a * y) * inverse) },
  ];
}
