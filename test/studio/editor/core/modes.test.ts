// Tests that the editor is in one mode at a time, what ends it, and that several editors have nothing in common.

import { expect, test } from 'vitest';
import { languagesOf } from '#design/choice.ts';
import { addLanguage, removeLanguage } from '../../../../src/studio/editor/core/design/size-edits.ts';
import type { RawDocument } from '../../../../src/studio/editor/core/document/document.ts';
import { removeLayers, renameLayer, setLayer } from '../../../../src/studio/editor/core/document/edits.ts';
import { dropAt, moveTo, pickRow, placeByKey, rowsOf } from '../../../../src/studio/editor/core/state/rows.ts';
import { pasteRows, pasteText } from '../../../../src/studio/editor/insert-images.ts';
import { settled, TestEditor } from '../test-editor.ts';

const CARD: RawDocument = {
  name: 'Card',
  width: 400,
  height: 300,
  layers: [
    { type: 'shape', name: 'a', x: 50, y: 50, width: 100, height: 60 },
    {
      ...{ type: 'frame', name: 'box', x: 20, y: 200, width: 120, height: 80 },
      children: [
        { type: 'shape', name: 'dot', x: 10, y: 10, width: 20, height: 20 },
        { type: 'shape', name: 'far', x: 50, y: 10, width: 20, height: 20 },
      ],
    },
    { type: 'text', name: 'title', x: 200, y: 20, width: 150, text: 'Hello', fontSize: 20 },
  ],
};

const inText = () => {
  const at = new TestEditor(CARD);
  at.editor.editText('title');
  return at;
};

test.each<[string, (at: TestEditor) => void]>([
  ['another layer is selected', (at) => at.select('a')],
  ['its layer is deleted', (at) => at.editor.edit(removeLayers(['title']))],
  ['a tool is chosen', (at) => at.editor.choose('rect')],
  ['another document is loaded', (at) => at.editor.replace({ ...CARD, layers: [] })],
  ['another layer is entered', (at) => at.editor.enter({ kind: 'crop', layer: 'a' })],
])('words are edited no longer when %s', (_what, then) => {
  const at = inText();
  expect(at.mode).toBe('text');
  then(at);
  expect(at.mode).not.toBe('text');
  expect(at.editor.chosenWords.peek()).toBeNull();
});

test('words that are edited stay so when the document changes elsewhere, and when it is undone', () => {
  const at = inText();
  at.editor.selectWords([1, 3]);
  at.editor.edit(setLayer('a', { x: 1 }));
  at.editor.undo();
  expect([at.mode, at.editor.chosenWords.peek()]).toEqual(['text', { name: 'title', range: [1, 3] }]);
});

test('undo that takes the edited layer away ends its editing', () => {
  const at = new TestEditor(CARD).keys('T').click(300, 100);
  expect(at.editor.task.peek()).toMatchObject({ kind: 'text', layer: 'text' });
  at.editor.undo();
  expect([at.mode, at.document]).toEqual(['select', CARD]);
});

test('a size and a language are shown without what was edited in place, and with the tool that was chosen', async () => {
  const at = inText();
  await at.editor.showView({ size: null, lang: 'de' });
  expect(at.mode).toBe('select');
  at.editor.choose('rect');
  await at.editor.showView({ size: null, lang: null });
  expect(at.editor.tool.peek()).toBe('rect');
});

test('a text that is added in a language is the text of the template; of one that there is, the language has its words', async () => {
  const at = new TestEditor({ ...CARD, lang: 'en', texts: { title: { de: 'Hallo' } } });
  await at.editor.showView({ size: null, lang: 'de' });
  at.keys('T').click(300, 100);
  for (const text of ['N', 'Ne', 'Neu']) at.editor.edit(setLayer('text', { text }));
  expect(at.editor.stored.peek().texts).toEqual({ title: { de: 'Hallo' } });
  expect(at.editor.layer('text')).toMatchObject({ text: 'Neu' });
  at.editor.leave();
  at.editor.editText('title');
  at.editor.edit(setLayer('title', { text: 'Servus' }));
  expect(at.editor.stored.peek().texts).toEqual({ title: { de: 'Servus' } });

  // A copy that is made in the language has both.
  at.select('title').keys('Mod+D');
  const stored = at.editor.stored.peek();
  expect(stored.texts).toEqual({ title: { de: 'Servus' }, 'title-2': { de: 'Servus' } });
  expect(stored.layers?.find(({ name }) => name === 'title-2')).toMatchObject({ text: 'Hello', x: 216 });
  expect(at.editor.selection.peek()).toEqual(['title-2']);

  // So has one that is dragged off with Alt.
  at.keys('Mod+Z');
  at.drag([230, 32], [230, 132], { alt: true, mod: true });
  const dragged = at.editor.stored.peek();
  expect(dragged.texts).toEqual({ title: { de: 'Servus' }, 'title-2': { de: 'Servus' } });
  expect(dragged.layers?.find(({ name }) => name === 'title-2')).toMatchObject({ text: 'Hello', x: 200, y: 120 });
  expect(dragged.layers?.find(({ name }) => name === 'title')).toMatchObject({ text: 'Hello', x: 200, y: 20 });
  at.editor.undo();
  expect(at.editor.stored.peek().layers?.map(({ name }) => name)).not.toContain('title-2');
});

