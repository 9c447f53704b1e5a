// Draws the pages in Chromium and records them: one picture, with all of them one below another.
//
// Run by hand when pages change: CHROMIUM_PATH=… node test/draw/html/pictures/record.ts. The test only reads the picture.

import { join } from 'node:path';
import sharp from 'sharp';
import { onFixturePages } from '../../../core/html/chromium/on-fixture-pages.ts';
import { CANVAS, documentOf, PAGES } from './fixtures.ts';

await onFixturePages(async (page, show) => {
  const pictures: Uint8Array[] = [];
  for (const html of Object.values(PAGES)) {
    await show(documentOf(html), CANVAS);
    pictures.push(await page.screenshot());
  }
  const { width, height } = CANVAS;
  await sharp({ create: { width, height: height * pictures.length, channels: 3, background: '#fff' } })
    .composite(pictures.map((input, index) => ({ input: Buffer.from(input), left: 0, top: index * height })))
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toFile(join(import.meta.dirname, 'recorded.png'));
});
