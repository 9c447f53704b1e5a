// Tests the requests about secrets by API key: which keys may send them, what they do, and what the audit log says.

import { createHmac } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { SHAPES, serverUnderTest } from '../server-under-test.ts';
import { studioUnderTest } from '../studio/studio-under-test.ts';

const server = await serverUnderTest({}, { exportAs: async () => Buffer.from('a picture') });
afterAll(() => server[Symbol.asyncDispose]());
const { templates, keys, accounts, audit } = server.services;
const scope = { rights: ['manage-secrets'], templates: null } as const;
const made = await keys.create(server.account, 'live', { name: 'Deploy', createdBy: null }, scope);
const { key } = made;
const post = (path: string) => server.ask(`/v1/secrets${path}`, { method: 'POST', key });

test('a key with the right reads, makes and retires secrets, each of which is recorded', async () => {
  const { signing, webhook } = await accounts.secrets(server.account);
  expect((await server.ask('/v1/secrets', { key })).json).toEqual({
    secrets: [
      { purpose: 'signing', last_four: signing.slice(-4), created_at: expect.stringMatching(/Z$/), previous: 0 },
      { purpose: 'webhook', last_four: webhook.slice(-4), created_at: expect.stringMatching(/Z$/), previous: 0 },
    ],
  });
  expect((await post('/webhook/show')).json).toEqual({ secret: webhook });
  const { secret } = (await post('/signing/rotate')).json as { secret: string };
  expect([secret === signing, (await accounts.secrets(server.account)).signing]).toEqual([false, secret]);
  expect((await server.ask('/v1/secrets', { key })).json).toMatchObject({
    secrets: [{ previous: 1 }, { previous: 0 }],
  });

  const { id } = await templates.create(server.account, SHAPES);
  const signed = (by: string) => {
    const sig = createHmac('sha256', by).update(`v1\n${id}\npng\n`).digest('hex');
    return server.ask(`/v1/templates/${id}/render.png?sig=${sig}`);
  };
  expect([(await signed(signing)).status, (await signed(secret)).status]).toEqual([200, 200]);
  expect((await post('/signing/retire')).json).toEqual({ retired: 1 });
  expect([(await signed(signing)).status, (await signed(secret)).status]).toEqual([403, 200]);

  const { items } = await audit.page(server.account, { actorId: made.id, action: null }, { limit: 9, after: null });
  expect(items.map(({ action, actor, subject }) => [action, actor.kind, actor.name, subject.name])).toEqual([
    ['secret.retire', 'key', 'Deploy', 'signing'],
    ['secret.rotate', 'key', 'Deploy', 'signing'],
    ['secret.show', 'key', 'Deploy', 'webhook'],
  ]);
});

test('what is no secret is not found, and a key of some templates may not', async () => {
  expect(await post('/password/show')).toMatchObject({
    status: 404,
    json: { error: 'secret not found; there are signing and webhook' },
  });
  const { id } = await templates.create(server.account, SHAPES);
  const limited = await keys.create(server.account, 'live', undefined, { ...scope, templates: [id] });
  for (const [path, method] of [
    ['', 'GET'],
    ...['show', 'rotate', 'retire'].map((act) => [`/signing/${act}`, 'POST']),
  ]) {
    expect(await server.ask(`/v1/secrets${path}`, { method: method ?? '', key: limited.key })).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining('limited to certain templates') },
    });
  }
});

test('no answer is kept by caches, and secrets of another account stay its own', async () => {
  const answer = await post('/webhook/show');
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  const theirs = await accounts.secrets(server.other);
  expect(answer.json.secret).not.toBe(theirs.webhook);
});

test('in the studio, only an owner gives a key the right to secrets', async () => {
  await using studio = await studioUnderTest();
  const json = { name: 'Deploy', kind: 'test', scope };
  expect((await studio.ask('/keys', { as: 'editor', method: 'POST', json })).status).toBe(403);
  expect((await studio.ask('/keys', { method: 'POST', json })).status).toBe(201);
});
