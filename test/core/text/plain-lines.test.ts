// Compares the fast path of cells with the general layout: both must give the same, or the fast one nothing.

import { expect, test } from 'vitest';
import type { TextNode } from '#core/resolve/scene.ts';
import { layOutText, longestWord, prepareText } from '#core/text/lay-out-text.ts';
import { PlainLines } from '#core/text/plain-lines.ts';
import { seeded } from '../../seeded.ts';
import { type FaceName, fontSet, hasFont, query, style, textNode } from './faces.ts';

const LETTERS = 'AVTo.,-1029%€$ xyfiÄéßŁ–“”…\u00a0\u0301אあ\t';
/** The same texts in each run. */
function* texts(count: number): Generator<string> {
  const next = seeded(17);
  for (let i = 0; i < count; i += 1) {
    // Half of them are of the plain letters alone.
    const most = i % 2 === 0 ? 28 : LETTERS.length;
    yield Array.from({ length: 1 + next(12) }, () => LETTERS[next(most)]).join('');
  }
}

test.each<[FaceName, Partial<TextNode>]>([
  ['inter', {}],
  ['inter', { align: 'end' }],
  ['serif', { align: 'center' }],
])('%s %j', (name, more) => {
  if (!hasFont(name)) return;
  const own = style({ font: query(name), fontSize: 13 });
  const fonts = fontSet(own);
  const node = (text: string) => ({
    ...textNode([{ text, style: own, link: null, counter: null, image: null }], { strut: own }),
    ...more,
  });
  const lines = new PlainLines(node(''), fonts);
  let [fast, told] = [0, 0];
  for (const text of texts(600)) {
    const width = text.length * 9;
    const plain = lines.layOut(text, width);
    const general = layOutText(prepareText(node(text), fonts), width, null);
    const height = lines.heightOf(text, width);
    if (height !== null) expect(height, text).toBe(general.size.height);
    const widths = lines.contentWidths(text, 0);
    if (widths) {
      told += 1;
      const prepared = prepareText(node(text), fonts);
      expect(rounded(widths), text).toEqual(
        rounded({ min: longestWord(prepared), max: layOutText(prepared, null, null).size.width }),
      );
    }
    if (!plain) continue;
    fast += 1;
    expect(rounded(plain), text).toEqual(rounded(general));
  }
  expect(fast).toBeGreaterThan(150);
  expect(told).toBeGreaterThan(60);
});

/** Sums of floats differ in their last digits. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? Math.round(each * 1e6) / 1e6 : each)));

test('a style that needs more than advances is left to the general layout', () => {
  if (!hasFont('inter')) return;
  const own = style({ font: query('inter'), letterSpacing: 2 });
  const node = textNode([{ text: '', style: own, link: null, counter: null, image: null }], { strut: own });
  expect(new PlainLines(node, fontSet(own)).layOut('plain', 500)).toBeNull();
});
