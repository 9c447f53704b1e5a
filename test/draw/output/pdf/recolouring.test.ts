// Tests which groups are recoloured before they are painted, and that readers then show the colours of the raster back
// end.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Brush, Filter, PaintOp } from '#core/paint/display-list.ts';
import { layerFilters } from '#core/paint/filter.ts';
import type { Filters } from '#core/resolve/scene.ts';
import type { ImageResource } from '#core/resources.ts';
import { Recolourings } from '#draw/output/pdf/recolouring.ts';
import { rasterize } from '#draw/output/raster/rasterize.ts';
import { NEUTRAL } from '../../../core/scene-nodes.ts';
import { fill, group, has, operators, page, pixel, rect, render, rgb, solid } from './page.ts';
import { fontSet, INTER, shape } from './shaping.ts';

const tone = (filters: Partial<Filters>): readonly Filter[] => layerFilters({ ...NEUTRAL, ...filters });
const SEPIA: Filter = {
  kind: 'color-matrix',
  values: [0.393, 0.769, 0.189, 0, 0, 0.349, 0.686, 0.168, 0, 0, 0.272, 0.534, 0.131, 0, 0, 0, 0, 0, 1, 0],
};

const SQUARE = rect(10, 10, 80, 80);
const fading = (from: number, to: number, alpha = 1): Brush => ({
  kind: 'linear',
  from: { x: 10, y: 0 },
  to: { x: 90, y: 0 },
  stops: [
    { offset: 0, color: rgb(from, from, from) },
    { offset: 1, color: rgb(to, to, to, alpha) },
  ],
});
const GREY = fill(SQUARE, solid(200, 200, 200));
const VEIL = fill(SQUARE, solid(0, 0, 0, 0.5));
const GRADIENT = fill(SQUARE, fading(0, 255));
const show = (image: string): PaintOp => ({
  kind: 'image',
  image,
  source: { x: 0, y: 0, width: 20, height: 20 },
  dest: { x: 10, y: 10, width: 80, height: 80 },
});

const imageOf = async (key: string, alpha: number): Promise<ImageResource> => {
  const create = { width: 20, height: 20, channels: 4, background: { r: 200, g: 200, b: 200, alpha } } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  return { key, width: 20, height: 20, format: 'png', bytes, hasAlpha: alpha < 1, focus: null };
};
const IMAGES = [await imageOf('opaque', 1), await imageOf('translucent', 0.5)];
const IMAGES_BY_KEY = new Map(IMAGES.map((image) => [image.key, image]));

const isVector = (ops: readonly PaintOp[], filters: readonly Filter[]) =>
  new Recolourings(IMAGES_BY_KEY).of(group(ops, { filters })) !== null;

test('opaque colours and pictures may be recoloured by any matrix', () => {
  for (const filters of [tone({ brightness: 3 }), tone({ brightness: 2, contrast: 0.5 }), tone({ saturate: 4 })]) {
    expect(isVector([GREY], filters)).toBe(true);
    expect(isVector([GREY, fill(SQUARE, solid(9, 90, 250)), show('opaque')], filters)).toBe(true);
    expect(isVector([GREY, fill(SQUARE, solid(0, 0, 0, 0))], filters), 'nothing is above').toBe(true);
    expect(isVector([VEIL], filters), 'nothing is below').toBe(true);
    expect(isVector([show('translucent')], filters), 'nothing is below').toBe(true);
    expect(isVector([group([GREY], { opacity: 0.5 })], filters), 'nothing is below').toBe(true);
    expect(isVector([fill(SQUARE, fading(100, 100, 0))], filters), 'one colour').toBe(true);
  }
});

test('what is mixed may be recoloured by matrices that clamp none of it', () => {
  const mixed = [GRADIENT, GREY, VEIL, show('translucent')];
  for (const filters of [tone({ grayscale: 1 }), tone({ saturate: 0.5 }), tone({ brightness: 0.7, contrast: 0.8 })]) {
    expect(isVector(mixed, filters)).toBe(true);
  }
  expect(isVector([GREY, VEIL], tone({ brightness: 1.2 })), '240 at most').toBe(true);
  expect(isVector([fill(SQUARE, fading(0, 180))], [SEPIA]), 'white would be clamped').toBe(true);
  expect(isVector([fill(SQUARE, fading(200, 255))], tone({ brightness: 2 })), 'all of it is white').toBe(true);
  const dark = group([GRADIENT], { filters: tone({ brightness: 0.5 }) });
  expect(isVector([dark, VEIL], tone({ brightness: 1.5 })), 'it was darkened before').toBe(true);
});

