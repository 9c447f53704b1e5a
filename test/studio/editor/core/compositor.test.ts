// Tests that a canvas loads the layout of what few templates have when one has it, and then draws as the server does.

import { expect, test } from 'vitest';
import { layOut } from '#core/layout/layout.ts';
import { locateBoxes } from '#core/layout/located-boxes.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { RawDocument, RawLayer } from '#studio/editor/core/document/document.ts';
import { TestEditor } from '../test-editor.ts';

const documentOf = (...layers: readonly object[]) =>
  ({ name: 'Card', width: 400, height: 300, layers: layers as readonly RawLayer[] }) as unknown as RawDocument;
const frame = (layout: object | null, ...children: readonly object[]) => ({
  ...{ type: 'frame', name: `frame-${children.length}`, x: 20, y: 20, width: 300, height: 200, layout, children },
});
const text = (name: string) => ({ type: 'text', name, text: 'Hello there', width: 'hug', height: 'hug' });
const table = {
  type: 'table',
  name: 'lines',
  columns: [80],
  row: [{ name: 'item' }],
  rows: [{ item: 'One' }, { item: 'Two' }],
};
const chart = { type: 'chart', name: 'sales', chart: 'bar', width: 200, height: 100, data: [3, 5, 8] };

test.each([
  ['frames without a layout', [frame(null, text('a'))], true],
  ['flex frames', [frame({ direction: 'row' }, text('a'), text('b'))], true],
  ['a grid', [frame({ type: 'grid', columns: ['1fr', '1fr'] }, text('a'), text('b'))], false],
  [
    'a grid in a flex frame',
    [frame({ direction: 'column' }, frame({ type: 'grid', columns: ['1fr'] }, text('a')), text('b'))],
    false,
  ],
  ['a table', [table], false],
  ['a chart', [chart], false],
  ['a chart in a frame', [frame(null, chart)], false],
])('%s', async (_what, layers, isThereAtOnce) => {
  const opened = new TestEditor(documentOf(...layers));
  const { editor } = opened;
  expect(editor.picture.value !== null).toBe(isThereAtOnce);
  await opened.drawn();
  const { template, boxes, resources } = editor.picture.value ?? expect.fail('nothing was drawn');
  const scene = resolve(template, {});
  const expected = locateBoxes(layOut(scene, resources).boxes);
  expect(boxes.map(({ name, rect }) => [name, rect])).toEqual(expected.map(({ name, rect }) => [name, rect]));
  expect(boxes.length).toBeGreaterThan(0);
});

test('texts with values of others are drawn with what calculates alone', async () => {
  const named = { ...text('greeting'), spans: [{ text: 'Dear ' }, { name: 'guest', text: '' }] };
  const opened = new TestEditor(documentOf(text('guest'), named));
  expect(opened.editor.picture.value).toBe(null);
  await opened.drawn();
  const { template, scene } = opened.editor.picture.value ?? expect.fail('nothing was drawn');
  expect(scene.nodes).toEqual(resolve(template, {}).nodes);
  expect(JSON.stringify(scene.nodes)).toContain('"Hello there"');
});
