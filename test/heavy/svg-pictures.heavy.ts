// Compares SVG pictures as Chromium shows them in `<img>` with ours, in pixels: icons of Lucide, sampled unless WHOLE=1, as
// they are and with the CSS that real files have. ICONS=FILE names another set, such as the icons.json of an @iconify-json
// package.

import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { draw } from '../golden/render-case.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';

interface Icon {
  readonly body: string;
  readonly width?: number;
  readonly height?: number;
}
const FILE = process.env.ICONS ?? new URL('../../node_modules/@iconify-json/lucide/icons.json', import.meta.url);
const {
  icons,
  width = 16,
  height = 16,
} = JSON.parse(readFileSync(FILE, 'utf8')) as Omit<Icon, 'body'> & { readonly icons: Readonly<Record<string, Icon>> };
const COUNT = process.env.WHOLE ? 300 : 40;
const names = Object.keys(icons);
const sampled = Array.from({ length: COUNT }, (_, i) => names[Math.floor((i * names.length) / COUNT)] ?? '');
const SIDE = 96;

/** What style sheets of real files do to an icon. */
const STYLES = [
  '',
  ':root{--ink:#d1401b}g{color:var(--ink)}',
  '@media screen{g{color:oklch(62.8% .2577 29.23)}}',
  'g{color:color-mix(in srgb, red 60%, blue);& > :nth-child(2){stroke:#1b4fd1}}',
  'g{transform-box:fill-box;transform-origin:center;rotate:30deg;scale:.8}',
  'g{filter:hue-rotate(90deg) brightness(1.4);color:#178a4c}',
  'g > *{vector-effect:non-scaling-stroke}g > :not(:first-child){stroke:rgb(255 0 0 / 50%)}',
];

function svgOf(name: string, i: number): string {
  const icon = { width, height, body: '', ...icons[name] };
  const sheet = (STYLES[i % STYLES.length] ?? '').replaceAll('&', '&amp;').replaceAll('>', '&gt;');
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${icon.width}" height="${icon.height}" viewBox="0 0 ${icon.width} ${icon.height}"><style>${sheet}</style><g>${icon.body}</g></svg>`;
}

test('icons look as in Chromium', async () => {
  if (!CHROMIUM) throw new Error('There is no Chromium. Set CHROMIUM_PATH.');
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM.path,
    headless: 'shell',
    args: ['--no-sandbox'],
    pipe: true,
  });
  const different: string[] = [];
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: SIDE, height: SIDE });
    for (const [i, name] of sampled.entries()) {
      const src = `data:image/svg+xml;base64,${Buffer.from(svgOf(name, i)).toString('base64')}`;
      await page.setContent(`<body style="margin:0;background:#fff"><img width=${SIDE} height=${SIDE} src="${src}">`);
      const theirs = await page.screenshot();
      const layer = { name: 'a', type: 'image', x: 0, y: 0, width: SIDE, height: SIDE, fit: 'fill', src };
      const template = { name: 'icon', width: SIDE, height: SIDE, background: '#ffffff', layers: [layer] };
      const { png } = await draw({ template, modifications: {} });
      const [a, b] = await Promise.all(
        [theirs, png].map((file) => sharp(file).flatten().removeAlpha().raw().toBuffer()),
      );
      // A pixel differs where the shape is another one, not where its edge is smoothed otherwise.
      let wrong = 0;
      for (let at = 0; at < (a?.length ?? 0); at += 3)
        if ([0, 1, 2].some((c) => Math.abs((a?.[at + c] ?? 0) - (b?.[at + c] ?? 0)) > 96)) wrong += 1;
      if (wrong > 12) different.push(`${name} with style ${i % STYLES.length}: ${wrong} px`);
    }
  } finally {
    await browser.close();
  }
  expect(different).toEqual([]);
}, 300_000);
