// Charts: ticks at round numbers, curves that invent no value, labels that never touch, and what counts as data.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawChart, slicePath } from '#core/chart/draw-chart.ts';
import { linePath } from '#core/chart/line-path.ts';
import { fractionDigits, niceScale } from '#core/chart/scale.ts';
import { compose } from '#core/compose.ts';
import { intersection, type Rect, rectContains } from '#core/geometry.ts';
import { opBounds } from '#core/paint/bounds.ts';
import type { PaintOp } from '#core/paint/display-list.ts';
import { pathBounds } from '#core/path.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { check } from '#core/resolve/resolve-any.ts';
import type { ChartDocument } from '#core/template/layer.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';

const library = await openFontLibrary({ folders: [] });

function templateOf(chart: Partial<ChartDocument>, more: object = {}) {
  const layer = { name: 'chart', type: 'chart', width: 300, height: 180, ...chart };
  return parseTemplate({ name: 't', width: 300, height: 180, ...more, layers: [layer] });
}

async function draw(chart: Partial<ChartDocument>, modifications = {}) {
  const scene = resolve(templateOf(chart), modifications);
  const { fonts } = await library.load(scene.needs.fonts);
  const resources = { fonts, images: new Map(), codes: new Map(), hyphenators: new Map(), drawChart };
  const { ops } = compose(scene, resources).list;
  const words = flat(ops).flatMap((op) => (op.kind === 'glyphs' ? [op.run.text] : []));
  const labels = flat(ops).flatMap((op) => (op.kind === 'glyphs' ? [opBounds(op, fonts)] : []));
  return { ops, words, labels: labels.filter((rect) => rect !== null) };
}

const flat = (ops: readonly PaintOp[]): readonly PaintOp[] =>
  ops.flatMap((op) => (op.kind === 'group' ? flat(op.ops) : [op]));

function checkTicks(values: readonly number[], count: number, expected: string, given = {}): void {
  const { min, max, ticks } = niceScale(values, count, { min: null, max: null, ...given });
  expect(`${min}..${max}: ${ticks.join(' ')}`).toBe(expected);
}

test('ticks are round numbers around the values', () => {
  checkTicks([0, 318], 4, '0..400: 0 100 200 300 400');
  checkTicks([0, 0.0019], 4, '0..0.002: 0 0.0005 0.001 0.0015 0.002');
  checkTicks([-7.5, 12], 3, '-10..20: -10 0 10 20');
  checkTicks([0, 0], 2, '0..1: 0 0.5 1');
});

test('ends that are given stay, with round ticks between them', () => {
  checkTicks([3, 5], 3, '1..7: 2 4 6', { min: 1, max: 7 });
  checkTicks([3, 5], 3, '10..20: 10 15 20', { min: 10 });
});

test('a scale contains its values, and its ticks are in it', () => {
  const value = fc.double({ min: -1e15, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 8 }), (values, count) => {
      const { min, max, ticks } = niceScale(values, count, { min: null, max: null });
      const hair = (max - min) * 1e-6;
      expect(values.every((one) => one >= min - hair && one <= max + hair)).toBe(true);
      expect(ticks.every((tick) => tick >= min - hair && tick <= max + hair)).toBe(true);
      expect(ticks.length).toBeLessThanOrEqual(count + 3);
    }),
  );
});

test('numbers of a scale have as many digits as its step', () => {
  expect([1, 2.5, 0.5, 0.25, 1000, 0.001].map(fractionDigits)).toEqual([0, 1, 1, 2, 0, 3]);
});

test('a curve stays between the values on both sides', () => {
  const points = [3, 9, 8.5, 2, 2, 7].map((y, x) => ({ x: 10 * x, y }));
  const curves = linePath(points, true).slice(1);
  for (const [i, segment] of curves.entries()) {
    if (segment[0] !== 'C') throw new Error('It is no curve.');
    const [low, high] = [points[i]?.y ?? 0, points[i + 1]?.y ?? 0].sort((a, b) => a - b);
    for (const y of [segment[2], segment[4]]) {
      expect(y).toBeGreaterThanOrEqual((low ?? 0) - 1e-9);
      expect(y).toBeLessThanOrEqual((high ?? 0) + 1e-9);
    }
  }
});

