// Tests passkeys over the API with a software authenticator: a correct answer signs in, and each possible error in it
// is refused. The same in Chromium: test/studio/sign-in.heavy.ts.

import { expect, test } from 'vitest';
import { NOW } from '../server-under-test.ts';
import { type Quirks, SoftAuthenticator } from './soft-authenticator.ts';
import { type As, type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';

interface AskedPasskey {
  readonly token: string;
  readonly options: { readonly challenge: string };
}

/** Requests to the server as `localhost`, because passkeys do not work with an IP address. */
function atLocalhost({ server, api }: StudioUnderTest) {
  const origin = `http://localhost:${server.port}`;
  const headers = { host: `localhost:${server.port}`, origin };
  const post = (path: string, json: object = {}, as: As['as'] = 'owner', method = 'POST') =>
    api(path, { method, json, as, headers });
  const ask = async (path: string, as: As['as'] = 'owner') =>
    (await post(path, {}, as)).json as unknown as AskedPasskey;
  const authenticator = () => new SoftAuthenticator({ host: 'localhost', origin });
  async function add(key: SoftAuthenticator, as: As['as'] = 'owner', quirks: Quirks = {}) {
    const { token, options } = await ask('/me/passkeys/options', as);
    return post('/me/passkeys', { token, name: 'Laptop', credential: key.create(options, quirks) }, as);
  }
  async function signIn(key: SoftAuthenticator, quirks: Quirks = {}) {
    const { token, options } = await ask('/session/passkey/options', null);
    return post('/session/passkey', { token, credential: key.get(options, quirks) }, null);
  }
  return { headers, post, ask, authenticator, add, signIn };
}

test('a passkey is made, named, signs in, and signs nobody in once it was removed', async () => {
  await using studio = await studioUnderTest();
  const { post, add, authenticator, signIn, headers } = atLocalhost(studio);
  const key = authenticator();
  const made = await add(key);
  expect([made.status, made.json]).toMatchObject([201, { name: 'Laptop', host: 'localhost', lastUsedAt: null }]);
  const path = `/me/passkeys/${made.json.id}`;
  expect((await post(path, { name: 'Desk' }, 'owner', 'PUT')).json.name).toBe('Desk');
  expect((await post(path, { name: 'Mine' }, 'editor', 'PUT')).status).toBe(404);

  const signedIn = await signIn(key);
  expect([signedIn.status, signedIn.json]).toMatchObject([200, { person: { email: 'owner@example.com' } }]);
  expect(signedIn.json.confirmBy).toEqual(['passkey']);
  const list = (await studio.api('/me/passkeys')).json.items as object[];
  expect(list).toMatchObject([{ name: 'Desk', lastUsedAt: expect.any(String) }]);

  expect((await studio.api(path, { method: 'DELETE', as: 'editor', headers })).status).toBe(404);
  expect((await studio.api(path, { method: 'DELETE', headers })).status).toBe(204);
  const refused = await signIn(key);
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringMatching(/not known here, or was removed/)]);
  const log = await studio.server.services.storage.audit.page(
    null,
    { actorId: studio.idOf('owner'), action: null },
    { limit: 10, after: null },
  );
  expect(log.items.map(({ action, subject }) => [action, subject.name])).toEqual([
    ['person.remove-passkey', 'Desk'],
    ['person.sign-in', 'owner'],
    ['person.add-passkey', 'Laptop'],
  ]);
});

test('an answer with anything wrong in it is refused, and so is the right one after it', async () => {
  await using studio = await studioUnderTest();
  const { post, add, authenticator, signIn, ask } = atLocalhost(studio);
  const wrong = {
    challenge: { challenge: 'AAAA' },
    origin: { origin: 'https://evil.example' },
    host: { host: 'evil.example' },
    type: { type: 'payment.get' },
    'nobody seen': { isVerified: false },
    signature: { isForged: true },
  } as const satisfies Record<string, Quirks>;
  for (const [what, quirks] of Object.entries(wrong)) {
    if (what === 'signature') continue;
    expect((await add(authenticator(), 'owner', quirks)).json, what).toMatchObject({ code: 'sign_in_refused' });
  }
  const key = authenticator();
  expect((await add(key)).status).toBe(201);
  expect((await add(key, 'editor')).json).toMatchObject({ code: 'conflict' });
  for (const [what, quirks] of Object.entries(wrong)) {
    expect((await signIn(key, quirks)).json, what).toMatchObject({ code: 'sign_in_refused' });
  }

  const { token, options } = await ask('/session/passkey/options', null);
  const credential = key.get(options);
  expect((await post('/session/passkey', { token, credential }, null)).status).toBe(200);
  const replayed = await post('/session/passkey', { token, credential }, null);
  expect(replayed.json.error).toBe('This was answered already, or took more than ten minutes: try again.');
  // A signature counter that does not increase indicates a cloned authenticator.
  expect((await signIn(key, { counter: 1 })).json.code).toBe('sign_in_refused');
  expect((await signIn(key)).status).toBe(200);
  expect((await signIn(authenticator())).json.code).toBe('sign_in_refused');
  for (const credential of [{}, { id: 7 }, { id: Buffer.from(key.id).toString('base64url'), response: {} }]) {
    const { token } = await ask('/session/passkey/options', null);
    expect((await post('/session/passkey', { token, credential }, null)).json.code).toBe('sign_in_refused');
  }
});

