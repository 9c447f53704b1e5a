// Tests files of several pages: sizes, what pages share and what they do not, the page tree, and when pages are asked
// for.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import type { ImageResource } from '#core/resources.ts';
import { type Dictionary, PdfReference } from '#draw/output/pdf/object.ts';
import { PageTree } from '#draw/output/pdf/page-tree.ts';
import { render } from '../../../../src/index.ts';
import { ask, fill, has, objects, pages, rect, solid, streams } from './page.ts';
import { INTER, shape } from './shaping.ts';

const SIZE = { width: 200, height: 100 };

function text(words: string): PaintOp {
  const run = shape(INTER, 16, words);
  return { kind: 'glyphs', run, origin: { x: 20, y: 50 }, brush: solid(0, 0, 0), outline: null };
}

const link = (href: string): PaintOp => ({ kind: 'link', rect: { x: 20, y: 30, width: 100, height: 20 }, href });
const show = (x: number): PaintOp => ({
  kind: 'image',
  image: 'dots',
  source: { x: 0, y: 0, width: 8, height: 8 },
  dest: { x, y: 10, width: 40, height: 40 },
});

const DOTS: ImageResource = {
  key: 'dots',
  width: 8,
  height: 8,
  format: 'png',
  bytes: await sharp({ create: { width: 8, height: 8, channels: 3, background: '#08f' } })
    .png()
    .toBuffer(),
  hasAlpha: false,
  focus: null,
};

test('each page has its own size, and links in its own coordinates', async () => {
  const small = { ...SIZE, ops: [link('https://example.com/one')] };
  const tall = { width: 400, height: 800, ops: [link('https://example.com/two')] };
  const file = objects(await pages([small, tall]));
  expect(file.match(/\/MediaBox \[.*\]/g)).toEqual(['/MediaBox [0 0 150 75]', '/MediaBox [0 0 300 600]']);
  expect(file.match(/\/Rect \[.*\]/g)).toEqual(['/Rect [15 37.5 90 52.5]', '/Rect [15 562.5 90 577.5]']);
  expect(file.match(/\/Annots \[\d+ 0 R\]/g)).toHaveLength(2);
});

test('pages share fonts, pictures and graphics states', async () => {
  const faint = fill(rect(0, 0, 10, 10), solid(0, 0, 0, 0.5));
  const list = (words: string, x: number): DisplayList => ({ ...SIZE, ops: [faint, text(words), show(x)] });
  const pdf = await pages([list('north', 10), list('south', 60)], { images: [DOTS] });
  const dictionaries = streams(pdf).map(({ dictionary }) => dictionary);
  expect(dictionaries.filter((dictionary) => dictionary.includes('/Subtype /Image'))).toHaveLength(1);
  expect(objects(pdf).match(/\/FontDescriptor \d/g)).toHaveLength(1);
  expect(objects(pdf).match(/\/ca 0\.5/g)).toHaveLength(1);
});

