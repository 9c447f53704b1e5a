// Tests accepting goldens: a missing one fails, the run that accepts it fails as well, and the next run passes.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accept } from './accept.ts';
import type { Case } from './cases.ts';
import { acceptFinding, deadGoldens, judgePdfText, judgePicture, pdfText } from './goldens.ts';
import { lineDifference } from './line-difference.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-golden-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const square = (color: string) =>
  sharp({ create: { width: 12, height: 8, channels: 4, background: color } })
    .png()
    .toBuffer();

async function page(width: number): Promise<Uint8Array> {
  const document = new PDFDocument({ size: [60, 40], margin: 0 });
  document.rect(10, 10, width, 20).fill('#336699').end();
  return Buffer.concat(await document.toArray());
}

const CASE: Case = { name: 'shape/square', title: 'A square.', template: {}, written: {}, modifications: {} };

async function run(color: string, write: boolean): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const draw = async () => ({ png: await square(color), pdf: await page(30) });
  const code = await accept({ cases: [CASE], draw, write, folder, log: (line) => lines.push(line) });
  return { code, lines };
}

test('a missing golden fails and says what to do', async () => {
  const finding = await judgePicture('shape/square', await square('red'), folder);
  expect(finding?.message).toBe(
    'golden/shape/square.png is missing. Look at the picture, then run: npm run golden -- shape/square',
  );
});

test('the run that accepts fails once more, the next one passes', async () => {
  expect(await run('red', true)).toEqual({
    code: 1,
    lines: [
      'missing: wrote golden/shape/square.png',
      'missing: wrote golden/shape/square.pdf.txt',
      'This run fails on purpose: look at the 2 written, then run npm test.',
    ],
  });
  expect(readdirSync(join(folder, 'shape')).sort()).toEqual(['square.pdf.txt', 'square.png']);
  expect(await run('red', true)).toEqual({ code: 0, lines: ['1 case is as accepted.'] });
});

test('another picture fails until it is accepted', async () => {
  await run('red', true);
  const finding = await judgePicture('shape/square', await square('blue'), folder);
  expect(finding?.message).toBe('shape/square: 96 pixels differ. See golden/.out/shape/square.png');
  expect((await run('blue', true)).code).toBe(1);
  expect(await judgePicture('shape/square', await square('blue'), folder)).toBeNull();
});

test('a case that cannot be drawn fails', async () => {
  const draw = () => Promise.reject(new Error('no ink'));
  const lines: string[] = [];
  const code = await accept({ cases: [CASE], draw, write: true, folder, log: (line) => lines.push(line) });
  expect({ code, lines }).toEqual({ code: 1, lines: ['shape/square cannot be drawn: no ink'] });
});

test('a PDF that draws something else says where it differs', async () => {
  const finding = judgePdfText('shape/square', pdfText(await page(30)), folder);
  if (finding) await acceptFinding(finding, folder);
  expect(readFileSync(join(folder, 'shape/square.pdf.txt'), 'utf8')).toContain('10 10 30 20 re');
  expect(judgePdfText('shape/square', pdfText(await page(31)), folder)?.message).toMatch(
    /differs from line \d+: expected " *10 10 30 20 re", got " *10 10 31 20 re"/,
  );
});

test('without poppler the words are left out of the comparison', () => {
  const page = 'page [0 0 60 40]\n  n\n';
  const words = `words\n  page [of words]\n\n${page}`;
  const finding = judgePdfText('shape/square', words, folder);
  return acceptFinding(finding ?? expect.fail('nothing found'), folder).then(() => {
    expect(judgePdfText('shape/square', page, folder)).toBeNull();
    expect(judgePdfText('shape/square', words, folder)).toBeNull();
  });
});

test('a golden without a fixture is dead', () =>
  expect(deadGoldens(['text/gone.png', 'text/one-line.pdf.txt', 'text/one-line.png'])).toEqual(['text/gone.png']));

test('lines are kept, taken out and put in', () => {
  const show = (before: string, after: string) =>
    lineDifference(before, after).map(
      ({ kind, lines }) => `${{ kept: '=', removed: '-', added: '+' }[kind]}${lines.join('|')}`,
    );
  expect(show('a\nb\nc\nd', 'a\nx\nc\nd')).toEqual(['=a', '-b', '+x', '=c|d']);
  expect(show('a\nb', 'b\nc')).toEqual(['-a', '=b', '+c']);
  expect(show('same', 'same')).toEqual(['=same']);
});
