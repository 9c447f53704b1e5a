// Compares random SVG pages with Chromium, as PNG and as PDF: words and shapes with the CSS and the attributes that real
// files have. Every fourth of 60; with WHOLE=1 all 60 of the day, of SEED.
// ONLY=7 shows one, LOOK=DIR keeps the pictures. What differs must be known by its cause.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fontPath } from '../core/text/faces.ts';
import { draw } from '../golden/render-case.ts';
import { IS_WHOLE, SEED, sampled } from '../sampled.ts';
import { seeded } from '../seeded.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const SIDE = 200;
type Random = (below: number) => number;
const one = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;

const COLORS = [
  'var(--a)',
  'var(--none, #178a4c)',
  'oklch(62.8% .2577 29.23)',
  'lab(50% 40 59.5)',
  'color-mix(in srgb, red 40%, blue)',
  'rgb(20 80 200 / 60%)',
  'hsl(200deg 80% 40%)',
  'currentColor',
  'hwb(120 10% 20%)',
];

/** One way to say something, of each kind of word that a page may have. */
const PARTS: readonly ((random: Random, color: () => string) => string)[] = [
  (random, color) =>
    `<rect class="a" x="${random(60)}" y="${random(60)}" width="${40 + random(60)}" height="40" rx="${random(9)}" fill="${color()}" stroke="${color()}" stroke-width="${1 + random(6)}"/>`,
  (random, color) =>
    `<g style="transform-box:fill-box;transform-origin:center;rotate:${random(90)}deg;scale:.8"><rect x="60" y="40" width="70" height="50" fill="${color()}"/></g>`,
  (random, color) =>
    `<rect x="110" y="110" width="50" height="30" fill="${color()}" style="transform-box:fill-box;transform-origin:${one(random, ['0 0', '50% 50%', '100% 0'])};transform:rotate(${random(60)}deg) skewX(10deg)"/>`,
  (random, color) =>
    `<g style="filter:${one(random, ['grayscale(1)', 'sepia(.8)', 'hue-rotate(90deg) saturate(1.5)', 'invert(1)', 'brightness(1.4) contrast(.8)', 'opacity(.5)'])}"><circle cx="60" cy="130" r="35" fill="${color()}"/></g>`,
  (_, color) =>
    `<g transform="scale(6 2)"><path d="M4 60h16v20" fill="none" stroke="${color()}" stroke-width="3" vector-effect="non-scaling-stroke"/></g>`,
  (_, color) =>
    `<marker id="m" markerWidth="4" markerHeight="4" refX="2" refY="2" orient="auto-start-reverse"><rect width="4" height="4" fill="context-fill" stroke="context-stroke"/></marker><path d="M20 180L90 150L160 180" fill="${color()}" stroke="${color()}" stroke-width="4" marker-start="url(#m)" marker-end="url(#m)"/>`,
  (random) =>
    `<g class="list">${[0, 1, 2, 3].map((i) => `<rect x="${20 + i * 40}" y="${20 + random(20)}" width="30" height="20"/>`).join('')}</g>`,
  (random, color) =>
    `<text x="${20 + random(20)}" y="${40 + random(120)}" font-family="Inter" font-size="${16 + random(14)}" fill="${color()}">Words ${random(100)}</text>`,
  (random, color) =>
    `<text x="20" y="${90 + random(60)}" font-family="Inter" font-size="20" textLength="${120 + random(40)}"${one(random, ['', ' lengthAdjust="spacingAndGlyphs"'])} fill="${color()}">Stretched</text>`,
  (random, color) =>
    `<text x="180" y="${60 + random(100)}" font-family="Noto Sans Hebrew" font-size="22" direction="rtl" fill="${color()}">שלום עולם</text>`,
  (random, color) =>
    `<linearGradient id="g" gradientTransform="rotate(${random(60)})"><stop stop-color="${color()}"/><stop offset="1" stop-color="${color()}"/></linearGradient><rect x="20" y="20" width="160" height="${30 + random(60)}" fill="url(#g)"/>`,
  (random, color) =>
    `<clipPath id="c"><circle cx="100" cy="100" r="${30 + random(40)}"/></clipPath><g clip-path="url(#c)"><rect width="200" height="200" fill="${color()}"/></g>`,
  (random, color) =>
    `<svg x="100" y="20" width="80" height="60" viewBox="0 0 40 40" preserveAspectRatio="${one(random, ['xMidYMid meet', 'xMinYMin slice', 'none'])}"><circle cx="20" cy="20" r="18" fill="${color()}"/></svg>`,
  (_, color) =>
    `<symbol id="s" viewBox="0 0 10 10"><path d="M0 0h10L5 10z" fill="${color()}"/></symbol><use href="#s" x="120" y="120" width="50" height="40"/>`,
  (random, color) =>
    `<path d="M30 100q40 -60 80 0t70 0" fill="none" stroke="${color()}" stroke-width="5" stroke-dasharray="${8 + random(9)} 6" stroke-linecap="${one(random, ['round', 'butt', 'square'])}" pathLength="${one(random, ['100', '200'])}"/>`,
  (_, color) =>
    `<mask id="k"><rect width="200" height="200" fill="#fff"/><circle cx="100" cy="100" r="40" fill="#000"/></mask><rect x="30" y="60" width="140" height="80" fill="${color()}" mask="url(#k)"/>`,
  (random, color) =>
    `<switch><foreignObject requiredExtensions="x"><p>no</p></foreignObject><rect x="${random(80)}" y="150" width="60" height="30" fill="${color()}"/></switch>`,
];

