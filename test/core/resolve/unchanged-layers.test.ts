// Tests that resolving reuses the nodes of unchanged layers, and that the scene is always the same as without reuse.

import { expect, test } from 'vitest';
import { resolve } from '../../../src/core/resolve/resolve.ts';
import type { FrameNode, Scene, SceneNode } from '../../../src/core/resolve/scene.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';

const STORED = {
  name: 'Card',
  width: 300,
  height: 200,
  background: { type: 'linear', stops: [{ color: 'red' }, { color: 'blue' }] },
  layers: [
    { name: 'photo', type: 'image', src: 'a.png' },
    { name: 'twin', type: 'image', src: 'a.png', borderRadius: 4 },
    {
      name: 'card',
      type: 'frame',
      layout: { gap: 4 },
      children: [
        { name: 'title', type: 'text', text: 'Hello', hyphens: 'auto', lang: 'de', textTransform: 'uppercase' },
        { name: 'rich', type: 'text', spans: [{ text: 'a', fontWeight: 700 }, { image: { src: 'i.png' } }] },
        { name: 'mark', type: 'text', text: '**b**', markup: 'markdown', fontFamily: ['Lora', 'Inter'] },
        { name: 'inner', type: 'frame', direction: 'rtl', children: [{ name: 'note', type: 'text', text: 'n' }] },
      ],
    },
    { name: 'dot', type: 'shape', fill: '#123' },
    { name: 'code', type: 'barcode', value: 'A1' },
  ],
};

const MODIFICATIONS: readonly object[] = [
  {},
  { title: 'Straße' },
  { title: { text: 'x', color: 'red' }, photo: 'b.png' },
  { twin: 'b.png', photo: false },
  { rich: 'plain', mark: '_i_' },
  { rich: { spans: [{ text: 'c', color: 'red' }] }, note: { lang: 'ja', text: '骨' } },
  { card: { layout: null } },
  { card: { direction: 'rtl' }, note: 'm' },
  { card: { children: [{ name: 'other', type: 'text', text: 'o' }] } },
  { card: false, code: 'B2', dot: 'green' },
  { title: { hideWhenEmpty: true, text: ' ' }, nobody: 'x' },
  { mark: { width: '10%', nonsense: 1 } },
];

const anew = (modifications: object): Scene => resolve(parseTemplate(STORED), { ...modifications });

test('a template that drew other scenes before draws each as if it were new', () => {
  const template = parseTemplate(STORED);
  for (const before of MODIFICATIONS) {
    for (const modifications of MODIFICATIONS) {
      resolve(template, { ...before });
      expect(resolve(template, { ...modifications })).toEqual(anew(modifications));
    }
  }
});

test('a template with the same layers in another language or currency has its own formats', () => {
  const english = parseTemplate({
    ...{ name: 'Card', width: 300, height: 200, lang: 'en', currency: 'EUR' },
    layers: [
      { name: 'sum', type: 'text', text: '1234.5', format: 'currency' },
      { name: 'sales', type: 'chart', data: [1] },
      { name: 'card', type: 'frame', children: [{ name: 'rate', type: 'text', text: '0.5', format: 'number' }] },
    ],
  });
  for (const other of [{ lang: 'de' }, { currency: 'USD' }, { lang: 'ar' }]) {
    resolve(english, {});
    const template = { ...english, ...other };
    const anew = { ...template, layers: structuredClone(english.layers) };
    expect(resolve(template, {})).toEqual(resolve(anew, {}));
  }
});

const named = (nodes: readonly SceneNode[], name: string) => nodes.find((node) => node.name === name);

test('what no modification touches is the same node in every scene', () => {
  const template = parseTemplate(STORED);
  const first = resolve(template, { title: 'one' });
  const second = resolve(template, { title: 'two' });
  for (const name of ['photo', 'twin', 'dot', 'code']) {
    expect(named(second.nodes, name)).toBe(named(first.nodes, name));
  }
  expect(second.background).toBe(first.background);
  const [one, two] = [first, second].map(({ nodes }) => (named(nodes, 'card') as FrameNode).children);
  expect(two?.map((child) => one?.includes(child))).toEqual([false, true, true, true]);
});

test('words that change leave the rest of their layer as it is', () => {
  const template = parseTemplate(STORED);
  const [one, two] = ['one', 'two'].map((title) => named(resolve(template, { title }).nodes, 'card') as FrameNode);
  const [before, after] = [one?.children[0], two?.children[0]];
  if (before?.type !== 'text' || after?.type !== 'text') throw new Error('the title is text');
  expect(after.placement).toBe(before.placement);
  expect(after.spans[0]?.style).toBe(before.strut);
});
