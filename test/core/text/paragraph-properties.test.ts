// Property tests on thousands of generated paragraphs: what holds for every text.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import { graphemeBoundaries } from '#core/text/graphemes.ts';
import { layOutText, prepareText } from '#core/text/lay-out-text.ts';
import { fontSet, query, style, textNode } from './faces.ts';

const font = query('inter', 'arabic', 'hebrew', 'devanagari', 'thai', 'japanese', 'emoji');
const base = style({ font });
const fonts = fontSet(base);

/** Words of many scripts, line breaks, spaces, marks, control characters and lone surrogates. */
const PIECES = [
  'a',
  'The',
  'office',
  'AVATAR',
  'Donaudampfschifffahrt',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\t',
  '\u00a0',
  '\u200b',
  '\u00ad',
  'سلام',
  'لا',
  'مُحَمَّد',
  'שלום',
  'नमस्ते',
  'क्षत्रिय',
  'ภาษาไทย',
  '日本語',
  'カタカナ',
  '。',
  '「',
  '」',
  '😀',
  '👨‍👩‍👧‍👦',
  '🇫🇷',
  '👍🏽',
  '1️⃣',
  '❤️',
  '\u0301',
  '\u200d',
  '\ufe0f',
  '(',
  ')',
  '123',
  '-',
  '/',
  ',',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2067',
  '\u2069',
  '\u0007',
  '\ud83d',
  '\ude00',
  '\u{10380}',
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
);
const look = fc.record({
  fontSize: fc.double({ min: 1, max: 200, noNaN: true }),
  letterSpacing: fc.constantFrom(0, 0, 0, 2, -1, 40),
  wordSpacing: fc.constantFrom(0, 0, 5, -3),
  textTransform: fc.constantFrom('none', 'none', 'uppercase', 'capitalize'),
} as const);
const node = fc
  .record({
    spans: fc.array(fc.tuple(text, look), { minLength: 1, maxLength: 4 }),
    align: fc.constantFrom('start', 'end', 'left', 'right', 'center', 'justify'),
    direction: fc.constantFrom('auto', 'auto', 'ltr', 'rtl'),
    maxLines: fc.constantFrom(null, null, 1, 3),
    overflow: fc.constantFrom('visible', 'clip', 'ellipsis'),
    autoFitMin: fc.constantFrom(null, null, 4),
  } as const)
  .map(
    ({ spans, ...rest }): TextNode =>
      textNode(
        spans.map(([content, own]) => ({
          text: content,
          style: { ...base, ...own },
          link: null,
          counter: null,
          image: null,
        })),
        rest,
      ),
  );
const side = fc.oneof(fc.constant(null), fc.double({ min: 0, max: 600, noNaN: true }));

function always(check: (made: TextNode, width: number | null, height: number | null) => void): void {
  fc.assert(fc.property(node, side, side, check), { seed: 20_261_121, numRuns: 1_500 });
}

test('a paragraph is plain data, with finite numbers', () =>
  always((made, width, height) => {
    const paragraph = layOutText(prepareText(made, fonts), width, height);
    expect(JSON.parse(JSON.stringify(paragraph))).toEqual(paragraph);
    expect(paragraph.lines.length).toBeGreaterThan(0);
  }));

test('every character stands on exactly one line', () =>
  always((made, width) => {
    const whole = { ...made, maxLines: null, overflow: 'visible' } as const;
    const prepared = prepareText(whole, fonts);
    const { lines } = layOutText(prepared, width, null);
    expect(lines[0]?.start).toBe(0);
    expect(lines.at(-1)?.end).toBe(prepared.text.length);
    for (const [i, line] of lines.entries()) if (i > 0) expect(line.start).toBe(lines[i - 1]?.end);
    const boundaries = new Set(graphemeBoundaries(prepared.text));
    for (const line of lines) expect(boundaries.has(line.end)).toBe(true);
  }));

test('runs lie side by side, and their advances add up to the width of the line', () =>
  always((made, width, height) => {
    for (const line of layOutText(prepareText(made, fonts), width, height).lines) {
      let pen = line.box.x;
      for (const { run, x } of line.runs) {
        expect(x).toBeCloseTo(pen, 4);
        expect(run.glyphs.reduce((sum, { advance }) => sum + advance, 0)).toBeCloseTo(run.width, 4);
        pen += run.width;
      }
      expect(pen - line.box.x).toBeCloseTo(line.box.width, 4);
    }
  }));

test('no line is wider than its box, unless it is a single cluster', () =>
  always((made, width, height) => {
    if (width === null || made.spans.some((span) => span.style.letterSpacing < 0 || span.style.wordSpacing < 0)) return;
    const prepared = prepareText(made, fonts);
    const boundaries = graphemeBoundaries(prepared.text);
    for (const line of layOutText(prepared, width, height).lines) {
      if (line.box.width <= width + 0.02 || line.ellipsized) continue;
      const shown = prepared.text.slice(line.start, line.end).trimEnd();
      const clusters = boundaries.filter((at) => at > line.start && at < line.start + shown.length);
      expect(clusters, JSON.stringify(shown)).toEqual([]);
    }
  }));

test('clusters of a run point into its text, and lines into the whole', () =>
  always((made, width, height) => {
    const prepared = prepareText(made, fonts);
    for (const line of layOutText(prepared, width, height).lines) {
      for (const { run } of line.runs) {
        for (const { cluster } of run.glyphs) {
          expect(cluster).toBeGreaterThanOrEqual(0);
          expect(cluster).toBeLessThan(run.text.length);
        }
      }
      const drawn = line.runs.map(({ run }) => run.text.length).reduce((sum, length) => sum + length, 0);
      expect(drawn).toBeLessThanOrEqual(line.end - line.start + 3);
    }
  }));

test('equal input gives equal output', () =>
  always((made, width, height) => {
    const once = () => JSON.stringify(layOutText(prepareText(made, fonts), width, height));
    expect(once()).toBe(once());
  }));

test('the width that a text asks for is enough for it', () =>
  always((made) => {
    if (made.spans.some((span) => span.style.letterSpacing < 0 || span.style.wordSpacing < 0)) return;
    const prepared = prepareText({ ...made, autoFitMin: null }, fonts);
    const natural = layOutText(prepared, null, null);
    const again = layOutText(prepared, Math.fround(natural.size.width), null);
    expect(again.lines.map(({ end }) => end)).toEqual(natural.lines.map(({ end }) => end));
  }));
