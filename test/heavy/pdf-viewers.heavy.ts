// Compares every fixture's and sample's PDF with its PNG in five viewers, block by block, and its text by three
// extractors.
//
// The remaining differences are listed in known-differences.ts with the viewer at fault. Each entry about pixels is
// verified: two other viewers agree with the PNG, or the same viewer does if it, or both, draw with finer pixels. PAGES=text/
// tests some.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { CASES, FIXTURES, ROOT } from '../golden/cases.ts';
import { decodePicture, type Picture } from '../golden/picture.ts';
import { canDraw, draw, type Renderable } from '../golden/render-case.ts';
import { sampled } from '../sampled.ts';
import { CHROMIUM } from '../server/chromium/chromium.ts';
import { farthestBlock } from './pdf-viewers/block-distance.ts';
import { commandLineExtractors, commandLineViewers } from './pdf-viewers/command-line.ts';
import { linesOf } from './pdf-viewers/expected-lines.ts';
import { type Found, judgeText } from './pdf-viewers/judge-text.ts';
import { KNOWN_PIXELS, KNOWN_TEXT } from './pdf-viewers/known-differences.ts';
import { openPdfium } from './pdf-viewers/pdfium.ts';
import { openPdfjs } from './pdf-viewers/pdfjs.ts';
import type { Viewer } from './pdf-viewers/viewer.ts';

/** The greatest mean distance of a block's pixels, of 255, at which it counts as equal. */
const FAR = 16;
/** Pixels per px in each direction for a viewer's second chance. */
const FINE = 4;
const VIEWERS = ['poppler', 'MuPDF', 'Ghostscript', 'PDFium', 'pdf.js'];

const pdfjs = CHROMIUM ? await openPdfjs(CHROMIUM.path) : null;
const viewers: readonly Viewer[] = [...commandLineViewers(), await openPdfium(), ...(pdfjs ? [pdfjs] : [])];
const extractors = [...commandLineExtractors(), ...(pdfjs ? [pdfjs] : [])];
afterAll(async () => {
  await Promise.all(viewers.map((viewer) => viewer[Symbol.asyncDispose]()));
});

interface Page extends Renderable {
  readonly name: string;
  readonly folder: string;
}

const samples = join(ROOT, 'samples');
const all: readonly Page[] = [
  ...globSync('*.json', { cwd: samples })
    .sort()
    .map((file) => ({
      name: `samples/${file.slice(0, -'.json'.length)}`,
      folder: samples,
      template: JSON.parse(readFileSync(join(samples, file), 'utf8')),
      modifications: {},
    })),
  // A page with a bleed is larger than its picture; each viewer shows inks, and bars of less than a px, in its own way.
  ...CASES.filter(({ name }) => !['pdf/bleed', 'pdf/inks', 'table/cell-codes'].includes(name)).map((found) => ({
    ...found,
    folder: FIXTURES,
  })),
].filter((page) => canDraw(page) && new RegExp(process.env.PAGES ?? '').test(page.name));
const pages = process.env.PAGES === undefined ? sampled(all) : all;

test('every viewer is there', () => expect(viewers.map(({ name }) => name)).toEqual(VIEWERS));

test('every page looks like its PNG in every viewer', async () => {
  const far: string[] = [];
  const close = new Map(VIEWERS.map((name) => [name, 0]));
  for (const page of pages) {
    const { png, pdf, list, resources } = await draw(page, page.folder);
    const expected = await decodePicture(png);
    const distances = await Promise.all(
      viewers.map(async (viewer) => ({ viewer, ...farthestBlock(expected, await viewer.draw(pdf, expected)) })),
    );
    for (const { viewer, distance, x, y } of distances) {
      if (distance <= FAR) {
        close.set(viewer.name, (close.get(viewer.name) ?? 0) + 1);
        continue;
      }
      const what = `${page.name}: ${viewer.name} is ${distance.toFixed(1)} off at ${x}, ${y}`;
      if (KNOWN_PIXELS[page.name]?.[viewer.name] === undefined) far.push(what);
      else if (distances.filter((other) => other.distance <= FAR).length < 2) {
        const fine = await viewer.draw(pdf, expected, FINE);
        if (farthestBlock(expected, averaged(fine, FINE)).distance <= FAR) continue;
        // Our edges are on quarters of a pixel, which matters where a letter is all thin lines, so both are drawn
        // finer.
        const finePng = await exportAs('png', [list], resources, { ...DEFAULT_EXPORT, scale: FINE });
        const finer = farthestBlock(await decodePicture(finePng), fine);
        if (finer.distance > FAR) far.push(`${what}, and so with finer pixels (${finer.distance.toFixed(1)})`);
      }
    }
  }
  console.log(
    `of ${pages.length} pages agree with their PNG: ${[...close].map((entry) => entry.join(' ')).join(', ')}`,
  );
  expect(far).toEqual([]);
}, 600_000);

test('every page gives its text in order to every extractor', async () => {
  const wrong: string[] = [];
  const right = new Map(extractors.map(({ name }) => [name, 0]));
  let count = 0;
  for (const page of pages) {
    if ((page.template as { engine?: string }).engine === 'html') continue;
    const lines = await linesOf(page, page.folder);
    if (lines.every((line) => line.trim() === '')) continue;
    count += 1;
    const { pdf } = await draw(page, page.folder);
    for (const extractor of extractors) {
      const found: Found = judgeText(lines, await extractor.text(pdf), extractor.name);
      const known = KNOWN_TEXT[page.name]?.[extractor.name];
      if (found === 'right') right.set(extractor.name, (right.get(extractor.name) ?? 0) + 1);
      else if (known?.[0] !== found) wrong.push(`${page.name}: ${extractor.name}: ${found}`);
    }
  }
  console.log(`of ${count} texts come out right: ${[...right].map((entry) => entry.join(' ')).join(', ')}`);
  expect(wrong).toEqual([]);
}, 600_000);

/** Downscales: each pixel is the mean of `times` × `times`. */
function averaged({ width, height, pixels }: Picture, times: number): Picture {
  const [w, h] = [Math.round(width / times), Math.round(height / times)];
  const result = new Uint8Array(w * h * 4);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      for (let c = 0; c < 4; c++) {
        let sum = 0;
        for (let v = 0; v < times; v++) {
          for (let u = 0; u < times; u++) {
            const [px, py] = [Math.min(width - 1, x * times + u), Math.min(height - 1, y * times + v)];
            sum += pixels[4 * (py * width + px) + c] ?? 255;
          }
        }
        result[4 * (y * w + x) + c] = Math.round(sum / times ** 2);
      }
    }
  }
  return { width: w, height: h, pixels: result };
}
