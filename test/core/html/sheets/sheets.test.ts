// Compares the sheets of html with those that Chromium printed, which are recorded: their sizes, and where each word is.
//
// CLAUSES=all or sheets prints each difference.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { poppler } from '../../../golden/poppler.ts';
import { hasFont } from '../../text/faces.ts';
import { pdfOf } from '../pdf-of.ts';
import { DIFFERENT } from './different.ts';
import { FIXTURES } from './fixtures.ts';
import { wordsOnSheets } from './words-on-sheets.ts';

const recorded: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
);
const isWanted = /\b(?:all|sheets)\b/.test(process.env.CLAUSES ?? '');
const different = new Set(Object.values(DIFFERENT).flat());
const isThere = await pdfOf('').then(
  () => true,
  ({ message }: Error) => message !== 'not there yet',
);

interface Sheet {
  readonly size: readonly number[];
  readonly words: readonly { readonly text: string; readonly x: number; readonly y: number }[];
}

function read(sheet: string): Sheet {
  const [size = '', rest = ''] = sheet.split(': ');
  const words = [...rest.matchAll(/(\S+) (-?[\d.]+) (-?[\d.]+)(?:, |$)/g)].map(([, text = '', x, y]) => ({
    text,
    x: Number(x),
    y: Number(y),
  }));
  return { size: size.split('x').map(Number), words };
}

/** Whether each is within a pixel, and a word within one and a half below or above: the boxes of words come from the font. */
function isAlike(ours: Sheet, wanted: Sheet): boolean {
  return (
    ours.size.every((side, index) => Math.abs(side - (wanted.size[index] ?? 0)) <= 1) &&
    ours.words.length === wanted.words.length &&
    wanted.words.every(({ text, x, y }) =>
      ours.words.some((word) => word.text === text && Math.abs(word.x - x) <= 1 && Math.abs(word.y - y) <= 1.5),
    )
  );
}

const lines: string[] = [];
let alike = 0;

for (const [name, html] of Object.entries(FIXTURES)) {
  test.skipIf(!poppler || !hasFont('inter') || !isThere)(name, async () => {
    const wanted = recorded[name] ?? [];
    const ours = await pdfOf(html).then(wordsOnSheets, (error: unknown) => [`${error}`]);
    const isSame =
      ours.length === wanted.length && ours.every((sheet, index) => isAlike(read(sheet), read(wanted[index] ?? '')));
    if (isSame) alike++;
    else lines.push(`\n${name}\n  ${html}\n  ${ours.join('\n  ')}\nand in Chromium\n  ${wanted.join('\n  ')}`);
    if (different.has(name)) expect(isSame, 'It is alike: take it from the list.').toBe(false);
    else if (!isSame) expect(ours).toEqual(wanted);
  });
}

/** No browser has these: CSS GCPM 3, 1.1 and 2.1. */
const NOT_IN_BROWSERS = `<!doctype html><style>@page{size:300px 140px;margin:30px 20px 20px;
@top-left{content:string(chapter);font:9px Inter}@top-center{content:string(chapter,start);font:9px Inter}
@top-right{content:string(chapter,last) "/" string(chapter,first-except);font:9px Inter}}
html{font:16px/20px Inter}body,p,h1{margin:0;font-size:16px}h1{string-set:chapter attr(id) content()}
a::after{content:" p" target-counter(attr(href),page)}</style>
<p><a href="#c">see</a><p>x<h1 id=b>Bee</h1><p>x<p>x<h1 id=c>Cee</h1><h1 id=d>Dee</h1><p>x<p>x<p>x<p>x<p>x`;

test.skipIf(!poppler || !hasFont('inter') || !isThere)('named strings, and the page that a link is to', async () => {
  const sheets = await pdfOf(NOT_IN_BROWSERS).then(wordsOnSheets);
  const words = sheets.map((sheet) =>
    read(sheet)
      .words.map(({ text }) => text)
      .filter((text) => !/^x$/.test(text)),
  );
  expect(words).toEqual([
    ['bBee', 'bBee/', 'see', 'p2', 'Bee'],
    ['cCee', 'bBee', 'dDee/', 'Cee', 'Dee'],
    ['dDee', 'dDee', 'dDee/dDee'],
  ]);
});

test('every fixture is recorded, and every one that differs is a fixture', () => {
  expect(Object.keys(recorded)).toEqual(Object.keys(FIXTURES));
  expect([...different].filter((name) => !(name in FIXTURES))).toEqual([]);
});

afterAll(() => {
  if (isWanted) console.log([...lines, `\nsheets ${alike} of ${Object.keys(FIXTURES).length}`].join('\n'));
});
