// Specification, "Endpoints": POST /v1/renders, POST /v1/renders/batch and GET /v1/renders/{id}.

import { expect, test } from 'vitest';
import type { Ask } from '../server/http/server-under-test.ts';
import { serverUnderTest } from '../server/http/server-under-test.ts';
import { CARD, kindOf, pathOf, plans, specServer, table } from './spec-server.ts';

const server = await specServer();
const { template } = server;
const poor = await specServer(plans(0, true));

table('POST /v1/renders: request body', {
  'template | string | yes | Template id; `templateId` is accepted as an alias': async () => {
    for (const body of [{ template }, { templateId: template }, { template, templateId: 'ignored' }]) {
      expect((await server.post('/v1/renders', body)).status).toBe(200);
    }
    for (const body of [{}, { template: '' }, { template: 7 }, { template: null, templateId: template }]) {
      expect((await server.post('/v1/renders', body)).status).toBe(400);
    }
  },
  'modifications | object | no | Layer overrides (see Modifications)': async () => {
    expect((await server.render({ modifications: { title: 'x' } })).status).toBe(200);
    expect((await server.render({ modifications: {} })).status).toBe(200);
    for (const modifications of ['x', 1, []]) expect((await server.render({ modifications })).status).toBe(400);
  },
  'output | string | no | `png`, `jpeg`, `webp`, `pdf`; default `png`': async () => {
    for (const output of ['png', 'jpeg', 'webp', 'pdf', undefined]) {
      const answer = await server.render({ output });
      expect([answer.status, answer.json.output]).toEqual([200, output ?? 'png']);
      expect(kindOf((await server.open(pathOf(answer))).body)).toBe(output ?? 'png');
    }
    expect((await server.render({ output: 'tiff' })).status).toBe(400);
  },
  'async | boolean | no | Default `false`; when true, enqueue instead of rendering inline': async () => {
    const statuses = [];
    for (const more of [{}, { async: false }, { async: true }, { async: 'yes' }, { async: 1 }]) {
      statuses.push((await server.render(more)).status);
    }
    expect(statuses).toEqual([200, 200, 202, 400, 400]);
  },
  'webhookUrl | string (URI) | no | Signed POST on completion; implies async': async () => {
    for (const more of [{}, { async: false }]) {
      const { status, json } = await server.render({ webhookUrl: server.hooks.url, ...more });
      expect(status).toBe(202);
      const find = () => server.hooks.requests.find(({ body }) => body.includes(String(json.id)));
      await expect.poll(find, { timeout: 10_000, interval: 20 }).toBeTruthy();
      expect(find()?.headers['x-platen-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    }
    for (const webhookUrl of ['no address', 'ftp://example.com', 'http://169.254.169.254/', '']) {
      expect((await server.render({ webhookUrl })).status, webhookUrl).toBe(400);
    }
  },
});

table('POST /v1/renders: responses', {
  '`200` render result `{id, url, output}` (synchronous).': async () => {
    const { status, json } = await server.render();
    expect([status, Object.keys(json)]).toEqual([200, ['id', 'url', 'output']]);
  },
  '`202` `{id, status: "queued"}` (async).': async () => {
    const { status, json } = await server.render({ async: true });
    expect([status, json]).toEqual([202, { id: json.id, status: 'queued' }]);
  },
  '`400` invalid request, for example a missing template.': async () => {
    const { status, json } = await server.post('/v1/renders', { output: 'png' });
    expect([status, json]).toEqual([400, { error: expect.stringMatching(/^templateId is required\./) }]);
  },
  '`401` missing or invalid API key.': async () => {
    for (const key of [null, 'plt_live_no']) expect((await server.render({}, key)).status).toBe(401);
  },
  '`402` free-plan quota exceeded.': async () => {
    for (const more of [{}, { async: true }]) expect((await poor.render(more)).status).toBe(402);
  },
});

const batch = (body: object, more: Ask = {}) => server.post('/v1/renders/batch', body, more);

table('POST /v1/renders/batch: shape A, heterogeneous', {
  'renders | array, max 50 | yes | Each element is an object with `template` (string), `modifications` (object), `output` (enum as above, default `png`)':
    async () => {
      const other = (await server.services.templates.create(server.account, { ...CARD, name: 'Other' })).id;
      const renders = [
        { template },
        { template: other, modifications: { title: 'x' }, output: 'webp' },
        { templateId: template, output: 'jpeg' },
        { modifications: {} },
        { template, modifications: 'x' },
        { template, output: 'gif' },
      ];
      const { status, json } = await batch({ renders });
      const results = json.results as Record<string, unknown>[];
      expect([status, json.count, json.ok]).toEqual([200, 6, 3]);
      expect(results.map(({ output, error }) => output ?? typeof error)).toEqual([
        'png',
        'webp',
        'jpeg',
        'string',
        'string',
        'string',
      ]);
      for (const wrong of ['x', {}, 5]) expect((await batch({ renders: wrong })).status).toBe(400);
    },
});

table('POST /v1/renders/batch: shape B, one template', {
  'template | string | yes | Template id applied to every item': async () => {
    for (const name of ['template', 'templateId']) {
      expect((await batch({ [name]: template, items: [{}, {}] })).json).toMatchObject({ count: 2, ok: 2 });
    }
    const { status, json } = await batch({ items: [{}] });
    expect([status, json]).toEqual([400, { error: expect.stringMatching(/^templateId is required\./) }]);
  },
  'output | string | no | Default output for items; default `png`': async () => {
    const outputs = async (more: object) => {
      const items = [{}, { output: 'jpeg' }, { modifications: {}, output: 'pdf' }];
      const results = (await batch({ template, items, ...more })).json.results as { output: string }[];
      return results.map(({ output }) => output);
    };
    expect(await outputs({})).toEqual(['png', 'jpeg', 'pdf']);
    expect(await outputs({ output: 'webp' })).toEqual(['webp', 'jpeg', 'pdf']);
    expect((await batch({ template, items: [{}], output: 'gif' })).status).toBe(400);
  },
  'items | array, max 50 | yes | Each element is either a modifications object, or an object `{ modifications, output }`':
    async () => {
      const items = [{ title: 'Plain' }, { modifications: { title: 'Wrapped' } }];
      expect((await batch({ template, items })).json).toMatchObject({ count: 2, ok: 2 });
      const texts = JSON.stringify(server.drawn.slice(-2));
      for (const word of ['Plain', 'Wrapped']) expect(texts).toContain(`"text":"${word}"`);
      for (const wrong of ['x', {}, 5]) expect((await batch({ template, items: wrong })).status).toBe(400);
    },
});

table('POST /v1/renders/batch: responses', {
  '`200` batch result `{results, count, ok}`. Failed items appear inline as `{error}` and do not fail the request.':
    async () => {
      const { status, json } = await batch({ template, items: [{}, 5] });
      expect([status, Object.keys(json)]).toEqual([200, ['results', 'count', 'ok']]);
      expect(json.results).toEqual([expect.objectContaining({ output: 'png' }), { error: expect.any(String) }]);
      expect((await batch({ renders: [{}] })).status).toBe(200);
    },
  '`400` no items, or more than 50 items.': async () => {
    for (const body of [{}, { renders: [] }, { template, items: [] }, { template }, { renders: Array(51).fill({}) }]) {
      expect((await batch(body)).status).toBe(400);
    }
    expect((await batch({ template, items: Array(51).fill({}) })).status).toBe(400);
  },
  '`401` missing or invalid API key.': async () => {
    for (const key of [null, 'plt_live_no'])
      expect((await batch({ renders: [{ template }] }, { key })).status).toBe(401);
  },
});

test('Items are processed with a concurrency cap.', async () => {
  let runToEnd = 0;
  let most = 0;
  await using capped = await serverUnderTest(
    { PLATEN_BATCH_CONCURRENCY: '3', PLATEN_RENDER_CONCURRENCY: '20' },
    {
      exportAs: async () => {
        runToEnd += 1;
        most = Math.max(most, runToEnd);
        await new Promise((resolve) => setTimeout(resolve, 20));
        runToEnd -= 1;
        return Buffer.from('x');
      },
    },
  );
  const { id } = await capped.services.templates.create(capped.account, CARD);
  // The items differ, as equal ones would be drawn only once.
  const json = { template: id, items: Array.from({ length: 12 }, (_, i) => ({ title: `Hello ${i}` })) };
  expect((await capped.ask('/v1/renders/batch', { method: 'POST', json })).json.ok).toBe(12);
  expect(most).toBe(3);
});

table('GET /v1/renders/{id}: parameters', {
  'id | path | string | yes | Job id from a `202` response': async () => {
    const { id } = (await server.render({ async: true })).json;
    expect((await server.ask(`/v1/renders/${id}`)).json.id).toBe(id);
  },
});

table('GET /v1/renders/{id}: responses', {
  '`200` job object (see Job). Applies to both render and screenshot jobs.': async () => {
    const jobs = [
      await server.render({ async: true }),
      await server.post('/v1/screenshots', { url: 'http://127.0.0.1:9/', async: true }),
    ];
    for (const { json } of jobs) {
      const { status, json: job } = await server.ask(`/v1/renders/${json.id}`);
      expect([status, Object.keys(job).sort()]).toEqual([
        200,
        ['created_at', 'error', 'id', 'kind', 'result', 'status'],
      ]);
    }
  },
  '`401` missing or invalid API key.': async () => {
    const { id } = (await server.render({ async: true })).json;
    for (const key of [null, 'plt_live_no']) expect((await server.ask(`/v1/renders/${id}`, { key })).status).toBe(401);
  },
  '`404` job not found, or the job belongs to another account.': async () => {
    const { id } = (await server.render({ async: true })).json;
    for (const answer of [
      await server.ask('/v1/renders/rnd_unknown'),
      await server.ask(`/v1/renders/${id}`, { key: server.otherKey }),
    ]) {
      expect([answer.status, answer.json]).toEqual([404, { error: 'job not found' }]);
    }
  },
});
