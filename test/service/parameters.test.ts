import { expect, test } from 'vitest';
import { parseTemplate } from '#core/template/template.ts';
import { toModifications } from '#service/parameters.ts';

const template = parseTemplate({
  name: 'test',
  width: 100,
  height: 100,
  layers: [
    { name: 'title', type: 'text' },
    { name: 'title.width', type: 'text' },
    { name: 'photo', type: 'image' },
    { name: 'box', type: 'frame', children: [{ name: 'dot', type: 'shape' }] },
    { name: 'code', type: 'qr' },
  ],
});

function check(pairs: readonly (readonly [string, string])[], expected: unknown): void {
  expect(JSON.parse(JSON.stringify(toModifications(template, pairs)))).toEqual(expected);
}

test('a layer', () => check([['title', 'Hello']], { title: 'Hello' }));
test('an empty value', () => check([['title', '']], { title: '' }));
test('a value stays a text, whatever it spells', () => check([['title', 'true']], { title: 'true' }));
test('a number', () => check([['title.fontSize', '40']], { title: { fontSize: 40 } }));
test('a number that is out of bounds', () => check([['title.fontSize', '1e9']], { title: { fontSize: 1e9 } }));
test('a text that spells a number', () => check([['title.text', '007']], { title: { text: '007' } }));
test('no JSON number', () => check([['title.fontSize', '0x10']], { title: { fontSize: '0x10' } }));
test('a switch', () => check([['photo.visible', 'false']], { photo: { visible: false } }));
test('a length in px', () => check([['photo.width', '50']], { photo: { width: 50 } }));
test('a percentage', () => check([['photo.width', '50%']], { photo: { width: '50%' } }));
test('a colour', () => check([['dot.fill', '#fff']], { dot: { fill: '#fff' } }));
test('a value that is digits', () => check([['code.value', '4006381333931']], { code: { value: '4006381333931' } }));
test('a whole name wins', () => check([['title.width', 'x']], { 'title.width': 'x' }));
test('a property of a layer whose name has a dot', () =>
  check([['title.width.fontSize', '9']], { 'title.width': { fontSize: 9 } }));
test('an unknown property', () => check([['title.colour', 'red']], { title: { colour: 'red' } }));
test('an unknown layer keeps its whole name', () => check([['nobody.x', '1']], { 'nobody.x': '1' }));
test('prototype names are unknown ones', () => {
  const modifications = toModifications(template, [
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['title.__proto__', 'c'],
  ]);
  expect(Object.keys(modifications)).toEqual(['__proto__', 'constructor', 'title']);
  expect(Object.keys(modifications.title as object)).toEqual(['__proto__']);
});

test('a layer and its properties come together, in any order', () => {
  const expected = { title: { text: 'Hello', fontSize: 40, color: 'red' } };
  check(
    [
      ['title', 'Hello'],
      ['title.fontSize', '40'],
      ['title.color', 'red'],
    ],
    expected,
  );
  check(
    [
      ['title.fontSize', '40'],
      ['title.color', 'red'],
      ['title', 'Hello'],
    ],
    expected,
  );
});
test('a property wins over the layer as a whole', () => {
  check(
    [
      ['title', 'A'],
      ['title.text', 'B'],
    ],
    { title: { text: 'B' } },
  );
  check(
    [
      ['title.text', 'B'],
      ['title', 'A'],
    ],
    { title: { text: 'B' } },
  );
});
