// Tests lists, formats and conditions through the API: what is answered, and what warnings and errors name.

import { expect, test } from 'vitest';
import { serverUnderTest } from './server-under-test.ts';

const text = (name: string, properties = {}) => ({ name, type: 'text', text: '', ...properties });
const TEMPLATE = {
  ...{ name: 'Invoice', width: 200, height: 100, currency: 'EUR' },
  layers: [
    {
      ...{ name: 'lines', type: 'frame', width: 180, layout: { direction: 'column' }, repeat: { max: 3 } },
      children: [
        text('item', { width: 60, maxLines: 1, overflow: 'ellipsis' }),
        text('total', { format: 'currency' }),
        text('last', { text: 'The end', when: 'last' }),
      ],
    },
    text('sum', { y: 80, format: 'currency', calculate: { sum: 'lines.total' } }),
    text('paid', { x: 90, y: 80, text: 'Paid', when: { status: 'paid' } }),
  ],
};

async function start() {
  const server = await serverUnderTest();
  const { json } = await server.post('/v1/templates', TEMPLATE);
  const post = (what: string) => (modifications: unknown) =>
    server.post(`/v1/templates/${json.id}/${what}`, { modifications });
  return { ...server, layout: post('layout'), preview: post('preview') };
}

test('entries are laid out under names of their own', async () => {
  await using server = await start();
  const lines = [
    { item: 'Hinge', total: 0.1 },
    { item: 'A long name for a door', total: '0.20' },
  ];
  const { json } = await server.layout({ lines, status: 'paid' });
  const layers = json.layers as { name: string; text?: { lines: { text: string }[] } }[];
  expect(layers.map(({ name, text: shown }) => `${name} ${shown?.lines[0]?.text ?? ''}`.trim())).toEqual([
    'lines',
    'lines[0].item Hinge',
    'lines[0].total €0.10',
    expect.stringMatching(/^lines\[1\]\.item A .*…$/),
    'lines[1].total €0.20',
    'lines[1].last The end',
    'sum €0.30',
    'paid Paid',
  ]);
});

test('a warning about a text names its entry', async () => {
  await using server = await start();
  const { headers } = await server.preview({ lines: [{ item: 'Hinge' }, { item: 'A long name for a door' }] });
  expect(JSON.parse(String(headers['platen-warnings']))).toEqual([expect.stringContaining('"lines[1].item"')]);
});

test('a value of an entry that does not fit is a 400 with its path', async () => {
  await using server = await start();
  const { status, json } = await server.layout({ lines: [{}, { total: 'free' }] });
  expect([status, json.error]).toEqual([
    400,
    'modifications.lines[1].total.text: must be a number such as 12.5, for the sum; this is "free"',
  ]);
});

test('entries that are left out and names without a layer are warned of', async () => {
  await using server = await start();
  const { status, headers } = await server.layout({ lines: [{}, {}, { itm: 'x' }, {}] });
  expect([status, JSON.parse(String(headers['platen-warnings']))]).toEqual([
    200,
    [
      'The entries of "lines" have no layer for lines[2].itm; did you mean "item"?',
      'Layer "lines" shows 3 of 4 entries.',
    ],
  ]);
});
