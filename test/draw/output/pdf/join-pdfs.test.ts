// Tests joined PDFs as readers see them.

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { LabelSheet } from '#design/label-sheet.ts';
import { joinPdfs } from '#draw/output/pdf/join-pdfs.ts';
import { readPdf } from '#draw/output/pdf/read-pdf.ts';
import { ask, has, page, pages as pdf, pixel, render, solid } from './page.ts';
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

const whole = async (files: readonly Uint8Array[], sheet: LabelSheet | null = null) =>
  buffer(
    Readable.from(
      joinPdfs(
        files.map((bytes, index) => ({ title: `Row ${index + 1}`, read: async () => bytes })),
        sheet,
      ),
    ),
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

const label = (text: string) => page([words(text)], { width: 240, height: 120 });
const millimetres = (pt: number) => (pt * 25.4) / 72;

test.skipIf(!has('qpdf') || !has('pdftotext'))(
  'labels stand in the cells of sheets, from the start cell on',
  async () => {
    const files = await Promise.all(['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map(label));
    const sheet = { size: 'A4', landscape: false, columns: 2, rows: 3, gap: ['4mm', '2mm'], start: 4 } as const;
    const bytes = await whole(files, LabelSheet.parse(sheet));
    expect(ask('qpdf', bytes, ['--check'])).toContain('No syntax or stream encoding errors found');
    const texts = ask('pdftotext', bytes, ['-layout'], ['-']).split('\f').slice(0, -1);
    expect(texts.map((text) => text.split(/\s+/).filter(Boolean))).toEqual([
      ['One', 'Two', 'Three'],
      ['Four', 'Five', 'Six', 'Seven'],
    ]);
    // Cells are as large as a label, 63.5 × 31.75 mm, and in the middle of the sheet.
    const places = ask('pdftotext', bytes, ['-bbox'], ['-']).matchAll(
      /<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>(\w+)</g,
    );
    const at = Object.fromEntries([...places].map(([, x, y, word]) => [word, [Number(x), Number(y)] as const]));
    const [one = [0, 0], two = [0, 0], three = [0, 0], four = [0, 0]] = [at.One, at.Two, at.Three, at.Four];
    expect(millimetres(one[0] - three[0])).toBeCloseTo(0, 1);
    expect(millimetres(one[0] - two[0])).toBeCloseTo(63.5 + 4, 1);
    expect(millimetres(two[1] - one[1])).toBeCloseTo(31.75 + 2, 1);
    expect(millimetres(four[0])).toBeCloseTo((210 - 2 * 63.5 - 4) / 2 + (20 * 25.4) / 96, 0);
    expect(ask('pdffonts', bytes, []).trim().split('\n')).toHaveLength(3);
  },
);

test.skipIf(!has('pdftoppm'))('a label is made smaller where its cell is, and painted as it is alone', async () => {
  const file = await label('Quarter');
  const sheet = LabelSheet.parse({ size: [240, 120], columns: 2, rows: 2, margin: 0 });
  const [alone, onSheet] = [await render(file, 96), await render(await whole([file], sheet), 192)];
  let differing = 0;
  for (let y = 0; y < 120; y += 1) {
    for (let x = 0; x < 240; x += 1) if (pixel(alone, x, y) !== pixel(onSheet, x, y)) differing += 1;
  }
  expect(differing).toBeLessThan(20);
  expect(pixel(onSheet, 100, 38)).not.toBe(pixel(onSheet, 300, 38));
});

test('margins and gaps leave room for the cells of a sheet', () => {
  const problem = (more: object) => LabelSheet.safeParse({ size: 'A4', columns: 2, rows: 3, ...more }).error?.message;
  expect(problem({ gap: ['10mm', '150mm'] })).toContain('with these gaps no room is left for cells');
  expect(problem({ margin: '105mm' })).toContain('with these margins and gaps no room is left for cells');
  expect(problem({ gap: ['10mm', '140mm'], margin: '5mm' })).toBeUndefined();
});

test('a link goes along with its label', async () => {
  const linked: PaintOp = { kind: 'link', rect: { x: 20, y: 20, width: 40, height: 20 }, href: 'https://example.com/' };
  const file = await page([words('Here'), linked], { width: 240, height: 120 });
  const sheet = LabelSheet.parse({ size: [480, 120], columns: 2, rows: 1, margin: 0, start: 2 });
  const bytes = await whole([file], sheet);
  const { objects } = await readPdf(bytes);
  const [annotation] = [...objects.values()].filter(({ text }) => text.includes('/Subtype /Link'));
  expect(annotation?.text).toContain('/Rect [195 60 225 75]');
});

const jump = (page: number, top: number, y = 20): PaintOp => ({
  kind: 'link',
  rect: { x: 20, y, width: 40, height: 10 },
  href: `#page=${page}&view=FitH,${top}`,
});
/** A page of contents, which links to two places on the next page. */
const report = (ops: readonly PaintOp[] = []) =>
  pdf([
    { width: 240, height: 120, ops: [words('Contents'), jump(2, 8), jump(2, 80, 40)] },
    { width: 240, height: 120, ops, headings: [{ level: 1, text: 'Chapter', top: 80 }] },
  ]);
/** Where the links of a joined file lead, by the names of its destinations: page from 1, and points from its bottom. */
async function leads(bytes: Uint8Array): Promise<readonly string[]> {
  const { objects } = await readPdf(Buffer.from(bytes));
  const texts = [...objects.values()].map(({ text }) => text);
  const { pages } = JSON.parse(ask('qpdf', bytes, ['--json=1', '--json-key=pages'])) as { pages: { object: string }[] };
  const named = texts.flatMap((text) => [...text.matchAll(/\((\d+\.p\d+\.\d+)\) \[(\d+ 0 R) \/FitH ([\d.]+)\]/g)]);
  const places = new Map(
    named.map(([, name, page, top]) => [name, `${pages.findIndex(({ object }) => object === page) + 1}: ${top}`]),
  );
  return texts
    .filter((text) => text.includes('/Subtype /Link'))
    .map((text) => places.get(/\/Dest \((.+)\)/.exec(text)?.[1]) ?? 'nowhere');
}

test.skipIf(!has('qpdf'))('links to places stay in their part of the file', async () => {
  const bytes = await whole([await report(), await label('Between'), await report()]);
  expect(ask('qpdf', bytes, ['--check'])).toContain('No syntax or stream encoding errors found');
  expect(await leads(bytes)).toEqual(['2: 84', '2: 30', '5: 84', '5: 30']);
});

test.skipIf(!has('qpdf'))('on a sheet of labels, links and headings lead to the cell of their page', async () => {
  const sheet = LabelSheet.parse({ size: [240, 240], columns: 1, rows: 2, margin: 0 });
  const bytes = await whole([await report(), await report()], sheet);
  expect(ask('qpdf', bytes, ['--check'])).toContain('No syntax or stream encoding errors found');
  expect(await leads(bytes)).toEqual(['1: 84', '1: 30', '2: 84', '2: 30']);
  const { outlines } = JSON.parse(ask('qpdf', bytes, ['--json=1', '--json-key=outlines'])) as {
    outlines: { destpageposfrom1: number; kids: { title: string; dest: unknown[] }[] }[];
  };
  expect(outlines.map(({ destpageposfrom1, kids }) => [destpageposfrom1, kids[0]?.title, kids[0]?.dest[2]])).toEqual([
    [1, 'Chapter', 30],
    [2, 'Chapter', 30],
  ]);
});

test.skipIf(!has('qpdf') || !has('pdfinfo'))('a reader finds each of many destinations by its name', async () => {
  const file = await report();
  const bytes = await whole(Array.from({ length: 70 }, () => file));
  expect(ask('qpdf', bytes, ['--check'])).toContain('No syntax or stream encoding errors found');
  const names = [...ask('pdfinfo', bytes, ['-dests']).matchAll(/^ *(\d+) \[ FitH *(\d+) *\] "(.+)"/gm)];
  expect(names).toHaveLength(140);
  expect(names.at(-1)?.slice(1)).toEqual(['140', '30', '70.p2.80']);
});
