// Tests hostile image files, each read and scaled as by a render: the process survives, stays small, and answers in
// time.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { inspectImage } from '#draw/images/inspect.ts';
import { scaleToPixels } from '#draw/images/scale.ts';
import { claimingPng, manyFrames, noise, QUADRANTS_SVG, quadrants, svg } from '../draw/images/pictures.ts';

const MAX_TIME = 6_000;
const MAX_GROWTH = 256 * 1024 * 1024;

let peak = 0;
let base = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
beforeAll(async () => {
  // Loads the libraries first, so that their own memory is not counted.
  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const)
    await read(await quadrants().toFormat(format).toBuffer());
  await read(QUADRANTS_SVG);
  base = process.memoryUsage.rss();
  peak = 0;
});
afterAll(() => clearInterval(watch));

/** Returns what became of a file, and after how many ms. */
async function read(bytes: Buffer): Promise<{ outcome: string; ms: number }> {
  const started = performance.now();
  const outcome = await inspectImage(bytes)
    .then((image) =>
      scaleToPixels(
        { ...image },
        { x: 0, y: 0, width: image.width, height: image.height },
        { width: 400, height: 300 },
      ),
    )
    .then(
      () => 'drawn',
      (error: unknown) => (error instanceof AppError ? error.message : `UNEXPECTED ${String(error)}`),
    );
  return { outcome, ms: performance.now() - started };
}

const SIZE = 'width="400" height="300"';
const deep = (levels: number) => `${'<g>'.repeat(levels)}<rect/>${'</g>'.repeat(levels)}`;
const uses = Array.from({ length: 9 }, (_, level) => {
  const inner = level === 0 ? '<rect width="1" height="1"/>' : `<use href="#l${level - 1}"/>`.repeat(10);
  return `<g id="l${level}">${inner}</g>`;
}).join('');
const FILES: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'an SVG of 100000 × 100000': () => svg('width="100000" height="100000"', '<rect width="100%" height="100%"/>'),
  'an SVG of 16000 × 16000': () => svg('width="16000" height="16000"', '<rect width="100%" height="100%"/>'),
  'an SVG of 7000 × 7000': () => svg('width="7000" height="7000"', '<rect width="100%" height="100%"/>'),
  'a filter region of 20,100 %': () =>
    svg(
      SIZE,
      '<filter id="f" x="-10000%" y="-10000%" width="20100%" height="20100%"><feGaussianBlur stdDeviation="9999"/></filter><rect width="400" height="300" filter="url(#f)"/>',
    ),
  'a hundred blurs': () =>
    svg(
      SIZE,
      `<filter id="f">${'<feGaussianBlur stdDeviation="500"/><feMorphology operator="dilate" radius="200"/>'.repeat(50)}</filter>${'<rect width="400" height="300" filter="url(#f)"/>'.repeat(20)}`,
    ),
  turbulence: () =>
    svg(
      'width="5000" height="5000"',
      '<filter id="f"><feTurbulence baseFrequency="0.9" numOctaves="9999"/></filter><rect width="5000" height="5000" filter="url(#f)"/>',
    ),
  'an SVGZ bomb': () =>
    gzipSync(Buffer.concat([Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'), Buffer.alloc(100_000_000, 32)])),
  '900,000 rectangles': () => svg(SIZE, '<rect width="9" height="9"/>'.repeat(900_000)),
  '49,000 rectangles': () => svg(SIZE, '<rect width="9" height="9"/>'.repeat(34_000)),
  'nested uses, 10^9': () => svg(SIZE, `<defs>${uses}</defs><use href="#l8"/>`),
  'a billion laughs': () =>
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, i) => `<!ENTITY ${'bcdefghij'[i]} "${`&${'abcdefghi'[i]};`.repeat(10)}">`).join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>`,
    ),
  'an external entity': () =>
    Buffer.from(
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>',
    ),
  '20,000 levels deep': () => svg(SIZE, deep(20_000)),
  'a use of itself': () => svg(SIZE, '<g id="a"><use href="#a"/></g>'),
  'a pattern of itself': () =>
    svg(
      SIZE,
      '<pattern id="p" width="1" height="1"><rect width="9" height="9" fill="url(#p)"/></pattern><rect width="400" height="300" fill="url(#p)"/>',
    ),
  'a pattern of nothing': () =>
    svg(
      'width="7000" height="7000"',
      '<pattern id="p" width="0.0001" height="0.0001" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern><rect width="7000" height="7000" fill="url(#p)"/>',
    ),
  'a dash of nothing': () => svg(SIZE, '<path d="M0 0L1e7 1e7" stroke="#000" stroke-dasharray="0.00001"/>'),
  'long text': () => svg(SIZE, `<text>${'a'.repeat(500_000)}</text>`),
  'masks in masks': () =>
    svg(
      'width="5000" height="5000"',
      `${Array.from({ length: 60 }, (_, i) => `<mask id="m${i}"><rect width="5000" height="5000" fill="#fff" ${i ? `mask="url(#m${i - 1})"` : ''}/></mask>`).join('')}<rect width="5000" height="5000" mask="url(#m59)"/>`,
    ),
  'a PNG of 30000 × 30000': () => claimingPng(30_000, 30_000),
  'a PNG that says 100000 × 100000': () => claimingPng(100_000, 100_000),
  'a GIF of 5000 frames': () => manyFrames(5_000),
};
for (const [name, make] of Object.entries(FILES)) {
  test(name, async () => {
    const { outcome, ms } = await read(await make());
    expect(outcome).not.toMatch(/^UNEXPECTED/);
    expect(ms, outcome).toBeLessThan(MAX_TIME);
  });
}

test('200 mutated files', async () => {
  let state = 7;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const seeds = [
    ...(await Promise.all(
      (['png', 'jpeg', 'webp', 'gif', 'avif'] as const).map((format) => noise(200, 150).toFormat(format).toBuffer()),
    )),
    svg(
      SIZE,
      '<linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient><rect width="90" height="90" fill="url(#g)"/><text x="9" y="90">text</text><path d="M0 0h9v9z"/>',
    ),
  ];
  const slow: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    const file = Buffer.from(seeds[round % seeds.length] ?? []);
    for (let change = 0; change <= random(12); change += 1) file[random(file.length)] = random(256);
    const { outcome, ms } = await read(random(5) === 0 ? file.subarray(0, random(file.length)) : file);
    if (ms > MAX_TIME || outcome.startsWith('UNEXPECTED')) slow.push(`${round}: ${outcome}, ${Math.round(ms)} ms`);
  }
  expect(slow).toEqual([]);
});

test('all of them together cost less than 256 MB', () => {
  expect((peak - base) / 2 ** 20).toBeLessThan(MAX_GROWTH / 2 ** 20);
});
