// Tests the pictures of the canvas: a PDF, which a browser cannot draw, and what stands for it.

import { expect, test } from 'vitest';
import type { ImageNeed } from '#core/resolve/scene.ts';
import { SceneImages } from '#studio/editor/core/scene/images.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Of a source that is named as its format. */
const images = new SceneImages(
  async (source) => bytesOf(source),
  {
    open: async (bytes) => {
      const format = new TextDecoder().decode(bytes);
      if (format !== 'pdf' && format !== 'png') throw new Error('It is damaged.');
      return { format, bytes, width: 10, height: 20, hasAlpha: true, address: `blob:${format}` };
    },
    release: () => undefined,
  },
  { now: () => 0 },
);

async function ready(...sources: readonly string[]) {
  const need: ImageNeed = { key: 'k', layer: 'sheet', sources, optional: false, focus: null };
  await images.load([need]);
  const { failed, papers } = images.ready([need]) ?? {};
  return { address: images.address('k'), failed, papers };
}

test('letter paper shows its fallback on the canvas, and without one a sheet, with a warning that names the layer', async () => {
  expect(await ready('pdf', 'png')).toEqual({ address: 'blob:png', failed: [], papers: [] });
  expect(await ready('pdf')).toEqual({ address: 'blob:pdf', failed: [], papers: ['sheet'] });
  expect(await ready('pdf', 'damaged')).toEqual({ address: 'blob:pdf', failed: [], papers: ['sheet'] });
  expect(await ready('damaged', 'png')).toEqual({ address: 'blob:png', failed: [], papers: [] });
});
