// Tests layers without constraints on a wider canvas: which edge they keep to, and what grows with the frame around it.

import { expect, test } from 'vitest';
import type { LayerDocument } from '#core/template/layer.ts';
import { type Template, walkLayers } from '#core/template/template.ts';
import { designedAs } from './designed-as.ts';

type Layers = readonly Readonly<Record<string, unknown>>[];

/** From 400 × 400 to 800 × 400: nothing is scaled, and there are 400 px of room. `[x, width]` by name. */
function wider(layers: Layers): (name: string) => readonly [number, unknown] {
  const document = {
    ...{ name: 'Card', width: 400, height: 400, sizes: { wide: { width: 800, height: 400 } } },
    layers: layers as readonly LayerDocument[],
  };
  const { template } = designedAs(document as never, { size: 'wide' });
  const at = new Map([...walkLayers((template as Template).layers)].map(({ layer }) => [layer.name, layer]));
  return (name) => [at.get(name)!.x, at.get(name)!.width];
}

const rect = (name: string, x: number, y: number, width: number, height: number, more: object = {}) => ({
  ...{ name, type: 'shape', x, y, width, height },
  ...more,
});
const words = (name: string, x: number, y: number, width: number) => ({
  ...{ name, type: 'text', x, y, width, text: name, fontSize: 20 },
});

test('what is at a margin keeps to it, and what is centred stays centred', () => {
  const at = wider([
    words('title', 20, 20, 200),
    rect('photo', 280, 60, 100, 100),
    rect('seal', 150, 300, 100, 60),
    rect('rule', 20, 390, 360, 2),
  ]);
  expect(at('title')).toEqual([20, 200]);
  expect(at('photo')).toEqual([680, 100]);
  expect(at('seal')).toEqual([350, 100]);
  expect(at('rule')).toEqual([20, 760]);
});

test('what lies on something goes with it, and shapes that touch are one', () => {
  const at = wider([
    words('title', 20, 20, 150),
    rect('panel', 250, 0, 150, 400),
    rect('sun', 275, 100, 100, 100, { shape: 'ellipse' }),
    ...[0, 1, 2, 3].map((n) => rect(`bar-${n}`, 20 + n * 45, 200, 40, 100)),
  ]);
  expect(at('panel')).toEqual([650, 150]);
  expect(at('sun')).toEqual([675, 100]);
  expect([0, 1, 2, 3].map((n) => at(`bar-${n}`)[0])).toEqual([20, 65, 110, 155]);
});

test('words beside something at the left margin stay beside it', () => {
  const at = wider([rect('mark', 20, 20, 60, 60), words('mark-words', 96, 30, 200), words('far', 200, 200, 120)]);
  expect(at('mark-words')).toEqual([96, 200]);
  expect(at('far')[0]).toBeGreaterThan(400);
});

test('columns that have a common edge keep it', () => {
  const at = wider([
    words('name', 20, 20, 200),
    words('price', 260, 20, 120),
    words('unit', 260, 60, 60),
    words('origin', 262, 320, 40),
  ]);
  expect([at('price')[0], at('unit')[0], at('origin')[0]]).toEqual([660, 660, 662]);
});

const frame = (name: string, layout: object, children: Layers, more: object = {}) => ({
  ...{ name, type: 'frame', layout: { type: 'flex', ...layout }, children },
  ...more,
});

test('rules and columns that fill a frame grow with it, at every depth', () => {
  const line = {
    name: 'line',
    type: 'shape',
    shape: 'line',
    width: 360,
    height: 1,
    points: [
      [0, 0.5],
      [360, 0.5],
    ],
  };
  const column = (name: string, width: number) =>
    frame(name, { direction: 'column' }, [words(`${name}-text`, 0, 0, width)], { width });
  const at = wider([
    frame(
      'page',
      { direction: 'column' },
      [
        line,
        frame('inner', { direction: 'column' }, [rect('rule', 0, 0, 340, 2)], { padding: 10 }),
        frame('columns', { direction: 'row', gap: 20 }, [column('first', 100), column('second', 240)], { width: 360 }),
        frame('left', { direction: 'column' }, [rect('own', 0, 0, 360, 2)], { alignSelf: 'start' }),
        rect('short', 0, 0, 200, 2),
        { name: 'code', type: 'qr', value: 'x', width: 360, height: 360 },
      ],
      { x: 20, y: 20, width: 360, height: 360 },
    ),
  ]);
  expect(at('line')[1]).toBe(760);
  expect(at('rule')[1]).toBe(740);
  expect(at('first')[1]).toBeCloseTo(100 + (400 * 100) / 340, 1);
  expect(at('first-text')[1]).toBe(at('first')[1]);
  expect(at('second')[1]).toBeCloseTo(240 + (400 * 240) / 340, 1);
  expect([at('own')[1], at('short')[1], at('code')[1]]).toEqual([360, 200, 360]);
});
