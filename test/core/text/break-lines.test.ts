// Tests that the work of breaking lines grows with the text, whatever stands in it.

import { expect, test } from 'vitest';
import type { CharacterStyle } from '#core/resolve/scene.ts';
import { type BrokenLine, breakLines } from '#core/text/break-lines.ts';
import { type PreparedText, prepareText } from '#core/text/lay-out-text.ts';
import { fontSet, query, style, textNode } from './faces.ts';

const LENGTH = 8_000;
const MONO = { font: query('mono'), letterSpacing: -9.6 };
const SMALL = { fontSize: 1 };
const ARABIC = { font: query('arabic') };

type Spans = readonly (readonly [text: string, style?: Partial<CharacterStyle>])[];

/** The arrays that breaking reads at every step, with a count of the reads. */
function counted(text: PreparedText): { text: PreparedText; reads: () => number } {
  let reads = 0;
  const count = <T extends object>(array: T): T =>
    new Proxy(array, {
      get(target, key) {
        reads += 1;
        return Reflect.get(target, key, target);
      },
    });
  const { breaks, clusters, edges, safe } = text;
  return {
    text: { ...text, breaks: count(breaks), clusters: count(clusters), edges: count(edges), safe: count(safe) },
    reads: () => reads,
  };
}

function prepared(spans: Spans): PreparedText {
  const styled = spans.map(([text, more]) => ({ text, style: style(more), link: null, counter: null, image: null }));
  return prepareText(textNode(styled), fontSet(...styled.map((span) => span.style)));
}

function linesOf(text: PreparedText, width: number): BrokenLine[] {
  const lines: BrokenLine[] = [];
  breakLines(text, width, Infinity, 0, (line) => lines.push(line) > 0);
  return lines;
}

test.each<[string, number, Spans]>([
  ['soft hyphens without room for a hyphen', 1, [[`${'\u00ad'.repeat(LENGTH)}W`]]],
  ['soft hyphens with little room', 4, [[`${'\u00ad'.repeat(LENGTH)}W`]]],
  ['soft hyphens between joined letters', 4, [[`ب${'\u00ad'.repeat(LENGTH)}ب`, ARABIC]]],
  ['a negative spacing as wide as the letters', 5, [['0'.repeat(LENGTH), MONO]]],
  ['a negative spacing before what has no width', 5, [[`0${'\u200b'.repeat(LENGTH)}0`, MONO]]],
  [
    'a wide spacing elsewhere',
    1,
    [
      ['a ', { ...SMALL, letterSpacing: 1_000 }],
      ['i '.repeat(LENGTH / 2), SMALL],
    ],
  ],
])('%s', (_, width, spans) => {
  const { text, reads } = counted(prepared(spans));
  const lines = linesOf(text, width);
  expect(reads()).toBeLessThan(60 * LENGTH);
  expect(lines.map(({ start }) => start)).toEqual([0, ...lines.slice(0, -1).map(({ end }) => end)]);
  expect(lines.at(-1)?.end).toBe(text.text.length);
});

test('a hundred soft hyphens are broken one by one', () => {
  const lines = linesOf(prepared([[`${'\u00ad'.repeat(100)}W`]]), 1);
  expect(lines.map(({ end }) => end)).toEqual(Array.from({ length: 101 }, (_, i) => i + 1));
});

test('a line is broken where it is full, not where a wider spacing elsewhere would have room', () => {
  const words = 'one two three four five six seven';
  const alone = linesOf(prepared([[words]]), 60);
  const beside = linesOf(prepared([['wide\n', { letterSpacing: 1_000 }], [words]]), 60).filter(
    ({ start }) => start >= 5,
  );
  expect(beside.map(({ start, end }) => [start - 5, end - 5])).toEqual(alone.map(({ start, end }) => [start, end]));
});
