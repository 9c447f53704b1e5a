// Tests pages made by hand: added, copied, deleted, ordered and gone to, and what the pointer and the keys do on them.

import { expect, test } from 'vitest';
import { opBounds } from '#core/paint/bounds.ts';
import { parseTemplate } from '#core/template/template.ts';
import type { RawDocument, RawLayer } from '#studio/editor/core/document/document.ts';
import { isPage, pagesOf } from '#studio/editor/core/document/hand-pages.ts';
import * as pages from '#studio/editor/core/state/page-actions.ts';
import { TestEditor } from '../test-editor.ts';

const words = (name: string, more: object = {}): RawLayer => ({
  ...{ type: 'text', name, text: 'Words', fontFamily: 'Inter', fontSize: 20, x: 20, y: 20, width: 100, height: 40 },
  ...more,
});
const box = (name: string, more: object = {}): RawLayer => ({
  ...{ type: 'shape', name, x: 100, y: 100, width: 50, height: 50, fill: '#0af' },
  ...more,
});
const page = (name: string, ...children: readonly RawLayer[]): RawLayer => ({
  ...{ type: 'frame', name, height: '100%', breakBefore: 'page', background: '#fff', children },
});
const CARD: RawDocument = { name: 'Card', width: 300, height: 200, background: '#fff', layers: [words('title')] };
const carousel = (...children: readonly RawLayer[]): RawDocument => ({
  ...{ name: 'Carousel', width: 300, height: 200, page: { size: [300, 200] } },
  layers: [{ type: 'frame', name: 'pages', flow: true, children }],
});
const THREE = carousel(page('cover', words('title')), page('middle', box('dot')), page('end'));
/** Between two pages there are 40 px. */
const STEP = 240;

/** An editor that shows a document; what divides its pages is loaded first. */
async function open(document: RawDocument): Promise<TestEditor> {
  const editor = new TestEditor(document);
  while (editor.editor.isLoading.peek()) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    editor.clock.paint();
  }
  return editor;
}

const names = ({ document }: TestEditor) => pagesOf(document).map(({ name }) => name);
const run = (test: TestEditor, id: string) => {
  const command = test.parts.commands.find((one) => one.id === id);
  if (!command?.isOn()) return false;
  command.run();
  test.clock.paint();
  return true;
};

test('a picture becomes the first of two pages, which undo takes back', async () => {
  const editor = await open(CARD);
  expect(editor.press('Mod+Enter')).toBe(true);
  expect(names(editor)).toEqual(['page-1', 'page-2']);
  expect(editor.document).toMatchObject({ page: { size: [300, 200] }, background: '#fff' });
  expect(editor.layer('page-1').children?.map(({ name }) => name)).toEqual(['title']);
  while (editor.editor.isLoading.peek()) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    editor.clock.paint();
  }
  expect(editor.editor.picture.peek()?.pages).toEqual([0, STEP]);
  expect([editor.editor.pageInSight.peek(), editor.selection]).toEqual([1, ['page-2']]);
  // What was drawn is a template as the server takes it.
  expect(parseTemplate(editor.document).layers).toHaveLength(1);
  editor.press('Mod+Z');
  expect(editor.document).toEqual(CARD);
});

test('a template of several sizes stays one: a document has the size of its sheets', async () => {
  const editor = await open({ ...CARD, sizes: { story: { width: 300, height: 600 } } });
  expect(run(editor, 'page-add')).toBe(false);
  expect(editor.document.page).toBeUndefined();
});

test('a document whose text flows gets a page after the one in sight, and what flows goes on', async () => {
  const editor = await open({
    ...carousel(box('first', { height: 150 }), box('second', { height: 150 })),
    page: { size: [300, 200], margin: 10 },
  });
  run(editor, 'page-add');
  expect(names(editor)).toEqual(['page-1']);
  expect(editor.editor.picture.peek()?.pages).toHaveLength(3);
  const { rect } = editor.editor.picture.peek()?.byName.get('page-1') ?? {};
  expect(rect).toMatchObject({ x: 10, y: 2 * STEP + 10, width: 280, height: 180 });
});

test('a page is added after the current one, copied with what is on it, and deleted', async () => {
  const editor = (await open(THREE)).select('title');
  run(editor, 'page-add');
  expect(names(editor)).toEqual(['cover', 'page-1', 'middle', 'end']);
  editor.select('dot');
  run(editor, 'page-duplicate');
  expect(names(editor)).toEqual(['cover', 'page-1', 'middle', 'middle-2', 'end']);
  expect(editor.layer('middle-2').children?.map(({ name }) => name)).toEqual(['dot-2']);
  expect(editor.layer('middle-2').x).toBeUndefined();
  run(editor, 'page-delete');
  expect(names(editor)).toEqual(['cover', 'page-1', 'middle', 'end']);
  expect(editor.selection).toEqual(['middle']);
});

