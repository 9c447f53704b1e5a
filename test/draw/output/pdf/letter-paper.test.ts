// Tests pages of PDF files as pictures: files of other programs, and hostile ones.

import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { PdfFile, pageSize } from '#draw/images/pdf-file.ts';
import { ask, has, pages, pixel, render, streams } from './page.ts';

/** A file of another program, of two pages: words in its own font, and a rectangle. */
async function letterhead(): Promise<Uint8Array> {
  const document = new PDFDocument({ size: [200, 100], margin: 0 });
  document.fontSize(20).text('First sheet', 10, 10);
  document.rect(0, 90, 200, 10).fill('#336699');
  document.addPage({ size: [200, 100], margin: 0 });
  document.rect(150, 0, 50, 50).fill('#cc3300');
  document.end();
  return Buffer.concat(await document.toArray());
}

const picture = (key: string, bytes: Uint8Array, page: number): ImageResource => ({
  ...{ key, bytes, page, format: 'pdf', width: 266.67, height: 133.33, hasAlpha: true, focus: null },
});
const shown = (image: string): PaintOp => ({
  kind: 'image',
  image,
  source: { x: 0, y: 0, width: 266.67, height: 133.33 },
  dest: { x: 0, y: 0, width: 266.67, height: 133.33 },
});
const CANVAS = { width: 266.67, height: 133.33 };

test.skipIf(!has('pdftotext'))(
  'pages of a letterhead keep their words and vectors, and are in the file once',
  async () => {
    const file = await letterhead();
    const images = [picture('one', file, 1), picture('two', file, 2)];
    const lists = ['one', 'two', 'two'].map((name) => ({ ...CANVAS, ops: [shown(name)] }));
    const pdf = await pages(lists, { images });
    expect(ask('pdftotext', pdf, [], ['-']).trim()).toBe('First sheet');
    expect(ask('pdffonts', pdf, []).trim().split('\n').slice(2)).toHaveLength(1);
    expect(ask('qpdf', pdf, ['--check'])).toContain('No syntax or stream encoding errors found');
    expect(
      Buffer.from(pdf)
        .toString('latin1')
        .match(/\/Subtype \/Form\n/g),
    ).toHaveLength(2);
    const first = await render(pdf);
    expect([pixel(first, 100, 126), pixel(first, 100, 100)]).toEqual(['51,102,153', '255,255,255']);
  },
);

test('what marks a page as parts of a structure is left out, and what says its text stays', async () => {
  const content = [
    ...[
      'q',
      '/Artifact <</Type /Pagination /BBox [0 0 9 9]>> BDC',
      '1 0 0 rg',
      'EMC',
      '/Artifact BMC',
      '(EMC (BT) \\) EMC) pop',
    ],
    ...['/P <</MCID 0>> BDC', '/Span <</ActualText (a)>> BDC', '0 0 9 9 re f', 'EMC', 'EMC', 'EMC'],
    ...['BI /W 1 /H 1 /BPC 8 /CS /G ID \u0001 EMC EI', '/Named /Properties BDC', '[(BMC) 3] 0 d', 'EMC', 'Q'],
  ].join('\n');
  const stream = `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
  const pdf = await pages([{ ...CANVAS, ops: [shown('one')] }], {
    images: [picture('one', fileWith({ content: stream }), 1)],
  });
  const form = streams(pdf).find(({ dictionary }) => dictionary.includes('/BBox'))?.text ?? '';
  expect(form.split(/\s*\n\s*/)).toEqual([
    ...['q', '1 0 0 rg', '(EMC (BT) \\) EMC) pop', '/Span <</ActualText (a)>> BDC', '0 0 9 9 re f', 'EMC'],
    ...['BI /W 1 /H 1 /BPC 8 /CS /G ID \u0001 EMC EI', '[(BMC) 3] 0 d', 'Q'],
  ]);
});

/** A file of one page without content, with other entries in places. */
function fileWith({ page = '', root = '', trailer = '', content = '' } = {}): Buffer {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${root} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 60] /Contents 4 0 R ${page} >>`,
    content || '<< /Length 0 >>\nstream\n\nendstream',
  ];
  let text = '%PDF-1.4\n';
  const rows = objects.map((object, i) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size 5 /Root 1 0 R ${trailer} >>\n`;
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}

const opened = async (bytes: Uint8Array, page = 1): Promise<string> => {
  const file = await PdfFile.open(bytes);
  const size = pageSize(await file.page(page));
  return `${size.width} × ${size.height}`;
};
const sentence = (bytes: Uint8Array, page = 1) => opened(bytes, page).catch((error: Error) => error.message);

test('a page is as large as readers show it', async () => {
  expect(await opened(fileWith())).toBe('120 × 80');
  expect(await opened(fileWith({ page: '/Rotate 90' }))).toBe('80 × 120');
  expect(await opened(fileWith({ page: '/CropBox [10 10 70 40]' }))).toBe('80 × 40');
});

test.each<[string, Uint8Array, string]>([
  [
    'encrypted',
    fileWith({ trailer: '/Encrypt << /Filter /Standard >>' }),
    'The PDF file is encrypted; save it without a password.',
  ],
  [
    'hidden layers',
    fileWith({ root: '/OCProperties << /OCGs [] /D << /OFF [4 0 R] >> >>' }),
    'The PDF file has hidden layers; save it without them.',
  ],
  [
    'cut off',
    fileWith().subarray(0, 300),
    'The PDF file is damaged: it has no end; save it anew with another program.',
  ],
  [
    'lists in lists in lists',
    fileWith({ page: `/A ${'['.repeat(5_000)}` }),
    'The PDF file is damaged: its objects are nested too deeply; save it anew with another program.',
  ],
  [
    'pages within themselves',
    Buffer.from(fileWith().toString('latin1').replace('/Kids [3 0 R]', '/Kids [2 0 R]'), 'latin1'),
    'The PDF file is damaged: its pages cannot be read; save it anew with another program.',
  ],
  [
    'a reference to itself',
    Buffer.from(fileWith().toString('latin1').replace('/MediaBox [0 0 90 60]', '/MediaBox 3 0 R      '), 'latin1'),
    'The PDF file is damaged: a page has no size; save it anew with another program.',
  ],
])('refused: %s', async (_, bytes, expected) => {
  expect(await sentence(bytes)).toBe(expected);
});

test('a page that there is not is named', async () => {
  expect(await sentence(fileWith(), 2)).toBe('The PDF file has 1 page, and no page 2.');
});

test('streams that would inflate to more than memory are refused', async () => {
  const bomb = deflateSync(Buffer.alloc(33 * 1024 * 1024), { level: 1 });
  const content = `<< /Length ${bomb.length} /Filter /FlateDecode >>\nstream\n${bomb.toString('latin1')}\nendstream`;
  const file = await PdfFile.open(fileWith({ content }));
  await expect(file.decoded(await file.object(4))).rejects.toThrow('a stream cannot be inflated, or is too large');
});
