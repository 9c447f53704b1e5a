// A colour laid through masks is, to the bit, what plain arithmetic makes of every pixel, whatever memory they stand in.

import { expect, test } from 'vitest';
import { intersection, type Rect, union } from '#core/geometry.ts';
import type { Mask } from '#output/raster/coverage.ts';
import { makePixelMemory } from '#output/raster/pixel-memory.ts';
import { Surface } from '#output/raster/retained/surface.ts';

/** Equal sequences for equal seeds, 0..2³². */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

function mixedChannel(above: number, below: number, alpha: number, coverage: number): number {
  if (coverage === 0) return below;
  if (alpha === 255) return coverage === 255 ? above : (above * coverage + below * (255 - coverage) + 255) >> 8;
  const covered = (value: number) => (value * coverage + 255) >> 8;
  return covered(above) + ((below * (255 - covered(alpha)) + 255) >> 8);
}

function mixedPixel(color: number, below: number, coverage: number): number {
  const channel = (shift: number) =>
    mixedChannel((color >>> shift) & 255, (below >>> shift) & 255, color >>> 24, coverage) << shift;
  return (channel(0) | channel(8) | channel(16) | channel(24)) >>> 0;
}

/** What masks make of pixels, one pixel after the other. */
function expected(area: Rect, pixels: Uint32Array, masks: readonly Mask[], color: number): Uint32Array {
  const drawn = pixels.slice();
  for (const mask of masks) {
    const seen = intersection(mask, area);
    if (!seen) continue;
    for (let y = seen.y; y < seen.y + seen.height; y++) {
      for (let x = seen.x; x < seen.x + seen.width; x++) {
        const at = (y - area.y) * area.width + x - area.x;
        const coverage = mask.alphas[(y - mask.y) * mask.width + x - mask.x] ?? 0;
        drawn[at] = mixedPixel(color, drawn[at] ?? 0, coverage);
      }
    }
  }
  return drawn;
}

/** Random pixels. */
function canvas({ width, height }: Rect, next: () => number): Uint32Array {
  return new Uint32Array(width * height).map(next);
}

/** The same pixels in memory of each kind: as a layer's, as a canvas's, and as one's that no kernel can work in. */
function inEachMemory(pixels: Uint32Array): readonly Uint32Array[] {
  const { length, byteLength } = pixels;
  return [new ArrayBuffer(byteLength), makePixelMemory(byteLength), new SharedArrayBuffer(byteLength)].map((memory) => {
    const copy = new Uint32Array(memory, 0, length);
    copy.set(pixels);
    return copy;
  });
}

const bytesOf = ({ buffer, byteLength }: Uint32Array) => Buffer.from(buffer, 0, byteLength);

function check(area: Rect, pixels: Uint32Array, masks: readonly Mask[], color: number): void {
  const wanted = expected(area, pixels, masks, color);
  for (const drawn of inEachMemory(pixels)) {
    const surface = new Surface(area, drawn);
    const [only] = masks;
    if (only && masks.length === 1) surface.drawMask(only, color);
    else surface.drawMasks(masks, masks.reduce<Rect | null>(union, null) ?? area, color);
    expect(Buffer.compare(bytesOf(drawn), bytesOf(wanted))).toBe(0);
  }
}

/** Every coverage on every value below. */
const ALL = { x: 0, y: 0, width: 256, height: 256 };
const EVERY_COVERAGE: Mask = { ...ALL, alphas: Uint8Array.from({ length: 65_536 }, (_, i) => i & 255) };
const everyValue = () => new Uint32Array(65_536).map((_, i) => (i >>> 8) * 0x01010101);

test('every opaque colour at every coverage, on everything', { timeout: 30_000 }, () => {
  for (let value = 0; value < 256; value += 3) {
    const color = (0xff000000 | value | (Math.min(255, value + 1) << 8) | (Math.min(255, value + 2) << 16)) >>> 0;
    check(ALL, everyValue(), [EVERY_COVERAGE], color);
  }
});

test('translucent colours at every coverage, on everything', { timeout: 30_000 }, () => {
  const next = numbersFrom(1);
  for (let alpha = 0; alpha < 255; alpha += 5) {
    const channel = () => next() % (alpha + 1);
    const color = ((alpha << 24) | alpha | (channel() << 8) | (channel() << 16)) >>> 0;
    check(ALL, everyValue(), [EVERY_COVERAGE], color);
  }
});

test('masks anywhere, over each other and over the edges', () => {
  const next = numbersFrom(2);
  const area = { x: 7, y: -3, width: 61, height: 37 };
  for (let round = 0; round < 300; round++) {
    const masks = Array.from({ length: 1 + (next() % 4) }, (): Mask => {
      const [width, height] = [1 + (next() % 40), 1 + (next() % 30)];
      const alphas = new Uint8Array(width * height).map(() => [0, 255, next()][next() % 3] ?? 0);
      return { x: (next() % 110) - 40, y: (next() % 80) - 40, width, height, alphas };
    });
    const alpha = round % 2 === 0 ? 255 : next() % 255;
    const color = ((alpha << 24) | (next() % (alpha + 1))) >>> 0;
    check(area, canvas(area, next), masks, color);
  }
});

test('more pixels than pass through the kernel at a time', () => {
  const next = numbersFrom(3);
  const area = { x: 0, y: 0, width: 500, height: 300 };
  const wide = { x: -700, y: 20, width: 2000, height: 200 };
  const tall = { x: 3, y: -900, width: 20, height: 3000 };
  const masks = [wide, tall].map((mask) => ({ ...mask, alphas: new Uint8Array(mask.width * mask.height).map(next) }));
  check(area, canvas(area, next), masks, 0xff204060);
});

test('more masks than are handed over at once', () => {
  const next = numbersFrom(6);
  const area = { x: -5, y: 2, width: 300, height: 20 };
  const masks = Array.from({ length: 700 }, (_, i) => {
    const [width, height] = [1 + (i % 31), 1 + (i % 17)];
    return { x: i % 290, y: i % 13, width, height, alphas: new Uint8Array(width * height).map(next) };
  });
  check(area, canvas(area, next), masks, 0xff408020);
});

test('a mask that lies beyond the edges', () => {
  const area = { x: 0, y: 0, width: 20, height: 10 };
  check(
    area,
    canvas(area, numbersFrom(4)),
    [{ x: 20, y: 0, width: 1, height: 1, alphas: Uint8Array.of(255) }],
    0xffffffff,
  );
});

const box = (x: number, y: number, isSolid: (x: number, y: number) => boolean) => (color: number) => {
  const next = numbersFrom(5);
  const area = { x: 0, y: 0, width: 700, height: 60 };
  const alphas = new Uint8Array(600 * 40).map((_, i) => (isSolid(i % 600, Math.floor(i / 600)) ? 255 : next()));
  check(area, canvas(area, next), [{ x, y, width: 600, height: 40, alphas }], color);
};

test('a large box', () => box(50, 10, () => true)(0xff336699));
test('a large box with soft edges', () => box(50, 10, (x, y) => x > 2 && x < 597 && y > 1 && y < 36)(0xff336699));
test('a large box that is cut off', () => box(-30, -5, (x, y) => x > 2 && y > 8)(0xff336699));
test('a large box with holes', () => box(150, 30, (x, y) => (x + y) % 97 > 1)(0xff336699));
test('a large translucent box', () => box(50, 10, (x) => x > 2)(0x80336640));