/** What style sheets of real files say, in which an XML file escapes its signs. */
const SHEETS = [
  ':root{--a:#d1401b}',
  ':root{--a:#1b4fd1;color:#178a4c}@media screen{.a{opacity:.7}}',
  ':root{--a:oklch(70% .15 200)}@supports (fill:oklch(0 0 0)){.list rect{fill:oklch(50% .2 300)}}',
  ':root{--a:teal}.list{& > rect:nth-child(2n){fill:red}& > :not(:first-child){stroke:#000}}',
  ':root{--a:#d1401b}@media print{rect{fill:none}}.list > rect:last-child{fill:var(--a)}',
  ':root{--a:#555}@media (min-width:100px){.list rect{fill:color-mix(in srgb, var(--a), white)}}rect.a:is(.a,.b){fill:var(--a)!important}',
];

function pageOf(seed: number): string {
  const random = seeded(seed * 7_919 + 1);
  for (let i = 0; i < 3; i += 1) random(2);
  const color = () => one(random, COLORS);
  const parts = Array.from({ length: 2 + random(3) }, () => random(PARTS.length));
  const body = [...new Set(parts)].map((part) => PARTS[part]?.(random, color)).join('');
  const sheet = one(random, SHEETS).replaceAll('&', '&amp;').replaceAll('>', '&gt;');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}" color="#7a3"><style>${sheet}</style>${body}</svg>`;
}

/** The fonts, which Chromium reads in the file alone; ours are known by their names. */
const FONTS = [
  ['Inter', 'inter'],
  ['Noto Sans Hebrew', 'hebrew'],
] as const;
const FACES = FONTS.map(
  ([family, face]) =>
    `@font-face{font-family:"${family}";src:url(data:font/ttf;base64,${readFileSync(fontPath(face)).toString('base64')})}`,
).join('');

/** Why a page may differ, and what it has then. */
const CAUSES: readonly (readonly [cause: string, holds: RegExp])[] = [
  [
    'A stroke that does not scale, under a transform that stretches, is warned of: the widths of a stroke are one number.',
    /scale\(6 2\)/,
  ],
  [
    'Chromium mixes the colours of a gradient in Oklab where one of them is oklch(), lab() or color-mix(); SVG 2 says sRGB.',
    /<stop (offset="1" )?stop-color="(oklch|lab|color-mix|var)/,
  ],
  [
    'Of dashes that end just where their path does, Chromium shows the beginning of one more.',
    /stroke-dasharray="14 6"[^>]*pathLength/,
  ],
];

