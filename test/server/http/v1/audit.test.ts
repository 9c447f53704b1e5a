// Tests who may read the audit log, and what they see of it. What is recorded: test/server/service/accounts/audit.test.ts.

import { expect, test } from 'vitest';
import { studioUnderTest } from '../studio/studio-under-test.ts';

interface Listed {
  readonly id: string;
  readonly action: string;
  readonly actor: { readonly kind: string; readonly id: string | null };
}

test('owners read the log of their account, by person and by action, in pages', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  await ask('', { method: 'PUT', json: { name: 'Acme', email: null } });
  await ask('/keys', { as: 'editor', method: 'POST', json: { name: 'Try', kind: 'test' } });
  const list = async (query = '') => (await ask(`/audit${query}`)).json as { items: Listed[]; next: string | null };
  const { items, next } = await list('?limit=2');
  expect(items).toMatchObject([
    {
      ...{ action: 'key.create', actor: { kind: 'person', id: studio.idOf('editor'), name: 'editor' } },
      ...{ subject: { name: 'Try' }, detail: 'test', requestId: expect.stringMatching(/^req_/) },
      createdAt: expect.any(String),
    },
    { action: 'account.change', actor: { kind: 'person', id: studio.idOf('owner') }, subject: { name: 'Acme' } },
  ]);
  const later = await list(`?limit=200&after=${next}`);
  expect(later.items.every(({ id }) => Number(id) < Number(items[1]?.id))).toBe(true);
  expect(later.next).toBeNull();
  const actions = async (query: string) => (await list(query)).items.map(({ action }) => action);
  expect(await actions(`?actor=${studio.idOf('owner')}`)).toEqual(['account.change']);
  expect(await actions('?action=key.create&limit=1')).toEqual(['key.create']);
  expect((await ask('/audit?action=guess')).status).toBe(400);

  expect((await ask('/audit', { as: 'editor' })).status).toBe(403);
  expect((await ask('/audit', { as: 'viewer' })).status).toBe(403);
  const theirs = await studio.api(`/accounts/${server.other}/audit`, { as: 'stranger' });
  expect((theirs.json.items as Listed[]).map(({ action }) => action)).not.toContain('account.change');
});

test('a key reads the log only with the right to it, which only owners can give', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const scope = { rights: ['read-audit'], templates: null };
  const json = { name: 'Auditor', kind: 'test', scope };
  expect((await ask('/keys', { as: 'editor', method: 'POST', json })).status).toBe(403);
  const made = await ask('/keys', { method: 'POST', json });
  expect(made.status).toBe(201);
  const read = (key?: unknown) =>
    server.ask('/v1/audit?limit=1', typeof key === 'string' ? { key } : {}) as Promise<{
      status: number;
      json: Record<string, unknown>;
    }>;
  expect(await read(made.json.key)).toMatchObject({
    status: 200,
    json: {
      entries: [
        { action: 'key.create', subject: { id: made.json.id, name: 'Auditor' }, created_at: expect.any(String) },
      ],
      next: expect.any(String),
    },
  });
  expect((await server.ask('/v1/usage', { key: String(made.json.key) })).status).toBe(403);
  expect(await read()).toMatchObject({ status: 403, json: { error: expect.stringContaining('"read-audit"') } });

  const { templates, keys } = server.services;
  const { id } = await templates.create(server.account, { name: 'T', width: 1, height: 1, layers: [] });
  const limited = await keys.create(server.account, 'test', undefined, { rights: ['read-audit'], templates: [id] });
  expect(await read(limited.key)).toMatchObject({
    status: 403,
    json: { error: expect.stringContaining('limited to certain templates') },
  });
});
