// Draws the examples in Chromium and records them: one picture for each group, with its examples one below another.
//
// Run by hand when examples or Tailwind change: CHROMIUM_PATH=… node test/draw/html/tailwind/record.ts. The test only reads
// the pictures.

import { join } from 'node:path';
import sharp from 'sharp';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { withClassesForBrowser } from '#draw/html/tailwind/page-classes.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { Browsers } from '#server/chromium/browsers.ts';
import { drawHtml } from '#server/chromium/draw-html.ts';
import { Guard } from '#server/net/guard.ts';
import type { OutboundClient } from '#server/net/outbound-client.ts';
import { DEFAULT_PORTS } from '#server/net/outbound-url.ts';
import { outsideImages } from '#server/service/files/image-sources.ts';
import { pageFiles } from '#server/service/pages/page-files.ts';
import { exampleTemplate } from './draw-example.ts';
import { CANVAS, EXAMPLES } from './examples.ts';

const library = await openFontLibrary({ folders: [] });
const noNetwork = { get: () => Promise.reject(new Error('There is no network.')) } as unknown as OutboundClient;
const files = pageFiles(library, outsideImages(noNetwork), 'http://host.example');
const guard = new Guard({ ports: DEFAULT_PORTS, allow: [], linkLocal: false });
await using browsers = new Browsers({
  chromiumPath: process.env.CHROMIUM_PATH ?? null,
  programFolders: [],
  fonts: library,
});

for (const [group, examples] of Map.groupBy(EXAMPLES, (example) => example.group)) {
  const pictures: Buffer[] = [];
  for (const example of examples) {
    const page = await withClassesForBrowser(exampleTemplate(example));
    const { bytes } = await browsers.run(20_000, (browser) =>
      drawHtml(browser, guard, page, 'png', DEFAULT_EXPORT, 10_000, files),
    );
    pictures.push(Buffer.from(bytes));
  }
  await sharp({
    create: { width: CANVAS.width, height: CANVAS.height * pictures.length, channels: 3, background: '#fff' },
  })
    .composite(pictures.map((input, index) => ({ input, left: 0, top: index * CANVAS.height })))
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toFile(join(import.meta.dirname, `recorded/${group.replaceAll(' ', '-')}.png`));
}
