// An outline in, how much of each device pixel it covers out: the rasteriser's own answer, without starting it.
//
// Every pixel is sampled on four rows of its own, on each to a quarter of its width. Curves become as many lines, and
// lines cross the rows at the same fixed-point places, as in Skia's scan converter, which resvg draws with: so what is
// put together from these masks is equal, sample by sample, to the same outline in a whole drawing.

import type { Rect } from '#core/geometry.ts';
import type { FillRule, PathData } from '#core/path.ts';

/** Sends an outline to device px; its numbers are rounded to thousandths before, as SVG text has them. */
export interface Placing {
  /** Where its origin lies, px of the outline. */
  readonly x: number;
  readonly y: number;
  /** Device px per px of the outline. */
  readonly scale: number;
}

/** Rows of samples in a pixel, and samples in each, as a power of two. */
const SHIFT = 2;
const SAMPLES = 1 << SHIFT;
/** Whole px to the units of an edge: sixty-fourths of a sample. */
const UNITS = 64 * SAMPLES;
/** Halvings of a curve, at most. */
const MOST_HALVINGS = 6;

const { fround, trunc } = Math;

/**
 * Alphas of the pixels of `area`, row by row.
 *
 * @param area whole device px; what lies outside of it is left out, and is drawn as if it were not cut off
 */
export function coverPath(path: PathData, rule: FillRule, { scale, x, y }: Placing, area: Rect): Uint8Array {
  const edges = new Edges(area);
  const toX = (value: number) => fround(fround(Math.round(value * 1000) / 1000 + x) * scale);
  const toY = (value: number) => fround(fround(Math.round(value * 1000) / 1000 + y) * scale);
  let [startX, startY, penX, penY] = [0, 0, 0, 0];
  for (const segment of path) {
    switch (segment[0]) {
      case 'M':
        edges.line(penX, penY, startX, startY);
        penX = startX = toX(segment[1]);
        penY = startY = toY(segment[2]);
        break;
      case 'L': {
        const [endX, endY] = [toX(segment[1]), toY(segment[2])];
        edges.line(penX, penY, endX, endY);
        [penX, penY] = [endX, endY];
        break;
      }
      case 'C': {
        const [, x1, y1, x2, y2, x3, y3] = segment;
        const [endX, endY] = [toX(x3), toY(y3)];
        edges.curve([penX, toX(x1), toX(x2), endX], [penY, toY(y1), toY(y2), endY]);
        [penX, penY] = [endX, endY];
        break;
      }
      case 'Z':
        edges.line(penX, penY, startX, startY);
        [penX, penY] = [startX, startY];
    }
  }
  edges.line(penX, penY, startX, startY);
  return edges.alphas(rule);
}

type Four = readonly [number, number, number, number];

/** Where outlines cross the rows of samples. */
class Edges {
  readonly #area: Rect;
  /** By row of samples: the leftmost crossing, or -1. */
  readonly #first: Int32Array;
  // Of each crossing: the sample, 1 where the outline goes down and -1 where up, and the next to the right.
  readonly #at: number[] = [];
  readonly #turn: number[] = [];
  readonly #next: number[] = [];

  constructor(area: Rect) {
    this.#area = area;
    this.#first = new Int32Array(area.height << SHIFT).fill(-1);
  }

