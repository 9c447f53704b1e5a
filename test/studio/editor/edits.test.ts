// Tests the editor's edits as pure functions: their results, and which objects they share with the previous document.

import { expect, test } from 'vitest';
import { aligned, distributed } from '../../../src/studio/editor/core/document/arrange.ts';
import {
  layerAtPath,
  type RawDocument,
  type RawLayer,
  walk,
} from '../../../src/studio/editor/core/document/document.ts';
import {
  duplicateLayers,
  insertLayers,
  moveLayers,
  orderLayers,
  removeLayers,
  renameLayer,
  setLayer,
  withLayout,
} from '../../../src/studio/editor/core/document/edits.ts';
import { History, type Moment } from '../../../src/studio/editor/core/document/history.ts';
import {
  moveParameter,
  offerAll,
  offerLayer,
  offerLayers,
  parametersIn,
  setParameter,
} from '../../../src/studio/editor/core/document/parameter-edits.ts';
import { stylePatch, textPatch } from '../../../src/studio/editor/core/document/text-edits.ts';
import { layersAsText, layersFromText } from '../../../src/studio/editor/core/state/clipboard.ts';
import { evaluate } from '../../../src/studio/editor/inspector/number-input.tsx';

const layer = (name: string, children?: readonly RawLayer[]): RawLayer =>
  children ? { type: 'frame', name, children } : { type: 'shape', name };
const DOCUMENT: RawDocument = {
  name: 'test',
  width: 100,
  height: 100,
  layers: [layer('a'), layer('f', [layer('b'), layer('g', [layer('c')])]), layer('d')],
};
/** Layer names with children in parentheses: `a f(b g(c)) d`. */
const tree = (layers: readonly RawLayer[] = []): string =>
  layers.map(({ name, children }) => (children ? `${name}(${tree(children)})` : name)).join(' ');
const show = (document: RawDocument) => tree(document.layers);

test('a change leaves every other layer the same object', () => {
  const next = setLayer('c', { x: 5 })(DOCUMENT);
  expect(next.layers?.[0]).toBe(DOCUMENT.layers?.[0]);
  expect(next.layers?.[2]).toBe(DOCUMENT.layers?.[2]);
  expect(next.layers?.[1]?.children?.[0]).toBe(DOCUMENT.layers?.[1]?.children?.[0]);
  expect([...walk(next.layers)].find((placed) => placed.layer.name === 'c')?.layer).toEqual({
    type: 'shape',
    name: 'c',
    x: 5,
  });
});
test('a change that changes nothing is the same document', () => {
  expect(setLayer('c', { x: undefined })(DOCUMENT)).toBe(DOCUMENT);
  expect(removeLayers(['nobody'])(DOCUMENT)).toBe(DOCUMENT);
  expect(renameLayer('a', 'd')(DOCUMENT)).toBe(DOCUMENT);
  expect(moveLayers(['b'], 'f', 0)(DOCUMENT)).toBe(DOCUMENT);
});
test('layers move into frames, out of them, and along', () => {
  expect(show(moveLayers(['a'], 'g', 1)(DOCUMENT))).toBe('f(b g(c a)) d');
  expect(show(moveLayers(['c', 'b'], null, 1)(DOCUMENT))).toBe('a b c f(g()) d');
  expect(show(moveLayers(['a'], null, 3)(DOCUMENT))).toBe('f(b g(c)) d a');
});
test('a frame that gets a layout hugs what is in it, and keeps its sides when the layout changes, or nothing is in it', () => {
  const frame = { type: 'frame', name: 'f', width: 80, height: 40, children: [{ type: 'shape', name: 's' }] };
  const row = { type: 'flex', direction: 'row' };
  expect(withLayout(frame, row)).toEqual({ layout: row, width: 'hug', height: 'hug' });
  expect(withLayout({ ...frame, layout: row }, { type: 'grid' })).toEqual({ layout: { type: 'grid' } });
  expect(withLayout({ ...frame, children: [] }, row)).toEqual({ layout: row });
  expect(withLayout(frame, null)).toEqual({ layout: null });
});

