// A page with every kind of content, for tests of whole files. Run as a program, it prints the file's digest.

import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { fill, group, page, rect, rgb, solid } from './page.ts';
import { ARABIC, INTER, INTER_BOLD, shape } from './shaping.ts';

const SUNSET = {
  kind: 'linear',
  from: { x: 0, y: 0 },
  to: { x: 400, y: 0 },
  stops: [
    { offset: 0, color: rgb(255, 120, 0) },
    { offset: 1, color: rgb(120, 0, 200, 0.5) },
  ],
} as const;
const WHEEL = {
  kind: 'conic',
  centre: { x: 350, y: 250 },
  angle: 0,
  stops: [
    { offset: 0, color: rgb(255, 0, 0) },
    { offset: 1, color: rgb(0, 0, 255) },
  ],
} as const;

const OPS: readonly PaintOp[] = [
  fill(rect(0, 0, 400, 300), solid(250, 248, 240)),
  fill(rect(20, 20, 360, 40), SUNSET),
  {
    kind: 'glyphs',
    run: shape(INTER_BOLD, 24, 'Annual report'),
    origin: { x: 20, y: 100 },
    brush: solid(0, 0, 0),
    outline: null,
  },
  { kind: 'glyphs', run: shape(ARABIC, 24, 'السلام عليكم'), origin: { x: 20, y: 140 }, brush: SUNSET, outline: null },
  { kind: 'glyphs', run: shape(INTER, 16, 'unseen'), origin: { x: 20, y: 170 }, brush: null, outline: null },
  {
    kind: 'image',
    image: 'dots',
    source: { x: 0, y: 0, width: 8, height: 8 },
    dest: { x: 20, y: 200, width: 80, height: 80 },
  },
  group([fill(rect(120, 200, 60, 60), solid(255, 0, 0)), fill(rect(150, 220, 60, 60), solid(0, 0, 255))], {
    opacity: 0.5,
    blend: 'multiply',
  }),
  fill(rect(300, 200, 100, 100), WHEEL),
  { kind: 'link', rect: { x: 20, y: 80, width: 200, height: 30 }, href: 'https://example.com/report' },
];

export async function samplePage(): Promise<Uint8Array> {
  const dots = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#08f8' } })
    .composite([{ input: { create: { width: 3, height: 3, channels: 4, background: '#f00' } } }])
    .png()
    .toBuffer();
  const image: ImageResource = {
    key: 'dots',
    width: 8,
    height: 8,
    format: 'png',
    bytes: dots,
    hasAlpha: true,
    focus: null,
  };
  const faces = [INTER, INTER_BOLD, ARABIC];
  return await page(OPS, { width: 400, height: 300, faces, images: [image], properties: { title: 'Sample' } });
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

if (import.meta.main) console.log(digest(await samplePage()));
