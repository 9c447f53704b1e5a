// Tests what the editor warns of: words that can hardly be read where they stand.

import { expect, test } from 'vitest';
import type { RawDocument } from '../../../../src/studio/editor/core/document/document.ts';
import { findWarnings } from '../../../../src/studio/editor/core/scene/warnings.ts';
import { TestEditor } from '../test-editor.ts';

/** Dark words on a white canvas, within a shape with this fill. */
const within = (fill: unknown): RawDocument =>
  ({
    name: 'Card',
    width: 400,
    height: 300,
    background: '#ffffff',
    layers: [
      { type: 'shape', name: 'around', x: 20, y: 20, width: 300, height: 200, stroke: '#cc0000', fill },
      { type: 'text', name: 'title', x: 50, y: 50, width: 200, text: 'Hello', color: '#111111' },
    ],
  }) as unknown as RawDocument;

test.each([
  ['no fill', null, []],
  ['a light fill', '#eeeeee', []],
  ['a dark fill', '#222222', ['title']],
  ['the standard fill, black', undefined, ['title']],
])('words within a shape with %s', (_what, fill, warned) => {
  const { editor } = new TestEditor(within(fill));
  editor.composeNow();
  const picture = editor.picture.value ?? expect.fail('nothing was composed');
  expect(findWarnings(picture).map(({ layer }) => layer)).toEqual(warned);
});

test('words on a star are not measured against what lies behind the star', () => {
  const star = { type: 'shape', shape: 'star', name: 'star', x: 20, y: 20, width: 300, height: 260, fill: '#ffffff' };
  const title = { type: 'text', name: 'title', x: 100, y: 120, width: 100, text: 'Hello', color: '#111111' };
  const { editor } = new TestEditor({
    ...within(null),
    background: '#111111',
    layers: [star, title],
  } as unknown as RawDocument);
  expect(findWarnings(editor.picture.value ?? expect.fail('nothing was composed'))).toEqual([]);
});

const words = {
  type: 'text',
  name: 'words',
  x: 20,
  y: 20,
  width: 300,
  fontSize: 40,
  text: 'Many words',
  color: '#111',
};
const price = { ...words, name: 'price', text: '12' };
test.each([
  ['a filled shape', { type: 'shape', name: 'front', x: 30, y: 20, width: 100, height: 60, fill: '#eee' }, true],
  [
    'a shape that lets light through',
    { type: 'shape', name: 'front', x: 30, y: 20, width: 100, height: 60, fill: '#eeeeee80' },
    false,
  ],
  [
    'a shape of half opacity',
    { type: 'shape', name: 'front', x: 30, y: 20, width: 100, height: 60, fill: '#eee', opacity: 0.5 },
    false,
  ],
  [
    'a shape that is only a line',
    { type: 'shape', name: 'front', x: 30, y: 20, width: 100, height: 60, fill: null, stroke: '#c00' },
    false,
  ],
  [
    'a shape below the line',
    { type: 'shape', name: 'front', x: 30, y: 90, width: 100, height: 60, fill: '#eee' },
    false,
  ],
  [
    'a shape beside the words, in their box',
    { type: 'shape', name: 'front', x: 280, y: 20, width: 100, height: 60, fill: '#eee' },
    false,
  ],
  [
    'a frame with a background',
    { type: 'frame', name: 'front', x: 30, y: 20, width: 90, height: 60, background: '#eee' },
    true,
  ],
  ['a frame without one', { type: 'frame', name: 'front', x: 30, y: 20, width: 90, height: 60 }, false],
  ['other words', { ...price, name: 'front', y: 30 }, true],
  ['words below', { ...price, name: 'front', y: 100 }, false],
  ['a faint watermark', { ...price, name: 'front', y: 30, opacity: 0.2 }, false],
  ['a quotation mark', { ...price, name: 'front', y: 30, text: '“' }, false],
])('words below %s', (_what, front, isCovered) => {
  const { editor } = new TestEditor({ ...within(null), layers: [words, front] } as unknown as RawDocument);
  const picture = editor.picture.value ?? expect.fail('nothing was composed');
  const found = findWarnings(picture).filter(({ code }) => code === 'covered-words');
  expect(found.map(({ layer }) => layer)).toEqual(isCovered ? ['words'] : []);
  if (isCovered) expect(found[0]?.message).toContain('"front"');
});
