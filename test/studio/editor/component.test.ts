// Tests what becomes of layers that are made a component: its own document, and what the template keeps of them.

import { expect, test } from 'vitest';
import { design, isMissing } from '#design/design.ts';
import { findLayer, type RawDocument, type RawLayer } from '../../../src/studio/editor/core/document/document.ts';
import { componentOf, withComponent } from '../../../src/studio/editor/core/state/make-component.ts';

const PRICE: RawLayer = {
  ...{ type: 'frame', name: 'price', x: 40, y: 50, width: 200, height: 80, rotation: 3 },
  children: [{ type: 'text', name: 'amount', x: 10, y: 10, text: '19', color: '$ink' }],
};
const CARD: RawDocument = {
  ...{ name: 'Card', width: 600, height: 300, brand: 'acme@1', lang: 'en' },
  texts: { amount: { de: '19 €' }, title: { de: 'Hallo' } },
  sizes: { story: { width: 300, height: 600, changes: { amount: { fontSize: 40 }, title: { fontSize: 60 } } } },
  parameters: [{ layer: 'amount' }, { layer: 'title' }],
  layers: [{ type: 'text', name: 'title', text: 'Hello' }, PRICE],
};
const BRANDS = new Map([['acme@1', { colors: { ink: '#123456' } }]]);

function made(frame: RawLayer) {
  const { component, place } = componentOf(CARD, frame, { width: 200, height: 80 });
  const layer = { ...place, type: 'template', name: frame.name, template: 'tpl_price@1' } as RawLayer;
  return {
    component,
    card: withComponent({ ...CARD, layers: [...(CARD.layers ?? []).slice(0, 1), frame] }, frame, layer),
  };
}

test('the component has the layers, their texts, the brand and the language; the place stays', () => {
  const { component, card } = made(PRICE);
  expect(component).toEqual({
    ...{ name: 'price', width: 200, height: 80, brand: 'acme@1', lang: 'en' },
    texts: { amount: { de: '19 €' } },
    layers: PRICE.children,
  });
  expect(findLayer(card, 'price')).toEqual({
    ...{ type: 'template', name: 'price', template: 'tpl_price@1', x: 40, y: 50, rotation: 3 },
  });
  expect(card.texts).toEqual({ title: { de: 'Hallo' } });
  expect(card.sizes).toMatchObject({ story: { changes: { title: { fontSize: 60 } } } });
  expect(card.parameters).toEqual([{ layer: 'price/amount' }, { layer: 'title' }]);
});

test('a frame with a look of its own is in the component', () => {
  const { component } = made({ ...PRICE, background: '#fff', padding: 8 });
  expect(component.layers).toMatchObject([
    { type: 'frame', name: 'price', x: 0, y: 0, background: '#fff', padding: 8 },
  ]);
});

test('the server draws what it drew before', () => {
  const { component, card } = made(PRICE);
  const shown = design(card, { lang: 'de' }, { brands: BRANDS, templates: new Map([['tpl_price@1', component]]) });
  if (isMissing(shown)) throw new Error('Something is missing.');
  const { layers } = shown.template as unknown as RawDocument;
  expect(layers?.[1]).toMatchObject({
    type: 'frame',
    name: 'price',
    x: 40,
    y: 50,
    width: 200,
    height: 80,
    rotation: 3,
  });
  expect(layers?.[1]?.children).toMatchObject([{ name: 'price/amount', x: 10, text: '19 €', color: '#123456' }]);
});
