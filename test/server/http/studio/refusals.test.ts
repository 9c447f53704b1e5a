// Tests that every route of the studio that may change something refuses callers without permission. The test iterates
// over the table of routes, so that a new route cannot be forgotten.

import { expect, test } from 'vitest';
import { entriesOf } from '#server/http/server.ts';
import type { NamedOperation } from '#server/http/studio/contract.ts';
import { STUDIO_OPERATIONS } from '#server/http/studio/contract.ts';
import { type As, studioUnderTest } from './studio-under-test.ts';

const all: readonly NamedOperation[] = entriesOf(STUDIO_OPERATIONS).map(([id, one]) => ({ id, ...one }));
const unsafe = all.filter(({ method }) => method !== 'get');
const safe = all.filter(({ method }) => method === 'get');

/** Operations that a viewer may use too: they store nothing, or concern only the viewer. */
const FOR_VIEWERS = ['studioPreviewTemplate', 'studioPreviewDocument', 'studioMeasureDocument', 'studioRemovePerson'];

const isOfAccount = ({ path }: NamedOperation) => path.includes('{accountId}');

test('every unsafe route refuses no session, another account, a viewer, a foreign page and an API key', async () => {
  await using studio = await studioUnderTest();
  const { server, api, cookieOf } = studio;
  const send = (operation: NamedOperation, as: As) => {
    const path = operation.path.replace('{accountId}', server.account).replace(/\{\w+\}/g, 'x');
    return api(path.replace('/v1/studio', ''), { method: operation.method.toUpperCase(), json: {}, ...as });
  };
  const found: string[] = [];
  const check = async (operation: NamedOperation, what: string, as: As, ...expected: string[]) => {
    const { status, json } = await send(operation, as);
    if (!expected.includes(`${status} ${json.code}`)) found.push(`${operation.id}, ${what}: ${status} ${json.code}`);
  };
  for (const operation of unsafe) {
    const key = { authorization: `Bearer ${server.key}` };
    await check(operation, 'foreign origin', { headers: { origin: 'https://evil.example' } }, '403 foreign_origin');
    await check(operation, 'opaque origin', { headers: { origin: 'null' } }, '403 foreign_origin');
    await check(operation, 'no origin', { headers: { origin: '' } }, '403 foreign_origin');
    await check(operation, 'another port', { headers: { origin: 'http://127.0.0.1:1' } }, '403 foreign_origin');
    await check(operation, 'cross-site', { headers: { 'sec-fetch-site': 'cross-site' } }, '403 foreign_origin');
    await check(operation, 'same-site', { headers: { 'sec-fetch-site': 'same-site' } }, '403 foreign_origin');
    await check(operation, 'API key', { as: null, headers: key }, '401 unauthorized');
    await check(operation, 'API key and session', { headers: key }, '401 unauthorized');
    if (operation.access !== 'open') {
      await check(operation, 'no session', { as: null }, '401 unauthorized');
      const made = `__Host-platen=pls_${'0'.repeat(43)}`;
      await check(operation, 'made-up session', { as: made as `${string}=${string}` }, '401 unauthorized');
      const plain = cookieOf('owner').replace('__Host-', '') as `${string}=${string}`;
      await check(operation, 'cookie without prefix', { as: plain }, '401 unauthorized');
    }
    if (isOfAccount(operation)) {
      await check(operation, 'other account', { as: 'stranger' }, '404 not_found');
      if (!FOR_VIEWERS.includes(operation.id)) await check(operation, 'viewer', { as: 'viewer' }, '403 forbidden');
      if (operation.access === 'owner') await check(operation, 'editor', { as: 'editor' }, '403 forbidden');
    }
  }
  expect(found).toEqual([]);
  expect(unsafe.length).toBeGreaterThan(35);
});

test('every route that only reads refuses no session, another account and an API key', async () => {
  await using studio = await studioUnderTest();
  const { server, api } = studio;
  const found: string[] = [];
  for (const operation of safe) {
    const path = operation.path.replace('{accountId}', server.account).replace(/\{\w+\}/g, 'x');
    const status = async (as: As) => (await api(path.replace('/v1/studio', ''), as)).status;
    const statuses = [
      await status({ as: null }),
      await status({ as: null, headers: { authorization: `Bearer ${server.key}` } }),
      ...(isOfAccount(operation) ? [await status({ as: 'stranger' })] : []),
    ];
    const expected = [operation.access === 'open' ? 200 : 401, 401, ...(isOfAccount(operation) ? [404] : [])];
    if (statuses.join() !== expected.join()) found.push(`${operation.id}: ${statuses}`);
  }
  expect(found).toEqual([]);
});

test('a session opens nothing under /v1', async () => {
  await using studio = await studioUnderTest();
  const { status } = await studio.server.ask('/v1/account', {
    key: null,
    headers: { cookie: studio.cookieOf('owner') },
  });
  expect(status).toBe(401);
});

test('routes with sudo ask for the password when it was typed too long ago', async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using studio = await studioUnderTest({}, { clock: () => now });
  now = new Date(now.getTime() + 10 * 60_000 + 1);
  const sudo = unsafe.filter((operation) => operation.sudo);
  expect(sudo.length).toBeGreaterThan(4);
  for (const { method, path } of sudo) {
    const below = path.replace('/v1/studio', '').replace('{accountId}', studio.server.account);
    const answer = await studio.api(below.replace(/\{\w+\}/g, 'signing'), { method: method.toUpperCase(), json: {} });
    expect(answer.json.code, path).toBe('password_needed');
  }
  const ask = async (method: string, path: string, json: object) =>
    (await studio.ask(path, { method, json })).json.code;
  expect(await ask('POST', '/keys', { name: 'x', kind: 'live' })).toBe('password_needed');
  expect(await ask('POST', '/keys', { name: 'x', kind: 'test' })).toBeUndefined();
});
