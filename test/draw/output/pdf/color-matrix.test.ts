import { expect, test } from 'vitest';
import { asColorMatrices, recolor, recolorPixels } from '#draw/output/pdf/color-matrix.ts';
import { rgb } from './page.ts';

const KEEP_ALPHA = [0, 0, 0, 1, 0];
const GREY = [0.2, 0.7, 0.1, 0, 0, 0.2, 0.7, 0.1, 0, 0, 0.2, 0.7, 0.1, 0, 0, ...KEEP_ALPHA];
const INVERT = [-1, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, ...KEEP_ALPHA];
const filter = (values: readonly number[]) => ({ kind: 'color-matrix', values }) as const;

test('filters act in their order', () => {
  const m = asColorMatrices([filter(GREY), filter(INVERT)]);
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
  expect(recolor(brush, asColorMatrices([filter(INVERT)]))).toMatchObject({
    stops: [{ color: rgb(255, 255, 255) }, { color: rgb(0, 0, 0, 0) }],
  });
});

test('a filter that touches opacity, or takes from it, or blurs, is no recolouring', () => {
  const fades = [...GREY.slice(0, 15), 0, 0, 0, 0.5, 0];
  const takes = GREY.with(3, 0.1);
  expect(asColorMatrices([filter(fades)])).toBeNull();
  expect(asColorMatrices([filter(takes)])).toBeNull();
  expect(asColorMatrices([filter(GREY), { kind: 'blur', sigma: 1 }])).toBeNull();
  expect(asColorMatrices([])).toBeNull();
});

test('pixels are recoloured in place, clamped, their opacity untouched', () => {
  const pixels = Uint8Array.of(10, 20, 30, 40, 250, 250, 250, 255);
  recolorPixels(pixels, 4, [[2, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0.5]]);
  expect([...pixels]).toEqual([20, 0, 158, 40, 255, 0, 255, 255]);
});

test('what a matrix cuts off stays so in the next one', () => {
  const scaled = (by: number, more: number) =>
    filter([by, 0, 0, 0, more, 0, by, 0, 0, more, 0, 0, by, 0, more, ...KEEP_ALPHA]);
  const twice = asColorMatrices([scaled(2, 0), scaled(0.5, 0.25)]);
  expect(recolor({ kind: 'solid', color: rgb(200, 200, 100) }, twice)).toEqual({
    kind: 'solid',
    color: rgb(191, 191, 164),
  });
  const pixels = Uint8Array.of(200, 200, 100);
  recolorPixels(pixels, 3, twice ?? []);
  expect([...pixels]).toEqual([191, 191, 164]);
});
