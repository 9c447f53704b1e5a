import { expect, test } from 'vitest';
import { IDENTITY, type Matrix, type Rect, rotation, type Size } from '#core/geometry.ts';
import type { ImageResource } from '#core/resources.ts';
import { planImage, withinLimit } from '#draw/output/pdf/image-picture.ts';

const CANVAS = { width: 1000, height: 500 };
type Quad = readonly [x: number, y: number, width: number, height: number];

interface Case {
  readonly image: readonly [width: number, height: number];
  readonly source: Quad;
  readonly dest: Quad;
  readonly toCanvas?: Matrix;
  readonly format?: ImageResource['format'];
}

/** `source → size px at place`, followed by the clip if there is one. */
function check(
  { image: [width, height], source, dest, toCanvas = IDENTITY, format = 'png' }: Case,
  expected: string | null,
) {
  const rect = ([x, y, w, h]: Quad): Rect => ({ x, y, width: w, height: h });
  const show = (r: Rect) => [r.x, r.y, r.width, r.height].map((value) => Math.round(value * 100) / 100).join(',');
  const size = (s: Size) => `${s.width}×${s.height}`;
  const image: ImageResource = {
    key: 'i',
    width,
    height,
    format,
    bytes: new Uint8Array(),
    hasAlpha: false,
    focus: null,
  };
  const op = { kind: 'image', image: 'i', source: rect(source), dest: rect(dest) } as const;
  const plan = planImage(op, image, toCanvas, CANVAS, 2);
  expect(
    plan &&
      `${show(plan.source)} → ${size(plan.size)} at ${show(plan.place)}${plan.clip ? ` in ${show(plan.clip)}` : ''}`,
  ).toBe(expected);
}

test('a small one is enlarged to the pixels of the canvas', () =>
  check(
    { image: [100, 50], source: [0, 0, 100, 50], dest: [10, 10, 200, 100] },
    '0,0,100,50 → 200×100 at 10,10,200,100',
  ));
test('a large one has as many pixels to each of the canvas as were asked for', () =>
  check(
    { image: [4000, 2000], source: [0, 0, 4000, 2000], dest: [0, 0, 200, 100] },
    '0,0,4000,2000 → 400×200 at 0,0,200,100',
  ));
test('one of about the right size is not resampled', () =>
  check(
    { image: [440, 220], source: [0, 0, 440, 220], dest: [0, 0, 200, 100] },
    '0,0,440,220 → 440×220 at 0,0,200,100',
  ));
test('a crop takes whole pixels and is cut to what it shows', () =>
  check(
    { image: [100, 100], source: [10.5, 20, 20, 20], dest: [0, 0, 40, 40] },
    '10,20,21,20 → 42×40 at -1,0,42,40 in 0,0,40,40',
  ));
test('what lies beyond the canvas is not embedded', () =>
  check(
    { image: [100, 100], source: [0, 0, 100, 100], dest: [-50, 0, 100, 100] },
    '50,0,50,100 → 50×100 at 0,0,50,100',
  ));
test('an image that the canvas does not show at all is nothing', () =>
  check({ image: [10, 10], source: [0, 0, 10, 10], dest: [2000, 0, 10, 10] }, null));
test('the scale of its groups counts', () =>
  check(
    { image: [4000, 2000], source: [0, 0, 4000, 2000], dest: [0, 0, 20, 10], toCanvas: [10, 0, 0, 10, 0, 0] },
    '0,0,4000,2000 → 400×200 at 0,0,20,10',
  ));
test('a turned image keeps its resolution', () =>
  check(
    {
      image: [4000, 2000],
      source: [0, 0, 4000, 2000],
      dest: [400, 200, 200, 100],
      toCanvas: rotation(90, { x: 500, y: 250 }),
    },
    '0,0,4000,2000 → 400×200 at 400,200,200,100',
  ));
test('a vector image has as many pixels as it is shown with', () =>
  check(
    { image: [10, 10], source: [0, 0, 10, 10], dest: [0, 0, 300, 300], format: 'svg' },
    '0,0,10,10 → 600×600 at 0,0,300,300',
  ));
test('no picture has more pixels than memory is given to', () => {
  expect(withinLimit({ width: 4000, height: 4000 })).toBe(1);
  expect(withinLimit({ width: 12_000, height: 12_000 })).toBe(0.5);
});
