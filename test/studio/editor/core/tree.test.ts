// Tests the rows of the layer tree: their order, and what a drag or a key there does to the document.

import { expect, test } from 'vitest';
import type { RawDocument, RawLayer } from '#studio/editor/core/document/document.ts';
import { dropAt, moveTo, placeByKey, ROW, rowsOf } from '#studio/editor/core/state/rows.ts';
import { TestEditor } from '../test-editor.ts';

const shape = (name: string): RawLayer => ({ type: 'shape', name, width: 10, height: 10, fill: '#000' });
const frame = (name: string, layout: unknown): RawLayer => ({
  ...{ type: 'frame', name, width: 100, height: 100, layout, children: [shape('one'), shape('two'), shape('three')] },
});
const documentOf = (...layers: readonly RawLayer[]): RawDocument => ({ name: 'Tree', width: 200, height: 200, layers });
const namesOf = (document: RawDocument) => rowsOf(document, new Set()).map(({ name }) => name);

test('what lies over each other is listed front to back', () => {
  expect(namesOf(documentOf(shape('back'), shape('front')))).toEqual(['front', 'back']);
  expect(namesOf(documentOf(frame('free', null)))).toEqual(['free', 'three', 'two', 'one']);
});

test('what a layout puts in a row or a column is listed as it is read', () => {
  const read = ['list', 'one', 'two', 'three'];
  expect(namesOf(documentOf(frame('list', { direction: 'column' })))).toEqual(read);
  expect(namesOf(documentOf(frame('list', { direction: 'row' })))).toEqual(read);
  expect(namesOf(documentOf(frame('list', { type: 'grid', columns: ['1fr'] })))).toEqual(read);
  expect(namesOf(documentOf(frame('list', { direction: 'row-reverse' })))).toEqual(['list', 'three', 'two', 'one']);
});

/** The document after the row at `from` was dropped `down` rows from the top, in the tree of a column or a free frame. */
function dropped(layout: unknown, name: string, down: number, x = 60): readonly string[] {
  const { editor } = new TestEditor(documentOf(frame('list', layout)));
  const rows = rowsOf(editor.document.peek(), new Set());
  const drop = dropAt(rows, 4 + down * ROW, x, [name], editor);
  if (!drop) return [];
  moveTo(editor, [name], drop);
  return namesOf(editor.document.peek());
}

test('a row that is dragged between two others is there afterwards, in a layout and without', () => {
  for (const layout of [{ direction: 'column' }, null]) {
    const [, first = '', second = '', third = ''] = namesOf(documentOf(frame('list', layout)));
    // Above the first, below the first, and below the last.
    expect(dropped(layout, third, 1.1)).toEqual(['list', third, first, second]);
    expect(dropped(layout, third, 1.9)).toEqual(['list', first, third, second]);
    expect(dropped(layout, first, 3.9)).toEqual(['list', second, third, first]);
    // Further left, it leaves the frame.
    expect(dropped(layout, first, 3.9, 4)).toEqual(['list', second, third, first]);
  }
});

test('Alt with an arrow moves a row up or down the list, and not beyond its ends', () => {
  for (const layout of [{ direction: 'column' }, null]) {
    const { editor } = new TestEditor(documentOf(frame('list', layout)));
    const start = namesOf(editor.document.peek());
    const press = (key: string, name: string) => {
      const rows = rowsOf(editor.document.peek(), new Set());
      const row = rows.find((one) => one.name === name);
      const place = row && placeByKey(key, row, rows);
      if (place) moveTo(editor, [name], place);
      return namesOf(editor.document.peek());
    };
    const [list = '', first = '', second = '', third = ''] = start;
    expect(press('ArrowUp', first)).toEqual(start);
    expect(press('ArrowDown', first)).toEqual([list, second, first, third]);
    expect(press('ArrowUp', first)).toEqual(start);
    expect(press('ArrowDown', third)).toEqual(start);
  }
});
