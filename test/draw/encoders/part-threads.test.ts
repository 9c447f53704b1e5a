import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { encodeParts } from '#draw/encoders/encode-parts.ts';
import { partThreads, startPartThreads } from '#draw/encoders/part-threads.ts';
import { type Band, BandEncoder } from '#draw/encoders/png/band-encoder.ts';
import type { PartJob } from '#draw/encoders/take-parts.ts';
import type { Raster } from '#draw/images/raster.ts';

type Wish = Pick<PartJob, 'raster' | 'form'>;

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

/** Encodes all parts on this thread. */
function alone({ raster, form }: Wish): (Band | null)[] {
  const encoder = new BandEncoder(raster, form);
  return Array.from({ length: encoder.count }, (_, index) => encoder.encode(index));
}

/** Encodes the same parts on the worker threads; the main thread takes none. */
async function byThreads(wish: Wish): Promise<(Band | null)[]> {
  startPartThreads();
  const threads = await vi.waitFor(() => partThreads() ?? expect.fail('threads are starting'), { timeout: 30_000 });
  const reports = await Promise.all(
    threads.take({
      ...wish,
      parts: [...Array(new BandEncoder(wish.raster, wish.form).count).keys()],
      next: new Int32Array(new SharedArrayBuffer(4)),
    }),
  );
  const parts: (Band | null)[] = [];
  for (const [index, part] of reports.flat()) parts[index] = part;
  return parts;
}

test.skipIf(availableParallelism() < 2)(
  'threads make the parts that one makes, of several pictures at once',
  async () => {
    const opaque = raster(() => 255);
    const faint = raster((x, y) => (x + y) & 255);
    const wishes: Wish[] = [
      { raster: opaque, form: 'rgb' },
      { raster: faint, form: 'rgba' },
    ];
    expect(await Promise.all(wishes.map(byThreads))).toEqual(wishes.map(alone));
  },
);

test.skipIf(availableParallelism() < 2)(
  'threads say when a picture is not as opaque as it was taken to be',
  async () => {
    const hole = raster((x, y) => (x === 700 && y === 400 ? 128 : 255));
    expect(await byThreads({ raster: hole, form: 'rgb' })).toContain(null);
    expect(await encodeParts(new BandEncoder(hole, 'rgb'))).toBe(null);
    expect(await byThreads({ raster: hole, form: 'rgba' })).toEqual(alone({ raster: hole, form: 'rgba' }));
  },
);

/** Runs statements in a process of its own; not as a module, because its threads would get that option too. */
function runApart(statements: string): string {
  const script = `import('#draw/encoders/part-threads.ts').then(async ({ partThreadsReady, startPartThreads }) => {${statements}});`;
  return execFileSync(process.execPath, ['-e', script], { timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();
}

test.skipIf(availableParallelism() < 2)('a process ends whose threads were started and never used', () => {
  expect(runApart("await partThreadsReady(); console.log('done');")).toBe('done');
});

test.skipIf(availableParallelism() < 2 || process.platform !== 'linux')(
  'after one has failed, all threads are started anew, and none is left behind',
  () => {
    const shown = runApart(`
      const running = () => require('fs').readdirSync('/proc/self/task').length;
      await partThreadsReady();
      const before = running();
      const raster = { width: 1, height: 1, pixels: new Uint8Array(new SharedArrayBuffer(4)) };
      const next = new Int32Array(new SharedArrayBuffer(4));
      const failed = await Promise.allSettled(startPartThreads().take({ raster, form: null, parts: [0], next }));
      await partThreadsReady();
      for (let i = 0; i < 250 && running() !== before; i++) await new Promise((done) => setTimeout(done, 20));
      console.log(failed.filter(({ status }) => status === 'rejected').length, running() - before);
    `);
    expect(shown).toBe('1 0');
  },
);
