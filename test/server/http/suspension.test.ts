// Tests accounts and people that are suspended, resumed and deleted, over HTTP, and keys that expire: what was allowed
// before is refused with the next request, on every server.

import { expect, test } from 'vitest';
import { newId } from '#base/ids.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { openStorage } from '#server/storage/storage.ts';
import { signEditorToken } from '../../../clients/js/editor-token.ts';
import { unzip } from '../../unzip.ts';
import { NOW, SHAPES } from './server-under-test.ts';
import { PASSWORD, type StudioUnderTest, studioUnderTest } from './studio/studio-under-test.ts';

/** The accounts were made in the same moment. */
async function makeOldest(studio: StudioUnderTest): Promise<void> {
  const db = await openDatabase(studio.server.database);
  await db('accounts')
    .where({ id: studio.server.account })
    .update({ created_at: NOW.getTime() - 1 });
  await db.destroy();
}

const ORIGIN = 'https://app.example.com';
const BY_OWNER = 'This account is suspended: an owner can resume it, under Settings in the studio.';
const BY_OPERATOR = 'This account is suspended: ask whoever runs this server.';

test('a suspended account is refused in every way, loses nothing, and goes on where it was', async () => {
  const sent: string[] = [];
  const post = async (url: string) => ({ status: sent.push(url) > 0 ? 200 : 0, location: null });
  await using studio = await studioUnderTest({}, { webhookTransport: { check: async () => {}, post } });
  const { server, ask } = studio;
  const { account, services } = server;
  const { id } = await services.templates.create(account, SHAPES);
  const query = signedQuery(server.signingSecret, { template: id, extension: 'png', parameters: [] });
  const asset = new URL(String((await server.post('/v1/renders', { template: id })).json.url)).pathname;
  await services.editorTokens.setOrigins(account, [ORIGIN]);
  const token = await signEditorToken({
    ...{ account, secret: server.signingSecret, user: 'user-1', origin: ORIGIN, issued: NOW, template: id },
  } as never);
  const bearer = { authorization: `Bearer ${token}`, 'platen-embedding-origin': ORIGIN };
  const tries = {
    key: () => server.ask('/v1/account'),
    testKey: () => server.ask('/v1/templates', { key: server.testKey }),
    signed: () => server.ask(`/v1/templates/${id}/render.png?${query}`, { key: null }),
    asset: () => server.ask(asset, { key: null }),
    editor: () => server.ask('/v1/studio/embedded', { key: null, headers: bearer }),
    viewer: () => ask('/templates', { as: 'viewer' }),
    owner: () => ask('/keys', { as: 'owner' }),
    mcp: () => server.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  };
  const statuses = async () =>
    Object.fromEntries(await Promise.all(Object.entries(tries).map(async ([name, go]) => [name, (await go()).status])));
  const all = (status: number) => Object.fromEntries(Object.keys(tries).map((name) => [name, status]));
  expect(await statuses()).toEqual(all(200));

  // A second connection, as of the command line or of another server.
  await using other = await openStorage(server.database);
  await other.accounts.suspend(account, 'owner');
  expect(await statuses()).toEqual(all(403));
  expect((await tries.key()).json).toEqual({ error: BY_OWNER });
  expect((await tries.signed()).text).toBe(`${BY_OWNER}\n`);
  expect((await tries.viewer()).json).toEqual({ error: BY_OWNER, code: 'suspended' });
  expect((await ask('/settings')).json).toMatchObject({ account: { suspendedBy: 'owner' } });
  expect((await server.ask('/v1/account', { key: server.otherKey })).status).toBe(200);

  // Jobs and webhooks wait: what is accepted in the same moment is not begun.
  const row = { id: newId('rnd'), accountId: account, kind: 'render', output: 'png', createdAt: NOW } as const;
  const request = { template: `${id}@1`, modifications: {}, output: 'png', options: DEFAULT_EXPORT };
  const job = { ...row, request, webhookUrl: 'https://hooks.example.com/', metered: false, needsBrowser: false };
  await other.jobs.insert(job);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await other.renders.find(account, row.id)).toMatchObject({ status: 'queued' });

  await other.accounts.suspend(account, null);
  expect(await statuses()).toEqual(all(200));
  await expect.poll(() => sent, { timeout: 90_000 }).toEqual(['https://hooks.example.com/']);
});