test('what is cut and pasted says in languages and sizes what it said, in a language too', async () => {
  const sizes = { story: { width: 400, height: 600, changes: { title: { fontSize: 40 } } } };
  const at = new TestEditor({
    ...CARD,
    lang: 'en',
    sizes,
    texts: { title: { de: 'Hallo' }, a: { de: { fill: 'red' } } },
  });
  await at.editor.showView({ size: null, lang: 'de' });
  const before = at.editor.stored.peek();
  at.select('title').keys('Mod+X');
  await settled();
  expect(at.editor.stored.peek()).toMatchObject({ texts: { a: { de: { fill: 'red' } } } });
  expect(at.editor.stored.peek().texts).not.toHaveProperty('title');
  await pasteText(at.select().editor, at.clipboard ?? '', null);
  expect(at.editor.stored.peek()).toEqual(before);

  // In a size, it is where the pointer is.
  await at.editor.showView({ size: 'story', lang: null });
  await pasteText(at.select().editor, at.clipboard ?? '', { x: 40, y: 500 });
  expect(at.editor.stored.peek()).toMatchObject({
    sizes: { story: { changes: { title: { fontSize: 40 }, 'title-2': { fontSize: 40, x: 40, y: 500 } } } },
    texts: { title: { de: 'Hallo' }, 'title-2': { de: 'Hallo' } },
  });
});

test('a copy that is dragged off in a size is where it is dropped, and looks in others as what it is a copy of', async () => {
  const sizes = { story: { width: 400, height: 600, changes: { title: { fontSize: 40, y: 300 } } } };
  const at = new TestEditor({ ...CARD, sizes });
  await at.editor.showView({ size: 'story', lang: null });
  const { x, y } = at.editor.picture.peek()?.byName.get('title')?.rect ?? { x: 0, y: 0 };
  at.drag([x + 5, y + 5], [x + 5, y + 105], { alt: true, mod: true });
  const stored = at.editor.stored.peek();
  expect(stored.layers?.find(({ name }) => name === 'title-2')).toMatchObject({ y: 20, fontSize: 20 });
  expect(stored.sizes).toMatchObject({
    story: { changes: { title: { fontSize: 40, y: 300 }, 'title-2': { fontSize: 40, y: 400 } } },
  });
});

test('a drag is on top of what was going on, and gives it back', () => {
  const at = inText();
  at.editor.startDrag();
  expect([at.mode, at.editor.task.peek().kind]).toEqual(['drag', 'text']);
  at.editor.cancelDrag();
  expect(at.mode).toBe('text');
  at.editor.startDrag();
  at.editor.drag(setLayer('a', { x: 1 })(CARD));
  at.editor.replace({ ...CARD, name: 'Theirs' });
  at.editor.drag(setLayer('a', { x: 2 })(CARD));
  at.editor.endDrag();
  expect([at.document.name, at.layer('a').x, at.editor.canUndo.peek()]).toEqual(['Theirs', 50, false]);
});

test('a task that begins during a drag ends it where it is', () => {
  const at = new TestEditor(CARD);
  at.editor.startDrag();
  at.editor.drag(setLayer('a', { x: 1 })(CARD));
  at.editor.choose('text');
  expect([at.mode, at.layer('a').x, at.editor.canUndo.peek()]).toEqual(['tool', 1, true]);
});

test('a picture is chosen for its layer, whatever is selected meanwhile', () => {
  const at = new TestEditor(CARD);
  at.editor.enter({ kind: 'picture', layer: 'a' });
  at.select('title');
  expect(at.editor.task.peek()).toEqual({ kind: 'picture', layer: 'a' });
  at.editor.leave();
  expect(at.mode).toBe('select');
});

test('selected words are taken by the field once', () => {
  const at = inText();
  at.editor.editText('title', [1, 4]);
  expect([at.editor.takeWantedWords(), at.editor.takeWantedWords()]).toEqual([[1, 4], null]);
});

test('a layer that is renamed stays selected, in the document and in the test data', () => {
  const at = new TestEditor(CARD).select('a');
  at.editor.showValues({ a: '#f00' }, null);
  at.editor.rename('a', 'ground', renameLayer('a', 'ground'));
  expect([at.selection, at.editor.values.peek()]).toEqual([['ground'], { ground: '#f00' }]);
});

test('typing over test data turns it off, and undo brings it back', () => {
  const at = new TestEditor(CARD);
  at.editor.showValues({ title: 'Data' }, 'Longest');
  at.editor.edit(setLayer('title', { text: 'Mine' }), { own: 'title' });
  expect([at.editor.values.peek(), at.editor.valuesName.peek()]).toEqual([{}, null]);
  at.editor.undo();
  expect([at.editor.values.peek(), at.editor.valuesName.peek()]).toEqual([{ title: 'Data' }, 'Longest']);
  at.editor.redo();
  expect(at.editor.values.peek()).toEqual({});
});

