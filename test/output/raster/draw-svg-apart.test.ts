// What is drawn in a process of its own looks the same, and ends when nobody wants it any more.

import { expect, test } from 'vitest';
import { drawSvgApart, type Patience } from '#output/raster/draw-svg-apart.ts';
import { drawSvgText } from '#output/raster/draw-svg-text.ts';

const SIZE = { width: 40, height: 20 };
const svg = (body: string, { width, height } = SIZE) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`;
const DISC = svg('<circle cx="20" cy="10" r="9" fill="rgb(200,100,50)" fill-opacity="0.5"/>');
const LARGE = { width: 2_000, height: 2_000 };
const BLUR = '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>';
const BUSY = svg(BLUR + '<rect width="2000" height="2000" filter="url(#f)"/>'.repeat(200), LARGE);
const until = (signal: AbortSignal): Patience => ({ signal, aside: (work) => work() });

test('it is the same picture', async () => {
  const { pixels, ...size } = await drawSvgApart(DISC, SIZE, undefined);
  expect(size).toEqual(SIZE);
  expect(Buffer.compare(pixels, (await drawSvgText(DISC, SIZE)).pixels)).toBe(0);
});

test('it ends when nobody wants it any more, and the next is drawn', async () => {
  const started = performance.now();
  const busy = drawSvgApart(BUSY, LARGE, until(AbortSignal.timeout(500)));
  await expect(busy).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(performance.now() - started).toBeLessThan(3_000);
  expect((await drawSvgApart(DISC, SIZE, undefined)).pixels[0]).toBe(0);
});

test('it waits aside', async () => {
  const asked: string[] = [];
  const aside: Patience['aside'] = (work) => {
    asked.push('aside');
    return work();
  };
  await drawSvgApart(DISC, SIZE, { signal: new AbortController().signal, aside });
  expect(asked).toEqual(['aside']);
});

test('what cannot be drawn says so', () =>
  expect(drawSvgApart('no drawing', SIZE, undefined)).rejects.toThrow(/SVG|XML|document/i));