test('owners suspend and resume in the studio, keys with a right of their own; an operator’s stays', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const { account, services } = server;
  const scope = { rights: ['manage-account'], templates: null } as const;
  const { key } = await services.keys.create(account, 'live', undefined, scope);
  expect(await ask('/suspend', { method: 'POST', as: 'editor' })).toMatchObject({ status: 403 });
  expect((await ask('/suspend', { method: 'POST' })).status).toBe(204);
  expect((await server.ask('/v1/usage')).status).toBe(403);
  expect((await ask('/resume', { method: 'POST' })).status).toBe(204);
  expect((await server.ask('/v1/account/suspend', { method: 'POST', key })).status).toBe(204);
  expect((await server.ask('/v1/usage', { key })).json).toEqual({ error: BY_OWNER });
  expect((await server.ask('/v1/account/export', { key })).status).toBe(200);
  expect((await server.ask('/v1/account/resume', { method: 'POST', key })).status).toBe(204);

  await services.accounts.suspend(account, byCommandLine);
  expect((await ask('/resume', { method: 'POST' })).json).toMatchObject({ code: 'forbidden' });
  expect((await server.ask('/v1/account/resume', { method: 'POST', key })).status).toBe(403);
  expect((await server.ask('/v1/account')).json).toEqual({ error: BY_OPERATOR });
  await services.accounts.resume(account, byCommandLine);
  expect((await server.ask('/v1/account')).status).toBe(200);
  const { items } = await services.audit.page(account, { actorId: null, action: null }, { limit: 5, after: null });
  expect(items.map(({ action, actor }) => `${actor.kind} ${action}`)).toEqual([
    ...['command-line account.resume', 'command-line account.suspend', 'key account.resume', 'key account.export'],
    'key account.suspend',
  ]);
});

test('an owner deletes the account by its name, not the oldest of several', async () => {
  await using studio = await studioUnderTest();
  await makeOldest(studio);
  const { server, api, ask } = studio;
  const remove = (name: string, as: 'owner' | 'stranger', account: string) =>
    api(`/accounts/${account}/delete`, { method: 'POST', json: { confirm: name }, as });
  expect((await remove('you', 'owner', server.account)).json.error).toBe('confirm: must be "Me"');
  expect((await remove('Me', 'owner', server.account)).status).toBe(409);
  expect((await remove(server.other, 'stranger', server.other)).status).toBe(204);
  expect((await server.ask('/v1/account', { key: server.otherKey })).status).toBe(401);
  // The only one that is left.
  expect((await remove('Me', 'owner', server.account)).status).toBe(204);
  expect((await ask('/settings')).status).toBe(404);
});

test('a request whose body arrives after the suspension changes nothing', async () => {
  await using studio = await studioUnderTest();
  const { server } = studio;
  const { account, services } = server;
  const key = services.keys.permit(server.key);
  await services.accounts.suspend(account, byCommandLine);
  await expect(services.templates.create(account, SHAPES, key)).rejects.toThrow(BY_OPERATOR);
  await services.accounts.resume(account, byCommandLine);
  await expect(services.templates.create(account, SHAPES, key)).resolves.toMatchObject({ version: 1 });
});

test('keys expire: 401 that says so, from that moment on, and lists tell when', async () => {
  const clock = { now: NOW };
  await using studio = await studioUnderTest({}, { clock: () => clock.now });
  const { server, ask } = studio;
  const make = (expiresAt: string | null) =>
    ask('/keys', { method: 'POST', json: { name: 'CI', kind: 'live', expiresAt } });
  expect((await make('2026-11-20T00:00:00Z')).json.error).toBe('expiresAt: must be in the future');
  const { json } = await make('2026-11-28T12:00:00Z');
  expect(json).toMatchObject({ expiresAt: '2026-11-28T12:00:00.000Z' });
  const key = String(json.key);
  const permit = server.services.keys.permit(key);
  clock.now = new Date('2026-11-28T11:59:59Z');
  expect((await server.ask('/v1/account', { key })).status).toBe(200);
  clock.now = new Date('2026-11-28T12:00:00Z');
  const sentence = 'This API key expired at 2026-11-28T12:00:00.000Z: make a new one.';
  expect(await server.ask('/v1/account', { key })).toMatchObject({ status: 401, json: { error: sentence } });
  await expect(server.services.templates.create(server.account, SHAPES, permit)).rejects.toThrow(sentence);
  expect((await server.ask('/v1/account')).status).toBe(200);
  const { items } = (await ask('/keys')).json as { items: { id: string; expiresAt: string | null }[] };
  expect(items.find(({ id }) => id === json.id)?.expiresAt).toBe('2026-11-28T12:00:00.000Z');
  expect(items.filter(({ expiresAt }) => expiresAt === null)).toHaveLength(2);
});

