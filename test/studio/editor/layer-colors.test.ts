// Tests that all colours of a selection are found, and that each is changed everywhere at once.

import { expect, test } from 'vitest';
import type { RawDocument } from '../../../src/studio/editor/core/document/document.ts';
import { findLayer } from '../../../src/studio/editor/core/document/document.ts';
import { colorsOf, replaceColor } from '../../../src/studio/editor/core/document/layer-colors.ts';

const DOCUMENT: RawDocument = {
  name: 'd',
  width: 100,
  height: 100,
  layers: [
    { type: 'text', name: 'title', text: 'red', color: '#FF0000', spans: [{ text: 'red', color: 'blue' }] },
    {
      type: 'frame',
      name: 'card',
      background: { type: 'linear', stops: [{ color: 'red' }, { color: '#0000ff80' }] },
      shadow: [{ y: 4, color: '#000' }],
      children: [{ type: 'shape', name: 'inner', shape: 'rect', fill: '#f00', border: { width: 1, color: 'blue' } }],
    },
    { type: 'shape', name: 'other', shape: 'rect', fill: 'red' },
  ],
};
const used = (document: RawDocument, ...names: readonly string[]) =>
  colorsOf(names.flatMap((name) => findLayer(document, name) ?? [])).map(({ color, count }) => `${color} ${count}`);

test('colours of texts, gradients, shadows and children; equal ones are one, however they are written', () => {
  expect(used(DOCUMENT, 'title', 'card')).toEqual(['#FF0000 3', 'blue 2', '#0000ff80 1', '#000 1']);
});

test('colors of the brand, and the black of letters that say no color, are found and changed like others', () => {
  const words = { type: 'text', name: 'words', text: 'a', spans: [{ text: 'a' }, { text: 'b', color: '$accent' }] };
  const styled = { type: 'text', name: 'styled', text: 'a', textStyle: '$headline' };
  const frame = { type: 'frame', name: 'frame', children: [words, styled] };
  const document = { ...DOCUMENT, layers: [frame] } as RawDocument;
  expect(used(document, 'frame')).toEqual(['#000000 1', '$accent 1']);
  const blue = replaceColor(['frame'], '#000', '#0000ff')(document);
  expect(findLayer(blue, 'words')).toEqual({ ...words, color: '#0000ff' });
  expect(findLayer(blue, 'styled')).toBe(styled);
  const own = replaceColor(['words'], '$accent', '$primary')(document);
  expect(findLayer(own, 'words')).toEqual({ ...words, spans: [{ text: 'a' }, { text: 'b', color: '$primary' }] });
});

test('one is changed everywhere in the selection, and nowhere else', () => {
  const next = replaceColor(['title', 'card', 'inner'], 'red', '#123456')(DOCUMENT);
  expect(used(next, 'title', 'card')).toEqual(['#123456 3', 'blue 2', '#0000ff80 1', '#000 1']);
  // A word is no colour, and a layer that is not selected keeps its own.
  expect(next.layers?.[0]).toMatchObject({ text: 'red', spans: [{ text: 'red', color: 'blue' }] });
  expect(findLayer(next, 'other')).toBe(findLayer(DOCUMENT, 'other'));
  expect(replaceColor(['title'], '#00ff00', '#ffffff')(DOCUMENT)).toBe(DOCUMENT);
});
