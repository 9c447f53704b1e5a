// Tests lists with more values than a request may have otherwise: the rows of a long table.

import { expect, test, vi } from 'vitest';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { requestText } from '#server/service/jobs/jobs.ts';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { type Export, serverUnderTest } from './server-under-test.ts';

const ROWS = 6_000;
const TABLE = {
  ...{ name: 'Prices', width: 200, height: 200 },
  layers: [
    { name: 'title', type: 'text', text: 'Prices' },
    {
      ...{
        name: 'lines',
        type: 'table',
        width: 200,
        columns: ['fill', 50],
        row: [{ name: 'item' }, { name: 'price' }],
      },
      ...{ header: ['Item', { calculate: 'count' }], cell: { fontSize: 10, padding: 0 } },
    },
  ],
};
const lines = Array.from({ length: ROWS }, (_, i) => ({ item: `"hinge" ${i}`, price: i }));

/** Keeps the texts that were drawn. */
function reader(): { drawn: string[]; exportAs: Export } {
  const drawn: string[] = [];
  const visit = (op: PaintOp) => {
    if (op.kind === 'group') op.ops.forEach(visit);
    if (op.kind === 'glyphs') drawn.push(op.run.text);
  };
  const exportAs: Export = async (_output, lists) => {
    for (const { ops } of lists as Iterable<DisplayList>) ops.forEach(visit);
    return Buffer.from('a picture');
  };
  return { drawn, exportAs };
}

async function start() {
  const { drawn, exportAs } = reader();
  const server = await serverUnderTest({}, { exportAs });
  const { id } = await server.services.templates.create(server.account, TABLE);
  const post = (json: object) => server.post('/v1/renders', { template: id, ...json });
  return { ...server, drawn, post };
}

test('a table has as many rows as the request lists, at once and in a job', async () => {
  await using server = await start();
  const { status, json } = await server.post({ modifications: { title: 'Hello', lines } });
  expect([status, json.error]).toEqual([200, undefined]);
  expect(server.drawn).toEqual(expect.arrayContaining(['Hello', String(ROWS), '"hinge" 3']));
  server.drawn.length = 0;
  const accepted = await server.post({ async: true, modifications: { lines } });
  expect(accepted.status).toBe(202);
  await vi.waitFor(() => expect(server.drawn).toEqual(expect.arrayContaining(['Prices', String(ROWS), '"hinge" 3'])), {
    timeout: 10_000,
    interval: 20,
  });
});

test('what does not fit is named by its path', async () => {
  await using server = await start();
  const wrong = lines.with(4_321, { item: { value: [] } } as never);
  const { status, json } = await server.post({ modifications: { lines: wrong } });
  expect([status, json.error]).toEqual([400, expect.stringContaining('modifications.lines[4321]')]);
});

test('a list is given in a URL as its JSON', async () => {
  await using server = await start();
  const { id: template } = await server.services.templates.create(server.account, TABLE);
  const { signingSecret } = server;
  const parameters = [['lines', '[{"item":"in a URL"}]']] as const;
  const query = signedQuery(signingSecret, { template, extension: 'png', parameters }, null);
  const { status } = await server.ask(`/v1/templates/${template}/render.png?${query}`, { key: null });
  expect([status, server.drawn.includes('in a URL')]).toEqual([200, true]);
});

test('other bodies have their limit, and so do lists', async () => {
  await using server = await start();
  const many = Array(10_001).fill(0);
  for (const [body, message] of [
    [{ modifications: { title: { spans: many } } }, 'more than 10000 values'],
    [{ modifications: {}, other: many }, 'more than 10000 values'],
    [{ other: { modifications: { lines: many } } }, 'more than 10000 values'],
    [{ modifications: { lines: Array(400_002).fill(0) } }, "body's lists have more than 400000 values"],
  ] as const) {
    const { status, json } = await server.post(body);
    expect([status, json.error]).toEqual([400, expect.stringContaining(message)]);
  }
});

test('a list that is no JSON is refused by name, and of two modifications the last one counts', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, TABLE);
  const long = JSON.stringify(lines);
  for (const [modifications, status] of [
    [`{"lines":${long.slice(0, -1)}}}`, 400],
    [`{"lines":${long.slice(0, -1)},]}`, 400],
    [`{"lines":[0],"lines":${long}}`, 200],
    [`{"lines":${long}},"modifications":{"title":"Hello"}`, 200],
    [`{"lines":${long}},"modifications":null`, 200],
  ] as const) {
    const raw = `{"template":"${id}","modifications":${modifications}}`;
    expect((await server.ask('/v1/renders', { method: 'POST', raw })).status, modifications.slice(-40)).toBe(status);
  }
});

test('the request of a job is the same JSON in pieces', async () => {
  expect(await requestText({ modifications: { lines: 'short' } })).toBeNull();
  // The pairs of surrogates lie across the ends of pieces, whatever their length is.
  const request = {
    template: 'a',
    modifications: { lines: `"${'é😀\\'.repeat(150_000)}`, more: 'x'.repeat(2 ** 18) },
    async: true,
  };
  expect(JSON.parse((await requestText(request)) ?? '')).toEqual(request);
});
