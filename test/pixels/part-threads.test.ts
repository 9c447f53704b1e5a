import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { partThreads } from '#pixels/part-threads.ts';
import { BandEncoder } from '#pixels/png/band-encoder.ts';
import type { Raster } from '#pixels/raster.ts';

const [WIDTH, HEIGHT] = [1000, 700];

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

function alone(picture: Raster, channels: 3 | 4) {
  const encoder = new BandEncoder(picture, channels);
  return Array.from({ length: encoder.count }, (_, index) => encoder.encode(index));
}

const ready = () => vi.waitFor(() => partThreads() ?? expect.fail('threads are starting'), { timeout: 30_000 });

test.skipIf(availableParallelism() < 2)('threads make the bands that one makes', async () => {
  const threads = await ready();
  const opaque = raster(() => 255);
  const faint = raster((x, y) => (x + y) & 255);
  const [first, second, third] = await Promise.all([
    threads.encodeBands(opaque, 3),
    threads.encodeBands(faint, 4),
    threads.encodeBands(opaque, 3),
  ]);
  expect(first).toEqual(alone(opaque, 3));
  expect(second).toEqual(alone(faint, 4));
  expect(third).toEqual(first);
});

test.skipIf(availableParallelism() < 2)(
  'threads say when a picture is not as opaque as it was taken to be',
  async () => {
    const threads = await ready();
    const hole = raster((x, y) => (x === 700 && y === 400 ? 128 : 255));
    expect(await threads.encodeBands(hole, 3)).toBe(null);
    expect(await threads.encodeBands(hole, 4)).toEqual(alone(hole, 4));
  },
);

test.skipIf(availableParallelism() < 2)('a process ends whose threads were started and never used', () => {
  const script = `import { partThreads } from '#pixels/part-threads.ts'; partThreads(); console.log('done');`;
  const shown = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 });
  expect(shown.toString()).toBe('done\n');
});
