// An outline in, how much of each device pixel it covers out: the rasteriser's own answer, without starting it.
//
// Every pixel is sampled on four rows of its own, on each to a quarter of its width. Curves become as many lines, and
// lines cross the rows at the same fixed-point places, as in Skia's scan converter, which resvg draws with: so what is
// put together from these masks is equal, sample by sample, to the same outline in a whole drawing.

import type { Point, Rect } from '#core/geometry.ts';
import type { FillRule, PathData } from '#core/path.ts';

/** Rows of samples in a pixel, and samples in each, as a power of two. */
const SHIFT = 2;
const SAMPLES = 1 << SHIFT;
/** Whole px to the units of an edge: sixty-fourths of a sample. */
const UNITS = 64 * SAMPLES;
/** Halvings of a curve, at most. */
const MOST_HALVINGS = 6;

const { floor, fround, trunc } = Math;

/**
 * Alphas of the pixels of `area`, row by row.
 *
 * @param path in device px; its numbers are rounded to thousandths, as SVG text has them
 * @param origin where the outline's own origin lies
 * @param area whole device px; what lies outside of it is left out, and is drawn as if it were not cut off
 */
export function coverPath(path: PathData, rule: FillRule, origin: Point, area: Rect): Uint8Array {
  const edges = new Edges(area);
  const toX = (value: number) => fround(Math.round(value * 1000) / 1000 + origin.x);
  const toY = (value: number) => fround(Math.round(value * 1000) / 1000 + origin.y);
  let [startX, startY, penX, penY] = [0, 0, 0, 0];
  for (const segment of path) {
    switch (segment[0]) {
      case 'M':
        edges.line(penX, penY, startX, startY);
        penX = startX = toX(segment[1]);
        penY = startY = toY(segment[2]);
        break;
      case 'L': {
        const endX = toX(segment[1]);
        const endY = toY(segment[2]);
        edges.line(penX, penY, endX, endY);
        penX = endX;
        penY = endY;
        break;
      }
      case 'C': {
        const endX = toX(segment[5]);
        const endY = toY(segment[6]);
        edges.curve(penX, penY, toX(segment[1]), toY(segment[2]), toX(segment[3]), toY(segment[4]), endX, endY);
        penX = endX;
        penY = endY;
        break;
      }
      case 'Z':
        edges.line(penX, penY, startX, startY);
        penX = startX;
        penY = startY;
    }
  }
  edges.line(penX, penY, startX, startY);
  return edges.alphas(rule);
}

type Four = readonly [number, number, number, number];

/** Of each crossing: the sample, 1 where the outline goes down and -1 where up, and the next to the right. */
const FIELDS = 3;
/** Crossings of the outline at hand; one at a time is covered. */
let crossings = new Int32Array(FIELDS * 4096);

/** Where outlines cross the rows of samples. */
class Edges {
  readonly #area: Rect;
  /** By row of samples: the leftmost crossing, or -1. */
  readonly #first: Int32Array;
  #count = 0;

  constructor(area: Rect) {
    this.#area = area;
    this.#first = new Int32Array(area.height << SHIFT).fill(-1);
  }

  line(x0: number, y0: number, x1: number, y1: number): void {
    const left = this.#unitsX(x0);
    const right = this.#unitsX(x1);
    const top = this.#unitsY(y0);
    const bottom = this.#unitsY(y1);
    if (top <= bottom) this.#cross(left, top, right, bottom, 1);
    else this.#cross(right, bottom, left, top, -1);
  }

  /** A cubic, px. */
  curve(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    const ys: Four = [y0, y1, y2, y3];
    const places = turns(ys);
    if (places.length === 0) {
      this.#flatten(x0, y0, x1, y1, x2, y2, x3, y3);
      return;
    }
    for (const [x, y] of monotone([x0, x1, x2, x3], ys, places)) {
      this.#flatten(x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3]);
    }
  }

