// Tests joined PDFs as readers see them.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { joinPdfs } from '#output/pdf/join-pdfs.ts';
import { ask, has, page, solid } from './page.ts';
import { samplePage } from './sample-page.ts';
import { INTER, shape } from './shaping.ts';

const words = (text: string): PaintOp => ({
  kind: 'glyphs',
  run: shape(INTER, 24, text),
  origin: { x: 20, y: 40 },
  brush: solid(0, 0, 0),
  outline: null,
});

const pages = async () => [
  await page([words('The first')], { width: 300, height: 60, properties: { title: 'A title with 1 0 R in it' } }),
  await samplePage(),
  await page([words('The last')], { width: 200, height: 100 }),
];

const whole = async (files: readonly Uint8Array[]) =>
  buffer(Readable.from(joinPdfs(files.map((bytes) => async () => bytes))));
const joined = async () => whole(await pages());

test.skipIf(!has('qpdf'))('qpdf finds nothing wrong', async () => {
  expect(ask('qpdf', await joined(), ['--check'])).toContain('No syntax or stream encoding errors found');
});

test.skipIf(!has('pdftotext'))('each page keeps its size, its words and its fonts', async () => {
  const bytes = await joined();
  const sizes = ask('pdfinfo', bytes, ['-f', '1', '-l', '9']).match(/Page +\d size: +[\d.]+ x [\d.]+/g);
  expect(sizes?.[0]).toMatch(/225 x 45$/);
  expect(sizes?.[2]).toMatch(/150 x 75$/);
  const texts = ask('pdftotext', bytes, [], ['-']).split('\f');
  const [, middle = ''] = await pages();
  expect(texts.slice(0, -1).map((text) => text.trim())).toEqual([
    'The first',
    ask('pdftotext', middle as Uint8Array, [], ['-'])
      .replace('\f', '')
      .trim(),
    'The last',
  ]);
});

test.skipIf(!has('pdftoppm'))('a page is painted as it was alone', async () => {
  const [, alone] = await pages();
  const paint = (bytes: Uint8Array, number: number) =>
    ask('pdftoppm', bytes, ['-r', '40', '-f', String(number), '-l', String(number)]);
  expect(paint(await joined(), 2)).toBe(paint(alone as Uint8Array, 1));
});

test('a file of somebody else is refused', async () => {
  const other = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\nxref\n0 1\n0000000000 65535 f \nstartxref\n9\n%%EOF');
  await expect(whole([other])).rejects.toThrow(/not written by Platen/);
});
