// Tests which sizes and languages of a template are drawn for a download, and what their files are called.

import { expect, test } from 'vitest';
import { curlSnippet, javascriptSnippet, pythonSnippet } from '../../src/studio/pages/use/snippets.ts';
import { fileNameOf } from '../../src/studio/shell/drawn-file.ts';
import { choiceOf, ownView, sidesOf, viewName, viewsOf, wantedViews } from '../../src/studio/shell/views.ts';
import { zipOf } from '../../src/studio/shell/zip.ts';
import { unzip } from '../unzip.ts';

const CAMPAIGN = {
  ...{ width: 1080, height: 1350, lang: 'en' },
  sizes: { story: { width: 1080, height: 1920 }, label: { width: '105mm', height: '2in' } },
  texts: { title: { de: 'Hallo', ar: 'مرحبا' } },
};
const views = viewsOf(CAMPAIGN);

test('a template has its own canvas first, then its sizes, in px, and its own language first', () => {
  expect(views).toEqual({
    sizes: [
      { name: 'default', width: 1080, height: 1350 },
      { name: 'story', width: 1080, height: 1920 },
      { name: 'label', width: 397, height: 192 },
    ],
    languages: ['en', 'de', 'ar'],
    pages: 1,
  });
  expect(viewsOf({ width: 10, height: 20, texts: CAMPAIGN.texts }).languages).toEqual([null, 'de', 'ar']);
  // A document has the sides of its page, which its summary says.
  expect(viewsOf({ page: { size: 'A4' } }, { width: 794, height: 1123 }).sizes).toEqual([
    { name: 'default', width: 794, height: 1123 },
  ]);
  expect(viewsOf({ width: 10, height: 20 })).toEqual({
    ...{ sizes: [{ name: 'default', width: 10, height: 20 }], languages: [null], pages: 1 },
  });
});

test('a request says what differs from the template’s own', () => {
  expect(choiceOf(views, ownView(views))).toEqual({});
  expect(choiceOf(views, { size: 'story', lang: 'de' })).toEqual({ size: 'story', lang: 'de' });
  expect(sidesOf(views, 'story')).toMatchObject({ height: 1920 });
  expect(sidesOf(views, 'gone')).toMatchObject({ height: 1350 });
});

const slide = { type: 'frame', height: '100%', breakBefore: 'page', children: [] };
const carousel = (...children: readonly object[]) => ({
  ...{ width: 1080, height: 1350, page: { size: [1080, 1350] } },
  layers: [{ type: 'frame', flow: true, children }],
});

test('pages made by hand are counted, as far as they are shown; of what flows nobody knows how many pages it takes', () => {
  expect(viewsOf(carousel(slide, slide, { ...slide, visible: false })).pages).toBe(2);
  expect(viewsOf(carousel(slide, { type: 'table' })).pages).toBe(1);
  expect(viewsOf(carousel({ ...slide, height: 600 })).pages).toBe(1);
  const { page: _, ...picture } = carousel(slide, slide);
  expect(viewsOf(picture).pages).toBe(1);
});

test('each page is a file of its own, and a request names it', () => {
  const paged = viewsOf(carousel(...Array.from({ length: 12 }, () => slide)));
  const wanted = (pages: boolean) => {
    const shown = { ...ownView(paged), page: 3 };
    return wantedViews(paged, shown, { sizes: false, languages: false, pages });
  };
  expect(wanted(false).map((view) => choiceOf(paged, view))).toEqual([{ page: 3 }]);
  expect(choiceOf(paged, ownView(paged))).toEqual({});
  const names = wanted(true).map((view) => fileNameOf('Tips', 'png', 1, viewName(paged, view)));
  expect(names.length).toBe(12);
  expect([names[0], names[11]]).toEqual(['Tips - 01.png', 'Tips - 12.png']);
  expect(fileNameOf('Tips', 'pdf', 1, viewName(paged, ownView(paged)))).toBe('Tips.pdf');
});

test('this one, all sizes, all languages, or all of both: each file has a name of its own', () => {
  const names = (sizes: boolean, languages: boolean) =>
    wantedViews(views, { size: 'story', lang: 'de' }, { sizes, languages }).map((view) =>
      fileNameOf('Autumn: sale', 'png', 2, viewName(views, view)),
    );
  expect(names(false, false)).toEqual(['Autumn- sale - story 1080x1920 - de@2x.png']);
  expect(names(true, false)).toEqual([
    'Autumn- sale - 1080x1350 - de@2x.png',
    'Autumn- sale - story 1080x1920 - de@2x.png',
    'Autumn- sale - label 397x192 - de@2x.png',
  ]);
  expect(names(false, true)).toEqual([
    'Autumn- sale - story 1080x1920 - en@2x.png',
    'Autumn- sale - story 1080x1920 - de@2x.png',
    'Autumn- sale - story 1080x1920 - ar@2x.png',
  ]);
  expect(new Set(names(true, true)).size).toBe(9);
  // However long the template's name is.
  const long = wantedViews(views, ownView(views), { sizes: true, languages: true });
  expect(new Set(long.map((view) => fileNameOf('x'.repeat(200), 'png', 1, viewName(views, view)))).size).toBe(9);
  // A template of one size in one language is called as ever.
  const plain = viewsOf({ width: 10, height: 20 });
  expect(fileNameOf('Card', 'pdf', 1, viewName(plain, ownView(plain)))).toBe('Card.pdf');
});

test('the zip is one that other programs read', async () => {
  const files = [
    { name: 'Größe - ar.txt', blob: new Blob(['مرحبا']) },
    { name: 'empty', blob: new Blob([]) },
    { name: 'large.bin', blob: new Blob([new Uint8Array(100_000).map((_, at) => at % 251)]) },
  ];
  const read = unzip(Buffer.from(await (await zipOf(files)).arrayBuffer()));
  expect([...read.keys()]).toEqual(files.map(({ name }) => name));
  for (const { name, blob } of files) expect(read.get(name)).toEqual(Buffer.from(await blob.arrayBuffer()));
});

test('programs are given the size, the language and the brand', () => {
  const request = { address: 'https://x.test', template: 'tpl_1', modifications: {}, output: 'png' };
  const chosen = { ...request, size: 'story', lang: 'de' };
  expect(curlSnippet(chosen)).toContain('"output": "png",\n  "size": "story",\n  "lang": "de"\n}');
  expect(javascriptSnippet(chosen)).toContain("  output: 'png',\n  size: 'story',\n  lang: 'de',\n});");
  expect(pythonSnippet({ ...request, brand: 'acme' })).toContain('output="png", brand="acme")');
  expect(pythonSnippet(request)).toContain('output="png")');
});
