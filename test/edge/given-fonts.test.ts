// Tests what `platen/edge` accepts as fonts, in Node.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { render, renderToSvg, type TemplateDocument } from '../../src/edge.ts';

const TEMPLATE: TemplateDocument = {
  name: 'Card',
  width: 40,
  height: 20,
  layers: [{ name: 'word', type: 'text', text: 'Hello' }],
};

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => void process.off('unhandledRejection', note));

test('without fonts a render is rejected once, by a sentence that names the option', async () => {
  const said = /^fonts: must be a list; text is drawn with fonts that are handed in, such as \[\{ data \}\]/;
  await expect(render(TEMPLATE, {} as never)).rejects.toThrow(said);
  await expect(render(TEMPLATE, undefined as never)).rejects.toThrow(said);
  await expect(renderToSvg(TEMPLATE, { fonts: 'Inter' } as never)).rejects.toThrow(said);
  await expect(render(TEMPLATE, { fonts: [] })).rejects.toThrow(/^fonts: is empty; /);
  // A rejection that nobody handles is reported after the microtasks of its turn.
  await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
});
