// Tests where boxes are on the canvas, with all rotations around them applied, and which boxes lie under a point.

import { expect, test } from 'vitest';
import { transformPoint } from '#core/geometry.ts';
import { layOut } from '#core/layout/layout.ts';
import { boxesAt, locateBoxes } from '#core/layout/located-boxes.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { FontSet } from '#core/text/font-set.ts';

const NOTHING = { fonts: new FontSet(new Map()), images: new Map(), codes: new Map(), hyphenators: new Map() };
const shape = (name: string, x: number, y: number, more = {}) => ({
  type: 'shape',
  name,
  x,
  y,
  width: 20,
  height: 10,
  ...more,
});

function located(layers: readonly unknown[]) {
  const template = parseTemplate({ name: 'test', width: 200, height: 200, layers });
  return locateBoxes(layOut(resolve(template, {}), NOTHING).boxes);
}

const namesAt = (layers: readonly unknown[], x: number, y: number) =>
  boxesAt(located(layers), { x, y }).map(({ name }) => name);

test('a layer in a turned frame is where the frame turns it', () => {
  const frame = { type: 'frame', name: 'frame', x: 50, y: 50, width: 100, height: 100, rotation: 90 };
  const [outer, inner] = located([{ ...frame, children: [shape('inner', 0, 0)] }]);
  expect([outer?.depth, inner?.depth, inner?.parent?.name]).toEqual([0, 1, 'frame']);
  expect(inner && transformPoint(inner.matrix, { x: 50, y: 50 })).toEqual({ x: 150, y: 50 });
  expect(inner && transformPoint(inner.matrix, { x: 70, y: 60 })).toEqual({ x: 140, y: 70 });
});

test('a mirrored box is mirrored about its middle, then turned, and so is what is in it', () => {
  const frame = { type: 'frame', name: 'frame', x: 50, y: 50, width: 100, height: 100, flip: 'x' };
  const [, inner] = located([{ ...frame, children: [shape('inner', 0, 0)] }]);
  expect(inner && transformPoint(inner.matrix, { x: 50, y: 50 })).toEqual({ x: 150, y: 50 });
  expect(namesAt([{ ...frame, children: [shape('inner', 0, 0)] }], 140, 55)).toEqual(['inner', 'frame']);
  const [turned] = located([{ ...frame, flip: 'xy', rotation: 90 }]);
  const { x = 0, y = 0 } = turned ? transformPoint(turned.matrix, { x: 50, y: 60 }) : {};
  expect([Math.round(x), Math.round(y)]).toEqual([60, 150]);
});

test('what lies in front comes first, and a turned box is hit where it shows', () => {
  const layers = [shape('back', 10, 10), shape('front', 20, 10, { rotation: 90 })];
  expect(namesAt(layers, 27, 12)).toEqual(['front', 'back']);
  expect(namesAt(layers, 22, 12)).toEqual(['back']);
  expect(namesAt(layers, 30, 24)).toEqual(['front']);
});

test('what a frame clips away is not hit', () => {
  const frame = { type: 'frame', name: 'frame', x: 0, y: 0, width: 50, height: 50 };
  expect(namesAt([{ ...frame, clip: true, children: [shape('child', 40, 0)] }], 55, 5)).toEqual([]);
  expect(namesAt([{ ...frame, children: [shape('child', 40, 0)] }], 55, 5)).toEqual(['child']);
});