test('an SVG on each page is in the file once, as a form', async () => {
  // Of 160 path commands: fewer than a hundred are written again.
  const triangles = Array.from({ length: 40 }, (_, i) => `M${i} 5h5v7z`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 20"><path d="${triangles}" fill="red"/></svg>`;
  const rows = Array.from({ length: 40 }, (_, i) => ({ words: `Row ${i}` }));
  const { bytes } = await render(
    {
      name: 'Letter',
      width: 300,
      height: 200,
      page: { size: ['80mm', '60mm'], margin: 20 },
      layers: [
        {
          name: 'logo',
          type: 'image',
          src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
          x: 10,
          y: 5,
          width: 30,
          height: 30,
        },
        {
          name: 'body',
          type: 'frame',
          flow: true,
          x: 20,
          y: 40,
          width: 260,
          layout: { direction: 'column' },
          children: [
            { name: 'rows', type: 'table', width: 200, columns: [{ width: 200 }], row: [{ name: 'words' }], rows },
          ],
        },
      ],
    },
    { output: 'pdf' },
  );
  expect(objects(bytes).match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(3);
  const forms = streams(bytes).filter(({ dictionary }) => dictionary.includes('/Subtype /Form'));
  expect(forms.map(({ text }) => text.match(/ m\b/g)?.length)).toEqual([40]);
});

test('the properties are those of the first page', async () => {
  const pdf = await pages([
    { ...SIZE, ops: [], document: { title: 'First' } },
    { ...SIZE, ops: [], document: { title: 'Second' } },
  ]);
  expect(objects(pdf).match(/\/Title .*/g)).toEqual(['/Title (First)']);
});

test('a page is asked for when the pictures of the one before are encoded', async () => {
  const order: string[] = [];
  function* lists(): Generator<DisplayList> {
    for (const x of [20, 30]) {
      order.push(`page at ${x}`);
      // Each width is another picture.
      yield { ...SIZE, ops: [{ ...show(0), dest: { x: 0, y: 0, width: x, height: x } } as PaintOp] };
    }
  }
  const crop = async (_image: ImageResource, _source: unknown, size: { width: number; height: number }) => {
    order.push(`picture of ${size.width} px`);
    return { ...size, channels: 3 as const, data: Buffer.alloc(size.width * size.height * 3) };
  };
  await pages(lists(), { images: [DOTS], tools: { crop } });
  expect(order).toEqual(['page at 20', 'picture of 20 px', 'page at 30', 'picture of 30 px']);
});

test('a failure between two pages ends the file', async () => {
  async function* lists(): AsyncGenerator<DisplayList> {
    yield { ...SIZE, ops: [text('one')] };
    throw new Error('no second page');
  }
  await expect(pages(lists())).rejects.toThrow('no second page');
  await expect(pages([])).rejects.toThrow('at least one page');
});

test('an abort between two pages is heard', async () => {
  const aborted = new AbortController();
  function* lists(): Generator<DisplayList> {
    for (let page = 1; ; page += 1) {
      if (page === 3) aborted.abort(new Error('enough'));
      yield { ...SIZE, ops: [text(`page ${page}`)] };
    }
  }
  await expect(pages(lists(), { signal: aborted.signal })).rejects.toThrow('enough');
});

test('no node of the page tree has more than 64 children, and each counts its pages', () => {
  const written = new Map<number, Dictionary>();
  let next = 0;
  const tree = new PageTree({
    reserve: () => new PdfReference(++next),
    write: ({ number }, data) => void written.set(number, data),
  });
  const PAGES = 64 * 64 + 1;
  for (let page = 0; page < PAGES; page += 1) tree.add(() => new PdfReference(++next));
  const root = tree.finish();

  let depth = 0;
  const count = ({ number }: PdfReference, parent: number | null, level: number): number => {
    const node = written.get(number);
    if (!node) return 1;
    depth = Math.max(depth, level);
    const kids = node.Kids as readonly PdfReference[];
    expect(kids.length).toBeLessThanOrEqual(64);
    expect((node.Parent as PdfReference | undefined)?.number ?? null).toBe(parent);
    const pagesBelow = kids.reduce((sum, kid) => sum + count(kid, number, level + 1), 0);
    expect(node.Count).toBe(pagesBelow);
    return pagesBelow;
  };
  expect(count(root, null, 1)).toBe(PAGES);
  expect(depth).toBe(3);
});

test.skipIf(!has('pdftotext') || !has('qpdf'))('other programs read 150 pages in order', async () => {
  const lists = Array.from({ length: 150 }, (_, i) => ({ ...SIZE, ops: [text(`page ${i + 1}`)] }));
  const pdf = await pages(lists);
  expect(ask('qpdf', pdf, ['--check'])).toContain('No syntax or stream encoding errors found');
  const found = ask('pdftotext', pdf, [], ['-'])
    .split('\f')
    .map((words) => words.trim());
  expect(found.slice(0, -1)).toEqual(lists.map((_, i) => `page ${i + 1}`));
});
