// Tests components: templates that are shown as layers of others.

import { expect, test } from 'vitest';
import { type Template, walkLayers } from '#core/template/template.ts';
import { design } from '#design/design.ts';
import { designedAs } from './designed-as.ts';

const BADGE = {
  name: 'Badge',
  width: 100,
  height: 40,
  background: '#eee',
  currency: 'EUR',
  lang: 'de',
  sizes: { tall: { width: 40, height: 100 } },
  texts: { title: { fr: 'Bonjour' } },
  layers: [
    { name: 'back', type: 'shape', width: 100, height: 40 },
    { name: 'title', type: 'text', x: 10, y: 10, text: 'Hallo', when: { state: 'on' } },
    { name: 'price', type: 'text', text: '5', format: 'currency' },
    {
      name: 'lines',
      type: 'frame',
      repeat: { empty: 'none', alternate: { item: { color: 'red' } } },
      layout: {},
      children: [
        { name: 'item', type: 'text' },
        { name: 'none', type: 'text', text: 'None' },
      ],
    },
    { name: 'sum', type: 'text', calculate: { sum: 'lines.item' } },
    { name: 'see', type: 'text', spans: ['sum', 'terms'].map((of) => ({ counter: 'page', of })) },
  ],
};
const nested = (reference: string) => ({
  name: 'Around',
  width: 100,
  height: 100,
  layers: [{ name: 'in', type: 'template', template: reference }],
});
const MATERIALS = {
  brands: new Map(),
  templates: new Map<string, unknown>([
    ['tpl_badge@1', BADGE],
    ['tpl_one@1', nested('tpl_badge@1')],
    ['tpl_two@1', nested('tpl_one@1')],
    ['tpl_three@1', nested('tpl_two@1')],
    ['tpl_four@1', nested('tpl_three@1')],
    ['tpl_circle@2', nested('tpl_circle@1')],
    ['tpl_circle@1', nested('tpl_badge@1')],
    ['tpl_html@1', { name: 'Page', engine: 'html', width: 10, height: 10, html: '<p>a</p>' }],
    ['tpl_wrong@1', { ...BADGE, layers: [{ name: 'a', type: 'text', fontSize: '$big' }] }],
  ]),
};
const page = (component: object, more: object = {}) => ({
  name: 'Page',
  width: 300,
  height: 300,
  layers: [{ name: 'badge', type: 'template', template: 'tpl_badge@1', x: 20, ...component }],
  ...more,
});
const shown = (document: object, choice = {}) => {
  const { template, diagnostics } = designedAs(document, choice, MATERIALS);
  const { layers } = template as Template;
  const at = new Map([...walkLayers(layers)].map(({ layer }) => [layer.name, layer]));
  return { at: (name: string) => at.get(name), names: [...at.keys()], diagnostics, template };
};

test('a component becomes a frame, whose layers have its name before theirs', () => {
  const { at, names } = shown(page({ opacity: 0.5 }));
  expect(names).toEqual([
    'badge',
    ...['back', 'title', 'price', 'lines', 'item', 'none', 'sum', 'see'].map((name) => `badge/${name}`),
  ]);
  expect(at('badge')).toMatchObject({
    type: 'frame',
    x: 20,
    width: 100,
    height: 40,
    opacity: 0.5,
    clip: true,
    background: '#eee',
  });
});

test('what refers to its layers, and its language and currency, come along', () => {
  const { at } = shown(page({}));
  expect(at('badge/title')).toMatchObject({ lang: 'de', when: { 'badge/state': 'on' } });
  expect(at('badge/price')).toMatchObject({ format: { type: 'currency', currency: 'EUR' } });
  expect(at('badge/lines')).toMatchObject({
    repeat: { empty: 'badge/none', alternate: { 'badge/item': { color: 'red' } } },
  });
  expect(at('badge/sum')).toMatchObject({ calculate: { sum: 'badge/lines.badge/item' } });
  // What is not in the component is in the document around it.
  expect(at('badge/see')).toMatchObject({ spans: [{ of: 'badge/sum' }, { of: 'terms' }] });
});

