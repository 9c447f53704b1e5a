// A rectangle of whole pixels with a linear gradient in, drawn on a surface out, in less time than it takes to read its
// pixels where they are kept.
//
// The door to gradient.wasm, which is compiled from wasm/gradient.ts by `npm run kernel`. What leads there is worked out
// as the rasteriser does it, in single precision step by step, so that the pixels are its own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Color, GradientStop } from '#core/color.ts';
import { intersection, type Rect } from '#core/geometry.ts';
import type { Brush } from '#core/paint/display-list.ts';
import type { PathData } from '#core/path.ts';
import { pixelRect } from './pixel-rect.ts';
import type { Surface } from './surface.ts';

interface GradientKernel {
  readonly memory: WebAssembly.Memory;
  fillGradient(
    pixels: number,
    width: number,
    rows: number,
    x: number,
    y: number,
    perX: number,
    perY: number,
    start: number,
    slopes: number,
    count: number,
    isPadded: boolean,
    isOpaque: boolean,
  ): void;
}

const bytes = readFileSync(join(import.meta.dirname, 'gradient.wasm'));
const kernel = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as GradientKernel;

const PAGE = 65_536;
const SLOPES = PAGE;
/** What wasm/gradient.ts calls by the same name, in numbers. */
const SLOPE = 12;
const MOST_STOPS = 64;
const PIXELS = SLOPES + 4 * SLOPE * (MOST_STOPS + 4);
/** Bytes behind the pixels that the kernel may write with the last of them. */
const BEYOND = 12;
/** Pixels that pass through the kernel at a time: they stay in the processor's cache. */
const MOST_PIXELS = 1 << 14;
/** Pixels that are drawn here: some 4 ms. Larger ones are drawn on another thread. */
const LARGEST = 2_500_000;
/** Places along the gradient that lie closer than this are taken to be equal, or moved. */
const NEARLY_ZERO = 1 / 4096;

const f32 = Math.fround;

/** A gradient as the kernel draws it, and where. */
export interface RectGradient {
  /** Whole px. */
  readonly rect: Rect;
  readonly along: Along;
  readonly ramp: Ramp;
}

/** @returns null for any other brush or outline, and for a gradient that takes long */
export function rectGradient(path: PathData, brush: Brush, canvas: Rect): RectGradient | null {
  if (brush.kind !== 'linear') return null;
  const whole = pixelRect(path);
  const rect = whole && intersection(whole, canvas);
  if (!rect || rect.width * rect.height > LARGEST) return null;
  const along = alongGradient(brush);
  const ramp = rampOf(brush.stops);
  return along && ramp && { rect, along, ramp };
}

export function drawGradient(surface: Surface, { rect, along, ramp }: RectGradient): void {
  const { x, y, width, height } = rect;
  const { perX, perY, start } = along;
  const { slopes, isPadded, isOpaque } = ramp;
  const most = Math.max(1, Math.floor(MOST_PIXELS / width));
  const missing = PIXELS + 4 * width * most + BEYOND - kernel.memory.buffer.byteLength;
  if (missing > 0) kernel.memory.grow(Math.ceil(missing / PAGE));
  new Float32Array(kernel.memory.buffer, SLOPES, slopes.length).set(slopes);
  const pixels = new Uint32Array(kernel.memory.buffer, PIXELS, width * most);
  const count = slopes.length / SLOPE;
  const edges = isOpaque ? 'opaque' : 'ink';
  for (let top = y; top < y + height; top += most) {
    const rows = Math.min(most, y + height - top);
    kernel.fillGradient(PIXELS, width, rows, x + 0.5, top + 0.5, perX, perY, start, SLOPES, count, isPadded, isOpaque);
    const drawn = rows === most ? pixels : pixels.subarray(0, width * rows);
    surface.draw({ x, y: top, width, height: rows, pixels: drawn, stretch: null, edges, opacity: 1 });
  }
}

/** How far along a gradient a place lies: `perX` x + `perY` y + `start`, from its first point at 0 to its last at 1. */
interface Along {
  readonly perX: number;
  readonly perY: number;
  readonly start: number;
}

