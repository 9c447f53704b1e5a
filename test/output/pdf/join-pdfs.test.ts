// Tests joined PDFs as readers see them.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { joinPdfs } from '#output/pdf/join-pdfs.ts';
import { ask, has, page, pages as pdf, solid } from './page.ts';
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
  buffer(
    Readable.from(joinPdfs(files.map((bytes, index) => ({ title: `Row ${index + 1}`, read: async () => bytes })))),
  );
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

const greetings = () =>
  Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      page([words(`Certificate number ${index} of the year`), words(`Ada ${'xyzwvuABCDE'.slice(0, index % 11)}`)], {
        width: 300,
        height: 60,
      }),
    ),
  );

test.skipIf(!has('qpdf') || !has('pdffonts'))('a font is in the file once, with the letters of every row', async () => {
  const files = await greetings();
  const bytes = await whole(files);
  expect(ask('qpdf', bytes, ['--check'])).toContain('No syntax or stream encoding errors found');
  const fonts = ask('pdffonts', bytes, []).trim().split('\n').slice(2);
  expect(fonts).toHaveLength(1);
  const texts = ask('pdftotext', bytes, ['-raw'], ['-']).split('\f').slice(0, -1);
  const alone = files.map((file) => ask('pdftotext', file, ['-raw'], ['-']).split('\f')[0]);
  expect(texts).toEqual(alone);
  const all = files.reduce((sum, file) => sum + file.length, 0);
  expect(bytes.length).toBeLessThan(all / 4);
});

test.skipIf(!has('pdftoppm'))('letters are painted as they were alone, whatever code they got', async () => {
  const files = await greetings();
  const paint = (bytes: Uint8Array, number: number) =>
    ask('pdftoppm', bytes, ['-r', '72', '-f', String(number), '-l', String(number)]);
  const bytes = await whole(files);
  for (const number of [1, 8, 30]) expect(paint(bytes, number)).toBe(paint(files[number - 1] as Uint8Array, 1));
});

test.skipIf(!has('qpdf'))(
  'each file is an entry of the outline, with its headings below, and a picture is there once',
  async () => {
    const sample = await samplePage();
    const list = {
      width: 300,
      height: 60,
      ops: [words('Chapter')],
      headings: [{ level: 1, text: 'Über uns', top: 10 }],
    };
    const bytes = await whole([sample, await pdf([list, list]), sample]);
    const { outlines } = JSON.parse(ask('qpdf', bytes, ['--json=1', '--json-key=outlines'])) as {
      outlines: { title: string; destpageposfrom1: number; kids: { title: string; destpageposfrom1: number }[] }[];
    };
    expect(outlines.map(({ title, destpageposfrom1 }) => [title, destpageposfrom1])).toEqual([
      ['Row 1', 1],
      ['Row 2', 2],
      ['Row 3', 4],
    ]);
    expect(outlines[1]?.kids.map(({ title, destpageposfrom1 }) => [title, destpageposfrom1])).toEqual([
      ['Über uns', 2],
      ['Über uns', 3],
    ]);
    // The second copy of the page adds little more than its own object.
    const once = await whole([sample, await pdf([list, list])]);
    expect(bytes.length - once.length).toBeLessThan(400);
  },
);
