// Tests which properties go with a copied style, and to which layers.

import { expect, test } from 'vitest';
import { styleOf, stylePatchFor } from '../../../src/studio/editor/core/document/copied-style.ts';
import type { RawLayer } from '../../../src/studio/editor/core/document/document.ts';

const text: RawLayer = { type: 'text', name: 'a', x: 5, text: 'A', lang: 'de', color: '#ff0000', fontSize: 40 };

test('to the same type: how it looks, and not what it says, where it is or how large', () => {
  const style = styleOf({ ...text, opacity: 0.5, width: 100, maxLines: 2 });
  expect(style.properties).toEqual({ color: '#ff0000', fontSize: 40, opacity: 0.5 });
  const other: RawLayer = { type: 'text', name: 'b', text: 'B', fontWeight: 700, width: 50 };
  const patch = stylePatchFor(other, style);
  expect(patch).toMatchObject(style.properties);
  // What the copied layer leaves at its default is removed.
  expect('fontWeight' in patch && patch.fontWeight).toBeUndefined();
  expect('width' in patch).toBe(false);
});

test('to another type: only what both have, in a form that is valid there', () => {
  const shape: RawLayer = { type: 'shape', name: 's', fill: '#00ff00', borderRadius: 9 };
  expect(stylePatchFor(shape, styleOf({ ...text, opacity: 0.5, strokeWidth: 2 }))).toEqual({
    opacity: 0.5,
    strokeWidth: 2,
  });
  const lines = styleOf({ ...text, background: { color: '#000000', padding: 4 } });
  expect(stylePatchFor({ type: 'frame', name: 'f' }, lines)).toEqual({});
});
