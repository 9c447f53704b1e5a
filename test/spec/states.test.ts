// Specification, "States and transitions".

import { expect } from 'vitest';
import { hold, specServer, table } from './spec-server.ts';

const server = await specServer({ PLATEN_JOB_CONCURRENCY: '1' });
const job = async (id: unknown) => (await server.ask(`/v1/renders/${id}`)).json;
const webhookUrl = server.hooks.url;
/** A picture that cannot be loaded, so that the job fails. */
const broken = { modifications: { photo: 'http://127.0.0.1:9/x.png' } };

/** Waits for the webhook about this job and returns it. */
async function announced(id: unknown): Promise<Record<string, unknown>> {
  const find = () => server.hooks.requests.find(({ body }) => JSON.parse(body).id === id);
  await expect.poll(find, { timeout: 10_000, interval: 20 }).toBeTruthy();
  return JSON.parse(find()?.body ?? 'null');
}

table('Job states', {
  'queued | Initial state reported on acceptance (`202`)': async () => {
    const { begun, letGo } = hold(server);
    const first = (await server.render({ async: true })).json.id;
    await begun;
    const { status, json } = await server.render({ async: true });
    expect([status, json.status, (await job(json.id)).status]).toEqual([202, 'queued', 'queued']);
    letGo();
    await server.ended(first);
    await server.ended(json.id);
  },
  'processing | Job is running': async () => {
    const { begun, letGo } = hold(server);
    const { id } = (await server.render({ async: true })).json;
    await begun;
    expect(await job(id)).toMatchObject({ status: 'processing', result: null, error: null });
    letGo();
    await server.ended(id);
  },
  'done | `result` is present': async () => {
    const { id } = (await server.render({ async: true })).json;
    const url = `${server.url}/assets/${id}.png`;
    expect(await server.ended(id)).toMatchObject({ status: 'done', result: { id, url, output: 'png' }, error: null });
  },
  'error | `error` is present': async () => {
    const { id } = (await server.render({ async: true, ...broken })).json;
    expect(await server.ended(id)).toMatchObject({ status: 'error', result: null, error: expect.stringMatching(/\w/) });
  },
});

const created = async (path: string, body: object) => {
  for (const more of [{ async: true }, { webhookUrl }]) {
    const { status, json } = await server.post(path, { ...body, ...more });
    expect([status, json]).toEqual([202, { id: json.id, status: 'queued' }]);
    expect((await job(json.id)).status).toMatch(/^(queued|processing|done|error)$/);
  }
  const invalid = await server.post(path, { ...body, output: 'gif', async: true });
  expect(invalid.status).toBe(400);
};

table('Job transitions', {
  '(none) | Create render or screenshot with `async: true` or a `webhookUrl` | Request valid | queued | Response `202 {id, status: "queued"}`':
    async () => {
      await created('/v1/renders', { template: server.template });
      await created('/v1/screenshots', { url: 'http://127.0.0.1:9/' });
    },
  'queued/processing | Job finishes | Success | done | If a `webhookUrl` was given, a completion callback with status `done` is sent':
    async () => {
      const { id } = (await server.render({ webhookUrl })).json;
      expect((await server.ended(id)).status).toBe('done');
      expect((await announced(id)).status).toBe('done');
    },
  'queued/processing | Job finishes | Failure | error | If a `webhookUrl` was given, a completion callback with status `error` is sent':
    async () => {
      const { id } = (await server.render({ webhookUrl, ...broken })).json;
      expect((await server.ended(id)).status).toBe('error');
      expect((await announced(id)).status).toBe('error');
      const quiet = (await server.render({ async: true })).json.id;
      await server.ended(quiet);
      expect(server.hooks.requests.filter(({ body }) => body.includes(String(quiet)))).toEqual([]);
    },
});
