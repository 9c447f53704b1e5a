import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { encodeParts } from '#encoders/encode-parts.ts';
import type { Part, PartWish } from '#encoders/part.ts';
import { partThreads } from '#encoders/part-threads.ts';
import { BandEncoder } from '#encoders/png/band-encoder.ts';
import { encoderOf } from '#encoders/take-parts.ts';
import type { Raster } from '#images/raster.ts';

const [WIDTH, HEIGHT] = [1000, 700];

const LINE = { x: 40, y: 100, width: 500, height: 30 };

function raster(alpha: (x: number, y: number) => number): Raster {
  const pixels = new Uint8Array(4 * WIDTH * HEIGHT);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    const a = alpha(x, y);
    const grain = (x * 73 + y * 179 + x * y) % 31;
    pixels.set(
      y % 200 < 90 ? [9, 9, 9, a] : [Math.min(grain, a), Math.min(x & 255, a), Math.min(y & 255, a), a],
      4 * i,
    );
  }
  return { width: WIDTH, height: HEIGHT, pixels };
}

/** Parts as somebody alone makes them. */
function alone(wish: PartWish): (Part | null)[] {
  const encoder = encoderOf(wish);
  return Array.from({ length: encoder.count }, (_, index) => encoder.encode(index));
}

/** The same parts by the threads, the main one keeping out of it. */
async function byThreads(wish: PartWish): Promise<(Part | null)[]> {
  const threads = await vi.waitFor(() => partThreads() ?? expect.fail('threads are starting'), { timeout: 30_000 });
  const wanted = [...new Array(encoderOf(wish).count).keys()];
  const reports = await Promise.all(threads.take({ wish, wanted, next: new Int32Array(new SharedArrayBuffer(4)) }));
  const parts: (Part | null)[] = [];
  for (const [index, part] of reports.flat()) parts[index] = part;
  return parts;
}

test.skipIf(availableParallelism() < 2)(
  'threads make the parts that one makes, of several pictures at once',
  async () => {
    const opaque = raster(() => 255);
    const faint = raster((x, y) => (x + y) & 255);
    const wishes: PartWish[] = [
      { kind: 'bands', raster: opaque, channels: 3, known: null },
      { kind: 'bands', raster: faint, channels: 4, known: null },
      { kind: 'strips', raster: opaque, quality: 90, known: null },
      { kind: 'strips', raster: opaque, quality: 10, known: null },
      { kind: 'strips', raster: opaque, quality: 80, known: { covered: [LINE], parts: [] } },
      { kind: 'bands', raster: opaque, channels: 3, known: { covered: [LINE], parts: [] } },
    ];
    // `units`, kept for the next picture, have bytes between them that nothing reads.
    const files = (made: readonly (readonly (Part | null)[])[]) =>
      made.map((parts) => parts.map((part) => part && { ...part, units: null }));
    expect(files(await Promise.all(wishes.map(byThreads)))).toEqual(files(wishes.map(alone)));
  },
);

test.skipIf(availableParallelism() < 2)(
  'threads say when a picture is not as opaque as it was taken to be',
  async () => {
    const hole = raster((x, y) => (x === 700 && y === 400 ? 128 : 255));
    expect(await byThreads({ kind: 'bands', raster: hole, channels: 3, known: null })).toContain(null);
    expect(await encodeParts(new BandEncoder(hole, 3, null), null)).toBe(null);
    expect(await byThreads({ kind: 'bands', raster: hole, channels: 4, known: null })).toEqual(
      alone({ kind: 'bands', raster: hole, channels: 4, known: null }),
    );
  },
);

test.skipIf(availableParallelism() < 2)('a process ends whose threads were started and never used', () => {
  const script = `import { partThreads } from '#encoders/part-threads.ts'; partThreads(); console.log('done');`;
  const shown = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
  expect(shown.toString()).toBe('done\n');
});
