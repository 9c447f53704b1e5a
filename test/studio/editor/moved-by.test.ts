// Tests which changes of paint operations the canvas treats as a move: those that differ in position only.

import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { movedBy } from '../../../src/studio/editor/canvas/svg-patcher.ts';
import { composed } from '../../golden/render-case.ts';

const opsOf = async (layer: Readonly<Record<string, unknown>>): Promise<readonly PaintOp[]> => {
  const template = { name: 'test', width: 400, height: 300, background: null, layers: [{ name: 'one', ...layer }] };
  return (await composed({ template, modifications: {} } as never)).list.ops;
};

async function check(
  layer: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  expected: string,
): Promise<void> {
  const [before, after] = [await opsOf({ x: 60, y: 40, ...layer }), await opsOf({ x: 60, y: 40, ...layer, ...change })];
  expect(before.length).toBe(after.length);
  const found = before.map((op, i) => {
    const by = movedBy(op, after[i] as PaintOp);
    return by ? `${Math.round(by.x * 100) / 100},${Math.round(by.y * 100) / 100}` : 'other';
  });
  expect([...new Set(found)].join(' ')).toBe(expected);
}

const BOX = { type: 'shape', width: 80, height: 60, fill: '#d33', borderRadius: 8 };
const FAR = { x: 75, y: 32 };
const GRADIENT = { type: 'linear', angle: 30, stops: [{ color: '#f00' }, { color: '#00f' }] };

test('a shape', () => check(BOX, FAR, '15,-8'));
test('its shadow', () => check({ ...BOX, shadow: { y: 4, blur: 12, color: '#0006' } }, FAR, '15,-8'));
test('a gradient and a stroke', () => check({ ...BOX, fill: GRADIENT, stroke: '#000', strokeWidth: 3 }, FAR, '15,-8'));
test('a text', () => check({ type: 'text', text: 'Words\nin lines', fontSize: 20 }, FAR, '15,-8'));
test('turned', () => check({ ...BOX, rotation: 30, opacity: 0.5 }, FAR, '15,-8'));
test('a frame that clips, with all in it', () =>
  check(
    {
      type: 'frame',
      width: 120,
      height: 90,
      clip: true,
      borderRadius: 12,
      background: '#eee',
      children: [{ ...BOX, name: 'in', x: 90, y: 9 }],
    },
    FAR,
    '15,-8',
  ));
test('without a filter, also by parts of a px', () => check(BOX, { x: 60.25 }, '0.25,0'));
test('with one, by whole px alone', () => check({ ...BOX, blur: 3 }, { x: 60.25 }, 'other'));
test('another colour is no movement', () => check(BOX, { ...FAR, fill: '#d34' }, 'other'));
test('nor is another size', () => check(BOX, { width: 81 }, 'other'));
test('nor other words', () => check({ type: 'text', text: 'Words' }, { text: 'Sword' }, 'other'));
test('what blends is not moved by itself', () => check({ ...BOX, blendMode: 'multiply' }, FAR, 'other'));
