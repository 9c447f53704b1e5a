// Tests claiming the server, signing in, sessions, links and roles (issue 21, "First start" and "Sign-in").

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isPassword } from '#server/service/people/passwords.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { serverUnderTest } from '../server-under-test.ts';
import { PASSWORD, studioUnderTest } from './studio-under-test.ts';

type Server = Awaited<ReturnType<typeof serverUnderTest>>;

const post = (server: Server, path: string, json: object, headers: Record<string, string> = {}) =>
  server.ask(`/v1/studio${path}`, { method: 'POST', key: null, json, headers: { origin: server.url, ...headers } });

const tokenOf = (path: string) => path.split('#')[1] ?? '';
const cookieOf = (answer: { headers: { 'set-cookie'?: string[] | undefined } }) =>
  answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';

test('of 20 claims at once exactly one makes the owner', { timeout: 30_000 }, async () => {
  await using server = await serverUnderTest();
  const link = await server.services.links.setup();
  const token = tokenOf(link?.path ?? '');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      post(server, '/setup', { token, email: `ada${i}@example.com`, name: `Ada ${i}`, password: PASSWORD }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...new Array(19).fill(403)]);
  expect(await server.services.people.list()).toHaveLength(1);
  const made = answers.find(({ status }) => status === 201);
  expect(made?.json).toMatchObject({ accounts: [{ role: 'owner' }], claimed: true });
  expect(await server.services.links.setup()).toBeNull();
});

test('a set-up link ends after 30 minutes, and when a newer one is made', async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using server = await serverUnderTest({}, { clock: () => now });
  const wanted = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };
  const first = tokenOf((await server.services.links.setup())?.path ?? '');
  const second = tokenOf((await server.services.links.setup())?.path ?? '');
  expect((await post(server, '/setup', { ...wanted, token: first })).json.code).toBe('link_invalid');
  now = new Date(now.getTime() + 30 * 60_000);
  expect((await post(server, '/setup', { ...wanted, token: second })).json.code).toBe('link_invalid');
  now = new Date('2026-11-21T12:29:59Z');
  expect((await post(server, '/links/look', { token: second })).json).toMatchObject({ kind: 'setup', role: 'owner' });
  expect((await post(server, '/setup', { ...wanted, token: second })).status).toBe(201);
});

test('the cookie is __Host-, HttpOnly, Lax and Secure here, and plain with a warning on another name over http', async () => {
  await using server = await serverUnderTest();
  await server.services.people.create({ email: 'ada@example.com', name: 'Ada', password: PASSWORD });
  const body = { email: 'ADA@example.com', password: PASSWORD };
  const here = await post(server, '/session', body);
  expect(here.headers['set-cookie']?.[0]).toMatch(
    /^__Host-platen=pls_[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(here.json).toMatchObject({ person: { email: 'ada@example.com' }, insecure: null });

  const elsewhere = { host: 'platen.lan:3000', origin: 'http://platen.lan:3000' };
  const there = await post(server, '/session', body, elsewhere);
  expect(there.headers['set-cookie']?.[0]).toMatch(
    /^platen=pls_\w+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
  expect(there.json.insecure).toMatch(/plain http.*PLATEN_PUBLIC_URL/);
  const session = await server.ask('/v1/studio/session', {
    key: null,
    headers: { ...elsewhere, cookie: cookieOf(there) },
  });
  expect(session.json.person).not.toBeNull();

  const behindTls = { host: 'platen.lan', origin: 'https://platen.lan' };
  expect((await post(server, '/session', body, behindTls)).headers['set-cookie']?.[0]).toContain('; Secure');
});

test('10 tries in 15 minutes by person, whose colleague at the same address is let in; a right password gives its try back', {
  timeout: 30_000,
}, async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using server = await serverUnderTest({}, { clock: () => now });
  const emails = ['ada@example.com', 'bob@example.com'];
  for (const email of emails) await server.services.people.create({ email, name: 'x', password: PASSWORD });
  const tries = (email: string, password: string) => post(server, '/session', { email, password });
  for (let i = 0; i < 3; i += 1) expect((await tries('bob@example.com', PASSWORD)).status).toBe(200);
  const wrong = await Promise.all(Array.from({ length: 14 }, () => tries('ada@example.com', 'no such password')));
  expect(wrong.map(({ status }) => status).sort()).toEqual([...new Array(10).fill(401), ...new Array(4).fill(429)]);
  const refused = await tries('ada@example.com', PASSWORD);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
  expect((await tries('bob@example.com', PASSWORD)).status).toBe(200);
  now = new Date(now.getTime() + 15 * 60_000);
  expect((await tries('ada@example.com', PASSWORD)).status).toBe(200);
});

test('the environment may name the owner; then there is no link', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'password');
  await writeFile(file, `${PASSWORD}\n`);
  await using server = await serverUnderTest({
    PLATEN_OWNER_EMAIL: 'ada@example.com',
    PLATEN_OWNER_PASSWORD_FILE: file,
  });
  const signedIn = await post(server, '/session', { email: 'ada@example.com', password: PASSWORD });
  expect(signedIn.json.accounts).toMatchObject([{ role: 'owner' }]);
  expect(await server.services.links.setup()).toBeNull();
});

