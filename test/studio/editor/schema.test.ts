// Tests which controls the inspector has for the properties of layers, as their schemas say.

import { expect, test } from 'vitest';
import { LAYER_SCHEMAS } from '#core/template/layer.ts';
import { bare, layerProperties, misfit, propertyOf, startOf } from '../../../src/studio/editor/inspector/schema.ts';

const PAGES = ['all', 'first', 'not-first', 'last', 'not-last', 'odd', 'even'];

test('a word or a list of such words has a choice of several, and no JSON', () => {
  const { pages } = layerProperties('text');
  expect(pages && propertyOf(pages).control).toEqual({ kind: 'choices', options: PAGES });
});

test('what is added to a list of a layer is valid, or is filled in before it is part of the document', () => {
  const unfilled = Object.keys(LAYER_SCHEMAS).flatMap((type) =>
    Object.entries(layerProperties(type as keyof typeof LAYER_SCHEMAS)).flatMap(([name, schema]) => {
      const { control } = propertyOf(schema);
      if (control.kind !== 'object') return [];
      return misfit(schema, startOf(bare(schema))) === null ? [] : [`${type}.${name}`];
    }),
  );
  expect(unfilled).toEqual(['table.totals']);
});