test('a frame never goes into itself', () => {
  expect(moveLayers(['f'], 'g', 0)(DOCUMENT)).toBe(DOCUMENT);
});
test('order: by one and all the way', () => {
  expect(show(orderLayers(['a'], 'forward')(DOCUMENT))).toBe('f(b g(c)) a d');
  expect(show(orderLayers(['d'], 'back')(DOCUMENT))).toBe('d a f(b g(c))');
  expect(show(orderLayers(['a', 'd'], 'front')(DOCUMENT))).toBe('f(b g(c)) a d');
  expect(show(orderLayers(['a', 'f'], 'backward')(DOCUMENT))).toBe('a f(b g(c)) d');
});
test('copies have names of their own, at any depth', () => {
  const { document, names } = duplicateLayers(DOCUMENT, ['f']);
  expect(show(document)).toBe('a f(b g(c)) f-2(b-2 g-2(c-2)) d');
  expect(names).toEqual(['f-2']);
});
test('copies say in languages, and are in sizes, what their originals do', () => {
  const texts = { b: { de: 'Beh' }, d: { de: 'Deh' } };
  const sizes = { story: { width: 9, height: 16, changes: { b: { fontSize: 9 } } } };
  const { document } = duplicateLayers({ ...DOCUMENT, texts, sizes }, ['f']);
  expect(document.texts).toEqual({ ...texts, 'b-2': texts.b });
  expect(document.sizes).toEqual({
    story: { ...sizes.story, changes: { b: { fontSize: 9 }, 'b-2': { fontSize: 9 } } },
  });
});
test('what is pasted is what was copied, under free names', () => {
  const { layers } = layersFromText(layersAsText(DOCUMENT, ['g', 'c', 'a']));
  expect(show(insertLayers(DOCUMENT, layers, null).document)).toBe('a f(b g(c)) d a-2 g-2(c-2)');
  expect(layersFromText('Some words').layers[0]).toMatchObject({ type: 'text', text: 'Some words' });
});

test('history: steps of one kind are one, and another edit forgets what was undone', () => {
  const history = new History<Moment>();
  const at = (name: string) => ({ document: { ...DOCUMENT, name }, selection: [] });
  history.record(at('0'), 'type', 0);
  history.record(at('1'), 'type', 100);
  history.record(at('2'), null, 200);
  expect(history.undo(() => at('3'))?.document.name).toBe('2');
  expect(history.undo(() => at('2'))?.document.name).toBe('0');
  expect(history.redo(() => at('0'))?.document.name).toBe('2');
  history.record(at('2'), null, 300);
  expect(history.canRedo).toBe(false);
});

test('typing into spans changes the span that one types in', () => {
  const spans = [{ text: 'Hello ', fontWeight: 700 }, { text: 'world' }];
  const typed = (next: string) => textPatch({ type: 'text', name: 't', spans }, next).spans;
  expect(typed('Hello, world')).toEqual([{ text: 'Hello, ', fontWeight: 700 }, { text: 'world' }]);
  expect(typed('Hello world!')).toEqual([{ text: 'Hello ', fontWeight: 700 }, { text: 'world!' }]);
  expect(typed('world')).toEqual([{ text: 'world' }]);
  expect(typed('Hi')).toEqual([{ text: 'Hi', fontWeight: 700 }]);
});
test('a style for some of the words', () => {
  const plain = { type: 'text', name: 't', text: 'one two three' };
  expect(stylePatch(plain, 4, 7, { fontWeight: 700 }).spans).toEqual([
    { text: 'one ' },
    { text: 'two', fontWeight: 700 },
    { text: ' three' },
  ]);
  const bold = { ...plain, ...stylePatch(plain, 4, 7, { fontWeight: 700 }) };
  expect(stylePatch(bold, 0, 13, { fontWeight: undefined })).toEqual({ text: 'one two three', spans: undefined });
});

const sum = (text: string, current = 0) => evaluate(text, current);
test('numbers can be reckoned with', () => {
  expect(sum('120/2+8')).toBe(68);
  expect(sum('(3 + 4) * 2')).toBe(14);
  expect(sum('-12')).toBe(-12);
  expect(sum('+10', 5)).toBe(15);
  expect(sum('*2', 21)).toBe(42);
  expect(sum('-=4', 10)).toBe(6);
  expect(sum('1,5')).toBe(1.5);
});
test('what is no sum is refused', () => {
  for (const text of ['', 'abc', '1+', '(1', '2 3', '1/0', '1..2']) expect(sum(text)).toBeNull();
});