test('an unknown address and a wrong password are told alike', async () => {
  await using server = await serverUnderTest();
  await server.services.people.create({ email: 'ada@example.com', name: 'Ada', password: PASSWORD });
  const wrong = await post(server, '/session', { email: 'ada@example.com', password: 'x' });
  const unknown = await post(server, '/session', { email: 'eve@example.com', password: 'x' });
  expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
});

test('a revoked session fails on its next request, and an old one after 30 days', async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using studio = await studioUnderTest({}, { clock: () => now });
  const list = (await studio.api('/me/sessions')).json.items as { id: string; isCurrent: boolean }[];
  expect(list).toHaveLength(1);
  const { token } = await studio.server.services.sessions.begin(studio.idOf('owner'), { address: 'x', agent: 'y' });
  const other = `__Host-platen=${token}` as const;
  expect((await studio.ask('', { as: other })).status).toBe(200);
  expect((await studio.api('/me/sessions', { method: 'DELETE' })).status).toBe(204);
  expect((await studio.ask('', { as: other })).status).toBe(401);
  expect((await studio.ask('')).status).toBe(200);
  now = new Date(now.getTime() + 30 * 86_400_000);
  expect((await studio.ask('')).status).toBe(401);
});

test('signing out ends the session; a role that is taken away is gone for the next request', async () => {
  await using studio = await studioUnderTest();
  const { ask, api, idOf } = studio;
  expect((await ask(`/people/${idOf('editor')}`, { method: 'PUT', json: { role: 'viewer' } })).json.role).toBe(
    'viewer',
  );
  const made = await ask('/templates', { as: 'editor', method: 'POST', json: { document: {} } });
  expect([made.status, made.json.code]).toEqual([403, 'forbidden']);
  expect((await ask(`/people/${idOf('editor')}`, { method: 'DELETE' })).status).toBe(204);
  expect((await ask('', { as: 'editor' })).status).toBe(404);
  expect((await ask(`/people/${idOf('owner')}`, { method: 'DELETE' })).json.error).toMatch(/no owner/);
  expect((await ask(`/people/${idOf('owner')}`, { as: 'viewer', method: 'DELETE' })).status).toBe(403);
  expect((await ask(`/people/${idOf('viewer')}`, { as: 'viewer', method: 'DELETE' })).status).toBe(204);
  expect((await api('/session', { method: 'DELETE' })).headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect((await api('/session')).json).toMatchObject({ person: null, accounts: [] });
});

test('a request whose Host is no host, or missing, is answered, and has no passkeys', async () => {
  await using studio = await studioUnderTest();
  const https = { 'x-forwarded-proto': 'https' };
  for (const as of ['owner', null] as const) {
    for (const host of ['[', 'a b']) {
      const { status, json } = await studio.api('/session', { as, headers: { host, ...https } });
      expect([status, json.noPasskeys]).toEqual([200, 'Browsers bind passkeys to a name, and this request has none.']);
    }
    expect((await studio.api('/session', { as, headers: { host: '[' } })).status).toBe(200);
  }
  const client = connect(studio.server.port, '127.0.0.1');
  client.write(`GET /v1/studio/session HTTP/1.0\r\ncookie: ${studio.cookieOf('owner')}\r\n\r\n`);
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200 OK/);
});