test('the tree selects a row, rows with Shift, and one more with Ctrl', () => {
  const at = new TestEditor(CARD);
  const rows = rowsOf(CARD, new Set());
  expect(rows.map(({ name }) => name)).toEqual(['title', 'box', 'far', 'dot', 'a']);
  const pick = (name: string, last: string | null, held = {}) =>
    pickRow(at.editor, rows, name, last, { shift: false, mod: false, ...held });
  pick('far', null);
  pick('title', 'far', { shift: true });
  expect(at.selection).toEqual(['title', 'box', 'far']);
  pick('box', 'title', { mod: true });
  expect(at.selection).toEqual(['title', 'far']);
});

test('a row that is dropped on a frame goes into it and keeps its place, and not into itself', () => {
  const at = new TestEditor(CARD);
  const rows = rowsOf(CARD, new Set());
  const onBox = dropAt(rows, 4 + 1.5 * 28, 60, ['a'], at.editor);
  expect(onBox).toMatchObject({ frame: 'box', index: 2 });
  if (onBox) moveTo(at.editor, ['a'], onBox);
  expect(at.layer('box').children?.map(({ name }) => name)).toEqual(['dot', 'far', 'a']);
  expect(at.layer('a')).toMatchObject({ x: 30, y: -150 });
  expect(dropAt(rows, 4 + 2.5 * 28, 60, ['box'], at.editor)).toBeNull();
});

test('rows that are pasted on a table fill it, and words and layers are pasted beside it', () => {
  const table = { type: 'table', name: 'items', columns: [{ value: 'item' }], rows: [{ item: 'Tea' }] };
  const at = new TestEditor({ ...CARD, layers: [table] }).select('items');
  expect(pasteRows(at.editor, 'item\tprice\nCoffee\t2.80\nCake\t3.20\n')).toBe(true);
  expect(at.layer('items').rows).toEqual([
    { item: 'Coffee', price: '2.80' },
    { item: 'Cake', price: '3.20' },
  ]);
  at.editor.undo();
  expect(at.layer('items').rows).toEqual([{ item: 'Tea' }]);
  for (const words of ['Coffee, tea and cake', 'One\nTwo', '[{"type": "text",\n"text": "a"}]', '']) {
    expect(pasteRows(at.editor, words), words).toBe(false);
  }
  at.editor.select([]);
  expect(pasteRows(at.editor, 'a,b\n1,2')).toBe(false);
});

test('languages are added one by one, each a step that is undone, and have no words yet', async () => {
  const at = new TestEditor({ ...CARD, lang: 'en' });
  const languages = () => languagesOf(at.editor.stored.peek() as never);
  for (const lang of ['de', 'ar']) {
    at.editor.editStored(addLanguage(lang));
    await at.editor.showView({ size: null, lang });
  }
  expect(languages()).toEqual(['en', 'de', 'ar']);
  at.editor.undo();
  expect([languages(), at.editor.view.peek().lang]).toEqual([['en', 'de'], null]);
  at.editor.editStored(removeLanguage('de'));
  expect(at.editor.stored.peek()).not.toHaveProperty('texts');
  at.editor.undo();
  at.editor.undo();
  expect(languages()).toEqual(['en']);
});

test('a layer stays in its place when its frame is dissolved or left, a hidden one too', () => {
  const hidden = {
    ...CARD,
    layers: [
      {
        type: 'frame',
        name: 'around',
        x: 100,
        y: 50,
        width: 80,
        height: 80,
        children: [
          { type: 'shape', name: 'shown', x: 1, y: 2, width: 5, height: 5 },
          { type: 'shape', name: 'hidden', x: 3, y: 4, width: 5, height: 5, visible: false },
        ],
      },
    ],
  };
  const at = new TestEditor(hidden).select('around').keys('Mod+Shift+G');
  expect([at.layer('shown'), at.layer('hidden')]).toMatchObject([
    { x: 101, y: 52 },
    { x: 103, y: 54 },
  ]);
  expect(at.selection).toEqual(['shown', 'hidden']);
  at.keys('Mod+Z');
  const rows = rowsOf(at.document, new Set());
  const [row] = rows.filter(({ name }) => name === 'hidden');
  const out = row && placeByKey('ArrowLeft', row, rows);
  expect(out).toEqual({ frame: null, index: 1 });
  if (out) moveTo(at.editor, ['hidden'], out);
  expect(at.document.layers).toMatchObject([{ name: 'around' }, { name: 'hidden', x: 103, y: 54 }]);
});

test('several editors have nothing in common but what is kept in their browser', () => {
  const [one, two] = [new TestEditor(CARD), new TestEditor(CARD)];
  one.select('a').keys('Delete', 'Shift+R');
  one.editor.editText('title');
  expect([two.document, two.selection, two.mode, two.said]).toEqual([CARD, [], 'select', []]);
  expect(two.editor.preferences.showRulers.peek()).toBe(true);
  two.drag([100, 80], [130, 100]);
  expect([one.editor.layer('a'), one.mode]).toEqual([null, 'text']);
});
