// What random templates found: drawn from kept rasters, it differed from one piece. Now no sample does.

import { expect, test } from 'vitest';
import { deviations } from './any-template.ts';

type LayerInput = Readonly<Record<string, unknown>>;

/** @param changes of the first layer, named 0, from render to render */
async function check(layers: readonly LayerInput[], changes: readonly LayerInput[] = [], scale = 1): Promise<void> {
  const renders = { layers, changes: changes.map((change) => ({ 0: change })), scale };
  const found: number[] = [];
  for await (const { most } of deviations(renders)) found.push(most);
  expect(found).toEqual(found.map(() => 0));
  expect(found.length).toBeGreaterThan(1);
}

const ellipse = (x: number, y: number, width: number, height: number, more: LayerInput = {}): LayerInput => ({
  ...{ type: 'shape', shape: 'ellipse', fill: '#111827', x, y, width, height },
  ...more,
});
const words = (x: number, y: number, fontSize: number, more: LayerInput = {}): LayerInput => ({
  ...{ type: 'text', text: 'one two wavy AV', x, y, fontSize },
  ...more,
});
const picture = (more: LayerInput): LayerInput => ({
  ...{ type: 'image', src: 'logo.png', x: 57, y: 20, width: 119, height: 40 },
  ...more,
});
const FADING = { type: 'linear', angle: 30, stops: [{ color: '#fff' }, { color: '#0000' }] };
const SUNSET = { type: 'linear', angle: 75, stops: [{ color: '#f59e0b' }, { color: '#be185d' }] };

test('an ellipse that single precision cuts elsewhere at the corner', () => check([ellipse(57, 18, 101, 74)], [], 2));
test('another one', () => check([ellipse(77, 13, 108, 58)], [], 2));
test('a faded ellipse with a gradient that moves', () =>
  check([ellipse(53, 3, 50, 66, { opacity: 0.5, fill: FADING })], [{ x: 26, opacity: 1 }], 2));
test('a translucent ellipse and its shadow, moved', () => {
  const shadow = { y: 3, blur: 8, color: 'rgba(0, 0, 0, 0.4)' };
  return check([ellipse(-18, 9, 129, 52, { fill: 'rgba(20, 30, 200, 0.5)', shadow })], [{ x: 3 }], 2);
});

test('translucent gradients over one another, and words in a third', () => {
  const box = { type: 'shape', x: 9, y: 9, width: 150, height: 90, fill: FADING };
  return check([
    box,
    { ...box, x: 20, y: 0 },
    ellipse(30, 20, 140, 80, { fill: FADING }),
    words(5, 30, 31.5, { color: FADING }),
  ]);
});
test('turned words in an opaque gradient over a faded picture', () =>
  check([picture({ opacity: 0.5 }), words(-2, -4, 31.5, { rotation: 30, color: SUNSET })]));
test('words in a gradient that the canvas cuts, in a group', () =>
  check([words(3, 108, 31.5, { opacity: 0.5, color: FADING })], [], 2));
test('faded pictures', () => check([picture({ opacity: 0.5, borderRadius: 12 }), picture({ opacity: 0.3, x: 20 })]));

test('letters whose edges meet within a sample', () => check([words(20, 20, 31.5, { text: 'w', color: '#fff' })]));
test('a letter whose outline lies a hair beyond the canvas', () => check([words(-0.5, 40, 9)], [{ x: -0.5 }]));
test('letters and their outline', () =>
  check([picture({}), words(20, 20, 31.5, { stroke: '#0369a1', strokeWidth: 3 })]));

test('a low blurred picture, drawn again', () =>
  check([picture({ src: 'photo.jpg', y: 73, width: 56, height: 1, filters: { blur: 3 } })]));
test('what lies far beside a clip', () => {
  const frame = { type: 'frame', x: 122, y: 58, width: 51, height: 12, clip: true };
  return check([{ ...frame, children: [ellipse(44, 900, 118, 49)] }]);
});
test('a clip that leaves little of a box', () => {
  const box = { type: 'shape', x: 0, y: 1, width: 109, height: 38, fill: '#ff0000' };
  return check([{ type: 'frame', x: 99.5, y: 0, width: 1, height: 9, clip: true, children: [box] }]);
});
test('the same in a group, on no more than its own area', () => {
  const border = { width: 3, color: '#f0f', style: 'dashed' };
  const frame = { type: 'frame', x: 122.25, y: 58, width: 51, height: 12, clip: true, opacity: 0.5, border };
  return check([{ ...frame, children: [ellipse(44.5, 88, 118, 49)] }], [], 2);
});
