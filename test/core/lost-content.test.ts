import { expect, test } from 'vitest';
import { compose } from '#core/compose.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { loadNeeds } from '../draw/html/pages.ts';

/** The warnings for these layers on a canvas of 200 × 100 px. */
async function told(...layers: readonly object[]): Promise<readonly string[]> {
  const scene = resolve(parseTemplate({ name: 'T', width: 200, height: 100, layers }), {});
  const { resources } = await loadNeeds(scene.needs);
  return compose(scene, resources).diagnostics.map(({ message }) => message);
}

const text = (more: object) => ({
  name: 'words',
  type: 'text',
  text: 'Some words that need room',
  fontSize: 20,
  ...more,
});
const rows = (count: number, more: object = {}) => ({
  name: 'rows',
  type: 'frame',
  width: 200,
  layout: { direction: 'column' },
  children: Array.from({ length: count }, (_, i) => ({
    name: `row ${i + 1}`,
    type: 'frame',
    width: 'fill',
    height: 30,
    flexShrink: 0,
    layout: { direction: 'row' },
    children: [{ name: `words ${i + 1}`, type: 'text', text: `Row ${i + 1}` }],
  })),
  ...more,
});

test('an ellipsis', async () =>
  expect(await told(text({ width: 100, maxLines: 1, overflow: 'ellipsis' }))).toEqual([
    'Layer "words": its text does not fit and is cut: an ellipsis stands for the rest.',
  ]));
test('lines that are left out', async () =>
  expect(await told(text({ width: 100, maxLines: 1, overflow: 'clip' }))).toEqual([
    'Layer "words": its text does not fit and is cut: the rest is left out.',
  ]));
test('too much for the least size of autoFit', async () =>
  expect(await told(text({ width: 60, height: 20, autoFit: { min: 16 } }))).toEqual([
    'Layer "words": its text does not fit its box even at the least size of autoFit, 16 px.',
  ]));
test('text beyond the canvas', async () =>
  expect(await told(text({ x: 100, width: 200 }))).toEqual([
    'Layer "words": some of its text stands outside the canvas and is not shown.',
  ]));
test('text beyond a frame that clips', async () =>
  expect(await told({ name: 'box', type: 'frame', width: 90, height: 50, clip: true, children: [text({})] })).toEqual([
    'Layer "words": some of its text stands outside the frame "box" and is not shown.',
  ]));
const pie = (data: readonly unknown[]) => ({
  name: 'costs',
  type: 'chart',
  chart: 'pie',
  width: 150,
  height: 90,
  data,
});
test('slices below 0', async () => {
  expect(await told(pie([{ label: 'Rent', value: 9 }, { label: 'Refunds', value: -2 }, -1, null, 0]))).toEqual([
    'Layer "costs": a pie has no slice for a value below 0: data[1] ("Refunds"), data[2].',
  ]);
  expect(await told(pie([1, ...Array(7).fill(-1)]))).toEqual([
    'Layer "costs": a pie has no slice for a value below 0: data[1], data[2], data[3], data[4], data[5] and 2 more.',
  ]);
  expect(await told({ ...pie([3, -2]), chart: 'bar' })).toEqual([]);
  expect(await told(pie([0, null]))).toEqual(['Layer "costs": a pie without a value above 0 is blank.']);
});
const NAME = 'Maintenance of the machines and of the buildings';
test('labels of a chart that are cut', async () => {
  const what = 'there is no room for all of its labels, and an ellipsis ends';
  const named = [
    { label: NAME, value: 3 },
    { label: 'Rent', value: 2 },
  ];
  for (const kind of [{}, { chart: 'bar', horizontal: true }, { chart: 'bar', width: 90 }])
    expect(await told({ ...pie(named), ...kind })).toEqual([`Layer "costs": ${what} ${JSON.stringify(NAME)}.`]);
  expect(await told({ ...pie([1]), chart: 'bar', series: [NAME] })).toEqual([
    `Layer "costs": ${what} ${JSON.stringify(NAME)}.`,
  ]);
  expect(await told({ ...pie(named.slice(1)), chart: 'bar', horizontal: true })).toEqual([]);
});
const pairs = [{ label: 'May', value: [3, 5] }, { value: [4] }, { value: [1, null] }];
test('further series of a pie and of a sparkline', async () => {
  const what = 'shows the first value of an entry only: data[0] ("May"), data[2].';
  expect(await told(pie(pairs))).toEqual([`Layer "costs": a pie ${what}`]);
  expect(await told({ ...pie(pairs), chart: 'sparkline' })).toEqual([`Layer "costs": a sparkline ${what}`]);
  expect(await told({ ...pie(pairs), chart: 'line' })).toEqual([]);
});
test('further values of what shows one', async () => {
  expect(await told({ ...pie(pairs), chart: 'progress' })).toEqual([
    'Layer "costs": a progress shows one value, the first of 5.',
  ]);
  expect(await told({ ...pie([4, 5]), chart: 'stars' })).toEqual([
    'Layer "costs": a row of stars shows one value, the first of 2.',
  ]);
  expect(await told({ ...pie([4]), chart: 'stars' })).toEqual([]);
});
test('values beyond the scale', async () => {
  const cut = (entry: string) => [
    `Layer "costs": a value beyond the \`min\` or \`max\` of its chart is cut there: ${entry}.`,
  ];
  const bars = (data: readonly unknown[], more = {}) => told({ ...pie(data), chart: 'bar', ...more });
  expect(await bars([9, 12, 10], { max: 10 })).toEqual(cut('data[1]'));
  expect(await bars([9, 12, 4], { min: 5 })).toEqual(cut('data[2]'));
  expect(await bars([{ value: [6, 5] }, { value: [9, -3] }], { max: 10, stacked: true })).toEqual(cut('data[0]'));
  expect(await bars([{ value: [6, 5] }], { max: 10 })).toEqual([]);
  expect(await bars([9, 12], { min: 10, max: 10 })).toEqual(cut('data[0]'));
});
const low = (word: string) => text({ text: word, width: 150, fontSize: 40, lineHeight: 0.9, overflow: 'clip' });
test('descenders that the own box cuts', async () =>
  expect(await told(low('gypsy'))).toEqual([
    'Layer "words": some of its text stands outside its own box and is not shown.',
  ]));
