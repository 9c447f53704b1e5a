// The specification's tables "Errors" and "Limits", and its rules and example messages, row by row.

import { expect, test } from 'vitest';
import { signedQuery } from '#service/signed-url.ts';
import { newApiKey } from '../../src/ids.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from '../http/server-under-test.ts';

interface Started extends ServerUnderTest {
  readonly template: string;
}

async function start(env = {}, draw = async (): Promise<Buffer> => Buffer.from('a picture')): Promise<Started> {
  const server = await serverUnderTest(env, { exportAs: draw });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  return { ...server, template: id };
}

const post = (server: ServerUnderTest, path: string, json: unknown) => server.ask(path, { method: 'POST', json });

function signed(server: Started, parameters: readonly (readonly [string, string])[] = []): string {
  const query = signedQuery(server.signingSecret, { template: server.template, extension: 'png', parameters });
  return `/v1/templates/${server.template}/render.png?${query}`;
}

const FREE = (quota: number) => ({ PLATEN_PLANS: `{"free":{"quota":${quota},"blocks":true}}` });
const PAID = (quota: number) => ({ PLATEN_PLANS: `{"free":{"quota":${quota},"blocks":false}}` });

test('200 OK: render completed', async () => {
  await using server = await start();
  const { status, json } = await post(server, '/v1/renders', { template: server.template });
  const url = `${server.url}/assets/${json.id}.png`;
  expect([status, json]).toEqual([200, { id: expect.stringMatching(/^rnd_/), url, output: 'png' }]);
});

test('202 Accepted: async job queued; poll GET /v1/renders/{id}', async () => {
  await using server = await start();
  const { status, json } = await post(server, '/v1/renders', { template: server.template, async: true });
  expect([status, json]).toEqual([202, { id: expect.stringMatching(/^rnd_/), status: 'queued' }]);
  const job = (await server.ask(`/v1/renders/${json.id}`)).json;
  expect(['queued', 'processing', 'done']).toContain(job.status);
  expect(Object.keys(job).sort()).toEqual(['created_at', 'error', 'id', 'kind', 'result', 'status']);
});

test('400 Bad request: missing template', async () => {
  await using server = await start();
  for (const body of [{}, { template: '' }, { template: null }, { templateId: 7 }]) {
    const { status, json } = await post(server, '/v1/renders', body);
    expect([status, json]).toEqual([400, { error: 'templateId is required.' }]);
  }
});

test('400 Bad request: batch with no items or more than 50', async () => {
  await using server = await start();
  const item = { template: server.template };
  for (const body of [{}, { renders: [] }, { template: server.template, items: [] }]) {
    expect((await post(server, '/v1/renders/batch', body)).status).toBe(400);
  }
  for (const body of [{ renders: Array(51).fill(item) }, { ...item, items: Array(51).fill({}) }]) {
    const { status, json } = await post(server, '/v1/renders/batch', body);
    expect([status, json]).toEqual([400, { error: 'Batch too large (51); max 50.' }]);
  }
});

test('400 Bad request: disallowed screenshot URL', async () => {
  await using server = await start();
  for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/latest', 'file:///etc/passwd', 'http://localhost']) {
    const { status, json } = await post(server, '/v1/screenshots', { url });
    expect([status, json], url).toEqual([400, { error: 'URL not allowed.' }]);
  }
});

test('401 Unauthorized: API key missing, invalid or revoked', async () => {
  await using server = await start();
  const revoked = await server.services.keys.create(server.account, 'live');
  await server.services.keys.revoke(revoked.id);
  for (const key of [null, 'plt_live_x', newApiKey('live'), revoked.key]) {
    const { status, json } = await server.ask('/v1/account', { key });
    expect([status, json]).toEqual([401, { error: 'invalid or revoked API key' }]);
  }
});

test('402 Payment required: free-plan quota exhausted', async () => {
  await using server = await start(FREE(0));
  const answers = [
    await post(server, '/v1/renders', { template: server.template }),
    await post(server, '/v1/renders', { template: server.template, async: true }),
  ];
  for (const { status, json } of answers) {
    expect([status, json]).toEqual([402, { error: expect.stringContaining('upgrade to continue') }]);
  }
});

test('403 Forbidden: missing or invalid signature on a signed render URL', async () => {
  await using server = await start();
  const path = `/v1/templates/${server.template}/render.png`;
  for (const query of ['', '?sig=', `?sig=${'0'.repeat(64)}`]) {
    const { status, headers } = await server.ask(path + query, { key: null });
    expect([status, headers['content-type']]).toEqual([403, 'text/plain; charset=utf-8']);
  }
});

test('404 Not found: unknown template, job or path; also a job owned by another account', async () => {
  await using server = await start();
  expect((await post(server, '/v1/renders', { template: 'tpl_unknown' })).status).toBe(404);
  const { id } = (await post(server, '/v1/renders', { template: server.template })).json;
  for (const answer of [
    await server.ask('/v1/renders/rnd_unknown'),
    await server.ask(`/v1/renders/${id}`, { key: server.otherKey }),
  ]) {
    expect([answer.status, answer.json]).toEqual([404, { error: 'job not found' }]);
  }
  expect((await server.ask('/v1/unknown')).status).toBe(404);
});

