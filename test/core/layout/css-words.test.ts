// Tests words of CSS that Chromium's recorded frames do not: what is refused, and what vanishes before layout.

import { expect, test } from 'vitest';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { resources } from '../scene-nodes.ts';

type Layer = Readonly<Record<string, unknown>>;

const box = (name: string, more: Layer = {}): Layer => ({ name, type: 'shape', width: 20, height: 10, ...more });
const template = (...layers: readonly Layer[]) => parseTemplate({ name: 't', width: 200, height: 100, layers });

function placed(...layers: readonly Layer[]): string {
  const flat = (each: LayoutBox): readonly LayoutBox[] => [
    each,
    ...(each.kind === 'frame' ? each.children : []).flatMap(flat),
  ];
  const boxes = layOut(resolve(template(...layers), {}), resources()).boxes.flatMap(flat);
  return boxes.map(({ node, rect }) => `${node.name} ${rect.x},${rect.y} ${rect.width}×${rect.height}`).join('; ');
}

const contents = (name: string, children: readonly Layer[], more: Layer = {}): Layer => ({
  ...{ name, type: 'frame', layout: { type: 'contents' }, x: 50, y: 50, padding: 9, background: '#f00', children },
  ...more,
});

test('the children of `contents` are laid out by the frame around it, at any depth', () =>
  expect(
    placed({
      ...{ name: 'row', type: 'frame', layout: { direction: 'row', gap: 5 } },
      children: [box('a'), contents('g', [box('b'), contents('h', [box('c')])]), box('d')],
    }),
  ).toBe('row 0,0 95×10; a 0,0 20×10; b 25,0 20×10; c 50,0 20×10; d 75,0 20×10'));
test('on the canvas they are placed by their own x and y', () =>
  expect(placed(contents('g', [box('a', { x: 7, y: 8 })]))).toBe('a 7,8 20×10'));
test('`visible` hides them with their frame', () =>
  expect(placed(contents('g', [box('a')], { visible: false }), box('b'))).toBe('b 0,0 20×10'));
test('their direction is that of their frame', () =>
  expect(
    placed(
      contents('g', [{ name: 'row', type: 'frame', width: 60, layout: { direction: 'row' }, children: [box('a')] }], {
        direction: 'rtl',
      }),
    ),
  ).toBe('row 0,0 60×10; a 40,0 20×10'));

test('sides place a layer on the canvas', () =>
  expect(placed(box('a', { right: 10, bottom: '10%' }))).toBe('a 170,80 20×10'));
test('x and y count on the axis that names no side', () =>
  expect(placed(box('a', { x: 30, y: 40, right: 10 }))).toBe('a 170,40 20×10'));
test('sides of a static child count for nothing', () =>
  expect(
    placed({ name: 'row', type: 'frame', layout: { direction: 'row' }, children: [box('a', { top: 5, left: 5 })] }),
  ).toBe('row 0,0 20×10; a 0,0 20×10'));

function refused(layer: Layer): string {
  try {
    template(layer);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}
const grid = (layout: Layer): Layer => ({ name: 'g', type: 'frame', layout: { type: 'grid', ...layout } });

test.each([
  [grid({ columns: ['minmax(1fr, 20px)'] }), /columns\[0\]: must be a length in px/],
  [grid({ columns: ['repeat(auto-fill, 1fr)'] }), /must have tracks in px or percent beside auto-fill/],
  [grid({ columns: ['repeat(auto-fill, 20px)', 'repeat(auto-fit, 20px)'] }), /at most one auto-fill or auto-fit/],
  [grid({ columns: ['repeat(60, 1px)', 'repeat(60, 1px)'] }), /at most 100 tracks/],
  [grid({ gridTemplateAreas: ['a b', 'b a'] }), /"a" in one rectangle/],
  [box('b', { gridColumn: 'first' }), /gridColumn: must be a number from 1 to 100, or lines of a grid/],
  [box('b', { gridArea: '1' }), /gridArea: must be a name/],
  [box('b', { margin: 'aut' }), /margin: must be a number, a percentage or "auto"/],
  [box('b', { left: '5 px' }), /left: must be a number, a percentage/],
])('%j is refused in words', (layer, message) => expect(refused(layer)).toMatch(message));
