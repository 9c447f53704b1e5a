// Tests that SVG files that take too long to draw, or too much memory, cost only their own process.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { drawSvg, readSvgImage } from '#draw/images/svg-image.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import { colorAt, svg } from './pictures.ts';

const SIZE = 'width="40" height="20"';
const WHOLE = { x: 0, y: 0, width: 40, height: 20 };
const RED = svg(SIZE, '<rect width="40" height="20" fill="red"/>');
const BUSY = svg(
  'width="400" height="300"',
  `<filter id="f">${'<feGaussianBlur stdDeviation="500"/><feMorphology operator="dilate" radius="200"/>'.repeat(50)}</filter>${'<rect width="400" height="300" filter="url(#f)"/>'.repeat(20)}`,
);

const draw = async (file: Buffer) => drawSvg((await readSvgImage(file)).bytes, WHOLE, { width: 40, height: 20 });
const reason = (work: Promise<unknown>) =>
  work.then(
    () => 'drawn',
    (error: unknown) => (error instanceof AppError ? error.message : error),
  );
test('a file that takes too long is stopped, while others are drawn as ever', async () => {
  const started = performance.now();
  const stopped = reason(readSvgImage(BUSY));
  const others: number[] = [];
  for (let i = 0; i < 20; i += 1) {
    const from = performance.now();
    expect(colorAt(await draw(RED), 20, 10)).toBe('255,0,0,255');
    others.push(performance.now() - from);
  }
  // On a machine with other work it may be late because of that, four times as late at most.
  expect(await stopped).toMatch(/^The SVG file takes too long to decode\.$|^The server is busy; /);
  expect(performance.now() - started).toBeLessThan(25_000);
  // The first one may have to wait until a process has started.
  expect(Math.max(...others.slice(1))).toBeLessThan(1_000);
}, 60_000);

test('many at once, some of which take too long', async () => {
  const reasons = await Promise.all([BUSY, RED, RED, BUSY, RED].map((file) => reason(readSvgImage(file))));
  expect(reasons.map((each) => (each === 'drawn' ? 1 : 0))).toEqual([0, 1, 1, 0, 1]);
}, 30_000);

test.skipIf(process.platform !== 'linux')(
  'a file that takes too much memory is stopped',
  async () => {
    const masks = Array.from(
      { length: 60 },
      (_, i) =>
        `<mask id="m${i}"><rect width="5000" height="5000" fill="#fff" ${i > 0 ? `mask="url(#m${i - 1})"` : ''}/></mask>`,
    );
    const file = svg(
      'width="5000" height="5000"',
      `${masks.join('')}<rect width="5000" height="5000" mask="url(#m59)"/>`,
    );
    const { bytes, width, height } = await readSvgImage(file);
    const before = process.memoryUsage.rss();
    const large = drawSvg(bytes, { x: 0, y: 0, width, height }, { width, height });
    expect(await reason(large)).toBe('The SVG file takes more memory to draw than it may.');
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20);
    expect(colorAt(await draw(RED), 20, 10)).toBe('255,0,0,255');
  },
  20_000,
);

test('text is set in the fonts that are given, and in no others', async () => {
  const text = (family: string) => svg(SIZE, `<text y="15" font-size="12" font-family="${family}">Words</text>`);
  setSvgFonts([], new Map());
  const [none, system] = await Promise.all(['Nonsense', 'DejaVu Sans'].map((family) => draw(text(family))));
  const library = await openFontLibrary({ folders: [] });
  setSvgFonts(library.folders, library.generic);
  const [inter, sans, mono] = await Promise.all(
    ['Inter', 'sans-serif', 'monospace'].map((family) => draw(text(family))),
  );
  expect(inter?.data).toEqual(sans?.data);
  expect(inter?.data).not.toEqual(mono?.data);
  expect(inter?.data).not.toEqual(none?.data);
  expect(system?.data).toEqual(none?.data);
});

test.skipIf(process.platform !== 'linux')('the process knows nothing of the server', async () => {
  await draw(RED);
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim().split(' ');
  const drawers = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('svg-worker'));
  expect(drawers.length).toBeGreaterThan(0);
  for (const pid of drawers) {
    const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .map((entry) => entry.split('=')[0]);
    expect(
      names.filter(
        (name) => !['FONTCONFIG_FILE', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', ''].includes(name ?? ''),
      ),
    ).toEqual([]);
  }
});
