// Tests that the canvas draws of a design what the server draws of it, and draws unchanged layers once.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { design, isMissing } from '#design/design.ts';
import { Designs } from '../../../src/studio/editor/core/design/designs.ts';
import type { RawDocument } from '../../../src/studio/editor/core/document/document.ts';
import { setLayer } from '../../../src/studio/editor/core/document/edits.ts';
import { parseDocument } from '../../../src/studio/editor/core/document/parse-document.ts';

const { template, brands } = JSON.parse(readFileSync('samples/campaign/campaign.json', 'utf8'));
const CARD = {
  name: 'Card',
  width: 200,
  height: 100,
  layers: [{ type: 'text', name: 'words', text: 'Hi', color: '$ink' }],
};
const WITH_CARD = {
  ...template,
  layers: [
    ...template.layers,
    {
      type: 'template',
      name: 'card',
      template: 'tpl_card@1',
      x: 10,
      y: 20,
      width: 300,
      modifications: { words: 'Ho' },
    },
  ],
};

const designsWith = () =>
  new Designs({
    brand: async (name) => {
      if (!brands[name]) throw new Error(`There is no brand "${name}".`);
      return brands[name];
    },
    template: async () => CARD,
  });

/** Asks again while something is loaded. */
async function plain(document: RawDocument, designs = designsWith()): Promise<RawDocument> {
  for (;;) {
    const made = designs.plain(document);
    if (!(made instanceof Promise)) return made;
    await made;
  }
}

test.each([
  ['a brand', template],
  ['a component', WITH_CARD],
])('%s: as the server draws it', async (_, document) => {
  const made = design(
    document,
    {},
    { brands: new Map(Object.entries(brands)), templates: new Map([['tpl_card@1', CARD]]) },
  );
  if (isMissing(made)) throw new Error('Something is missing.');
  const { layers, background } = parseDocument(await plain(document));
  expect({ layers, background }).toEqual({
    layers: (made.template as { layers?: unknown }).layers,
    background: (made.template as { background?: unknown }).background,
  });
});

test('a template that is no design is the same object, and so are layers that an edit does not change', async () => {
  const designs = designsWith();
  expect(designs.plain(CARD.layers ? { ...CARD, layers: [] } : CARD)).toMatchObject({ name: 'Card' });
  const before = await plain(template, designs);
  const after = await plain(setLayer('sun', { x: 5 })(template), designs);
  const moved = (document: RawDocument) => document.layers?.map((layer) => layer.name) ?? [];
  expect(moved(after)).toEqual(moved(before));
  expect(after.layers?.map((layer, at) => layer === before.layers?.[at])).toEqual([false, true, true, true]);
});

test('names that there are not are told with the nearest', async () => {
  const misspelt = setLayer('logo', { src: '$logoo' })(template);
  await expect(plain(misspelt)).rejects.toThrow(
    'layers[1].src: the brand "coast" has no "$logoo"; did you mean "$logo"?',
  );
  await expect(plain({ ...template, brand: 'cost' })).rejects.toThrow(
    'brand: cannot be used: There is no brand "cost".',
  );
  await expect(plain({ ...template, brand: undefined })).rejects.toThrow('but the template has no brand');
});
