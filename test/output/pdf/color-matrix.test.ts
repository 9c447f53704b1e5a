import { expect, test } from 'vitest';
import { asColorMatrix, recolor, recolorPixels, recolouring } from '#output/pdf/color-matrix.ts';
import { group, rgb } from './page.ts';

const KEEP_ALPHA = [0, 0, 0, 1, 0];
const GREY = [0.2, 0.7, 0.1, 0, 0, 0.2, 0.7, 0.1, 0, 0, 0.2, 0.7, 0.1, 0, 0, ...KEEP_ALPHA];
const INVERT = [-1, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, ...KEEP_ALPHA];
const filter = (values: readonly number[]) => ({ kind: 'color-matrix', values }) as const;

test('filters act in their order', () => {
  const m = asColorMatrix([filter(GREY), filter(INVERT)]);
  expect(recolor({ kind: 'solid', color: rgb(255, 0, 0, 0.5) }, m)).toEqual({
    kind: 'solid',
    color: rgb(204, 204, 204, 0.5),
  });
});

test('every stop of a gradient is recoloured', () => {
  const stops = [
    { offset: 0, color: rgb(0, 0, 0) },
    { offset: 1, color: rgb(255, 255, 255, 0) },
  ];
  const brush = { kind: 'linear', from: { x: 0, y: 0 }, to: { x: 1, y: 0 }, stops } as const;
  expect(recolor(brush, asColorMatrix([filter(INVERT)]))).toMatchObject({
    stops: [{ color: rgb(255, 255, 255) }, { color: rgb(0, 0, 0, 0) }],
  });
});

test('a filter that touches opacity, or takes from it, or blurs, is no recolouring', () => {
  const fades = [...GREY.slice(0, 15), 0, 0, 0, 0.5, 0];
  const takes = GREY.with(3, 0.1);
  expect(asColorMatrix([filter(fades)])).toBeNull();
  expect(asColorMatrix([filter(takes)])).toBeNull();
  expect(asColorMatrix([filter(GREY), { kind: 'blur', sigma: 1 }])).toBeNull();
  expect(asColorMatrix([])).toBeNull();
});

test('what is blended inside has to be finished before it is recoloured', () => {
  const grey = { filters: [filter(GREY)] };
  expect(recolouring(group([group([])], grey))).not.toBeNull();
  expect(recolouring(group([group([group([], { blend: 'screen' })])], grey))).toBeNull();
});

test('pixels are recoloured in place, clamped, their opacity untouched', () => {
  const pixels = Uint8Array.of(10, 20, 30, 40, 250, 250, 250, 255);
  recolorPixels(pixels, 4, [2, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0.5]);
  expect([...pixels]).toEqual([20, 0, 158, 40, 255, 0, 255, 255]);
});