test('letters without any are whole in the same box', async () => expect(await told(low('nose'))).toEqual([]));
test('an underline', async () =>
  expect(await told({ ...low('nose'), textDecoration: 'underline', lineHeight: 0.75 })).toEqual([
    'Layer "words": some of its text stands outside its own box and is not shown.',
  ]));
test('a hairline that is thinner than half a pixel is shown', async () =>
  expect(
    await told({
      ...{ name: 'column', type: 'frame', width: 200, height: 100, layout: { direction: 'column' } },
      children: [{ name: 'rule', type: 'shape', width: 200, height: 0.3 }],
    }),
  ).toEqual([]));
test('a letter in a round corner', async () =>
  expect(
    await told({
      name: 'pill',
      type: 'frame',
      width: 120,
      height: 60,
      borderRadius: 30,
      clip: true,
      children: [text({ text: 'Hill', fontSize: 50, width: 120 })],
    }),
  ).toEqual(['Layer "words": some of its text stands outside the frame "pill" and is not shown.']));
test('letters on a circle', async () =>
  expect(await told(text({ textPath: { type: 'arc', radius: 60 }, width: 100, height: 100 }))).toEqual([
    'Layer "words": some of its text stands outside the canvas and is not shown.',
  ]));
test('what stands out by less than a px', async () =>
  expect(await told(text({ text: 'oOo', fontSize: 40, lineHeight: 0.9, y: 100 - 31.5 }))).toEqual([]));
test('stars without a letter', async () =>
  expect(await told(text({ text: '★★★★☆', x: 150, textWrap: 'wrap', width: 120 }))).toEqual([
    'Layer "words": some of its text stands outside the canvas and is not shown.',
  ]));
test('rows that there is no room for', async () =>
  expect(await told(rows(5))).toEqual([
    'Layer "words 4": some of its text stands outside the canvas and is not shown.',
    'Layer "row 5": there is no room for it in the canvas, and it is not shown.',
  ]));
test('so many that they are counted', async () => {
  const messages = await told(rows(60));
  expect([messages.length, messages.at(-1)]).toEqual([13, '45 more layers have content that is cut or not shown.']);
});
test('what fits, stands turned, or is hidden', async () =>
  expect(
    await told(
      text({}),
      text({ name: 'b', x: 20, y: 40, width: 60, rotation: 90, text: 'up' }),
      text({ name: 'c', x: 190, opacity: 0 }),
    ),
  ).toEqual([]));
test('pictures, shapes and ornaments may cross any edge', async () =>
  expect(
    await told(
      { name: 'disc', type: 'shape', shape: 'ellipse', x: -50, y: -50, width: 100, height: 100, fill: 'red' },
      { name: 'far', type: 'shape', x: 500, width: 10, height: 10, fill: 'red' },
      { name: 'mark', type: 'text', text: '“', fontSize: 300, x: 150, y: -80 },
    ),
  ).toEqual([]));