test('somebody joins by an invitation, with a new password or the one they have', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const invite = async (json: object) => (await ask('/people/invitations', { method: 'POST', json })).json;
  const invited = await invite({ role: 'editor', email: 'Bob@example.com' });
  const token = tokenOf(String(invited.url));
  expect(String(invited.url)).toContain(`${server.url}/studio/join#pll_`);
  expect((await post(server, '/links/look', { token })).json).toMatchObject({
    email: 'bob@example.com',
    isKnown: false,
  });
  const refused = await post(server, '/links', { token, password: 'too short', name: 'Bob' });
  expect(refused.json.error).toBe('password: must have at least 12 characters');
  const other = await post(server, '/links', { token, password: PASSWORD, name: 'Bob', email: 'eve@example.com' });
  expect(other.json.error).toMatch(/^email: .*another address/);
  const joined = await post(server, '/links', { token, password: PASSWORD, name: 'Bob' });
  expect(joined.json).toMatchObject({ person: { name: 'Bob' }, accounts: [{ id: server.account, role: 'editor' }] });
  expect((await post(server, '/links', { token, password: PASSWORD, name: 'Bob' })).json.code).toBe('link_invalid');

  const account = await server.services.accounts.create({ email: null, displayName: 'Second', plan: 'free' });
  const second = await server.services.links.invite(account.id, studio.idOf('owner'), null, 'viewer');
  const known = { token: tokenOf(second.path), email: 'bob@example.com' };
  expect((await post(server, '/links', { ...known, password: 'not the one' })).json.code).toBe('password_wrong');
  const both = await post(server, '/links', { ...known, password: PASSWORD });
  expect(both.json.accounts).toHaveLength(2);
  expect(both.json.accounts).toContainEqual({ id: account.id, name: 'Second', role: 'viewer', plan: 'free' });

  const withdrawn = await invite({ role: 'viewer' });
  expect((await ask('/people')).json.invitations).toMatchObject([{ id: withdrawn.id }]);
  expect((await ask(`/people/invitations/${withdrawn.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await post(server, '/links/look', { token: tokenOf(String(withdrawn.url)) })).json.code).toBe('link_invalid');
});

test('a reset link sets a new password once, and ends all sessions', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const older = await server.services.links.reset('owner@example.com');
  const { path } = await server.services.links.reset('owner@example.com');
  const done = await post(server, '/links', { token: tokenOf(path), password: PASSWORD });
  expect([done.status, done.json.person]).toMatchObject([200, { email: 'owner@example.com' }]);
  expect((await ask('')).status).toBe(401);
  expect((await ask('', { as: cookieOf(done) as `${string}=${string}` })).status).toBe(200);
  for (const used of [path, older.path]) {
    expect((await post(server, '/links', { token: tokenOf(used), password: PASSWORD })).status).toBe(403);
  }
});

test('the password is changed with the old one; then other sessions end', async () => {
  await using server = await serverUnderTest();
  await server.services.people.create({ email: 'ada@example.com', name: 'Ada', password: PASSWORD });
  const signIn = async (password: string) => post(server, '/session', { email: 'ada@example.com', password });
  const [mine, other] = [cookieOf(await signIn(PASSWORD)), cookieOf(await signIn(PASSWORD))];
  const change = (json: object) =>
    server.ask('/v1/studio/me/password', {
      method: 'PUT',
      key: null,
      json,
      headers: { cookie: mine, origin: server.url },
    });
  expect((await change({ current: 'wrong', password: 'another long password' })).json.code).toBe('password_wrong');
  expect((await change({ current: PASSWORD, password: 'aaaaaaaaaaaaaa' })).json.error).toMatch(/^password: /);
  expect((await change({ current: PASSWORD, password: 'another long password' })).status).toBe(204);
  const isIn = async (cookie: string) =>
    (await server.ask('/v1/studio/me', { key: null, headers: { cookie } })).status === 200;
  expect([await isIn(mine), await isIn(other)]).toEqual([true, false]);
  expect([(await signIn(PASSWORD)).status, (await signIn('another long password')).status]).toEqual([401, 200]);
});

test('no password, token or cookie is in a log line, or in the database in clear', async () => {
  await using server = await serverUnderTest({ LOG_LEVEL: 'trace' });
  const token = tokenOf((await server.services.links.setup())?.path ?? '');
  const made = await post(server, '/setup', { token, email: 'ada@example.com', name: 'Ada', password: PASSWORD });
  const cookie = cookieOf(made);
  const headers = { cookie, origin: server.url };
  const ask = (path: string, json: object) =>
    server.ask(`/v1/studio${path}`, { method: 'POST', key: null, json, headers });
  // Both accounts were created in the same millisecond, so either may be listed first.
  const [account] = made.json.accounts as { id: string }[];
  const below = `/accounts/${account?.id}`;
  const key = (await ask(`${below}/keys`, { name: 'x', kind: 'live' })).json.key;
  const invited = (await ask(`${below}/people/invitations`, { role: 'viewer' })).json.url;
  await ask('/session', { email: 'ada@example.com', password: 'a wrong one, logged?' });
  await server.ask(`/v1/studio/session?token=${token}`, { key: null, headers });

  const secrets = [PASSWORD, token, cookie.split('=')[1] ?? '', String(key), tokenOf(String(invited)), 'a wrong one'];
  // On PostgreSQL there is no such file; the same statements write its rows.
  const files = ['platen.sqlite', 'platen.sqlite-wal'].map((name) => join(server.folder, name)).filter(existsSync);
  const stored = (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('');
  if (files.length > 0) expect(stored).toContain('ada@example.com');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect([server.logged().includes(secret), stored.includes(secret)], secret).toEqual([false, false]);
  }
});

test('passwords are argon2id with at least 19 MiB and two passes, each with its own salt', async () => {
  await using server = await serverUnderTest();
  const made = ['a', 'b'].map((name) =>
    server.services.people.create({ email: `${name}@example.com`, name, password: PASSWORD }),
  );
  const hashes = await Promise.all(
    (await Promise.all(made)).map(async ({ id }) => (await server.services.storage.people.find(id))?.password ?? ''),
  );
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) {
    const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(hash) ?? [];
    expect([Number(memory) >= 19 * 1024, Number(passes) >= 2]).toEqual([true, true]);
  }
  expect(await isPassword(PASSWORD, hashes[0] ?? null)).toBe(true);
  expect(await isPassword(PASSWORD, null)).toBe(false);
});