  // Downwards, as the canvas's own places are, also where the area begins within the outline.
  #unitsX(px: number): number {
    return floor((px - this.#area.x) * UNITS);
  }

  #unitsY(px: number): number {
    return floor((px - this.#area.y) * UNITS);
  }

  /** A curve that goes up or down all the way, as lines. */
  #flatten(
    px0: number,
    py0: number,
    px1: number,
    py1: number,
    px2: number,
    py2: number,
    px3: number,
    py3: number,
  ): void {
    // From its upper end.
    const isDown = this.#unitsY(py0) <= this.#unitsY(py3);
    const y0 = this.#unitsY(isDown ? py0 : py3);
    const y3 = this.#unitsY(isDown ? py3 : py0);
    if ((y0 + 32) >> 6 === (y3 + 32) >> 6) return;
    const y1 = this.#unitsY(isDown ? py1 : py2);
    const y2 = this.#unitsY(isDown ? py2 : py1);
    const x0 = this.#unitsX(isDown ? px0 : px3);
    const x1 = this.#unitsX(isDown ? px1 : px2);
    const x2 = this.#unitsX(isDown ? px2 : px1);
    const x3 = this.#unitsX(isDown ? px3 : px0);

    const halvings = Math.min(MOST_HALVINGS, halvingsOf(bend(x0, x1, x2, x3), bend(y0, y1, y2, y3)));
    // Forward differences in fixed point, with as many bits as fit.
    const up = Math.max(6, 10 - halvings);
    const down = Math.max(0, halvings - 4);
    const bendX = (3 * (x0 - x1 - x1 + x2)) << up;
    const bendY = (3 * (y0 - y1 - y1 + y2)) << up;
    const twistX = (x3 + 3 * (x1 - x2) - x0) << up;
    const twistY = (y3 + 3 * (y1 - y2) - y0) << up;
    const thirdX = (3 * twistX) >> (halvings - 1);
    const thirdY = (3 * twistY) >> (halvings - 1);
    let secondX = 2 * bendX + thirdX;
    let secondY = 2 * bendY + thirdY;
    let firstX = ((3 * (x1 - x0)) << up) + (bendX >> halvings) + (twistX >> (2 * halvings));
    let firstY = ((3 * (y1 - y0)) << up) + (bendY >> halvings) + (twistY >> (2 * halvings));
    let x = x0 << 10;
    let y = y0 << 10;
    for (let left = (1 << halvings) - 1; left >= 0; left--) {
      let nextX = x3 << 10;
      let nextY = y3 << 10;
      if (left > 0) {
        nextX = (x + (firstX >> down)) | 0;
        nextY = (y + (firstY >> down)) | 0;
        firstX = (firstX + (secondX >> halvings)) | 0;
        firstY = (firstY + (secondY >> halvings)) | 0;
        secondX = (secondX + thirdX) | 0;
        secondY = (secondY + thirdY) | 0;
      }
      // Fixed point may turn back by a hair.
      if (nextY < y) nextY = y;
      this.#cross(x >> 10, y >> 10, nextX >> 10, nextY >> 10, isDown ? 1 : -1);
      x = nextX;
      y = nextY;
    }
  }

  /** Notes where a line that goes down crosses the middle of each row of samples. */
  #cross(x0: number, y0: number, x1: number, y1: number, turn: number): void {
    const top = (y0 + 32) >> 6;
    const bottom = Math.min((y1 + 32) >> 6, this.#first.length);
    if (top >= bottom) return;
    const slope = trunc(((x1 - x0) * 65_536) / (y1 - y0)) | 0;
    const toMiddle = (top << 6) + 32 - y0;
    let x = (x0 + floor((slope * toMiddle) / 65_536)) << 10;
    const most = this.#area.width << SHIFT;
    for (let row = top; row < bottom; row++) {
      if (row >= 0) this.#insert(row, Math.min(Math.max((x + 32_768) >> 16, 0), most), turn);
      x = (x + slope) | 0;
    }
  }

  #insert(row: number, at: number, turn: number): void {
    const index = this.#count;
    this.#count += FIELDS;
    if (this.#count > crossings.length) {
      const more = new Int32Array(2 * crossings.length);
      more.set(crossings);
      crossings = more;
    }
    let before = -1;
    let after = this.#first[row] as number;
    while (after >= 0 && (crossings[after] as number) < at) {
      before = after;
      after = crossings[after + 2] as number;
    }
    crossings[index] = at;
    crossings[index + 1] = turn;
    crossings[index + 2] = after;
    if (before < 0) this.#first[row] = index;
    else crossings[before + 2] = index;
  }