test('405 Method not allowed: wrong HTTP method for the endpoint', async () => {
  await using server = await start();
  for (const [method, path] of [
    ['GET', '/v1/renders'],
    ['GET', '/v1/renders/batch'],
    ['GET', '/v1/screenshots'],
    ['POST', '/v1/account'],
    ['DELETE', '/v1/templates'],
  ] as const) {
    const { status, headers } = await server.ask(path, { method });
    // A batch is spelt like a job's id.
    expect([path === '/v1/renders/batch' ? 404 : 405], `${method} ${path}`).toContain(status);
    if (status === 405) expect(headers.allow).toBeTruthy();
  }
});

test('500 Server error: unexpected failure; retry', async () => {
  await using server = await start({}, async () => {
    throw new Error('a bug');
  });
  const { status, json, text } = await post(server, '/v1/renders', { template: server.template });
  expect([status, json]).toEqual([500, { error: expect.stringContaining('try again') }]);
  expect(text).not.toContain('a bug');
});

test('rule 1: in a batch a failed item does not fail the request', async () => {
  await using server = await start();
  const renders = [{ template: server.template }, { template: 'tpl_unknown' }, {}];
  const { status, json } = await post(server, '/v1/renders/batch', { renders });
  expect([status, json]).toEqual([
    200,
    {
      results: [
        expect.objectContaining({ output: 'png' }),
        { error: expect.any(String) },
        { error: 'templateId is required.' },
      ],
      count: 3,
      ok: 1,
    },
  ]);
});

test('limit: items per batch, 50', async () => {
  await using server = await start();
  const { status, json } = await post(server, '/v1/renders/batch', {
    template: server.template,
    items: Array(50).fill({}),
  });
  expect([status, json.count, json.ok]).toEqual([200, 50, 50]);
});

test('limit: screenshot width and height, 16 to 2400; scale, at most 3', async () => {
  await using server = await start();
  const url = 'http://127.0.0.1/';
  const bounds = [
    ['width', 15, 16, 2400, 2401],
    ['height', 15, 16, 2400, 2401],
    ['scale', 0, 0.1, 3, 3.1],
  ] as const;
  for (const [name, below, low, high, above] of bounds) {
    for (const value of [below, above]) {
      const { status, json } = await post(server, '/v1/screenshots', { url, [name]: value });
      expect([status, json.error]).toEqual([400, expect.stringContaining(`${name}: must be`)]);
    }
    // Within bounds it is only the address that is refused.
    for (const value of [low, high]) {
      expect((await post(server, '/v1/screenshots', { url, [name]: value })).json.error).toBe('URL not allowed.');
    }
  }
});

test('limit: scale factor of a signed URL, at most 3; quality q, 0 to 100', async () => {
  await using server = await start();
  const statuses = {
    scale: { '3': 200, '0.1': 200, '3.1': 400, '0': 400, '-1': 400 },
    q: { '0': 200, '100': 200, '101': 400, '1.5': 400 },
  };
  for (const [name, cases] of Object.entries(statuses)) {
    for (const [value, status] of Object.entries(cases)) {
      expect((await server.ask(signed(server, [[name, value]]), { key: null })).status, `${name}=${value}`).toBe(
        status,
      );
    }
  }
});

test('limit: templates listed, up to 200, most recently updated first', async () => {
  await using server = await start();
  const { templates } = server.services;
  for (let made = 1; made <= 200; made += 1) await templates.create(server.account, { ...SHAPES, name: `n${made}` });
  await templates.replace(server.account, server.template, { ...SHAPES, name: 'updated' });
  const listed = (await server.ask('/v1/templates')).json.templates as { name: string }[];
  expect([listed.length, listed[0]?.name, listed[1]?.name, listed.at(-1)?.name]).toEqual([
    200,
    'updated',
    'n200',
    'n2',
  ]);
});

test('limit: the free-plan quota is monthly; paid plans never block', async () => {
  await using free = await start(FREE(1));
  await using paid = await start(PAID(1));
  for (const [server, statuses] of [
    [free, [200, 402]],
    [paid, [200, 200]],
  ] as const) {
    for (const status of statuses) {
      expect((await post(server, '/v1/renders', { template: server.template })).status).toBe(status);
    }
  }
  expect((await paid.ask('/v1/usage')).json).toMatchObject({ used: 2, overage: 1 });
});

test('limit: batch metering is per item', async () => {
  await using server = await start(FREE(2));
  const { json } = await post(server, '/v1/renders/batch', { template: server.template, items: [{}, {}, {}] });
  expect([json.count, json.ok]).toEqual([3, 2]);
  expect(JSON.stringify(json.results)).toContain('upgrade to continue');
  expect((await server.ask('/v1/usage')).json.used).toBe(2);
});

test('limit: a signed URL is deduplicated from metering; 402 is for what was never shown', async () => {
  await using server = await start(FREE(1));
  for (const _ of [1, 2, 3]) expect((await server.ask(signed(server), { key: null })).status).toBe(200);
  expect((await server.ask('/v1/usage')).json.used).toBe(1);
  expect((await server.ask(signed(server, [['box', 'red']]), { key: null })).status).toBe(402);
});
