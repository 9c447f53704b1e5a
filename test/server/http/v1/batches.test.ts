// Tests /v1/batches: items as jobs that end in one file.

import { expect, test, vi } from 'vitest';
import { ask as askTool, has } from '../../../draw/output/pdf/page.ts';
import { receiver } from '../../../webhook-receiver.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from '../server-under-test.ts';

const CARD = {
  ...{ name: 'Certificate', width: 300, height: 100 },
  layers: [
    { name: 'recipient', type: 'text', text: 'Ada', x: 10, y: 10, fontSize: 24 },
    { name: 'year', type: 'text', text: '2026', x: 10, y: 60, fontSize: 14 },
  ],
};
const store = async ({ services, account }: ServerUnderTest, document: object = CARD) =>
  (await services.templates.create(account, document)).id;
const begin = (server: ServerUnderTest, json: unknown, headers = {}) => server.post('/v1/batches', json, { headers });
const finished = (server: ServerUnderTest, id: unknown) =>
  vi.waitFor(
    async () => {
      const { json } = await server.ask(`/v1/batches/${id}`);
      expect(Number(json.done) + Number(json.failed)).toBe(json.count);
      return json;
    },
    { timeout: 20_000, interval: 50 },
  );

test.skipIf(!has('pdftotext'))('items become the pages of one PDF, in their order, and each is charged', async () => {
  await using server = await serverUnderTest();
  const template = await store(server);
  const names = ['Grace Hopper', 'Zoë Ångström', 'Ada Lovelace'];
  const items = names.map((recipient) => ({ recipient }));
  const begun = await begin(server, { template, merge: 'pdf', name: 'Class of 2026', nameFrom: 'recipient', items });
  expect(begun).toMatchObject({ status: 202, json: { template, merge: 'pdf', count: 3, done: 0, file: null } });
  const early = await server.ask(`/v1/batches/${begun.json.id}/file`);
  if (early.status !== 200) expect(early.status).toBe(409);

  const { file, failed } = await finished(server, begun.json.id);
  expect([file, failed]).toEqual([`${server.url}/v1/batches/${begun.json.id}/file`, 0]);
  const { body, headers } = await server.ask(`/v1/batches/${begun.json.id}/file`);
  expect(headers['content-type']).toBe('application/pdf');
  expect(headers['content-disposition']).toContain('Class%20of%202026.pdf');
  const pages = askTool('pdftotext', body, [], ['-']).split('\f').slice(0, -1);
  expect(pages.map((page) => page.trim().split('\n')[0])).toEqual(names);
  expect(askTool('pdffonts', body, []).trim().split('\n')).toHaveLength(3);
  expect(await server.services.storage.usage.totals(server.account, '2026-11')).toEqual({ used: 3, reserved: 0 });
});

test('a zip has a file for each item, called by its value, and an item that fails is named by its place', async () => {
  await using server = await serverUnderTest();
  const src = 'data:image/png;base64,AAAA';
  const broken = { name: 'photo', type: 'image', src, width: 4, height: 4, visible: false };
  const template = await store(server, { ...CARD, layers: [...CARD.layers, broken] });
  const items = [
    { recipient: 'Ada' },
    { modifications: { recipient: 'Ada', photo: true }, metadata: 'A-2' },
    { modifications: { recipient: { text: 'Ada' } }, metadata: 'A-3' },
  ];
  const begun = await begin(server, { template, merge: 'zip', nameFrom: 'recipient', output: 'webp', items });
  const { errors, done } = await finished(server, begun.json.id);
  expect([done, errors]).toEqual([2, [{ item: 1, error: expect.stringContaining('photo') }]]);
  const { body } = await server.ask(`/v1/batches/${begun.json.id}/file`);
  const directory = body.toString('latin1', body.readUInt32LE(body.length - 22 + 16), body.length - 22);
  const names = [...directory.matchAll(/PK..[\s\S]{42}([\w-]+\.webp)/g)].map(([, name]) => name);
  expect(names).toEqual(['Ada.webp', 'Ada-3.webp']);
  const { json } = await server.ask('/v1/history');
  expect((json.renders as { metadata: unknown }[]).map(({ metadata }) => metadata).toSorted()).toEqual([
    'A-2',
    'A-3',
    null,
  ]);
});

