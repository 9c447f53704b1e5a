// Words in gradients that change from render to render, beside what the rasteriser makes of them: equal pixel for pixel.

import { expect, test } from 'vitest';
import { parseTemplate } from '#core/template/template.ts';
import { finishPieces, sketchPieces } from '#output/raster/retained/pieces.ts';
import { deviation, placeTemplate, plainly, retained } from './both-ways.ts';

const SOURCES = { read: () => Promise.reject(new Error('no picture is drawn')) };
const WORDS = ['Sale', 'Sale', 'Sommer', 'j 100 %', 'Sale'];

const [gold, pink, none] = ['#fde68a', '#be185d', '#be185d00'].map((color) => ({ color }));
const FILLS = {
  linear: { type: 'linear', angle: 75, stops: [gold, pink] },
  'linear, fading': { type: 'linear', angle: 10, stops: [gold, none] },
  'linear, with a sharp edge': {
    type: 'linear',
    angle: 90,
    stops: [
      { ...gold, offset: 0.5 },
      { ...pink, offset: 0.5 },
    ],
  },
  radial: { type: 'radial', stops: [gold, pink] },
  'radial, fading': { type: 'radial', shape: 'circle', stops: [none, gold, none] },
  'radial, out of a single pixel': { type: 'radial', radius: 0.02, shape: 'circle', stops: [gold, pink, none] },
  'radial, with a sharp edge': {
    type: 'radial',
    stops: [
      { ...gold, offset: 0.4 },
      { ...pink, offset: 0.4 },
    ],
  },
  conic: { type: 'conic', angle: 20, stops: [gold, pink, gold] },
  'conic, fading': { type: 'conic', stops: [gold, none] },
  'conic, with sharp edges': {
    type: 'conic',
    center: { x: 0.3, y: 0.6 },
    stops: [gold, { ...pink, offset: 0.3 }, { ...gold, offset: 0.3 }],
  },
};

/** @param kinds of pieces that ground and word are */
async function check(fill: unknown, kinds: readonly string[], opacity = 1): Promise<void> {
  const layers = [
    { name: 'ground', type: 'shape', x: 10, y: 5, width: 200, height: 70, fill: '#0ea5e980' },
    { name: 'word', type: 'text', x: 20.3, y: 12.6, fontSize: 45, text: '', color: fill, opacity },
  ];
  const template = parseTemplate({ name: 'Shaded', width: 240, height: 90, layers });
  for (const word of WORDS) {
    const placed = await placeTemplate(template, { word }, SOURCES);
    const pieces = finishPieces(sketchPieces(placed.list, placed.resources), placed.list, placed.resources);
    expect(pieces.map(({ kind }) => kind)).toEqual(kinds);
    const kept = await retained(placed);
    // What is faded is rounded once more.
    expect(kept && deviation(await plainly(placed), kept).most).toBeLessThanOrEqual(opacity < 1 ? 1 : 0);
  }
}

for (const [name, fill] of Object.entries(FILLS)) test(name, () => check(fill, ['block', 'shaded']));

test('faded', () => check(FILLS.radial, ['block', 'layer'], 0.5));
test('faded, conic with sharp edges', () => check(FILLS['conic, with sharp edges'], ['block', 'layer'], 0.5));
test('faded, with an edge that the rasteriser rounds elsewhere', () =>
  check(FILLS['linear, with a sharp edge'], ['block', 'drawing'], 0.5));