test('what is mixed is finished before a matrix clamps some of it', () => {
  const bright = tone({ brightness: 2 });
  expect(isVector([GRADIENT], bright)).toBe(false);
  expect(isVector([GREY, VEIL], bright)).toBe(false);
  expect(isVector([GREY, group([fill(SQUARE, solid(0, 0, 0))], { opacity: 0.5 })], bright)).toBe(false);
  expect(isVector([GREY, show('translucent')], bright)).toBe(false);
  expect(isVector([group([group([GREY]), VEIL])], bright)).toBe(false);
  expect(isVector([fill(SQUARE, fading(0, 255))], [SEPIA])).toBe(false);
  const blurred = group([fill(SQUARE, solid(0, 0, 0))], { filters: [{ kind: 'blur', sigma: 2 }] });
  expect(isVector([GREY, blurred], bright)).toBe(false);
});

test('what is blended inside has to be finished before it is recoloured', () => {
  const filters = tone({ grayscale: 1 });
  expect(isVector([group([])], filters)).toBe(true);
  expect(isVector([group([group([], { blend: 'screen' })])], filters)).toBe(false);
});

const SHOWN: readonly (readonly [name: string, ops: readonly PaintOp[], filters: readonly Filter[]])[] = [
  ['a picture, brighter and with less contrast', [show('opaque')], tone({ brightness: 2, contrast: 0.5 })],
  ['a fill that is brightened, then darkened', [GREY], [...tone({ brightness: 2 }), ...tone({ brightness: 0.5 })]],
  ['a brighter gradient', [GRADIENT], tone({ brightness: 2 })],
  ['a brighter fill under a veil', [GREY, VEIL], tone({ brightness: 2 })],
  ['a brighter picture under a veil', [show('opaque'), VEIL], tone({ brightness: 2 })],
  ['a brighter veil', [VEIL], tone({ brightness: 1, contrast: 0.5 })],
  ['a darker gradient under a veil', [GRADIENT, VEIL], tone({ brightness: 0.5 })],
];
test.skipIf(!has('pdftoppm')).each(SHOWN)('%s is the same in a PDF as in pixels', async (_name, ops, filters) => {
  const resources = { fonts: fontSet(), images: IMAGES_BY_KEY, codes: new Map(), hyphenators: new Map() };
  const shown = [fill(rect(0, 0, 100, 100), solid(255, 255, 255)), group(ops, { filters })];
  const { width, height, pixels } = await rasterize({ width: 100, height: 100, ops: shown }, resources, 1);
  const pdf = await page(shown, { width: 100, height: 100, images: IMAGES, tools: { rasterize } });
  const inPdf = await render(pdf);
  for (const x of [15, 30, 50, 70, 85]) {
    // Poppler takes the nearest pixel of a picture, which is up to half a px away in the gradient.
    const [expected = 0] = pixel({ width, height, channels: 4, data: pixels }, x, 50).split(',').map(Number);
    const [found = 0] = pixel(inPdf, x, 50).split(',').map(Number);
    expect(Math.abs(found - expected), `at ${x}: ${found} instead of ${expected}`).toBeLessThanOrEqual(4);
  }
});

test('a group that has to be finished first is one picture with its words', async () => {
  const run = shape(INTER, 20, 'hi');
  const words: PaintOp = { kind: 'glyphs', run, origin: { x: 20, y: 50 }, brush: solid(9, 9, 9), outline: null };
  const pdf = await page([group([GREY, words, VEIL], { filters: tone({ brightness: 2 }) })], { tools: { rasterize } });
  const content = operators(pdf).join('\n');
  expect(content.match(/ Do$/gm)).toHaveLength(1);
  expect(content.match(/ Tr$/gm)).toEqual([' Tr']);
  expect(content).toContain('3 Tr');
});