test('its modifications, its size and the size of its frame count', () => {
  const { at } = shown(page({ size: 'tall', width: 80, modifications: { title: 'Servus', back: { fill: 'red' } } }));
  expect(at('badge')).toMatchObject({ width: 80, height: 100 });
  expect(at('badge/title')).toMatchObject({ text: 'Servus' });
  expect(at('badge/back')).toMatchObject({ fill: 'red', width: 80, height: 100 });
});

test('it follows the size and the language of the template around it', () => {
  const sizes = {
    small: {
      width: 150,
      height: 150,
      changes: { badge: { modifications: { price: '7' } }, 'badge/sum': { fontSize: 9 } },
    },
  };
  const { at, template } = shown(page({}, { sizes, parameters: [{ layer: 'badge/title' }] }), {
    size: 'small',
    lang: 'fr',
  });
  expect(at('badge')).toMatchObject({ x: 10, width: 50, height: 20 });
  expect(at('badge/title')).toMatchObject({ text: 'Bonjour', lang: 'fr', fontSize: 8 });
  expect(at('badge/price')).toMatchObject({ text: '7' });
  expect(at('badge/sum')).toMatchObject({ fontSize: 9 });
  expect(template.parameters).toEqual([{ layer: 'badge/title' }]);
});

test('two may show one template, and warnings name them', () => {
  const layers = [1, 2].map((i) => ({ name: `b${i}`, type: 'template', template: 'tpl_badge@1' }));
  const { names, diagnostics } = shown({ name: 'Two', width: 9, height: 9, layers }, { lang: 'it' });
  expect(names).toContain('b2/title');
  expect(diagnostics.map(({ layer }) => layer)).toEqual(['b1/title', 'b2/title']);
});

test('they nest four deep', () => {
  expect(shown(page({ template: 'tpl_three@1' })).names).toContain('badge/in/in/in/title');
  expect(() => shown(page({ template: 'tpl_four@1' }))).toThrow('components may nest at most 4 deep');
});

test.each([
  [
    { template: 'tpl_circle@2' },
    'layers[0].template: cannot be shown: layers[0].template: is a template that this stands in',
  ],
  [{ template: 'tpl_html@1' }, 'layers[0].template: must be a template of layers'],
  [{ template: 'tpl_wrong@1' }, 'layers[0].template: cannot be shown: layers[0].fontSize: names $big'],
  [{ template: 'badge' }, 'layers[0].template: must be the id of a template'],
  [{ size: 'tal' }, 'layers[0].template: cannot be shown: size: the template has no size "tal"; did you mean "tall"?'],
  [
    { modifications: { titel: 'a' } },
    'layers[0].modifications.titel: the template has no layer "titel"; did you mean "title"?',
  ],
  [{ width: 'fill' }, 'layers[0].width: must be a length in px'],
  [{ name: 'b'.repeat(98) }, 'layers[0].name: is too long'],
  [{ children: [] }, 'layers[0]'],
])('%j is refused', (component, message) => {
  expect(() => shown(page(component))).toThrow(message);
});

test('a template is no component of its own', () => {
  expect(() => design(page({}), {}, MATERIALS, 'tpl_badge')).toThrow('none may show itself');
});

test('what is missing is asked for, all of one level together', () => {
  const layers = ['tpl_a@1', 'tpl_b@2'].map((template, i) => ({ name: `l${i}`, type: 'template', template }));
  const document = { name: 'Two', width: 9, height: 9, layers };
  expect(design(document, {})).toEqual({ templates: ['tpl_a@1', 'tpl_b@2'], brands: [] });
  expect(design({ ...document, brand: 'acme' }, {})).toEqual({ templates: [], brands: ['acme'] });
});
