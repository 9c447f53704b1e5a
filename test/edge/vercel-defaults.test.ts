// Tests the positions and margins that `platen/og` gives to elements as @vercel/og does.

import { expect, test } from 'vitest';
import { likeVercels } from '#edge/og/draw-elements.ts';
import type { PlainNode } from '#edge/og/plain-tree.ts';

type Props = Readonly<Record<string, unknown>>;

const element = (type: string, props: Props, ...children: readonly PlainNode[]): PlainNode => ({
  type,
  props: { ...props, children: children.length === 1 ? children[0] : children },
});

/** The styles of all elements, parents first. */
function styles(...nodes: readonly PlainNode[]): readonly unknown[] {
  return nodes.flatMap((node) => {
    if (typeof node !== 'object') return [];
    const { style, children } = node.props as { style: unknown; children: PlainNode | readonly PlainNode[] };
    return [style, ...styles(...(Array.isArray(children) ? children : [children]))];
  });
}

const after = (...nodes: readonly PlainNode[]) => styles(...likeVercels(nodes));

test('in a tree with an absolute element, all others are relative, but those with a position of their own', () => {
  const background = element('img', { style: { position: 'absolute' } });
  const content = element('div', {}, element('b', { tw: 'static p-4' }, 'x'), element('i', { tw: 'absolute' }));
  expect(after(element('div', {}, background, content))).toEqual([
    { position: 'relative' },
    { position: 'absolute' },
    { position: 'relative' },
    {},
    {},
  ]);
  expect(after(element('div', {}, content))[1]).toEqual({ position: 'relative' });
});

test('a tree without an absolute element has no positions', () =>
  expect(after(element('div', {}, element('p', { tw: 'absolute-ly' }, 'x')))).toEqual([{}, {}]));

test('what is in a drawing stays as it is', () => {
  const drawing = element('svg', {}, element('path', {}));
  expect(after(element('div', { tw: 'absolute' }, drawing))).toEqual([{}, undefined, undefined]);
});

const margins = (inherited: unknown, block: PlainNode) =>
  after(element('div', { style: { fontSize: inherited } }, block))[1];

test('a paragraph with its own font size has the margins of the size around it', () => {
  expect(margins(undefined, element('p', { style: { fontSize: 100 } }, 'x'))).toEqual({
    ...{ fontSize: 100, marginTop: 16, marginBottom: 16 },
  });
  expect(margins('2rem', element('p', { tw: 'text-6xl' }, 'x'))).toEqual({ marginTop: 32, marginBottom: 32 });
  expect(margins('1.5em', element('h1', { style: { fontSize: 100 } }, 'x'))).toMatchObject({ marginTop: 1.34 * 24 });
  expect(margins(20, element('p', {}, 'x'))).toEqual({});
});

test('margins that are given stay', () => {
  expect(margins(20, element('p', { style: { fontSize: 100, margin: 0 } }, 'x'))).toEqual({ fontSize: 100, margin: 0 });
  expect(margins(20, element('p', { tw: 'mt-12 text-6xl' }, 'x'))).toEqual({ marginBottom: 20 });
  expect(margins(20, element('p', { tw: 'my-2 text-[80px]' }, 'x'))).toEqual({});
});

test('where the size around is not known, the margins stay those of browsers', () =>
  expect(margins('clamp(1px, 2vw, 3px)', element('p', { style: { fontSize: 9 } }, 'x'))).toEqual({ fontSize: 9 }));
