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

test('every fixture is recorded, and every one that differs is a fixture', () => {
  expect(Object.keys(recorded)).toEqual(Object.keys(FIXTURES));
  expect([...different].filter((name) => !(name in FIXTURES))).toEqual([]);
});

afterAll(() => {
  if (isWanted) console.log([...lines, `\nsheets ${alike} of ${Object.keys(FIXTURES).length}`].join('\n'));
});
