// Tests that a layer that did not move yields the same operation object in the next render, and one that moved a new
// one.

import { expect, test } from 'vitest';
import { compose } from '#core/compose.ts';
import { memoizePaint } from '#core/paint/memoize-paint.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { fontSet, style } from '../text/faces.ts';

const resources = { fonts: fontSet(style()), images: new Map(), codes: new Map(), hyphenators: new Map() };
const text = { type: 'text', fontFamily: 'inter' };
const template = parseTemplate({
  name: 'Card',
  width: 300,
  height: 200,
  background: { type: 'linear', stops: [{ color: 'red' }, { color: 'blue' }] },
  layers: [
    { name: 'dot', type: 'shape', shape: 'ellipse', fill: '#123', width: 20, height: 20 },
    {
      name: 'card',
      type: 'frame',
      layout: { direction: 'row', gap: 4 },
      width: 200,
      height: 60,
      background: '#fff',
      borderRadius: 900,
      shadow: { y: 4, blur: 8, color: 'rgba(0, 0, 0, 0.4)' },
      children: [
        { name: 'title', text: 'Hello', ...text },
        { name: 'square', type: 'shape', fill: '#456', width: 8, height: 8 },
      ],
    },
  ],
});
const ops = (title: string) => compose(resolve(template, { title }), resources).list.ops;

test('operations of a template with other words', () => {
  const first = ops('one');
  const second = ops('eleven');
  const kinds = ['fill', 'fill', 'group', 'fill', 'glyphs', 'fill'];
  expect(first.map(({ kind }) => kind)).toEqual(kinds);
  // The changed title has other letters and moves the square.
  expect(second.map((op, i) => op === first[i])).toEqual([true, true, true, true, false, false]);
});

test('a part is painted anew in another place', () => {
  let painted = 0;
  const paint = memoizePaint(
    (a: number, b: number) => a === b,
    (part: object, place: number) => ({ part, place, painted: ++painted }),
  );
  const part = {};
  expect([paint(part, 1), paint(part, 1), paint(part, 2), paint({}, 2)].map((each) => each.painted)).toEqual([
    1, 1, 2, 3,
  ]);
});