test.skipIf(!has('pdfinfo'))('items become the labels of sheets', async () => {
  await using server = await serverUnderTest();
  const sheet = { size: 'A4', columns: 2, rows: 5, start: 9 };
  const items = Array.from({ length: 5 }, (_, index) => ({ recipient: `Label ${index}` }));
  const { json } = await begin(server, { template: await store(server), merge: 'pdf', sheet, items });
  await finished(server, json.id);
  const { body } = await server.ask(`/v1/batches/${json.id}/file`);
  expect(askTool('pdfinfo', body, [])).toMatch(/Pages: +2\n[\s\S]*Page size: +595\.\d+ x 841\.\d+ pts \(A4\)/);
  const texts = askTool('pdftotext', body, [], ['-']).split('\f');
  expect(texts.map((text) => text.match(/Label/g)?.length ?? 0)).toEqual([2, 3, 0]);
});

const LETTER = {
  ...{ name: 'Letter', page: { size: 'A6', margin: 40 } },
  layers: [
    {
      ...{ name: 'body', type: 'frame', flow: true, x: 0, y: 0, width: 300 },
      children: [
        {
          ...{ name: 'hello', type: 'text', heading: 1 },
          spans: [{ name: 'who', text: '' }, { text: ', the end is on ' }, { counter: 'page', of: 'end' }],
        },
        { name: 'lines', type: 'text', text: '' },
        { name: 'end', type: 'text', text: 'Yours' },
      ],
    },
    { name: 'no', type: 'text', y: 380, spans: [{ counter: 'page' }, { text: ' of ' }, { counter: 'pages' }] },
  ],
};

test.skipIf(!has('pdftotext'))(
  'the pages of a merged PDF are numbered over all of it, however long each item is',
  async () => {
    await using server = await serverUnderTest();
    const template = await store(server, LETTER);
    const items = [1, 60, 1, 30].map((lines, index) => ({ who: `Reader ${index}`, lines: 'line\n'.repeat(lines) }));
    const { json } = await begin(server, { template, merge: 'pdf', numbering: 'file', items });
    expect(await finished(server, json.id)).toMatchObject({ failed: 0 });
    const { body } = await server.ask(`/v1/batches/${json.id}/file`);
    const texts = askTool('pdftotext', body, [], ['-']).split('\f').slice(0, -1);
    const total = texts.length;
    expect(total).toBeGreaterThan(5);
    expect(texts.map((text) => /\d+ of \d+/.exec(text)?.[0])).toEqual(texts.map((_, i) => `${i + 1} of ${total}`));
    const ends = texts.flatMap((text, i) => (text.includes('Yours') ? [i + 1] : []));
    expect(texts.flatMap((text) => /the end is on (\d+)/.exec(text)?.[1] ?? [])).toEqual(ends.map(String));

    const zip = await begin(server, { template, merge: 'zip', numbering: 'file', items });
    expect(zip.json.error).toBe('numbering: "file" is for a merged PDF; ask for merge "pdf"');
    const wrong = await begin(server, {
      template,
      merge: 'pdf',
      numbering: 'file',
      items: [{ who: 'A' }, { who: [1] }],
    });
    expect(wrong.json.error).toMatch(/^items\[1\]/);
    const pageNumbers = { first: 3, last: 9, total: 12 };
    const other = await server.post('/v1/renders', {
      template,
      output: 'pdf',
      pdf: { pageNumbers },
      modifications: {},
    });
    expect(other.json.error).toBe('pdf.pageNumbers: are for 7 pages, and the document has 1');
  },
);