test('slices keep inside their circle, and a whole one is a disc or a ring', () => {
  const centre = { x: 50, y: 50 };
  expect(pathBounds(slicePath(centre, 40, 0, 0, 2 * Math.PI, 2))).toEqual({ x: 10, y: 10, width: 80, height: 80 });
  const half = pathBounds(slicePath(centre, 40, 20, 0, Math.PI, 2));
  expect(half?.x).toBeGreaterThan(50.9);
  expect(half?.x).toBeLessThan(51.1);
});

test('each of many slices is as wide as half of its share at least', async () => {
  const { ops } = await draw({ chart: 'pie', data: Array.from({ length: 400 }, () => 1) });
  const share = (2 * Math.PI * 90) / 400;
  const arcs = flat(ops).flatMap((op) => {
    const [[, fromX = 0, fromY = 0] = [], curve = []] = op.kind === 'fill' ? op.path : [];
    return curve[0] === 'C' ? [Math.hypot(curve[5] - fromX, curve[6] - fromY)] : [];
  });
  expect(arcs).toHaveLength(400);
  expect(Math.min(...arcs)).toBeGreaterThan(share * 0.49);
});

test('long labels below an axis are shortened, and leave the lines their room', async () => {
  const label = 'A name that is longer than its part of the axis';
  const data = [label, 'Short', label].map((one, value) => ({ label: one, value }));
  const { ops, words } = await draw({ chart: 'line', data });
  expect(words.filter((word) => word === 'Short' || word.startsWith('A name'))).toHaveLength(3);
  const line = flat(ops).find((op) => op.kind === 'stroke');
  expect(line?.kind === 'stroke' && pathBounds(line.path)?.width).toBeGreaterThan(180);
});

test('data is numbers, a text of numbers, or objects, and a modification replaces it', async () => {
  const axes = { chart: 'bar', showValues: true, axes: false } as const;
  for (const data of [[3, 5], '3, 5', [{ value: 3 }, { value: 5 }]]) {
    expect((await draw({ ...axes, data: [1] }, { chart: data })).words).toEqual(['3', '5']);
  }
  expect((await draw({ ...axes, data: [1] }, { chart: 7 })).words).toEqual(['7']);
  expect((await draw({ ...axes, data: [1] }, { chart: { data: [2], showValues: false } })).words).toEqual([]);
});

test('labels stay when a caller sends numbers alone', async () => {
  const { words } = await draw({ labels: ['Mon', 'Tue'], data: [1, 2], max: 10, grid: false }, { chart: '3, 5' });
  expect(words).toEqual(expect.arrayContaining(['Mon', 'Tue']));
});

test.each([
  ['3, five', 'modifications.chart.data: must be numbers with commas between them, such as "3, 5, 8"'],
  [{ data: { a: 1 } }, 'modifications.chart.data: must be numbers such as [3, 5, 8], or objects'],
  [[{ label: 'a' }], 'modifications.chart[0].value: must be a number, or a list of one for each series'],
  [[3, '5'], 'modifications.chart[1]: must be a number, or an object such as {"label": "May", "value": 12}; write 5'],
  [[{ value: [1, 'x'] }], 'modifications.chart[0].value[1]: must be a number, or null where there is none'],
  [Array(501).fill(1), 'modifications.chart: must have at most 500 entries'],
])('data %# is refused by name', (data, message) => {
  expect(() => check(templateOf({}), { chart: data })).toThrow(message);
});

test('a format of dates, and of a currency that nobody names, is refused', () => {
  expect(() => templateOf({ format: 'date' })).toThrow('layers[0].format: must be a format of numbers');
  const template = templateOf({ format: 'currency', data: [1] });
  expect(() => check(template, {})).toThrow('layers[0].format: needs a currency');
});

