// Tests style sheets in the trees of `platen/og`.

import { expect, test } from 'vitest';
import { withStyleSheets } from '#edge/og/draw-elements.ts';

const ROOT = { type: 'div', props: { className: 'card', children: 'Hi' } };

test('sheets are the first element of the root', () => {
  expect(withStyleSheets(ROOT, ['.card{color:red}', 'b{top:0}'])).toEqual({
    type: 'div',
    props: {
      className: 'card',
      children: [{ type: 'style', props: { children: '.card{color:red}\nb{top:0}' } }, 'Hi'],
    },
  });
});

test('a tree without sheets stays the same object', () => expect(withStyleSheets(ROOT, [])).toBe(ROOT));

for (const css of ['a{background:URL(http://x.test/a.png)}', '@import "a.css"', 'a{background:u\\72l(b)}']) {
  test(`an address is refused: ${css}`, () =>
    expect(() => withStyleSheets(ROOT, [css])).toThrow('stylesheets: url(…), @import'));
}

test('very long sheets are refused', () =>
  expect(() => withStyleSheets(ROOT, ['a'.repeat(200_001)])).toThrow('at most 200000 characters'));