function alongGradient({ from, to }: Extract<Brush, { kind: 'linear' }>): Along | null {
  const thousandths = (px: number) => f32(Math.round(px * 1000) / 1000);
  const [x, y] = [thousandths(from.x), thousandths(from.y)];
  const [dx, dy] = [f32(thousandths(to.x) - x), f32(thousandths(to.y) - y)];
  const length = f32(Math.sqrt(f32(f32(dx * dx) + f32(dy * dy))));
  if (!(length > NEARLY_ZERO && Number.isFinite(length))) return null;
  const inverse = f32(1 / length);
  const [cos, sin] = [f32(dx * inverse), f32(-dy * inverse)];
  // Turned about its first point until it lies across, moved to 0, and shrunk to 1.
  const turned = f32(f32(sin * y) + f32(f32(1 - cos) * x));
  return { perX: f32(inverse * cos), perY: f32(inverse * -sin), start: f32(inverse * f32(turned - x)) };
}

/** Colours by place along a gradient, as the kernel takes them. */
interface Ramp {
  readonly slopes: readonly number[];
  readonly isPadded: boolean;
  readonly isOpaque: boolean;
}

type Channels = readonly [number, number, number, number];

interface Stop {
  readonly place: number;
  readonly color: Channels;
}

/** Null where stops are so close together, or so many, that the rasteriser moves them or runs out of room. */
function rampOf(list: readonly GradientStop[]): Ramp | null {
  const given = list.map(({ offset, color }): Stop => ({ place: factor(offset), color: channelsOf(color) }));
  const isSpread = given.every(({ place }, i) => i === 0 || place - (given[i - 1]?.place ?? 0) > NEARLY_ZERO);
  const [first, last] = [given[0], given.at(-1)];
  if (!first || !last || given.length < 2 || given.length > MOST_STOPS || !isSpread) return null;
  const stops = [...given];
  if (first.place !== 0) stops.unshift({ ...first, place: 0 });
  if (last.place !== 1) stops.push({ ...last, place: 1 });
  const isOpaque = stops.every(({ color }) => color[3] === 1);
  const [start, end] = [stops[0], stops[1]];
  if (stops.length === 2 && start && end) {
    const factors = end.color.map((channel, i) => f32(channel - (start.color[i] ?? 0)));
    return { slopes: [0, 0, 0, 0, ...factors, ...start.color], isPadded: true, isOpaque };
  }
  return { slopes: slopesBetween(stops), isPadded: isEven(stops, first.place !== 0), isOpaque };
}

const factor = (value: number) => f32(Math.round(value * 1e7) / 1e7);

function channelsOf({ r, g, b, a }: Color): Channels {
  const alpha = Math.floor(f32(f32(factor(a) * 255) + 0.5));
  return [f32(r / 255), f32(g / 255), f32(b / 255), f32(alpha / 255)];
}

/** Whether steps between stops are all alike; what is put before the first counts as one. */
function isEven(stops: readonly Stop[], isFirstAdded: boolean): boolean {
  const from = isFirstAdded ? 0 : 1;
  const step = stops[from]?.place ?? 0;
  return stops.slice(from).every(({ place }, i) => {
    const before = i === 0 ? 0 : (stops[from + i - 1]?.place ?? 0);
    return Math.abs(f32(step - f32(place - before))) <= NEARLY_ZERO;
  });
}

/** One colour before the first stop and one behind the last, slopes between. */
function slopesBetween(stops: readonly Stop[]): readonly number[] {
  const isFlat = (a: Stop | undefined, b: Stop | undefined) => a?.color.every((channel, i) => channel === b?.color[i]);
  const shown = stops.slice(isFlat(stops[0], stops[1]) ? 1 : 0, isFlat(stops.at(-2), stops.at(-1)) ? -1 : undefined);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return [];
  const slopes: number[] = [0, 0, 0, 0, 0, 0, 0, 0, ...first.color];
  for (let i = 1; i < shown.length; i++) {
    const [low, high] = [shown[i - 1], shown[i]];
    if (!low || !high) break;
    const length = f32(high.place - low.place);
    const factors = high.color.map((channel, c) => f32(f32(channel - (low.color[c] ?? 0)) / length));
    const biases = low.color.map((channel, c) => f32(channel - f32((factors[c] ?? 0) * low.place)));
    slopes.push(low.place, 0, 0, 0, ...factors, ...biases);
  }
  slopes.push(last.place, 0, 0, 0, 0, 0, 0, 0, ...last.color);
  return slopes;
}
