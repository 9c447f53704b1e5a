// Tests the comparison of two documents on the versions page.

import { expect, test } from 'vitest';
import { compareDocuments } from '../../src/studio/pages/versions/compare.ts';

type Layers = readonly Readonly<Record<string, unknown>>[];
const text = (name: string, more: object = {}) => ({ name, type: 'text', ...more });
const frame = (name: string, ...children: Layers) => ({ name, type: 'frame', children });

/** Expects differences written as `name kind property,property`; the name `*` is the document itself. */
function check(before: Layers, after: Layers, ...expected: readonly string[]): void {
  const found = compareDocuments({ width: 10, layers: before }, { width: 10, layers: after });
  expect(
    found.map(({ name, kind, properties }) =>
      [name ?? '*', kind, properties.map(({ property }) => property).join(',')].join(' ').trim(),
    ),
  ).toEqual(expected);
}

test('nothing', () => check([text('a')], [text('a')]));
test('a property', () => check([text('a', { text: 'x' })], [text('a', { text: 'y' })], 'a changed Text'));
test('one that was unset', () => check([text('a', { opacity: 1 })], [text('a')], 'a changed Opacity'));
test('added and removed', () => check([text('a')], [text('b')], 'b added', 'a removed'));
test('into a frame', () => check([frame('f'), text('a')], [frame('f', text('a'))], 'a moved'));
test('in a frame', () =>
  check([frame('f', text('a', { text: 'x' }))], [frame('f', text('a', { text: 'y' }))], 'a changed Text'));
test('order', () => check([text('a'), text('b')], [text('b'), text('a')], 'b moved', 'a moved'));
test('what others do to the order of the rest is not said', () =>
  check([text('a'), text('b'), text('c')], [text('b'), text('c')], 'a removed'));

test('the canvas', () => {
  const [change] = compareDocuments({ width: 10, layers: [] }, { width: 20, layers: [] });
  expect(change).toEqual({
    name: null,
    kind: 'changed',
    type: 'document',
    properties: [{ property: 'Width', before: '10', after: '20' }],
  });
});

test('parameters, one by one', () => {
  const [change] = compareDocuments(
    { layers: [], parameters: [{ layer: 'a', label: 'Headline' }, { layer: 'b' }] },
    { layers: [], parameters: [{ layer: 'b' }, { layer: 'a', label: 'Title' }] },
  );
  expect(change?.properties).toEqual([
    { property: 'Parameter a', before: 'Label Headline', after: 'Label Title' },
    { property: 'The form', before: 'a, b', after: 'b, a' },
  ]);
});

const SPANS = [{ text: 'Autumn ' }, { text: 'sale', fontSize: 20, textDecoration: 'underline' }];

test('translations and sizes, one by one, and values in words', () => {
  const changes = compareDocuments(
    {
      sizes: { story: { width: 270, height: 480 } },
      texts: { title: { de: 'Hallo' } },
      layers: [text('title', { shadow: { y: 4, color: '#000' } })],
    },
    {
      sizes: { story: { width: 300, height: 480, changes: { title: { x: 8 } } } },
      texts: { title: { de: 'Guten Tag', fr: 'Bonjour' } },
      layers: [
        text('title', { shadow: [{ y: 4, color: '#000' }, { blur: 2 }], spans: SPANS, locked: true, link: null }),
      ],
    },
  );
  expect(changes.map(({ properties }) => properties)).toEqual([
    [
      { property: 'Size story', before: 'Width 270, Height 480', after: 'Width 300, Height 480' },
      { property: 'title, German', before: 'Hallo', after: 'Guten Tag' },
      { property: 'title, story', before: null, after: 'X 8' },
      { property: 'title, French', before: null, after: 'Bonjour' },
    ],
    [
      { property: 'Shadow', before: 'Y 4, Color #000', after: '(Y 4, Color #000), (Blur 2)' },
      { property: 'Styled words', before: null, after: 'Autumn, sale (Font size 20, Text decoration underline)' },
      { property: 'Locked', before: null, after: 'Yes' },
      { property: 'Link', before: null, after: '–' },
    ],
  ]);
});
