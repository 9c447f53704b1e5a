// Tests overlapping letters, which are rasterised as one outline and cached: the picture is the same whatever was drawn
// before, and where letters join nothing is darker than the ink.

import { expect, test } from 'vitest';
import { compose } from '#core/compose.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { resourceCache } from '#draw/output/resource-cache.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';

const library = await openFontLibrary({ folders: [] });

async function draw(x: number, text: string, color = '#000000'): Promise<Buffer> {
  const layer = { name: 'word', type: 'text', text, fontSize: 33, color, x, y: 10, width: 300, align: 'left' };
  const template = parseTemplate({ name: 'Word', width: 340, height: 70, background: '#ffffff', layers: [layer] });
  const scene = resolve(template, {});
  const nobody = { read: () => Promise.reject(new Error('no images')) };
  const { resources } = await loadResources(scene.needs, library, nobody, new AbortController().signal, 'header');
  return Buffer.from((await rasterize(compose(scene, resources).list, resources, 1)).pixels);
}

const keptBytes = () => resourceCache.bytesByKind.get('joined letters') ?? 0;

test('the same bytes, whether the word was kept or cut by the canvas before', async () => {
  const cut = await draw(-30, 'السلام');
  const before = keptBytes();
  expect(before).toBeGreaterThan(0);
  const fresh = await draw(12, 'السلام');
  await draw(-30, 'السلام عليكم');
  expect((await draw(12, 'السلام')).equals(fresh)).toBe(true);
  expect((await draw(-30, 'السلام')).equals(cut)).toBe(true);
});

test('in half-transparent ink no pixel is darker than the ink', async () => {
  const pixels = await draw(12, 'بسم الله الرحمن الرحيم', '#00000080');
  const darkest = pixels.filter((_, i) => i % 4 === 0).reduce((least, value) => Math.min(least, value), 255);
  expect(darkest).toBeGreaterThanOrEqual(126);
  expect(darkest).toBeLessThanOrEqual(128);
});

test('letters that touch without overlapping are the same, kept or not', async () => {
  const fresh = await draw(12, 'AVATAR fjord');
  const before = keptBytes();
  expect((await draw(12, 'AVATAR fjord')).equals(fresh)).toBe(true);
  expect(keptBytes()).toBe(before);
});