const only = process.env.ONLY ? [Number(process.env.ONLY)] : null;
const first = IS_WHOLE ? 60 * SEED : 0;
const all = Array.from({ length: 60 }, (_, i) => first + i + 1);
const seeds = sampled(all, 4);

/** Pixels whose shape or colour is another one, not those whose edge is smoothed otherwise. */
async function wrongPixels(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [p, q] = await Promise.all(
    [a, b].map((file) => sharp(file).resize(SIDE, SIDE).flatten({ background: '#fff' }).removeAlpha().raw().toBuffer()),
  );
  const differs = (at: number) => [0, 1, 2].some((c) => Math.abs((p?.[at + c] ?? 0) - (q?.[at + c] ?? 0)) > 40);
  let wrong = 0;
  // Both neighbours differ, too: edges are one pixel wide.
  for (let y = 1; y < SIDE - 1; y += 1) {
    for (let x = 1; x < SIDE - 1; x += 1) {
      const at = 3 * (y * SIDE + x);
      if ([0, 3, -3, 3 * SIDE, -3 * SIDE].every((by) => differs(at + by))) wrong += 1;
    }
  }
  return wrong;
}

test('pages look as in Chromium, as PNG and as PDF', async () => {
  if (!CHROMIUM) throw new Error('There is no Chromium. Set CHROMIUM_PATH.');
  await using folder = await temporaryFolder();
  const look = process.env.LOOK;
  if (look) mkdirSync(look, { recursive: true });
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM.path,
    headless: 'shell',
    args: ['--no-sandbox', '--font-render-hinting=none'],
    pipe: true,
  });
  const different: Record<number, string> = {};
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: SIDE, height: SIDE });
    for (const seed of only ?? seeds) {
      const svg = pageOf(seed);
      const address = (file: string) => `data:image/svg+xml;base64,${Buffer.from(file).toString('base64')}`;
      const src = address(svg);
      const shown = address(svg.replace('<style>', `<style>${FACES}`));
      await page.setContent(`<body style="margin:0;background:#fff"><img width=${SIDE} height=${SIDE} src="${shown}">`);
      const theirs = await page.screenshot();
      const layer = { name: 'a', type: 'image', x: 0, y: 0, width: SIDE, height: SIDE, fit: 'fill', src };
      const template = { name: 'page', width: SIDE, height: SIDE, background: '#ffffff', layers: [layer] };
      const { png, pdf } = await draw({ template, modifications: {} });
      const file = join(folder.path, `${seed}`);
      writeFileSync(`${file}.pdf`, pdf);
      execFileSync('pdftoppm', ['-scale-to', `${4 * SIDE}`, '-png', '-singlefile', `${file}.pdf`, file]);
      const printed = await sharp(`${file}.png`).png().toBuffer();
      const [asPng, asPdf] = [await wrongPixels(theirs, png), await wrongPixels(theirs, printed)];
      // Letters are a little heavier or lighter than Chromium's, on some of their edges.
      const most = svg.includes('<text') ? 45 : 15;
      if ((asPng > most || asPdf > most) && (only || !CAUSES.some(([, holds]) => holds.test(svg))))
        different[seed] = `${asPng} px as PNG, ${asPdf} px as PDF`;
      if (look) {
        for (const [name, bytes] of Object.entries({ chromium: theirs, ours: png, pdf: printed }))
          writeFileSync(join(look, `${seed}-${name}.png`), bytes);
        writeFileSync(join(look, `${seed}.svg`), svg);
      }
    }
  } finally {
    await browser.close();
  }
  expect(different).toEqual({});
}, 300_000);
