import { expect, test } from 'vitest';
import { type AnyTemplate, parseAnyTemplate } from '#core/template/any-template.ts';
import { parseTemplate } from '#core/template/template.ts';
import { toModifications, unknownParameters } from '#server/service/rendering/parameters.ts';

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

const unknown = (of: AnyTemplate, ...names: string[]) => unknownParameters(of, names).map(({ message }) => message);

test('names of layers and their properties are known', () => {
  expect(unknown(template, 'title', 'title.width', 'title.width.fontSize', 'photo.visible', 'dot.fill')).toEqual([]);
});
test('other names are reported with the nearest', () => {
  expect(unknown(template, 'titel', 'photo.widht', 'phto.width', 'nobody', '__proto__', 'title.constructor')).toEqual([
    'The template has no layer "titel"; did you mean "title"?',
    'Layer "photo" (image) has no property "widht"; did you mean "width"?',
    'The template has no layer "phto.width"; did you mean "photo.width"?',
    'The template has no layer "nobody".',
    'The template has no layer "__proto__".',
    'Layer "title" (text) has no property "constructor".',
  ]);
});
test('so are those of an html template, unless a script may add layers', () => {
  const page = { name: 'page', engine: 'html', width: 9, height: 9, html: '<p data-layer="title">a</p>' };
  const names = ['title', 'title.hidden', 'title.colr', 'titel.text'];
  expect(unknown(parseAnyTemplate(page), ...names)).toEqual([
    'Layer "title" (html) has no property "colr".',
    'The template has no layer "titel.text"; did you mean "title.text"?',
  ]);
  expect(unknown(parseAnyTemplate({ ...page, renderer: 'chromium', script: true }), ...names)).toEqual([]);
});