test('what asks for the password takes a passkey, of that person, and adding one asks for either', async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using studio = await studioUnderTest({}, { clock: () => now });
  const { post, add, authenticator, ask } = atLocalhost(studio);
  const [mine, other] = [authenticator(), authenticator()];
  await add(mine);
  await add(other, 'editor');
  now = new Date(now.getTime() + 11 * 60_000);
  const live = () => studio.ask('/keys', { method: 'POST', json: { name: 'x', kind: 'live' } });
  expect((await live()).json.code).toBe('password_needed');
  expect((await post('/me/passkeys/options')).json.code).toBe('password_needed');

  const confirm = async (key: SoftAuthenticator, as: As['as'] = 'owner') => {
    const { token, options } = await ask('/session/sudo/passkey/options');
    return post('/session/sudo/passkey', { token, credential: key.get(options) }, as);
  };
  expect((await confirm(other)).json.error).toBe('This passkey is another person’s.');
  // Only the person for whom a challenge was made may answer it.
  expect((await confirm(mine, 'editor')).json.code).toBe('sign_in_refused');
  expect((await live()).json.code).toBe('password_needed');
  const confirmed = await confirm(mine);
  expect(confirmed.json).toEqual({ sudoUntil: new Date(now.getTime() + 10 * 60_000).toISOString() });
  expect((await live()).status).toBe(201);

  expect((await post('/session/sudo/passkey/options', {}, 'viewer')).json).toMatchObject({ code: 'conflict' });
  // A challenge is valid for ten minutes.
  const { token, options } = await ask('/session/passkey/options', null);
  now = new Date(now.getTime() + 10 * 60_000);
  expect((await post('/session/passkey', { token, credential: mine.get(options) }, null)).status).toBe(403);
});

test('somebody without a password sets one, once it is clear that it is them, and then changes it as others do', async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using studio = await studioUnderTest({}, { clock: () => now });
  const { post, add, authenticator, ask } = atLocalhost(studio);
  const key = authenticator();
  await add(key);
  const set = (json: object) => post('/me/password', json, 'owner', 'PUT');
  const first = { password: 'a first long password' };
  now = new Date(now.getTime() + 11 * 60_000);
  expect((await set(first)).json.code).toBe('password_needed');
  const { token, options } = await ask('/session/sudo/passkey/options');
  expect((await post('/session/sudo/passkey', { token, credential: key.get(options) })).status).toBe(200);
  expect((await set({ password: 'too short' })).json.error).toMatch(/^password: must have at least 12/);
  expect((await set(first)).status).toBe(204);
  expect((await studio.api('/session')).json.confirmBy).toContain('password');

  const next = { password: 'another long password' };
  expect((await set(next)).json.error).toBe('current: type your present password');
  expect((await set({ ...next, current: 'not the one' })).json.code).toBe('password_wrong');
  expect((await set({ ...next, current: first.password })).status).toBe(204);
  const signedIn = await post('/session', { email: 'owner@example.com', ...next }, null);
  expect([signedIn.status, signedIn.json]).toMatchObject([200, { person: { name: 'owner' } }]);
});

test('an address that browsers have no passkeys for says so, and which one has', async () => {
  await using studio = await studioUnderTest();
  const { server, api } = studio;
  expect((await api('/session')).json.noPasskeys).toBe(
    `Browsers bind passkeys to a name, and 127.0.0.1 is not a name: open the studio at http://localhost:${server.port} instead.`,
  );
  expect((await api('/session/passkey/options', { method: 'POST', as: null })).status).toBe(400);
  const at = async (host: string, headers = {}) =>
    (await api('/session', { headers: { host, ...headers } })).json.noPasskeys;
  expect(await at(`localhost:${server.port}`)).toBeNull();
  expect(await at('platen.lan')).toBe('Passkeys need https.');
  expect(await at('platen.lan', { 'x-forwarded-proto': 'https' })).toBeNull();
});

test('an address may begin sixty sign-ins a minute', async () => {
  await using studio = await studioUnderTest();
  const { post } = atLocalhost(studio);
  const statuses: number[] = [];
  for (let i = 0; i < 61; i += 1) statuses.push((await post('/session/passkey/options', {}, null)).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([60, 429]);
});

test('transports that are no words are a 400, and use nothing up', async () => {
  await using studio = await studioUnderTest();
  const { post, ask, authenticator } = atLocalhost(studio);
  const { token, options } = await ask('/me/passkeys/options');
  const credential = authenticator().create(options) as { response: object };
  const add = (transports: unknown) =>
    post('/me/passkeys', {
      ...{ token, name: 'Laptop' },
      credential: { ...credential, response: { ...credential.response, transports } },
    });
  for (const transports of [[1], 'abc', [''], ['x'.repeat(21)], new Array(11).fill('usb'), { length: 1 }, null]) {
    const { status, json } = await add(transports);
    expect([status, json.error]).toEqual([400, expect.stringMatching(/^credential\.response\.transports: must be/)]);
  }
  expect((await add(['internal', 'smart-card'])).status).toBe(201);
});

test('of 60 passkeys begun at once 50 are added', async () => {
  await using studio = await studioUnderTest({}, { clock: () => NOW });
  const { post, ask, authenticator } = atLocalhost(studio);
  const asked = await Promise.all(Array.from({ length: 60 }, () => ask('/me/passkeys/options')));
  const answers = await Promise.all(
    asked.map(({ token, options }) =>
      post('/me/passkeys', { token, name: 'Laptop', credential: authenticator().create(options) }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
  expect(answers.find(({ status }) => status !== 201)?.json).toMatchObject({ code: 'conflict' });
  expect((await studio.api('/me/passkeys')).json.items).toHaveLength(50);
});