test('a person is suspended: every session ends, and no sign-in begins another', async () => {
  await using studio = await studioUnderTest();
  await makeOldest(studio);
  const { server, ask, api, idOf } = studio;
  const { people } = server.services;
  await people.create({ email: 'ada@example.com', name: 'Ada', password: PASSWORD });
  const ada = await people.findByEmail('ada@example.com');
  await server.services.members.add(server.account, ada.id, 'editor');
  const signIn = () =>
    api('/session', { method: 'POST', json: { email: 'ada@example.com', password: PASSWORD }, as: null });
  const first = await signIn();
  const cookie = `__Host-platen=${/platen=([^;]+)/.exec(String(first.headers['set-cookie']))?.[1]}` as const;
  expect((await ask('/templates', { as: cookie })).status).toBe(200);
  const act = (path: string, as: 'owner' | 'editor' = 'owner') =>
    ask(`/people/${ada.id}/${path}`, { method: 'POST', as });

  expect((await act('suspend', 'editor')).status).toBe(403);
  expect((await act('suspend')).status).toBe(204);
  expect((await ask('/templates', { as: cookie })).status).toBe(401);
  expect((await signIn()).json).toMatchObject({
    error: 'Your access is suspended: ask whoever runs this server.',
    code: 'suspended',
  });
  expect((await ask('/people')).json).toMatchObject({
    people: expect.arrayContaining([expect.objectContaining({ id: ada.id, suspendedAt: NOW.toISOString() })]),
  });
  expect((await act('resume')).status).toBe(204);
  expect((await signIn()).status).toBe(200);
  expect((await ask(`/people/${idOf('owner')}/suspend`, { method: 'POST' })).status).toBe(409);

  // Of another account as well: not theirs to decide, unless the account is the operators'.
  const elsewhere = `/accounts/${server.other}/people/${ada.id}/suspend`;
  await server.services.members.add(server.other, ada.id, 'viewer');
  expect((await api(elsewhere, { method: 'POST', as: 'stranger' })).json.error).toMatch(
    /^This person belongs to other accounts/,
  );
  expect((await act('suspend')).status).toBe(204);
  expect(
    (await api(`/accounts/${server.other}/people/${idOf('owner')}/suspend`, { method: 'POST', as: 'stranger' })).status,
  ).toBe(404);
});

test('a person exports and deletes themselves, unless an account would have no owner', async () => {
  await using studio = await studioUnderTest();
  const { server, api, idOf } = studio;
  const remove = (confirm: string, as: 'owner' | 'editor') =>
    api('/me/delete', { method: 'POST', json: { confirm }, as });
  const refused = await remove('owner@example.com', 'owner');
  expect(refused).toMatchObject({ status: 409 });
  expect(refused.json.error).toBe(
    'owner@example.com is the last owner of Me: make somebody else owner, or delete the account, first.',
  );

  const files = unzip((await api('/me/export', { as: 'editor' })).body);
  expect(JSON.parse(String(files.get('person.json')))).toMatchObject({
    person: { email: 'editor@example.com', name: 'editor' },
    accounts: [{ accountId: server.account, role: 'editor' }],
    sessions: [{ address: '127.0.0.1', agent: 'test' }],
  });
  expect(JSON.parse(String(files.get('audit_log/1.json')))[0]).toMatchObject({ action: 'person.export' });
  expect([...files.values()].join()).not.toMatch(/argon2|hash/);

  expect((await remove('owner@example.com', 'editor')).json.error).toBe('confirm: must be "editor@example.com"');
  expect((await remove('editor@example.com', 'editor')).status).toBe(204);
  expect((await api('/me', { as: 'editor' })).status).toBe(401);
  const { json } = await studio.ask('/people');
  expect((json.people as { name: string }[]).map(({ name }) => name).sort()).toEqual(['owner', 'viewer']);
  // The address is free again at once.
  await server.services.people.create({ email: 'editor@example.com', name: 'Next', password: null });
  expect((await studio.ask(`/people/${idOf('editor')}/delete`, { method: 'POST', json: { confirm: '' } })).status).toBe(
    404,
  );
});

test('two servers: a session of a person who was deleted on the other one is over', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  expect((await ask('/templates', { as: 'viewer' })).status).toBe(200);
  const id = studio.idOf('viewer');
  await using other = await openStorage(server.database);
  await other.transaction((stores) => stores.people.markDeleted(id, 'viewer@example.com', NOW));
  expect((await ask('/templates', { as: 'viewer' })).status).toBe(401);
  await expect(server.services.sessions.begin(id, { address: '127.0.0.1', agent: 'test' })).rejects.toThrow(/sign in/);
});
