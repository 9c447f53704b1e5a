// Tests requests whose body arrives after their sender has lost the right to make them.

import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';

/** Sends the head of a request and waits until the server has read it; the returned function sends the body. */
async function begin(
  { server, cookieOf }: StudioUnderTest,
  { path, method = 'POST', json, key }: { path: string; method?: string; json: object; key?: string },
) {
  const body = JSON.stringify(json);
  const sender = key === undefined ? { cookie: cookieOf('editor') } : { authorization: `Bearer ${key}` };
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const all = { ...headers, ...sender, origin: server.url, expect: '100-continue' };
  const sent = request({ host: '127.0.0.1', port: server.port, path, method, headers: all, agent: false });
  // Awaited from the start: a busy machine may check the sender only once the right is lost.
  const answered = once(sent, 'response');
  sent.flushHeaders();
  // Sent before the request is handled, whose checks take a few milliseconds then.
  await once(sent, 'continue');
  await sleep(50);
  return async () => {
    sent.end(body);
    const [response] = await answered;
    return { status: response.statusCode as number, json: JSON.parse(await text(response)) };
  };
}

const DOCUMENT = { name: 'Late', width: 10, height: 10, layers: [] };

test('after a removal nothing is done: no invitation, no key, no role, no template, and no way back', async () => {
  await using studio = await studioUnderTest();
  const { server, ask, idOf } = studio;
  const { members, links, keys, templates } = server.services;
  await members.setRole(server.account, idOf('editor'), 'owner');
  const below = `/v1/studio/accounts/${server.account}`;
  const earlier = await links.invite(server.account, idOf('editor'), null, 'owner');
  const others = await links.invite(server.account, idOf('owner'), null, 'viewer');
  const before = await keys.list(server.account);
  const late = await Promise.all([
    begin(studio, { path: `${below}/people/invitations`, json: { role: 'owner' } }),
    begin(studio, { path: `${below}/keys`, json: { name: 'x', kind: 'live' } }),
    begin(studio, { path: `${below}/people/${idOf('owner')}`, method: 'PUT', json: { role: 'viewer' } }),
    begin(studio, { path: `${below}/templates`, json: { document: DOCUMENT } }),
  ]);
  expect((await ask(`/people/${idOf('editor')}`, { method: 'DELETE' })).status).toBe(204);
  for (const finish of late) expect(await finish()).toEqual({ status: 404, json: expect.anything() });
  expect((await links.invitations(server.account)).map(({ id }) => id)).toEqual([others.id]);
  await expect(links.look(earlier.path.split('#')[1] ?? '')).rejects.toThrow(/was used, is too old or was replaced/);
  expect((await keys.list(server.account)).length).toBe(before.length);
  expect((await members.list(server.account)).find(({ id }) => id === idOf('owner'))?.role).toBe('owner');
  expect((await templates.page(server.account)).items).toEqual([]);
});

test('a lower role, and the end of the session, count for requests that have begun', async () => {
  await using studio = await studioUnderTest();
  const { server, idOf } = studio;
  const { members, sessions } = server.services;
  const path = `/v1/studio/accounts/${server.account}/templates`;
  const lowered = await begin(studio, { path, json: { document: DOCUMENT } });
  await members.setRole(server.account, idOf('editor'), 'viewer');
  expect(await lowered()).toMatchObject({ status: 403, json: { code: 'forbidden' } });
  await members.setRole(server.account, idOf('editor'), 'editor');
  const [created, renamed] = await Promise.all([
    begin(studio, { path, json: { document: DOCUMENT } }),
    begin(studio, { path: '/v1/studio/me', method: 'PUT', json: { name: 'Eve', email: 'editor@example.com' } }),
  ]);
  for (const { id, personId } of await sessions.list(idOf('editor'))) await sessions.end(personId, id);
  for (const finish of [created, renamed]) expect(await finish()).toMatchObject({ status: 401 });
  expect((await server.services.templates.page(server.account)).items).toEqual([]);
  expect((await server.services.people.find(idOf('editor'))).name).toBe('editor');
});

test('a retired API key makes nothing, also by a request that began before', async () => {
  await using studio = await studioUnderTest();
  const { server } = studio;
  const { key, id } = await server.services.keys.create(server.account, 'live');
  const { id: template } = await server.services.templates.create(server.account, DOCUMENT);
  expect((await server.ask(`/v1/templates/${template}/preview`, { method: 'POST', json: {} })).status).toBe(200);
  const late = await Promise.all([
    begin(studio, { path: '/v1/templates', json: DOCUMENT, key }),
    begin(studio, { path: `/v1/templates/${template}`, method: 'PUT', json: DOCUMENT, key }),
    begin(studio, { path: '/v1/renders', json: { template }, key }),
    begin(studio, { path: '/v1/renders', json: { template, async: true }, key }),
    begin(studio, { path: '/v1/renders/batch', json: { template, items: [{}] }, key }),
  ]);
  await server.services.keys.revoke(id);
  for (const finish of late) {
    expect(await finish()).toEqual({ status: 401, json: { error: 'invalid or revoked API key' } });
  }
  expect((await server.services.templates.page(server.account)).items).toMatchObject([{ id: template, version: 1 }]);
  expect((await server.ask('/v1/usage')).json.used).toBe(0);
});
