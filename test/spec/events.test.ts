// Specification, "Events".

import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { hasChromium } from '../server/chromium/chromium.ts';
import { type Received, receiver } from '../webhook-receiver.ts';
import { specServer, table } from './spec-server.ts';

const server = await specServer();
const webhookUrl = server.hooks.url;
const broken = { modifications: { photo: 'http://127.0.0.1:9/x.png' } };

/** The webhook delivery for the job that `answer` accepted. */
async function delivered(answer: Promise<{ readonly json: Record<string, unknown> }>): Promise<Received> {
  const { id } = (await answer).json;
  const find = () => server.hooks.requests.find(({ body }) => JSON.parse(body).id === id);
  await expect.poll(find, { timeout: 30_000, interval: 20 }).toBeTruthy();
  const found = find();
  if (!found) throw new Error('no delivery');
  return found;
}
const done = () => delivered(server.render({ webhookUrl }));
const failed = () => delivered(server.render({ webhookUrl, ...broken }));
const bodyOf = async (delivery: Promise<Received>) => JSON.parse((await delivery).body);

table(
  'Events',
  {
    'Async job completed | `POST /v1/renders`, `POST /v1/screenshots` with `webhookUrl` | The job ends in `done` or `error`':
      async () => {
        expect((await bodyOf(done())).status).toBe('done');
        expect((await bodyOf(failed())).status).toBe('error');
        // Nothing listens on this port.
        const screenshot = delivered(server.post('/v1/screenshots', { url: 'http://127.0.0.1:9/', webhookUrl }));
        expect((await bodyOf(screenshot)).status).toBe('error');
      },
  },
  hasChromium,
);

table('Body (JSON)', {
  'id | string | Job id': async () => {
    const { method, headers, body } = await done();
    expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
    const { id, ...more } = JSON.parse(body);
    expect((await server.ask(`/v1/renders/${id}`)).json.id).toBe(id);
    expect(Object.keys(more)).toEqual(['status', 'result', 'error']);
  },
  'status | string | `done` or `error`': async () => {
    expect([(await bodyOf(done())).status, (await bodyOf(failed())).status]).toEqual(['done', 'error']);
  },
  'result | object or null | Render result when done': async () => {
    const { id, result } = await bodyOf(done());
    expect(result).toEqual({ id, url: `${server.url}/assets/${id}.png`, output: 'png' });
    expect((await bodyOf(failed())).result).toBeNull();
  },
  'error | string or null | Message when status is `error`': async () => {
    expect((await bodyOf(done())).error).toBeNull();
    const { id, error } = await bodyOf(failed());
    expect(error).toBe((await server.ask(`/v1/renders/${id}`)).json.error);
    expect(error).toMatch(/\w/);
  },
});

table('Signing', {
  'The body is signed with HMAC-SHA256.': async () => {
    const { webhook } = await server.services.accounts.secrets(server.account);
    const { headers, body } = await done();
    const signature = createHmac('sha256', webhook).update(body).digest('hex');
    expect(headers['x-platen-signature']).toBe(`sha256=${signature}`);
  },
  "The signature is in the header `x-<service>-signature`, where `<service>` is the service's own name in lower case. Its value has the form `sha256=<hex_signature>`.":
    async () => expect((await done()).headers['x-platen-signature']).toMatch(/^sha256=[0-9a-f]{64}$/),
  'The receiver verifies it with its signing secret.': async () => {
    const { webhook } = await server.services.accounts.secrets(server.account);
    const theirs = (await server.services.accounts.secrets(server.other)).webhook;
    const { headers, body } = await done();
    const by = (secret: string, text: string) =>
      headers['x-platen-signature'] === `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    expect([by(webhook, body), by(theirs, body), by(webhook, `${body} `)]).toEqual([true, false, false]);
  },
  'Any 2xx response acknowledges delivery.': async () => {
    for (const status of [200, 201, 204, 299]) {
      await using hooks = await receiver(() => status);
      const { id } = (await server.render({ webhookUrl: hooks.url })).json;
      const delivery = async () =>
        (await server.services.deliveries.list(server.account)).find(({ renderId }) => renderId === id)?.status;
      await expect.poll(delivery, { timeout: 10_000, interval: 20 }).toBe('delivered');
      expect(hooks.requests).toHaveLength(1);
    }
  },
});
