// Tests brands: references in values, text styles, and what is refused.

import { expect, test } from 'vitest';
import type { Template } from '#core/template/template.ts';
import { parseBrand } from '#design/brand.ts';
import { designedAs } from './designed-as.ts';

const ACME = {
  colors: { primary: '#1d4ed8', fade: { type: 'linear', stops: [{ color: '#fff' }, { color: '#000' }] } },
  fonts: { display: ['Bricolage Grotesque', 'Inter'] },
  textStyles: { headline: { fontFamily: '$display', fontSize: 40, color: '$primary' } },
  images: { logo: 'img_logo' },
  numbers: { radius: 12 },
};
const MATERIALS = {
  templates: new Map(),
  brands: new Map<string, unknown>([
    ['acme@1', ACME],
    ['bird@4', { ...ACME, colors: { ...ACME.colors, primary: '#dc2626' } }],
  ]),
};
const card = (...layers: object[]) => ({ name: 'Card', width: 100, height: 100, brand: 'acme@1', layers });
const branded = (document: object, choice = {}) => {
  const { layers } = designedAs(document, choice, MATERIALS).template as Template;
  return layers;
};

test('a reference may stand where a value does', () => {
  const [box, logo, text] = branded(
    card(
      { name: 'box', type: 'shape', fill: '$fade', borderRadius: ['$radius', 0, 0, '$radius'], stroke: '$primary' },
      { name: 'logo', type: 'image', src: '$logo' },
      { name: 'text', type: 'text', text: '$primary', fontFamily: ['$display', 'Noto Sans'] },
    ),
  );
  expect(box).toMatchObject({ fill: { type: 'linear' }, borderRadius: [12, 0, 0, 12], stroke: '#1d4ed8' });
  expect(logo).toMatchObject({ src: 'img_logo' });
  expect(text).toMatchObject({ text: '$primary', fontFamily: ['Bricolage Grotesque', 'Inter', 'Noto Sans'] });
});

test('a layer’s own properties win over its text style, which may refer to the brand', () => {
  const [text] = branded(card({ name: 'text', type: 'text', textStyle: '$headline', fontSize: 20 }));
  expect(text).toMatchObject({ fontFamily: ['Bricolage Grotesque', 'Inter'], fontSize: 20, color: '#1d4ed8' });
});

test('a request’s brand takes the place of the template’s', () => {
  const document = card({ name: 'box', type: 'shape', fill: '$primary' });
  expect(branded(document, { brand: 'bird@4' })).toMatchObject([{ fill: '#dc2626' }]);
});

test('changes of a size may refer to the brand, and words are words', () => {
  const document = {
    ...card({ name: 'box', type: 'shape', fill: '#000' }, { name: 'text', type: 'text', text: 'a' }),
    sizes: { small: { width: 50, height: 50, changes: { box: { fill: '$primary' }, text: '$primary' } } },
    texts: { text: { de: '$primary' } },
  };
  expect(branded(document, { size: 'small' })).toMatchObject([{ fill: '#1d4ed8' }, { text: '$primary' }]);
  expect(branded(document, { lang: 'de' })[1]).toMatchObject({ text: '$primary' });
});

test.each([
  [
    { ...card({ name: 'a', type: 'shape', fill: '$primary' }), brand: undefined },
    'layers[0].fill: names $primary, but the template has no brand',
  ],
  [
    card({ name: 'a', type: 'shape', fill: '$primray' }),
    'layers[0].fill: the brand "acme@1" has no "$primray"; did you mean "$primary"?',
  ],
  [card({ name: 'a', type: 'shape', fill: '$radius' }), 'layers[0].fill: must be a CSS colour'],
  [card({ name: 'a', type: 'text', textStyle: 'bold' }), 'layers[0].textStyle: must name a text style of the brand'],
  [{ ...card(), brand: 'Acme!' }, 'brand: must be the name of a brand'],
])('%j is refused', (document, message) => {
  const materials = { ...MATERIALS, brands: new Map([...MATERIALS.brands, ['Acme!', ACME]]) };
  expect(() => designedAs(document, {}, materials)).toThrow(message);
});

test.each([
  [{ colors: { a: 'blu' } }, 'colors.a: must be a CSS colour'],
  [{ colors: { 'a b': '#fff' } }, 'must begin with a letter'],
  [{ colors: { a: '#fff' }, numbers: { a: 1 } }, 'numbers.a: is the name of another entry of the brand'],
  [{ textStyles: { a: { fontSize: '$big' } } }, 'textStyles.a.fontSize: the brand has no "$big"'],
  [
    { numbers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, i])) },
    'must have at most 100 entries',
  ],
  [[], 'must be an object'],
])('as a brand, %j is refused', (brand, message) => {
  expect(() => parseBrand(brand)).toThrow(message);
});
