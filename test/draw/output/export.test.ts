import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT, OUTPUTS } from '#draw/output/formats.ts';
import { TooMuchToDraw } from '#draw/output/raster/too-much-to-draw.ts';
import { render } from '../../../src/index.ts';
import { fill, group, rect, solid } from './pdf/page.ts';

/** A blurred square, which PDF cannot express; no two of different sizes are drawn once. */
const blurred = (size: number): PaintOp =>
  group([fill(rect(0, 0, size, size), solid(0, 0, 0))], { filters: [{ kind: 'blur', sigma: 3 }] });

/** Exports a PDF by clocks that advance by 10 ms whenever they are read; returns its time, ms. */
async function write(ops: readonly PaintOp[], mostTime: number): Promise<number> {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  const processor = vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
    now += 10;
    return { user: 1e3 * now, system: 0 };
  });
  try {
    const resources = {
      fonts: new Map(),
      images: new Map(),
      codes: new Map(),
      hyphenators: new Map(),
    } as unknown as Resources;
    const list = { width: 400, height: 400, ops };
    await exportAs('pdf', [list], resources, DEFAULT_EXPORT, { mostTime, pause: async () => {} });
    return now;
  } finally {
    clock.mockRestore();
    processor.mockRestore();
  }
}

test('the pictures of a PDF share one limit of time, and the slowest is named', async () => {
  const one = await write([blurred(100)], Number.POSITIVE_INFINITY);
  expect(await write([blurred(101)], one)).toBeGreaterThan(0);
  const slow = group([blurred(200), blurred(201), blurred(202)]);
  const all = [blurred(50), slow, ...Array.from({ length: 30 }, (_, i) => blurred(110 + i))];
  const error = await write(all, 6 * one).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TooMuchToDraw);
  expect(error).toMatchObject({ op: 1 });
});

test('an aborted PDF crops and encodes no more of its pictures', async () => {
  const bytes = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#c63' } })
    .png()
    .toBuffer();
  const aborted = new AbortController();
  let opened = 0;
  const photo = {
    ...{ key: 'photo', format: 'png', width: 30, height: 30, hasAlpha: false, focus: null },
    get bytes() {
      if (++opened === 12) aborted.abort(new Error('enough'));
      return bytes;
    },
  };
  const ops = Array.from({ length: 100 }, (_, i): PaintOp => {
    const source = { x: 0, y: 0, width: 30, height: 30 };
    return { kind: 'image', image: 'photo', source, dest: { x: 0, y: 0, width: 200 + i, height: 200 } };
  });
  const resources = { fonts: new Map(), images: new Map([['photo', photo]]), codes: new Map(), hyphenators: new Map() };
  const list = { width: 400, height: 400, ops };
  const exported = exportAs('pdf', [list], resources as unknown as Resources, DEFAULT_EXPORT, {
    signal: aborted.signal,
  });
  await expect(exported).rejects.toThrow('enough');
  // Opened twice per picture at most.
  expect(opened).toBeLessThan(15);
});

/** RGBA of a file, which may be SVG. */
async function pixelsOf(bytes: Uint8Array, isSvg: boolean): Promise<Buffer> {
  if (isSvg) return Buffer.from(new Resvg(Buffer.from(bytes).toString()).render().pixels);
  return sharp(bytes).ensureAlpha().raw().toBuffer();
}

test('a card with a photo looks the same in every output of pixels, and as SVG', async () => {
  const path = join(import.meta.dirname, '../../../samples/product-ad.json');
  const sample = JSON.parse(await readFile(path, 'utf8'));
  const images = { folder: join(path, '..') };
  const [png, ...others] = await Promise.all(
    OUTPUTS.filter((output) => output !== 'pdf').map(async (output) => {
      const { bytes } = await render(sample, { output, ...images });
      return { output, pixels: await pixelsOf(bytes, output === 'svg') };
    }),
  );
  for (const { output, pixels } of others) {
    expect(pixels.length, output).toBe(png?.pixels.length);
    const sum = pixels.reduce((total, value, at) => total + Math.abs(value - (png?.pixels[at] ?? 0)), 0);
    expect(sum / pixels.length, output).toBeLessThan(3);
  }
});

test('AVIF keeps transparency, and is refused beyond 4K', async () => {
  const clear = { name: 'Clear', width: 20, height: 20, layers: [] };
  const { bytes } = await render(clear, { output: 'avif' });
  expect([...(await sharp(bytes).raw().toBuffer()).subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  await expect(render({ ...clear, width: 3_840, height: 2_161 }, { output: 'avif' })).rejects.toThrow(
    'An avif image can have at most 8,294,400 px, and this has 8,298,240; lower the scale, or choose png, jpeg or webp.',
  );
});

test('an SVG is refused when its pictures would make it too large', async () => {
  const picture = {
    ...{ key: 'photo', format: 'jpeg', width: 30, height: 30, hasAlpha: false, focus: null },
    bytes: { length: 64_000_001 },
  };
  const resources = { images: new Map([['photo', picture]]) } as unknown as Resources;
  const place = { x: 0, y: 0, width: 30, height: 30 };
  const ops = [group([{ kind: 'image', image: 'photo', source: place, dest: place }])];
  await expect(exportAs('svg', [{ width: 30, height: 30, ops }], resources, DEFAULT_EXPORT)).rejects.toThrow(
    'The pictures of an svg can have at most 64 MB together, and these have 65',
  );
});
