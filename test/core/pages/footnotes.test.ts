// Tests footnotes: their numbers, on which page they stand, and what has no room beside them.

import { expect, test } from 'vitest';
import { composePages } from '#core/compose.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { resources } from '../scene-nodes.ts';
import { fontSet, hasFont, query, style } from '../text/faces.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Lines are 20 px high, and those of notes 16. */
const words = (name: string, ...spans: (string | Properties)[]) => ({
  ...{ name, type: 'text', fontFamily: 'inter', fontSize: 10, lineHeight: 2, orphans: 1, widows: 1 },
  spans: spans.map((span) => (typeof span === 'string' ? { text: span } : span)),
});
const note = (footnote: unknown) => ({ footnote });

function sceneOf(flow: readonly Properties[], more: Properties = {}) {
  const layers = [{ name: 'flow', type: 'frame', flow: true, layout: {}, children: flow }];
  return resolve(parseTemplate({ name: 'T', page: { size: [200, 100] }, layers, ...more }), {});
}
const faces = () => ({
  ...resources(),
  fonts: fontSet(style({ font: query('inter') }), style({ font: { ...query('inter'), weight: 400 } })),
});

const flat = (ops: readonly PaintOp[]): readonly PaintOp[] =>
  ops.flatMap((op) => (op.kind === 'group' ? flat(op.ops) : [op]));

/** The words of each page from its top to its foot, line by line, with the baseline of the last. */
function pages(flow: readonly Properties[], more: Properties = {}) {
  const { lists, diagnostics } = composePages(sceneOf(flow, more), faces(), {});
  const shown = [...lists].map(({ ops }) => {
    const glyphs = flat(ops).flatMap((op) => (op.kind === 'glyphs' ? [op] : []));
    const text = glyphs.map(({ run }) => run.text).join('');
    return { text: text.replaceAll(/\s+/g, ' ').trim(), foot: Math.max(...glyphs.map(({ origin }) => origin.y)) };
  });
  return { shown, texts: shown.map(({ text }) => text), warnings: diagnostics.map(({ message }) => message) };
}

const inter = test.skipIf(!hasFont('inter'));

inter('marks are numbered through the document, and notes stand at the foot of the page of their mark', () => {
  const { texts, shown, warnings } = pages([
    words('one', 'First', note('of one'), ' and more', note('of two'), '.'),
    words('two', 'Second'),
    words('three', 'Third', note('of three')),
  ]);
  // 100 px: two lines, and 2 notes of 16 px with their line above. The third text has no room beside them.
  expect(texts).toEqual(['First1 and more2.Second1 of one2 of two', 'Third33 of three']);
  expect(warnings).toEqual([]);
  // Down to the margin, whether the page is full or not.
  expect(shown[0]?.foot).toBeGreaterThan(90);
  expect(shown[1]?.foot).toBe(shown[0]?.foot);
});

inter('without notes, pages are as they were', () => {
  const flow = [1, 2, 3, 4, 5, 6].map((i) => words(`w${i}`, `line ${i}`));
  expect(pages(flow).texts).toEqual(['line 1line 2line 3line 4line 5', 'line 6']);
});

inter('a line whose note has no room beside it goes to the next page with the note', () => {
  const flow = [1, 2, 3].map((i) => words(`w${i}`, `line ${i}`));
  const long = 'a note of so many words that they need two lines at the foot of a page';
  expect(pages([...flow, words('m', 'mark', note(long)), words('e', 'end')]).texts).toEqual([
    'line 1line 2line 3',
    `mark1end1 ${long}`.replace('lines at the', 'lines atthe'),
  ]);
  // Of a text over two pages, each has the notes of its own lines.
  const lines = words('t', 'a\nb', note('of b'), '\nc\nd\ne\nf', note('of f'));
  expect(pages([lines]).texts).toEqual(['ab1c1 of b', 'def22 of f']);
});

inter('a note may have a style of its own, and the mark is raised', () => {
  const flow = [words('w', { text: 'big', fontWeight: 400 }, note({ text: 'small', fontSize: 5, color: '#f00' }))];
  const [list] = [...composePages(sceneOf(flow), faces(), {}).lists];
  const glyphs = flat(list?.ops ?? []).flatMap((op) => (op.kind === 'glyphs' ? [op] : []));
  const [big, mark] = glyphs;
  expect(mark && big && mark.origin.y < big.origin.y).toBe(true);
  expect(glyphs.at(-1)).toMatchObject({ run: { fontSize: 5 }, role: { kind: 'note', number: 1 } });
  expect(mark?.role).toMatchObject({ kind: 'paragraph', note: 1 });
});

inter('on one sheet, all notes follow the text', () => {
  const scene = sceneOf([words('one', 'First', note('of one')), words('two', 'Second')]);
  const [list] = [...composePages(scene, faces(), { paged: false }).lists];
  const text = flat(list?.ops ?? []).flatMap((op) => (op.kind === 'glyphs' ? [op.run.text] : []));
  expect(text.join('').replaceAll(/\s+/g, ' ')).toBe('First1Second1 of one');
});

inter('a note that is higher than its page is told', () => {
  const { warnings } = pages([words('w', 'mark', note('word '.repeat(100).trim()))]);
  expect(warnings[0]).toBe('Layer "w": its footnotes have no room on page 1, and stand over what flows.');
});

test('a note is refused where there is no foot of a page for it', () => {
  const layer = words('w', 'mark', note('of it'));
  const sentence =
    'is for texts in the frame with `flow` of a template with `page`, at the foot of whose pages notes stand';
  expect(() => resolve(parseTemplate({ name: 'T', width: 100, height: 100, layers: [layer] }), {})).toThrow(
    `layers.w.spans[1].footnote: ${sentence}`,
  );
  expect(() => sceneOf([], { layers: [layer] })).toThrow(sentence);
  expect(() => sceneOf([words('w', { footnote: 'a', counter: 'page' })])).toThrow(
    'footnote: is for spans without `counter` and `image`',
  );
});

inter('a heading is listed without its mark', () => {
  const title = { ...words('t', 'Title', note('of it')), heading: 1 };
  const [list] = [...composePages(sceneOf([title]), faces(), {}).lists];
  expect(list?.headings?.map(({ text }) => text)).toEqual(['Title']);
});
