// Compares the position of every character code in the file, computed from its operators and widths, with that in the
// run.

import { expect, test } from 'vitest';
import type { GlyphRun } from '#core/text/glyph-run.ts';
import { clustersOf } from '#draw/output/pdf/glyph-text.ts';
import { objects, operators, page, solid, streams } from './page.ts';
import { ARABIC, DEVANAGARI, HEBREW, INTER, NOTO, type RunOptions, shape, THAI } from './shaping.ts';

const FACES = [INTER, NOTO, ARABIC, HEBREW, DEVANAGARI, THAI];

interface Shown {
  readonly x: number;
  readonly text: string;
}

/** The codes of a page with one run at x = 100, each with its offset from there, px, and its text by ToUnicode. */
async function shown(run: GlyphRun): Promise<readonly Shown[]> {
  const pdf = await page([{ kind: 'glyphs', run, origin: { x: 100, y: 50 }, brush: solid(0, 0, 0), outline: null }], {
    faces: FACES,
  });
  const file = objects(pdf);
  const widths = (/\/W \[0 \[([^\]]*)\]/.exec(file)?.[1] ?? '').split(' ').map(Number);
  const map = new Map<number, string>();
  const cmap = streams(pdf).find(({ text }) => text.startsWith('/CIDInit'))?.text ?? '';
  for (const [, from = '', texts = ''] of cmap.matchAll(/^<(\w{4})> <\w{4}> \[(.*)\]$/gm)) {
    for (const [step, text] of (texts.match(/\w+/g) ?? []).entries()) {
      const units = (text.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16));
      map.set(Number.parseInt(from, 16) + step, String.fromCharCode(...units));
    }
  }
  const content = operators(pdf).join('');
  const [, start = ''] = / -1 (\S+) 50 Tm\n/.exec(content) ?? [];
  const [, operand = ''] = /Tm\n\[?(.*?)\]? TJ?j?\nET/.exec(content) ?? [];
  const list: Shown[] = [];
  let x = Number(start) - 100;
  for (const token of operand.split(' ')) {
    if (!token.startsWith('<')) x -= (Number(token) * run.fontSize) / 1000;
    else {
      for (const hex of token.slice(1, -1).match(/.{4}/g) ?? []) {
        const code = Number.parseInt(hex, 16);
        list.push({ x, text: map.get(code) ?? '' });
        x += ((widths[code] ?? 0) * run.fontSize) / 1000;
      }
    }
  }
  return list;
}

function letters(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

type Case = readonly [name: string, run: GlyphRun];
const run = (name: string, face: typeof INTER, size: number, text: string, options?: RunOptions): Case => [
  name,
  shape(face, size, text, options),
];
/** Latin, Greek and Cyrillic letters in ranges without combining ones. */
const MANY = [...letters(0xc0, 0x17e), ...letters(0x391, 0x3a1), ...letters(0x400, 0x481)];
const CASES: readonly Case[] = [
  run('kerning', INTER, 72, 'AVATAR To. Wave LT'),
  run('an odd size', INTER, 13.37, 'office — “quotes”, a rather long line to add errors up along'),
  run('letter spacing', INTER, 40, 'S P A C E D', { letterSpacing: 7.3 }),
  run('combining marks', NOTO, 30, 'e\u0301 a\u0308\u0323 Z\u0351\u036b'),
  run('Arabic with vowel signs', ARABIC, 30, 'لا إله مُحَمَّدٌ'),
  run('Hebrew with points', HEBREW, 30, 'שָׁלוֹם עוֹלָם'),
  run('Devanagari', DEVANAGARI, 30, 'हिन्दी र्कि श्री'),
  run('Thai', THAI, 30, 'ที่นี่ ก้ำ'),
  run('more letters than a range of codes holds', NOTO, 10, String.fromCharCode(...MANY)),
];

test.each(CASES)('every cluster stands where the run has it: %s', async (_name, run) => {
  const codes = await shown(run);
  for (const { glyphs } of clustersOf(run)) {
    const x = (glyphs.find((glyph) => glyph.advance !== 0) ?? glyphs[0])?.x ?? 0;
    const nearest = Math.min(...codes.map((code) => Math.abs(code.x - x)));
    expect(nearest).toBeLessThan(0.01);
  }
});

test.each(CASES)('the codes of a line spell its text: %s', async (_name, run) => {
  const codes = await shown(run);
  const text = (run.direction === 'rtl' ? codes.toReversed() : codes).map((code) => code.text).join('');
  expect(text.replace(/\u200f$/, '')).toBe(run.text);
});

test('a glyph that shows two characters has two codes', async () => {
  const codes = await shown(shape(INTER, 20, 'a b\u00a0c'));
  expect(codes.map((code) => code.text)).toEqual(['a', ' ', 'b', '\u00a0', 'c']);
});

test('a control character is a space to whoever copies it', async () => {
  const codes = await shown(shape(INTER, 20, 'a\nb'));
  expect(codes.map((code) => code.text).join('')).toBe('a b');
});

test('a synthesised oblique is a shear of the text matrix', async () => {
  const run = shape(INTER, 20, 'Ab', { slant: 0.2 });
  const pdf = await page([{ kind: 'glyphs', run, origin: { x: 5, y: 50 }, brush: solid(0, 0, 0), outline: null }]);
  expect(operators(pdf).join('')).toContain('1 0 0.2 -1 5 50 Tm');
});
