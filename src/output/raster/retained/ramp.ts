// Stops in, the colours between them out as slopes of single precision: as the rasteriser moves, pads and joins them.

import type { Color, GradientStop } from '#core/color.ts';
import { factorRead } from './svg-number.ts';

/** Colours by place along a gradient, as the kernel takes them. */
export interface Ramp {
  /** What wasm/gradient.ts calls so: from where each holds, and what holds nowhere, at +∞, behind the last. */
  readonly slopes: readonly number[];
  readonly isPadded: boolean;
  readonly isOpaque: boolean;
  /** Whether a colour ends at once: the last digit of a place then tells one from another. */
  readonly isSteep: boolean;
}

/** Steps between stops that differ by no more are alike. */
const NEARLY_ZERO = 1 / 4096;
/** How far stops at one place are moved apart. */
const EPSILON = 2 ** -23;
/** Numbers of single precision that are no further apart are at one place. */
const NEAR = 4;
/** What a slope would take long to be found among. */
const MOST_STOPS = 2_048;

const f32 = Math.fround;

type Channels = readonly [number, number, number, number];

interface Stop {
  readonly place: number;
  readonly color: Channels;
}

/** Null for one stop, which makes no gradient, and for very many. */
export function rampOf(list: readonly GradientStop[]): Ramp | null {
  if (list.length < 2 || list.length > MOST_STOPS) return null;
  const given = apart(list.map(({ offset, color }) => ({ place: factorRead(offset), color: channelsOf(color) })));
  const [first, last] = [given[0], given.at(-1)];
  if (!first || !last) return null;
  const stops = [...given];
  if (first.place !== 0) stops.unshift({ ...first, place: 0 });
  if (last.place !== 1) stops.push({ ...last, place: 1 });
  const ordered = inOrder(stops);
  const isOpaque = ordered.every(({ color }) => color[3] === 1);
  const isSteep = ordered.some(
    (stop, i) => i > 0 && !isFlat(ordered[i - 1], stop) && stepTo(ordered, i) <= NEARLY_ZERO,
  );
  const [start, end] = [ordered[0], ordered[1]];
  if (ordered.length === 2 && start && end) {
    const factors = end.color.map((channel, i) => f32(channel - (start.color[i] ?? 0)));
    const slopes = [...slope(-Infinity, factors, start.color), ...slope(Infinity)];
    return { slopes, isPadded: true, isOpaque, isSteep };
  }
  return { slopes: slopesBetween(ordered), isPadded: isEven(ordered, first.place !== 0), isOpaque, isSteep };
}

function channelsOf({ r, g, b, a }: Color): Channels {
  const alpha = Math.floor(f32(f32(factorRead(a) * 255) + 0.5));
  return [f32(r / 255), f32(g / 255), f32(b / 255), f32(alpha / 255)];
}

const single = new Float32Array(2);
const bits = new Int32Array(single.buffer);

function isNear(a: number, b: number): boolean {
  single[0] = a;
  single[1] = b;
  return Math.abs((bits[0] ?? 0) - (bits[1] ?? 0)) <= NEAR;
}

const heldPlace = (place: number) => f32(Math.min(1, Math.max(0, place)));

/** Of several stops at one place the first and the last, a hair's breadth apart. */
function apart(stops: readonly Stop[]): readonly Stop[] {
  const kept = [...stops];
  const placeOf = (i: number) => kept[i]?.place ?? 0;
  const move = (i: number, place: number) => {
    const stop = kept[i];
    if (stop) kept[i] = { ...stop, place: heldPlace(place) };
  };
  for (let i = 0; i < kept.length - 2; ) {
    if (isNear(placeOf(i), placeOf(i + 1)) && isNear(placeOf(i + 1), placeOf(i + 2))) kept.splice(i + 1, 1);
    else i++;
  }
  for (let i = 1; i < kept.length; i++) {
    if (isNear(placeOf(i - 1), 0) && isNear(placeOf(i), 0)) move(i, placeOf(i - 1) + EPSILON);
  }
  for (let i = 1; i < kept.length; i++) {
    const before = placeOf(i - 1);
    if (before <= placeOf(i) && !isNear(before, placeOf(i))) continue;
    move(i - 1, before - EPSILON);
    move(i, before);
  }
  return kept;
}

/** None before the one that it follows; the last is at the end. */
function inOrder(stops: readonly Stop[]): readonly Stop[] {
  let before = 0;
  return stops.map((stop, i) => {
    before = i === stops.length - 1 ? 1 : Math.max(before, stop.place);
    return { ...stop, place: before };
  });
}

const isFlat = (a: Stop | undefined, b: Stop | undefined) => a?.color.every((channel, i) => channel === b?.color[i]);

function stepTo(stops: readonly Stop[], i: number): number {
  return f32((stops[i]?.place ?? 0) - (stops[i - 1]?.place ?? 0));
}

/** Whether steps between stops are all alike; what is put before the first counts as one. */
function isEven(stops: readonly Stop[], isFirstAdded: boolean): boolean {
  const from = isFirstAdded ? 0 : 1;
  const step = stops[from]?.place ?? 0;
  return stops.every((_, i) => i < from || Math.abs(f32(step - stepTo(stops, i))) <= NEARLY_ZERO);
}

const NO_COLOR: Channels = [0, 0, 0, 0];

function slope(place: number, factors: readonly number[] = NO_COLOR, biases: readonly number[] = NO_COLOR): number[] {
  return [place, 0, 0, 0, ...factors, ...biases];
}

/** One colour before the first stop and one behind the last, slopes between. */
function slopesBetween(stops: readonly Stop[]): readonly number[] {
  const shown = stops.slice(isFlat(stops[0], stops[1]) ? 1 : 0, isFlat(stops.at(-2), stops.at(-1)) ? -1 : undefined);
  const slopes = slope(-Infinity, NO_COLOR, shown[0]?.color);
  for (let i = 1; i < shown.length; i++) {
    const [low, high] = [shown[i - 1], shown[i]];
    const length = stepTo(shown, i);
    if (!low || !high || length <= 0) continue;
    const factors = high.color.map((channel, c) => f32(f32(channel - (low.color[c] ?? 0)) / length));
    const biases = low.color.map((channel, c) => f32(channel - f32((factors[c] ?? 0) * low.place)));
    slopes.push(...slope(low.place, factors, biases));
  }
  const last = shown.at(-1);
  if (last) slopes.push(...slope(last.place, NO_COLOR, last.color));
  slopes.push(...slope(Infinity));
  return slopes;
}