  line(x0: number, y0: number, x1: number, y1: number): void {
    const [left, right] = [this.#unitsX(x0), this.#unitsX(x1)];
    const [top, bottom] = [this.#unitsY(y0), this.#unitsY(y1)];
    if (top <= bottom) this.#cross(left, top, right, bottom, 1);
    else this.#cross(right, bottom, left, top, -1);
  }

  /** Coordinates of a cubic, px. */
  curve(xs: Four, ys: Four): void {
    for (const [x, y] of monotone(xs, ys)) {
      this.#flatten(
        x.map((px) => this.#unitsX(px)),
        y.map((px) => this.#unitsY(px)),
      );
    }
  }

  // From the corner of the area, so that nothing is negative and rounded the other way.
  #unitsX(px: number): number {
    return trunc((px - this.#area.x) * UNITS);
  }

  #unitsY(px: number): number {
    return trunc((px - this.#area.y) * UNITS);
  }

  /** A curve that goes up or down all the way, as lines. */
  #flatten(xs: number[], ys: number[]): void {
    let turn = 1;
    if ((ys[0] as number) > (ys[3] as number)) {
      xs.reverse();
      ys.reverse();
      turn = -1;
    }
    const [x0, x1, x2, x3] = xs as unknown as Four;
    const [y0, y1, y2, y3] = ys as unknown as Four;
    if ((y0 + 32) >> 6 === (y3 + 32) >> 6) return;

    const halvings = Math.min(MOST_HALVINGS, halvingsOf(bend(x0, x1, x2, x3), bend(y0, y1, y2, y3)));
    const down = Math.max(0, halvings - 4);
    const alongX = differences(x0, x1, x2, x3, halvings);
    const alongY = differences(y0, y1, y2, y3, halvings);
    let [x, y] = [x0 << 10, y0 << 10];
    for (let left = (1 << halvings) - 1; left >= 0; left--) {
      let [nextX, nextY] = [x3 << 10, y3 << 10];
      if (left > 0) {
        nextX = (x + (alongX.first >> down)) | 0;
        nextY = (y + (alongY.first >> down)) | 0;
        step(alongX, halvings);
        step(alongY, halvings);
      }
      // Fixed point may turn back by a hair.
      nextY = Math.max(nextY, y);
      this.#cross(x >> 10, y >> 10, nextX >> 10, nextY >> 10, turn);
      [x, y] = [nextX, nextY];
    }
  }

  /** Notes where a line that goes down crosses the middle of each row of samples. */
  #cross(x0: number, y0: number, x1: number, y1: number, turn: number): void {
    const top = (y0 + 32) >> 6;
    const bottom = Math.min((y1 + 32) >> 6, this.#first.length);
    if (top >= bottom) return;
    const slope = trunc(((x1 - x0) * 65_536) / (y1 - y0)) | 0;
    const toMiddle = (top << 6) + 32 - y0;
    let x = (x0 + Math.floor((slope * toMiddle) / 65_536)) << 10;
    const most = this.#area.width << SHIFT;
    for (let row = top; row < bottom; row++) {
      if (row >= 0) this.#insert(row, Math.min(Math.max((x + 32_768) >> 16, 0), most), turn);
      x = (x + slope) | 0;
    }
  }

  #insert(row: number, at: number, turn: number): void {
    const index = this.#at.push(at) - 1;
    this.#turn.push(turn);
    let before = -1;
    let after = this.#first[row] as number;
    while (after >= 0 && (this.#at[after] as number) < at) [before, after] = [after, this.#next[after] as number];
    this.#next.push(after);
    if (before < 0) this.#first[row] = index;
    else this.#next[before] = index;
  }

  alphas(rule: FillRule): Uint8Array {
    const alphas = new Uint8Array(this.#area.width * this.#area.height);
    const sums = new RowSums(this.#area.width);
    const inside = rule === 'evenodd' ? 1 : -1;
    for (let y = 0; y < this.#area.height; y++) {
      for (let sample = 0; sample < SAMPLES; sample++) {
        // All four rows of a whole pixel make 255, not 256.
        const whole = sample === SAMPLES - 1 ? 63 : 64;
        let winding = 0;
        let left = 0;
        for (let i = this.#first[(y << SHIFT) + sample] as number; i >= 0; i = this.#next[i] as number) {
          if ((winding & inside) === 0) left = this.#at[i] as number;
          winding += this.#turn[i] as number;
          if ((winding & inside) === 0) sums.add(left, this.#at[i] as number, whole);
        }
      }
      sums.finish(alphas, y * this.#area.width);
    }
    return alphas;
  }
}

/** What the spans of a row of pixels add up to. */
class RowSums {
  /** Added to one pixel, and to all from one on. */
  readonly #own: Int16Array;
  readonly #onward: Int16Array;
  #isEmpty = true;

  constructor(width: number) {
    this.#own = new Int16Array(width + 1);
    this.#onward = new Int16Array(width + 1);
  }

  /** From sample `left` up to `right`. */
  add(left: number, right: number, whole: number): void {
    if (right <= left) return;
    this.#isEmpty = false;
    const [from, to] = [left >> SHIFT, right >> SHIFT];
    const [skipped, begun] = [left & (SAMPLES - 1), right & (SAMPLES - 1)];
    if (from === to) {
      this.#grow(from, 16 * (begun - skipped));
      return;
    }
    if (skipped > 0) this.#grow(from, 16 * (SAMPLES - skipped));
    if (begun > 0) this.#grow(to, 16 * begun);
    const first = skipped > 0 ? from + 1 : from;
    this.#onward[first] = (this.#onward[first] as number) + whole;
    this.#onward[to] = (this.#onward[to] as number) - whole;
  }

  #grow(pixel: number, by: number): void {
    this.#own[pixel] = (this.#own[pixel] as number) + by;
  }

  /** Writes the row and starts the next. */
  finish(alphas: Uint8Array, at: number): void {
    if (this.#isEmpty) return;
    let running = 0;
    for (let i = 0; i < this.#own.length - 1; i++) {
      running += this.#onward[i] as number;
      alphas[at + i] = Math.min(255, running + (this.#own[i] as number));
    }
    this.#own.fill(0);
    this.#onward.fill(0);
    this.#isEmpty = true;
  }
}

/** How far a cubic strays from the line between its ends, about. */
function bend(a: number, b: number, c: number, d: number): number {
  const third = ((a * 8 - b * 15 + 6 * c + d) * 19) >> 9;
  const twoThirds = ((a + 6 * b - c * 15 + d * 8) * 19) >> 9;
  return Math.max(Math.abs(third), Math.abs(twoThirds));
}

/** Each halving takes a quarter of the distance. */
function halvingsOf(dx: number, dy: number): number {
  const distance = dx > dy ? dx + (dy >> 1) : dy + (dx >> 1);
  return ((32 - Math.clz32((distance + 16) >> 5)) >> 1) + 1;
}

/** Forward differences of a cubic. */
interface Differences {
  first: number;
  second: number;
  readonly third: number;
}

function differences(p0: number, p1: number, p2: number, p3: number, halvings: number): Differences {
  // As many bits as fit.
  const up = Math.max(6, 10 - halvings);
  const b = (3 * (p1 - p0)) << up;
  const c = (3 * (p0 - p1 - p1 + p2)) << up;
  const d = (p3 + 3 * (p1 - p2) - p0) << up;
  const third = (3 * d) >> (halvings - 1);
  return { first: b + (c >> halvings) + (d >> (2 * halvings)), second: 2 * c + third, third };
}

function step(along: Differences, halvings: number): void {
  along.first = (along.first + (along.second >> halvings)) | 0;
  along.second = (along.second + along.third) | 0;
}

/** A cubic cut where it turns from up to down. All in single precision. */
function monotone(xs: Four, ys: Four): (readonly [x: number[], y: number[]])[] {
  const parts: (readonly [number[], number[]])[] = [];
  let [x, y] = [[...xs], [...ys]];
  let before = 0;
  for (const t of turns(ys)) {
    const local = before === 0 ? t : unitQuotient(fround(t - before), fround(1 - before));
    if (local === null) break;
    const [x0, x1] = halves(x, local);
    const [y0, y1] = halves(y, local);
    // At the turn the curve is level.
    y0[2] = y1[1] = y1[0] as number;
    parts.push([x0, y0]);
    [x, y] = [x1, y1];
    before = t;
  }
  parts.push([x, y]);
  return parts;
}

function halves([p0 = 0, p1 = 0, p2 = 0, p3 = 0]: readonly number[], t: number): [number[], number[]] {
  const between = (a: number, b: number) => fround(a + fround(fround(b - a) * t));
  const [p01, p12, p23] = [between(p0, p1), between(p1, p2), between(p2, p3)];
  const [p012, p123] = [between(p01, p12), between(p12, p23)];
  const middle = between(p012, p123);
  return [
    [p0, p01, p012, middle],
    [middle, p123, p23, p3],
  ];
}

/** Where within 0..1 a cubic's derivative is 0, in order. */
function turns([p0, p1, p2, p3]: Four): number[] {
  const a = fround(fround(p3 - p0) + fround(3 * fround(p1 - p2)));
  const b = fround(2 * fround(fround(fround(p0 - p1) - p1) + p2));
  const c = fround(p1 - p0);
  if (a === 0) return [unitQuotient(-c, b)].filter((t) => t !== null);
  const under = b * b - 4 * a * c;
  if (under < 0) return [];
  const root = fround(Math.sqrt(under));
  const q = fround((b < 0 ? -fround(b - root) : -fround(b + root)) / 2);
  const found = [unitQuotient(q, a), unitQuotient(c, q)].filter((t) => t !== null).sort((s, t) => s - t);
  return found[0] === found[1] ? found.slice(0, 1) : found;
}

/** A quotient that lies between 0 and 1, or null. */
function unitQuotient(numerator: number, denominator: number): number | null {
  const [n, d] = numerator < 0 ? [-numerator, -denominator] : [numerator, denominator];
  if (d === 0 || n === 0 || n >= d) return null;
  const quotient = fround(n / d);
  return quotient > 0 && quotient < 1 ? quotient : null;
}
