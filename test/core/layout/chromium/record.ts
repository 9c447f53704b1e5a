// Lays the fixtures out in Chromium and records each layer's box in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/layout/chromium/record.ts. The tests only read the
// record.

import { resolve } from '#core/resolve/resolve.ts';
import { recordInChromium } from '../../../record-in-chromium.ts';
import type { FaceName } from '../../text/faces.ts';
import { FIXTURES } from './fixtures.ts';
import { PHOTO, toHtml } from './to-html.ts';

const scenes = FIXTURES.map(({ name, template }) => ({ name, scene: resolve(template, {}) }));
const faces = scenes.flatMap(({ scene }) => scene.needs.fonts.flatMap(({ query }) => query.families));
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PHOTO.width}" height="${PHOTO.height}"/>`;
const photo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

await recordInChromium(
  import.meta.dirname,
  faces as FaceName[],
  '* { box-sizing: border-box } body { font-synthesis: none; text-rendering: geometricPrecision }',
  scenes.map(({ name, scene }) => ({ name, markup: toHtml(scene).replaceAll('src="photo"', `src="${photo}"`) })),
  measure,
);

/** Returns each layer's [x, y, width, height]. */
async function measure(main: HTMLElement): Promise<Record<string, number[]>> {
  await Promise.all(Array.from(main.querySelectorAll('img'), (image) => image.decode()));
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return Object.fromEntries(
    Array.from(main.querySelectorAll<HTMLElement>('[data-name]'), (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [element.dataset.name ?? '', [left, top, width, height].map(round)];
    }),
  );
}