  alphas(rule: FillRule): Uint8Array {
    const { width, height } = this.#area;
    const alphas = new Uint8Array(width * height);
    const sums = new RowSums(width);
    const inside = rule === 'evenodd' ? 1 : -1;
    for (let y = 0; y < height; y++) {
      for (let sample = 0; sample < SAMPLES; sample++) {
        // All four rows of a whole pixel make 255, not 256.
        const whole = sample === SAMPLES - 1 ? 63 : 64;
        let winding = 0;
        let left = 0;
        for (let i = this.#first[(y << SHIFT) + sample] as number; i >= 0; i = crossings[i + 2] as number) {
          const at = crossings[i] as number;
          if ((winding & inside) === 0) left = at;
          winding += crossings[i + 1] as number;
          if ((winding & inside) === 0) sums.add(left, at, whole);
        }
      }
      sums.finish(alphas, y * width);
    }
    return alphas;
  }
}

/** What the spans of a row of pixels add up to. */
class RowSums {
  /** Added to one pixel, and to all from one on. */
  readonly #own: Int16Array;
  readonly #onward: Int16Array;
  // The pixels that were added to, at most.
  #from: number;
  #to = 0;

  constructor(width: number) {
    this.#own = new Int16Array(width + 1);
    this.#onward = new Int16Array(width + 1);
    this.#from = width;
  }

  /** From sample `left` up to `right`. */
  add(left: number, right: number, whole: number): void {
    if (right <= left) return;
    const from = left >> SHIFT;
    const to = right >> SHIFT;
    if (from < this.#from) this.#from = from;
    if (to > this.#to) this.#to = to;
    const skipped = left & (SAMPLES - 1);
    const begun = right & (SAMPLES - 1);
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
    const width = this.#own.length - 1;
    if (this.#from >= width) return;
    const end = Math.min(this.#to, width - 1);
    let running = 0;
    for (let i = this.#from; i <= end; i++) {
      running += this.#onward[i] as number;
      const sum = running + (this.#own[i] as number);
      alphas[at + i] = sum > 255 ? 255 : sum;
    }
    this.#own.fill(0, this.#from, this.#to + 1);
    this.#onward.fill(0, this.#from, this.#to + 1);
    this.#from = width;
    this.#to = 0;
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

/** A cubic cut at `places`, where it turns from up to down. All in single precision. */
function monotone(xs: Four, ys: Four, places: readonly number[]): (readonly [x: Four, y: Four])[] {
  const parts: (readonly [Four, Four])[] = [];
  let [x, y] = [xs, ys];
  let before = 0;
  for (const t of places) {
    const local = before === 0 ? t : unitQuotient(fround(t - before), fround(1 - before));
    if (local === null) break;
    const [x0, x1] = halves(x, local);
    const [y0, y1] = halves(y, local);
    // At the turn the curve is level.
    const level = y1[0];
    parts.push([x0, [y0[0], y0[1], level, level]]);
    [x, y] = [x1, [level, level, y1[2], y1[3]]];
    before = t;
  }
  parts.push([x, y]);
  return parts;
}

function halves([p0, p1, p2, p3]: Four, t: number): [Four, Four] {
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
function turns([p0, p1, p2, p3]: Four): readonly number[] {
  const a = fround(fround(p3 - p0) + fround(3 * fround(p1 - p2)));
  const b = fround(2 * fround(fround(fround(p0 - p1) - p1) + p2));
  const c = fround(p1 - p0);
  if (a === 0) return found(unitQuotient(-c, b), null);
  const under = b * b - 4 * a * c;
  if (under < 0) return NOWHERE;
  const root = fround(Math.sqrt(under));
  const q = fround((b < 0 ? -fround(b - root) : -fround(b + root)) / 2);
  return found(unitQuotient(q, a), unitQuotient(c, q));
}

const NOWHERE: readonly number[] = [];

/** What there is of two places, in order. */
function found(s: number | null, t: number | null): readonly number[] {
  if (s === null || t === null) return s === null ? (t === null ? NOWHERE : [t]) : [s];
  return s === t ? [s] : s < t ? [s, t] : [t, s];
}

/** A quotient that lies between 0 and 1, or null. */
function unitQuotient(numerator: number, denominator: number): number | null {
  const [n, d] = numerator < 0 ? [-numerator, -denominator] : [numerator, denominator];
  if (d === 0 || n === 0 || n >= d) return null;
  const quotient = fround(n / d);
  return quotient > 0 && quotient < 1 ? quotient : null;
}
