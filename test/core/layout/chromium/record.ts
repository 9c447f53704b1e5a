// Lays the fixtures out in Chromium and records each layer's box in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/layout/chromium/record.ts. The tests only read the
// record.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { resolve } from '#core/resolve/resolve.ts';
import { type FaceName, fontPath } from '../../text/faces.ts';
import { FIXTURES } from './fixtures.ts';
import { PHOTO, toHtml } from './to-html.ts';

const scenes = FIXTURES.map(({ name, template }) => ({ name, scene: resolve(template, {}) }));
const faces = new Set(scenes.flatMap(({ scene }) => scene.needs.fonts.flatMap(({ query }) => query.families)));
const rules = [...faces].map((name) => {
  const base64 = readFileSync(fontPath(name as FaceName)).toString('base64');
  return `@font-face{font-family:"platen ${name}";src:url(data:font/ttf;base64,${base64})}`;
});
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PHOTO.width}" height="${PHOTO.height}"/>`;
const photo = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell',
  headless: 'shell',
  args: ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'],
});
const page = await browser.newPage();
await page.setContent(
  `<style>${rules.join('')}
    * { box-sizing: border-box }
    body { margin: 0; font-synthesis: none; text-rendering: geometricPrecision }
  </style><main></main>`,
);
await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));

const entries: string[] = [];
for (const { name, scene } of scenes) {
  const boxes = await page.evaluate(measure, toHtml(scene).replaceAll('src="photo"', `src="${photo}"`));
  entries.push(`${JSON.stringify(name)}: ${JSON.stringify(boxes)}`);
}
await browser.close();
writeFileSync(join(import.meta.dirname, 'recorded.json'), `{\n${entries.join(',\n')}\n}\n`);

/** Returns each layer's [x, y, width, height]. Runs in the page, without access to this module. */
async function measure(markup: string): Promise<Record<string, number[]>> {
  const main = document.querySelector('main');
  if (!main) throw new Error('The page has no main.');
  main.innerHTML = markup;
  await Promise.all(Array.from(main.querySelectorAll('img'), (image) => image.decode()));
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return Object.fromEntries(
    Array.from(main.querySelectorAll<HTMLElement>('[data-name]'), (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [element.dataset.name ?? '', [left, top, width, height].map(round)];
    }),
  );
}