test('numbers are written in the language of the template', async () => {
  const template = templateOf({ data: [1234.5], showValues: true, axes: false }, { lang: 'de-DE' });
  const scene = resolve(template, {});
  const { fonts } = await library.load(scene.needs.fonts);
  const { list } = compose(scene, { fonts, images: new Map(), codes: new Map(), hyphenators: new Map(), drawChart });
  expect(flat(list.ops).flatMap((op) => (op.kind === 'glyphs' ? [op.run.text] : []))).toEqual(['1.234,5']);
});

test('numbers that leave the chart no room are written short, on the axis and beside bars', async () => {
  const data = [1_234_567_890_123, 9_876_543_210_987, 250_000_000_000].map((value, i) => ({ label: `Q${i}`, value }));
  const small = { width: 200, height: 120, data } as const;
  expect((await draw({ ...small, showValues: true })).words.filter((word) => !word.startsWith('Q'))).toEqual(
    expect.arrayContaining(['0', '10T', '1.2T', '9.9T']),
  );
  const lying = await draw({ ...small, horizontal: true, showValues: true });
  expect(lying.words).toEqual(['Q0', 'Q1', 'Q2', '1.2T', '9.9T', '250B']);
  expect((await draw({ ...small, horizontal: true })).words).toEqual(expect.arrayContaining(['0', '10T']));
  const currency = { type: 'currency', currency: 'EUR' } as const;
  expect((await draw({ ...small, chart: 'area', format: currency })).words).toEqual(
    expect.arrayContaining(['€0', '€5T', '€10T']),
  );
  expect((await draw({ ...small, width: 300, height: 180, chart: 'pie', showValues: true })).words).toContain('9.9T');
  const stars = { chart: 'stars', height: 20, data: 1_234_567_890_123, showValues: true } as const;
  expect((await draw({ ...stars, width: 120 })).words).toEqual(['1.2T']);
  expect((await draw({ ...stars, width: 300 })).words).toEqual(['1,234,567,890,123']);
});

test('numbers whose ticks only their digits tell apart keep these', async () => {
  const data = [1_234_567_000, 1_234_567_400];
  const { words } = await draw({ chart: 'line', width: 200, height: 120, data, min: 1_234_567_000 });
  expect(words).toEqual(expect.arrayContaining(['1,234,567,000', '1,234,567,200']));
});

test('a legend leaves the chart its room, and says how many names it leaves out', async () => {
  const series = Array.from({ length: 9 }, (_, i) => `Branch of the north ${i}`);
  const plot = await draw({ chart: 'line', height: 120, series, data: [{ value: series.map((_, i) => i) }] });
  expect(plot.words).toEqual(expect.arrayContaining(['Branch of the north 0', '+7', '0', '10']));
  const data = series.map((label) => ({ label, value: 1 }));
  expect((await draw({ chart: 'pie', height: 120, data })).words).toEqual([...series.slice(0, 4), '+5']);
});

test('labels do not touch each other and stay in the box, whatever there is to show', async () => {
  const label = fc.string({ unit: fc.constantFrom(...'aMil 1'), maxLength: 30 });
  const value = fc.oneof(fc.integer({ min: -900, max: 90_000 }), fc.integer({ min: -1e13, max: 1e15 }));
  const entry = fc.record({ label, value: fc.array(fc.option(value), { minLength: 1, maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('bar', 'line', 'area', 'pie'),
      fc.array(entry, { minLength: 1, maxLength: 30 }),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom({ width: 300, height: 180 }, { width: 200, height: 120 }),
      async (chart, data, horizontal, stacked, showValues, size) => {
        const whole: Rect = { x: -1, y: -1, width: size.width + 2, height: size.height + 2 };
        const { labels } = await draw({ chart, data, horizontal, stacked, showValues, ...size });
        for (const [i, one] of labels.entries()) {
          expect(rectContains(whole, one)).toBe(true);
          for (const other of labels.slice(i + 1)) expect(intersection(one, other)).toBeNull();
        }
      },
    ),
    { numRuns: 160, seed: 7 },
  );
});