test('a request that is sent again by its key is one batch', async () => {
  await using server = await serverUnderTest();
  const body = { template: await store(server, SHAPES), merge: 'zip', items: [{}, {}] };
  const [one, two] = [
    await begin(server, body, { 'idempotency-key': 'a' }),
    await begin(server, body, { 'idempotency-key': 'a' }),
  ];
  expect([two.json.id, two.headers['idempotent-replayed']]).toEqual([one.json.id, 'true']);
});

test('a webhook tells once that all items are over, as the batch is read', async () => {
  await using hook = await receiver();
  await using server = await serverUnderTest({ PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32' });
  const src = 'data:image/png;base64,AAAA';
  const broken = { name: 'photo', type: 'image', src, width: 4, height: 4, visible: false };
  const template = await store(server, { ...SHAPES, layers: [...SHAPES.layers, broken] });
  const items = [...Array.from({ length: 20 }, () => ({})), { photo: true }];
  const begun = await begin(server, { template, merge: 'zip', webhookUrl: hook.url, items });
  const { id } = begun.json;
  const [delivered] = await hook.received(1);
  const { batch, ...told } = JSON.parse(delivered?.body ?? '');
  expect(told).toEqual({ id, status: 'done', result: null, error: null });
  expect(batch).toMatchObject({
    id,
    done: 20,
    failed: 1,
    errors: [{ item: 20 }],
    file: expect.stringMatching(/file$/),
  });
  expect((await server.ask(`/v1/batches/${id}`)).json).toEqual(batch);

  const none = await begin(server, { template, merge: 'zip', webhookUrl: hook.url, items: [{ photo: true }] });
  const [, second, ...others] = await hook.received(2);
  const error = expect.stringContaining('photo');
  expect(JSON.parse(second?.body ?? '')).toMatchObject({
    id: none.json.id,
    status: 'error',
    error,
    batch: { file: null },
  });
  expect(others).toEqual([]);
  const { status, json } = await begin(server, { template, merge: 'zip', webhookUrl: 'ftp://x', items: [{}] });
  expect([status, json.error]).toEqual([400, expect.stringMatching(/^webhookUrl: URL not allowed/)]);
});

const sendTable = (server: ServerUnderTest, query: Record<string, string>, raw: string | Buffer, headers = {}) =>
  server.ask(`/v1/batches?${new URLSearchParams(query)}`, {
    ...{ method: 'POST', raw, headers: { 'content-type': 'text/csv', ...headers } },
  });

test.skipIf(!has('pdftotext'))('a CSV is a batch: its first row names layers and their properties', async () => {
  await using server = await serverUnderTest();
  const template = await store(server);
  const csv = 'recipient;year.color;order\r\n"Zoë; Ångström";#ff0000;A-1\r\nAda;#00ff00;A-2\r\n';
  const query = { template, merge: 'pdf', name: 'Class', nameFrom: 'order', metadata: '2026' };
  const utf16 = Buffer.from(`\uFEFF${csv}`, 'utf16le');
  const begun = await sendTable(server, { ...query, sheet: '{"size":"A4","columns":1,"rows":4}' }, utf16);
  expect(begun).toMatchObject({ status: 202, json: { template, merge: 'pdf', name: 'Class', count: 2 } });
  expect(begun.headers['platen-warnings']).toBeUndefined();
  expect(await finished(server, begun.json.id)).toMatchObject({ done: 2, warned: 0 });
  const { body } = await server.ask(`/v1/batches/${begun.json.id}/file`);
  const words = askTool('pdftotext', body, [], ['-']).split('\f')[0]?.split('\n').filter(Boolean);
  expect(words).toEqual(['Zoë; Ångström', '2026', 'Ada', '2026']);
  const { json } = await server.ask('/v1/history');
  expect((json.renders as { metadata: unknown }[]).map(({ metadata }) => metadata)).toEqual(['2026', '2026']);
  const again = await sendTable(server, query, csv, { 'idempotency-key': 'b' });
  expect((await sendTable(server, query, csv, { 'idempotency-key': 'b' })).json.id).toBe(again.json.id);
});

test('a CSV that does not fit the template is refused, and its columns are named', async () => {
  await using server = await serverUnderTest();
  const template = await store(server);
  const query = { template, merge: 'zip' };
  const wrong: [Record<string, string>, string, string][] = [
    [query, 'recipeint,year\nAda,1\n', 'no layer "recipeint"; did you mean "recipient"?'],
    [query, 'year.colour\nred\n', 'has no property "colour"'],
    [query, 'year\n', 'no rows'],
    [query, 'year,year\n1,2\n', 'Two columns are named "year"'],
    [query, 'year,recipient\n1\n', 'items[0]: has 1 cells, the first row 2'],
    [query, 'year\n"1\n', 'Line 2 has a quote out of place'],
    [query, 'year.fontSize\n12\n0\n', 'items[1].modifications.year.fontSize: '],
    [{ ...query, nameFrom: 'yaer' }, 'year\n1\n', 'nameFrom: the first row has no column "yaer"'],
    [{ template, merge: 'tar' }, 'year\n1\n', 'merge: '],
    [{ merge: 'zip' }, 'year\n1\n', 'templateId is required'],
    [{ template: 'tpl_none', merge: 'zip' }, 'year\n1\n', 'not found'],
  ];
  for (const [fields, csv, message] of wrong) {
    const { status, json } = await sendTable(server, fields, csv);
    expect([status, json.error]).toEqual([message === 'not found' ? 404 : 400, expect.stringContaining(message)]);
  }
  const ignored = await sendTable(server, { ...query, ignoreUnknown: 'true', colour: '1' }, 'order,year\nA-1,1\n');
  expect(ignored.status).toBe(202);
  expect(ignored.headers['platen-warnings']).toContain('colour');
});

test('what cannot be merged is a 400 that names the field; other accounts see nothing', async () => {
  await using server = await serverUnderTest();
  const template = await store(server);
  const wrong: [object, string][] = [
    [{ items: [{}] }, 'merge: '],
    [{ merge: 'tar', items: [{}] }, 'merge: '],
    [{ merge: 'pdf', renders: [{ template }] }, 'renders: cannot be merged'],
    [{ merge: 'pdf', items: [] }, 'items: must be a list'],
    [{ merge: 'pdf', output: 'png', items: [{}] }, 'output: must be "pdf"'],
    [{ merge: 'zip', items: [{ modifications: {}, output: 'png' }] }, 'items[0].output: cannot differ'],
    // A key beside the modifications would be taken for a layer, and what they say be lost and charged.
    [
      { merge: 'zip', items: [{}, { modifications: { year: '1' }, scale: 2 }] },
      'items[1].scale: cannot differ from the others; give it once',
    ],
    [
      { merge: 'zip', items: [{ modifications: { year: '1' }, recipient: 'Ada' }] },
      'items[0].recipient: stands beside modifications; what it changes belongs in them',
    ],
    [{ merge: 'zip', items: [{}, { year: { fontSize: 0 } }] }, 'items[1].modifications.year.fontSize: '],
    [{ merge: 'zip', items: [{}], sheet: { size: 'A4', columns: 2, rows: 2 } }, 'sheet: is for a merged PDF'],
    [
      { merge: 'pdf', items: [{}], sheet: { size: 'A4', columns: 2, rows: 2, start: 5 } },
      'sheet.start: must be a cell',
    ],
    [{ merge: 'zip', items: [{}], template: CARD }, 'template: must be the id of a stored template'],
  ];
  for (const [body, message] of wrong) {
    const { status, json } = await begin(server, { template, ...body });
    expect([status, json.error]).toEqual([400, expect.stringContaining(message)]);
  }
  const { json } = await begin(server, { template, merge: 'zip', items: [{}] });
  await finished(server, json.id);
  for (const path of [`/v1/batches/${json.id}`, `/v1/batches/${json.id}/file`]) {
    expect((await server.ask(path, { key: server.otherKey })).status).toBe(404);
  }
});
