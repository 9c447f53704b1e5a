import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { exportAs } from '#output/export.ts';
import { DEFAULT_EXPORT } from '#output/formats.ts';
import { TooMuchToDraw } from '#output/raster/too-much-to-draw.ts';
import { fill, group, rect, solid } from './pdf/page.ts';

/** A blurred square, which PDF cannot express; no two of different sizes are drawn once. */
const blurred = (size: number): PaintOp =>
  group([fill(rect(0, 0, size, size), solid(0, 0, 0))], { filters: [{ kind: 'blur', sigma: 3 }] });

/** Exports a PDF by a clock that advances by 10 ms whenever it is read; returns its time, ms. */
async function write(ops: readonly PaintOp[], mostTime: number): Promise<number> {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  try {
    const resources = {
      fonts: new Map(),
      images: new Map(),
      codes: new Map(),
      hyphenators: new Map(),
    } as unknown as Resources;
    const list = { width: 400, height: 400, ops };
    await exportAs('pdf', list, resources, DEFAULT_EXPORT, { mostTime, pause: async () => {} });
    return now;
  } finally {
    clock.mockRestore();
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
  const exported = exportAs('pdf', list, resources as unknown as Resources, DEFAULT_EXPORT, { signal: aborted.signal });
  await expect(exported).rejects.toThrow('enough');
  // Opened twice per picture at most.
  expect(opened).toBeLessThan(15);
});