test('the last page stays', async () => {
  const editor = await open(carousel(page('only')));
  expect(run(editor, 'page-delete')).toBe(false);
  expect(names(editor)).toEqual(['only']);
});

test('pages change places, beside what flows between them', async () => {
  const editor = await open(carousel(page('a'), words('text'), page('b'), page('c')));
  const order = () => editor.layer('pages').children?.map(({ name }) => name);
  editor.select('c');
  run(editor, 'page-earlier');
  expect(order()).toEqual(['a', 'text', 'c', 'b']);
  pages.orderPage(editor.editor, editor.parts.viewport, 'a', 2);
  expect(order()).toEqual(['text', 'c', 'b', 'a']);
  run(editor, 'page-later');
  expect(order()).toEqual(['text', 'c', 'b', 'a']);
  editor.press('Mod+Z');
  editor.press('Mod+Z');
  expect(order()).toEqual(['a', 'text', 'b', 'c']);
});

test('PageDown and PageUp go from page to page, and choose each', async () => {
  const editor = await open(THREE);
  pages.goToPage(editor.editor, editor.parts.viewport, 0);
  editor.press('PageDown');
  expect([editor.editor.pageInSight.peek(), editor.selection]).toEqual([1, ['middle']]);
  editor.press('PageDown');
  editor.press('PageDown');
  expect([editor.editor.pageInSight.peek(), editor.selection]).toEqual([2, ['end']]);
  editor.press('PageUp');
  expect(editor.selection).toEqual(['middle']);
});

test('a press chooses what lies on a page; a drag over its ground chooses several, and moves no page', async () => {
  const editor = await open(carousel(page('a', box('one'), box('two', { x: 200 })), page('b')));
  expect(editor.click(120, 120).selection).toEqual(['one']);
  expect(editor.click(10, 180).selection).toEqual(['a']);
  // With the page chosen, what lies on it is dragged by itself.
  editor.drag([120, 120], [132, 147]);
  expect(editor.layer('one')).toMatchObject({ x: 112, y: 125 });
  editor.drag([5, 90], [290, 190]);
  expect(editor.selection).toEqual(['one', 'two']);
  expect(names(editor)).toEqual(['a', 'b']);
  // The corner of a page is no handle.
  editor.click(10, 180).drag([300, 200], [340, 230]);
  expect(isPage(editor.layer('a'))).toBe(true);
  editor.select('a').press('Mod+ArrowRight');
  expect(isPage(editor.layer('a'))).toBe(true);
});

test('new layers, what is pasted and “select all” are of the page in sight', async () => {
  const editor = await open(THREE);
  pages.goToPage(editor.editor, editor.parts.viewport, 1);
  editor.select();
  editor.press('R');
  editor.press('Enter');
  expect(editor.layer('middle').children?.map(({ name }) => name)).toEqual(['dot', 'rectangle']);
  expect(editor.layer('rectangle')).toMatchObject({ x: 70, y: 40 });
  editor.select();
  editor.press('Mod+A');
  expect(editor.selection).toEqual(['dot', 'rectangle']);
  editor.select('dot');
  pages.goToPage(editor.editor, editor.parts.viewport, 2);
  editor.press('Mod+A');
  expect(editor.selection).toEqual([]);
});

test('a layer is on every page, and on one again, where it was', async () => {
  const editor = await open({
    ...carousel(page('a'), page('b', box('logo'))),
    page: { size: [300, 200], margin: 10 },
  });
  editor.select('logo');
  run(editor, 'every-page');
  expect(editor.document.layers?.map(({ name }) => name)).toEqual(['pages', 'logo']);
  expect(editor.layer('logo')).toMatchObject({ x: 110, y: 110 });
  editor.editor.composeNow();
  pages.goToPage(editor.editor, editor.parts.viewport, 0);
  editor.select('logo');
  run(editor, 'every-page');
  expect(editor.layer('a').children).toMatchObject([{ name: 'logo', x: 100, y: 100 }]);
  editor.select('a');
  expect(run(editor, 'every-page')).toBe(false);
});

test('what sticks out of a page ends with it, as in a file', async () => {
  const wide = box('wide', { x: 250, y: 150, width: 200, height: 200 });
  const editor = await open(carousel(page('a', wide), { ...page('b'), background: undefined }));
  const picture = editor.editor.picture.peek();
  if (!picture) throw new Error('It is not drawn.');
  const ends = picture.list.ops.flatMap((op) => {
    const bounds = opBounds(op, picture.fonts);
    return bounds ? [bounds.y + bounds.height] : [];
  });
  expect(Math.max(...ends)).toBe(200);
});

test('a page that is pasted becomes a page', async () => {
  const editor = (await open(THREE)).select('middle');
  editor.press('Mod+C');
  await editor.pass(0);
  editor.select('title');
  await editor.parts.paste(null);
  expect(names(editor)).toEqual(['cover', 'middle-2', 'middle', 'end']);
});
