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