const box = (x: number, y: number, width = 10, height = 10) => ({ x, y, width, height });
test('align and distribute', () => {
  const within = box(0, 0, 100, 50);
  expect(aligned([box(5, 5)], within, 'right')).toEqual([{ dx: 85, dy: 0 }]);
  expect(aligned([box(5, 5)], within, 'middle')).toEqual([{ dx: 0, dy: 15 }]);
  expect(distributed([box(0, 0), box(60, 0), box(12, 0)], 'x')).toEqual([
    { dx: 0, dy: 0 },
    { dx: 0, dy: 0 },
    { dx: 18, dy: 0 },
  ]);
});

test('a message’s path leads to its layer', () => {
  expect(layerAtPath(DOCUMENT, 'layers[1].children[1].children[0].width')).toBe('c');
  expect(layerAtPath(DOCUMENT, 'layers.d.fill')).toBe('d');
  expect(layerAtPath(DOCUMENT, 'width')).toBeNull();
});

const offered = (document: RawDocument) =>
  parametersIn(document)
    ?.map(({ layer }) => layer)
    .join(' ');

test('parameters follow their layers: renamed, moved between frames, removed with them', () => {
  const document = offerLayers(['c', 'a', 'd'])(DOCUMENT);
  expect(offered(renameLayer('c', 'code')(document))).toBe('code a d');
  expect(offered(moveLayers(['a'], 'f', 0)(document))).toBe('c a d');
  expect(offered(removeLayers(['f'])(document))).toBe('a d');
  expect(removeLayers(['b'])(document).parameters).toBe(document.parameters);
  expect(renameLayer('b', 'a')(document)).toBe(document);
});

test('a counter goes on showing the page of a layer that is renamed, and a value its text', () => {
  const spans = [{ text: 'See page ' }, { counter: 'page', of: 'd' }, { counter: 'page', of: 'a' }, { name: 'd' }];
  const document = setLayer('c', { type: 'text', spans })(DOCUMENT);
  expect(
    [...walk(renameLayer('d', 'terms')(document).layers)].find((each) => each.layer.name === 'c')?.layer.spans,
  ).toEqual([
    ...[{ text: 'See page ' }, { counter: 'page', of: 'terms' }, { counter: 'page', of: 'a' }],
    { name: 'terms' },
  ]);
});

test('parameters are ordered, changed, offered, and forgotten', () => {
  const document = offerLayers(['a', 'd'])(DOCUMENT);
  expect(offered(moveParameter('d', -1)(document))).toBe('d a');
  expect(moveParameter('d', 1)(document)).toBe(document);
  expect(offered(offerLayer('c')(document))).toBe('a d c');
  expect(offerLayer('a')(document)).toBe(document);
  const labelled = setParameter('a', { label: 'Headline', required: true })(document);
  expect(parametersIn(labelled)?.[0]).toEqual({ layer: 'a', label: 'Headline', required: true });
  expect(parametersIn(setParameter('a', { required: undefined })(labelled))?.[0]).toEqual({
    layer: 'a',
    label: 'Headline',
  });
  expect(offerAll(document)).toEqual(DOCUMENT);
});

test('a chart goes on showing a table that gets another name, and its own values once the table is removed', () => {
  const chart = { type: 'chart', name: 'chart', from: { table: 'a', values: 'b' }, data: [1] };
  const document = { ...DOCUMENT, layers: [...(DOCUMENT.layers ?? []), chart] };
  const shown = ({ layers }: RawDocument) => layers?.find(({ name }) => name === 'chart');
  expect(shown(renameLayer('a', 'sales')(document))?.from).toEqual({ table: 'sales', values: 'b' });
  expect(shown(removeLayers(['a'])(document))).toEqual({ type: 'chart', name: 'chart', data: [1] });
  expect(shown(removeLayers(['d'])(document))).toBe(chart);
});
