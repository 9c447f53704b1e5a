// Tests the parameters that a template's author chooses: what may be stored, and what their rules say of values.

import { expect, test } from 'vitest';
import { checkParameters, type Purpose } from '../../../src/core/resolve/check-parameters.ts';
import { parseAnyTemplate } from '../../../src/core/template/any-template.ts';

const CARD = {
  name: 'Card',
  width: 400,
  height: 200,
  layers: [
    { type: 'text', name: 'title', text: 'An example' },
    { type: 'image', name: 'photo', src: '' },
    { type: 'shape', name: 'band', fill: '#ff0000' },
    { type: 'frame', name: 'footer', children: [{ type: 'qr', name: 'code', value: 'x' }] },
  ],
};
const PAGE = { name: 'Page', width: 400, height: 200, engine: 'html', html: '<p data-layer="title">x</p>' };

function outcome(work: () => unknown): string {
  try {
    work();
    return 'passes';
  } catch (error) {
    return (error as Error).message;
  }
}

const stored = (parameters: unknown, document: object = CARD) =>
  outcome(() => parseAnyTemplate({ ...document, parameters }));

test('a template without parameters stays as it is', () => {
  expect(parseAnyTemplate(CARD)).not.toHaveProperty('parameters');
});

test.each([
  [[{ layer: 'title', label: 'Headline', help: 'Two lines.', required: true, maxLength: 40 }], 'passes'],
  [[{ layer: 'code', kind: 'url' }, { layer: 'photo' }, { layer: 'footer', kind: 'boolean', hidden: true }], 'passes'],
  [[{ layer: 'titel' }], 'parameters[0].layer: the template has no layer "titel"; did you mean "title"?'],
  [[{ layer: 'code' }, { layer: 'code' }], 'parameters[1].layer: "code" is named by a parameter before it'],
  [
    [{ layer: 'photo', kind: 'text' }],
    'parameters[0].kind: must be one of "image", "boolean" for a layer of type "image"',
  ],
  [[{ layer: 'photo', maxLength: 3 }], 'parameters[0].maxLength: is for texts; this is of kind "image"'],
  [[{ layer: 'title', min: 3 }], 'parameters[0].min: is for numbers; this is of kind "text"'],
  [[{ layer: 'title', kind: 'number', min: 3, max: 2 }], 'parameters[0].min: must be at most max, 2'],
  [[{ layer: 'footer', choices: ['a'] }], 'parameters[0].choices: are not for what is true or false'],
  [
    [{ layer: 'title', required: true, hidden: true }],
    'parameters[0].hidden: must be false where required is true: no form could give the value',
  ],
  [
    [{ layer: 'title', maxLength: 2, choices: ['long'] }],
    'parameters[0].choices: has "long", which is longer than maxLength',
  ],
  [[{ layer: 'title', lable: 'x' }], 'parameters[0]: unknown property "lable"; did you mean "label"?'],
])('stored: %j', (parameters, expected) => expect(stored(parameters)).toBe(expected));

test('an html template names its elements, unless a script may make them', () => {
  expect(stored([{ layer: 'title', kind: 'image' }], PAGE)).toBe('passes');
  expect(stored([{ layer: 'other' }], PAGE)).toBe('parameters[0].layer: the template has no layer "other"');
  expect(stored([{ layer: 'other' }], { ...PAGE, script: true })).toBe('passes');
});

function given(parameter: object, modifications: object, purpose: Purpose = 'render', document: object = CARD): string {
  const template = parseAnyTemplate({ ...document, parameters: [parameter] });
  return outcome(() => checkParameters(template, modifications as Record<string, unknown>, purpose));
}

const HEADLINE = { layer: 'title', label: 'Headline', required: true, maxLength: 5 };

test.each([
  [HEADLINE, {}, 'modifications.title: "Headline" is required, and has no value'],
  [HEADLINE, { title: '  ' }, 'modifications.title: "Headline" is required, and has no value'],
  [HEADLINE, { title: { color: 'red' } }, 'modifications.title: "Headline" is required, and has no value'],
  [HEADLINE, { title: { text: null } }, 'modifications.title: "Headline" is required, and has no value'],
  [HEADLINE, { title: 12 }, 'passes'],
  [HEADLINE, { title: '🍺🍺🍺🍺🍺' }, 'passes'],
  [
    HEADLINE,
    { title: { text: '123456' } },
    'modifications.title: "Headline" must have at most 5 characters, this has 6',
  ],
  [{ layer: 'title', choices: ['S', 'M'] }, { title: 'L' }, 'modifications.title: must be one of "S", "M"'],
  [{ layer: 'title', choices: ['S', 'M'] }, {}, 'passes'],
  [{ layer: 'title', kind: 'number', min: 1, max: 9 }, { title: 10 }, 'modifications.title: must be at most 9'],
  [{ layer: 'title', kind: 'number', min: 1 }, { title: '0.5' }, 'modifications.title: must be at least 1'],
  [{ layer: 'title', kind: 'number' }, { title: '1e3' }, 'modifications.title: must be a number, such as 12 or 3.5'],
  [
    { layer: 'code', kind: 'url' },
    { code: 'example.com' },
    'modifications.code: must be an address that begins with https:// or http://',
  ],
  [{ layer: 'footer', required: true }, { footer: false }, 'passes'],
  [{ layer: 'footer', required: true }, { footer: { visible: true } }, 'passes'],
  [{ layer: 'photo', kind: 'boolean' }, { photo: 'img_1' }, 'modifications.photo: must be true or false'],
  [{ layer: 'band', required: true }, { band: { fill: { type: 'linear' } } }, 'passes'],
] as const)('given: %j %j', (parameter, modifications, expected) =>
  expect(given(parameter, modifications)).toBe(expected),
);

test('a preview may lack values, and a design may be tried with any', () => {
  expect(given(HEADLINE, {}, 'preview')).toBe('passes');
  expect(given(HEADLINE, { title: '123456' }, 'preview')).toMatch(/at most 5 characters/);
  expect(given(HEADLINE, { title: '123456' }, 'design')).toBe('passes');
});

test('an html template has the same rules', () => {
  expect(given(HEADLINE, { title: { text: '123456' } }, 'render', PAGE)).toMatch(/at most 5 characters/);
  expect(given(HEADLINE, {}, 'render', PAGE)).toMatch(/is required/);
  expect(given({ layer: 'title', kind: 'boolean', required: true }, { title: { hidden: true } }, 'render', PAGE)).toBe(
    'passes',
  );
});
