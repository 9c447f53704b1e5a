import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rect } from '#core/geometry.ts';
import { encodeRaster } from '#encoders/encode.ts';
import type { Ground, KeptParts, Part } from '#encoders/part.ts';
import { BandEncoder } from '#encoders/png/band-encoder.ts';
import type { Raster } from '#images/raster.ts';

const [WIDTH, HEIGHT] = [401, 900];

/** Photo above, drawn in the middle, and one of both below, where `seed` and a column decide. */
function paint(seed: number, x: number, y: number): number {
  const isPhoto = y < 300 || (y > 600 && (x + seed) % 7 < 3);
  const grain = (Math.imul(x + 31 * seed, 2_654_435_761) ^ Math.imul(y + seed, 40_503)) & 0xffffff;
  return 0xff000000 + (isPhoto ? grain : (x >> 4) * 0x10305 + (y >> 5) * 0x70000);
}

function ground(): Uint32Array {
  return Uint32Array.from({ length: WIDTH * HEIGHT }, (_, i) => paint(1, i % WIDTH, Math.floor(i / WIDTH)));
}

function covered(pixels: Uint32Array, rects: readonly Rect[], seed: number): Raster {
  const over = pixels.slice();
  for (const { x, y, width, height } of rects) {
    for (let row = y; row < y + height; row++) {
      for (let column = x; column < x + width; column++) over[row * WIDTH + column] = paint(seed, column, row) | 0x40;
    }
  }
  return { width: WIDTH, height: HEIGHT, pixels: new Uint8Array(over.buffer) };
}

class Store implements KeptParts {
  readonly parts = new Map<string, Part>();
  found = 0;

  get(name: string): Part | undefined {
    const part = this.parts.get(name);
    if (part) this.found++;
    return part;
  }

  set(name: string, part: Part): void {
    this.parts.set(name, part);
  }
}

const rect = fc
  .tuple(fc.nat(WIDTH - 20), fc.nat(HEIGHT - 120), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 120 }))
  .map(([x, y, width, height]): Rect => ({ x, y, width, height }));

test('kept parts change no file, whatever lies over a ground', async () => {
  const pixels = ground();
  const parts = new Store();
  await fc.assert(
    fc.asyncProperty(
      fc.array(rect, { maxLength: 3 }),
      fc.integer({ min: 2, max: 9 }),
      fc.constantFrom('png', 'jpeg'),
      fc.constantFrom(60, 80),
      async (rects, seed, format, quality) => {
        const raster = covered(pixels, rects, seed);
        const known: Ground = { covered: rects, parts };
        const options = { quality, compression: 'fast' } as const;
        const fresh = await encodeRaster(raster, format as 'png' | 'jpeg', options);
        const kept = await encodeRaster(raster, format as 'png' | 'jpeg', options, known);
        expect(Buffer.compare(kept, fresh)).toBe(0);
      },
    ),
    { numRuns: 60, seed: 7 },
  );
  expect(parts.found).toBeGreaterThan(100);
});

test('a part is made anew where its own rows stand and those before it are coded in another way', async () => {
  const parts = new Store();
  const pixels = ground().fill(0xff102030);
  const { from, to } = new BandEncoder(covered(pixels, [], 2), 3, null).rowsOf(1);
  const photo: Rect = { x: 0, y: from + 1, width: WIDTH, height: to - from - 3 };
  for (const rects of [[], [photo], []]) {
    const raster = covered(pixels, rects, 1);
    const options = { quality: 80, compression: 'fast' } as const;
    const kept = await encodeRaster(raster, 'png', options, { covered: rects, parts });
    expect(Buffer.compare(kept, await encodeRaster(raster, 'png', options))).toBe(0);
  }
});

test('a picture that shows its ground alone is made once', async () => {
  const parts = new Store();
  const raster = covered(ground(), [], 2);
  const options = { quality: 80, compression: 'fast' } as const;
  const [first, second] = [
    await encodeRaster(raster, 'png', options, { covered: [], parts }),
    await encodeRaster(raster, 'png', options, { covered: [], parts }),
  ];
  expect(Buffer.compare(first, second)).toBe(0);
  expect(parts.found).toBe(parts.parts.size);
});

test('a translucent ground is kept as such', async () => {
  const pixels = ground().fill(0x80402010, 0, 10 * WIDTH);
  const parts = new Store();
  const raster = covered(pixels, [], 2);
  const options = { quality: 80, compression: 'fast' } as const;
  const fresh = await encodeRaster(raster, 'png', options);
  for (let i = 0; i < 2; i++) {
    const file = await encodeRaster(raster, 'png', options, { covered: [], parts });
    expect(Buffer.compare(file, fresh)).toBe(0);
  }
  expect(parts.found).toBeGreaterThan(2);
});
