// Tests signing in through an identity provider that signs tokens as a real one does: who may sign in, and every error
// that its answer can contain.

import { expect, test } from 'vitest';
import type { World } from '#server/start-server.ts';
import { loadConfig, reportVariables } from '../../../../src/server/config/config.ts';
import { serverUnderTest } from '../server-under-test.ts';
import { type As, PASSWORD, type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';
import { CLIENT, type TestIssuer, type Told, testIssuer } from './test-issuer.ts';

interface Lab extends AsyncDisposable {
  readonly studio: StudioUnderTest;
  readonly issuer: TestIssuer;
  /** Runs the whole sign-in, from the button to the session. */
  readonly signIn: (told?: Told, again?: boolean) => ReturnType<StudioUnderTest['api']>;
  readonly start: (again?: boolean) => Promise<{ url: string; cookie: `${string}=${string}` }>;
  readonly finish: (query: string, cookie: As['as']) => ReturnType<StudioUnderTest['api']>;
}

async function open(env: Readonly<Record<string, string>> = {}, world: Partial<World> = {}): Promise<Lab> {
  await using parts = new AsyncDisposableStack();
  const issuer = parts.use(await testIssuer());
  const studio = parts.use(
    await studioUnderTest(
      {
        ...{ PLATEN_OIDC_ISSUER: issuer.url, PLATEN_OIDC_NAME: 'Example ID' },
        ...{ PLATEN_OIDC_CLIENT_ID: CLIENT.id, PLATEN_OIDC_CLIENT_SECRET: CLIENT.secret, ...env },
      },
      { clock: () => new Date(), ...world },
    ),
  );
  await studio.server.services.people.create({ email: 'ada@example.com', name: 'Ada', password: null });
  const start = async (again = false) => {
    const answer = await studio.api('/session/provider/start', { method: 'POST', as: null, json: { again } });
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] as `${string}=${string}`;
    return { url: String(answer.json.url), cookie };
  };
  const finish = (query: string, as: As['as']) =>
    studio.api('/session/provider', { method: 'POST', as: as ?? null, json: { query } });
  const signIn = async (told: Told = {}, again = false) => {
    const { url, cookie } = await start(again);
    return finish(issuer.authorize(url, told), cookie);
  };
  const owned = parts.move();
  return { studio, issuer, start, finish, signIn, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('whoever has the verified address signs in, with PKCE, state and nonce', async () => {
  await using lab = await open();
  const { url, cookie } = await lab.start();
  const asked = new URL(url).searchParams;
  expect(asked.get('redirect_uri')).toBe(`${lab.studio.server.url}/studio/oidc`);
  expect([asked.get('code_challenge_method'), asked.get('scope')]).toEqual(['S256', 'openid email profile']);
  for (const name of ['code_challenge', 'nonce', 'state']) expect(asked.get(name)?.length, name).toBeGreaterThan(40);
  expect(cookie).toBe(`__Host-platen-oidc=${asked.get('state')}`);

  const query = lab.issuer.authorize(url);
  const signedIn = await lab.finish(query, cookie);
  expect(signedIn.json).toMatchObject({ person: { email: 'ada@example.com' }, confirmBy: ['provider'] });
  const [cleared, session] = signedIn.headers['set-cookie'] ?? [];
  expect(cleared).toMatch(/^__Host-platen-oidc=; Path=\/; Max-Age=0;/);
  expect(session).toMatch(/^__Host-platen=pls_/);
  for (const secret of [
    asked.get('state'),
    asked.get('nonce'),
    CLIENT.secret,
    new URLSearchParams(query).get('code'),
  ]) {
    expect(lab.studio.server.logged()).not.toContain(secret);
  }
  // If the token has no e-mail address, the userinfo endpoint is asked.
  const told = { userinfo: { email: 'Ada@Example.com', email_verified: true } };
  expect((await lab.signIn(told)).json).toMatchObject({ person: { email: 'ada@example.com' } });
});

const seconds = () => Math.floor(Date.now() / 1000);
const WRONG: Readonly<Record<string, readonly [() => Told, RegExp]>> = {
  nonce: [() => ({ claims: { nonce: 'another' } }), /for another sign-in: its nonce is wrong/],
  'no nonce': [() => ({ claims: { nonce: undefined } }), /is not valid|nonce/],
  expired: [() => ({ claims: { iat: seconds() - 900, exp: seconds() - 600 } }), /has expired, or the clocks/],
  issuer: [() => ({ claims: { iss: 'https://evil.example' } }), /from another issuer than http.*PLATEN_OIDC_ISSUER/],
  client: [() => ({ claims: { aud: 'somebody-else' } }), /for another client.*PLATEN_OIDC_CLIENT_ID/],
  signature: [() => ({ isForged: true }), /is not valid/],
  unverified: [() => ({ claims: { email_verified: false } }), /has not verified the address ada@example\.com/],
  'verified as a word': [() => ({ claims: { email_verified: 'true' } }), /has not verified/],
  'not said to be verified': [() => ({ userinfo: { email: 'ada@example.com' } }), /has not verified/],
  'no address': [() => ({ userinfo: {} }), /told no e-mail address.*scope "email"/],
  stranger: [() => ({ claims: { email: 'eve@example.com' } }), /Nobody is known here by eve@example\.com.*invitation/],
};

test('each wrong answer is refused, and says what is wrong', async () => {
  await using lab = await open();
  for (const [what, [told, sentence]] of Object.entries(WRONG)) {
    const { status, json, headers } = await lab.signIn(told());
    expect([status, json.code, json.error], what).toEqual([403, 'sign_in_refused', expect.stringMatching(sentence)]);
    expect(headers['set-cookie'], what).toBeUndefined();
  }
});

test('an answer is taken once, in the browser that asked, within ten minutes', async () => {
  let ahead = 0;
  await using lab = await open({}, { clock: () => new Date(Date.now() + ahead) });
  const { url, cookie } = await lab.start();
  const query = lab.issuer.authorize(url);
  const elsewhere = (await lab.start()).cookie;
  for (const other of [null, elsewhere]) {
    expect((await lab.finish(query, other)).json.error).toMatch(/begun in another browser or tab/);
  }
  expect((await lab.finish('', cookie)).json.error).toMatch(/begun in another browser/);
  expect((await lab.finish(query, cookie)).status).toBe(200);
  expect((await lab.finish(query, cookie)).json.error).toMatch(/finished already, or took more than ten minutes/);
  expect((await lab.finish(lab.issuer.authorize(url), cookie)).json.error).toMatch(/finished already/);

  const late = await lab.start();
  ahead = 10 * 60_000;
  expect((await lab.finish(lab.issuer.authorize(late.url), late.cookie)).json.error).toMatch(/ten minutes/);
  const cancelled = await lab.start();
  const denied = `?error=access_denied&state=${new URL(cancelled.url).searchParams.get('state')}`;
  expect((await lab.finish(denied, cancelled.cookie)).json.error).toMatch(/did not let you in, or you cancelled/);
});

test('a provider that is not reached, or is another than configured, is told so', async () => {
  await using lab = await open();
  lab.issuer.claimedIssuer = 'https://evil.example';
  const start = () => lab.studio.api('/session/provider/start', { method: 'POST', as: null, json: {} });
  expect((await start()).json.error).toMatch(/Example ID cannot be asked at http.*another issuer/);
  lab.issuer.claimedIssuer = null;
  // The provider's metadata is requested again; the failure is not cached.
  expect((await start()).status).toBe(200);
});

test('by domain or invitation somebody new joins; who was taken out of an account stays out', async () => {
  await using lab = await open({ PLATEN_OIDC_JOIN: 'example.org=editor, corp.example = viewer' });
  const { studio, signIn } = lab;
  const accounts = async (email: string) => (await signIn({ claims: { email } })).json.accounts as object[];
  const [oldest] = await studio.server.services.accounts.list();
  expect(await accounts('bob@example.org')).toMatchObject([{ id: oldest?.id, role: 'editor' }]);
  expect(await accounts('kim@corp.example')).toMatchObject([{ id: oldest?.id, role: 'viewer' }]);
  for (const email of ['eve@sub.example.org', 'eve@example.org.evil.example', 'eve@notexample.org']) {
    expect((await signIn({ claims: { email } })).status, email).toBe(403);
  }
  const bob = await studio.server.services.people.findByEmail('bob@example.org');
  await studio.server.services.members.remove(oldest?.id ?? '', bob.id);
  expect(await accounts('bob@example.org')).toEqual([]);

  const { links } = studio.server.services;
  const invite = (email: string) => links.invite(studio.server.account, studio.idOf('owner'), email, 'owner');
  await invite('New@Elsewhere.example');
  const account = { id: studio.server.account, role: 'owner' };
  expect(await accounts('new@elsewhere.example')).toMatchObject([account]);
  await invite('bob@example.org');
  expect(await accounts('bob@example.org')).toMatchObject([account]);
  expect((await studio.ask('/people')).json.invitations).toEqual([]);
});

test('before there is an owner, nobody comes in by the provider', async () => {
  await using issuer = await testIssuer();
  await using server = await serverUnderTest({
    ...{ PLATEN_OIDC_ISSUER: issuer.url, PLATEN_OIDC_CLIENT_ID: CLIENT.id, PLATEN_OIDC_CLIENT_SECRET: CLIENT.secret },
    PLATEN_OIDC_JOIN: 'example.com=editor',
  });
  const post = (path: string, json: object, cookie = '') =>
    server.ask(`/v1/studio${path}`, { method: 'POST', key: null, json, headers: { origin: server.url, cookie } });
  const { json, headers } = await post('/session/provider/start', {});
  const query = issuer.authorize(String(json.url));
  const answer = await post('/session/provider', { query }, headers['set-cookie']?.[0]?.split(';')[0]);
  expect(answer.json.error).toMatch(/no owner yet: use the set-up link/);
  expect(await server.services.people.isClaimed()).toBe(false);
});

test('what asks for the password takes a new sign-in at the provider, not an old one', async () => {
  await using lab = await open();
  const { studio, signIn } = lab;
  const ada = await studio.server.services.people.findByEmail('ada@example.com');
  await studio.server.services.members.add(studio.server.account, ada.id, 'owner');
  const liveKey = async (claims: { auth_time: number }, again: boolean) => {
    const signedIn = await signIn({ claims }, again);
    if (signedIn.status !== 200) return signedIn.json.error;
    const as = signedIn.headers['set-cookie']?.at(-1)?.split(';')[0] as `${string}=${string}`;
    return (await studio.ask('/keys', { method: 'POST', as, json: { name: 'x', kind: 'live' } })).status;
  };
  const { url } = await lab.start(true);
  expect([...new URL(url).searchParams]).toEqual(
    expect.arrayContaining([
      ['prompt', 'login'],
      ['max_age', '0'],
    ]),
  );
  expect(await liveKey({ auth_time: seconds() - 3_600 }, false)).toBe(403);
  expect(await liveKey({ auth_time: seconds() - 3_600 }, true)).toMatch(/did not ask you to sign in again/);
  expect(await liveKey({ auth_time: seconds() }, true)).toBe(201);
});

test('nobody changes the address that the provider knows them by', async () => {
  await using lab = await open();
  const change = (email: string) => lab.studio.api('/me', { method: 'PUT', json: { name: 'Owner', email } });
  expect((await change('boss@example.com')).json).toMatchObject({ code: 'forbidden' });
  expect((await change('owner@example.com')).status).toBe(200);
});

test('nobody takes another person’s address by an invitation that names none', async () => {
  await using lab = await open();
  const { studio } = lab;
  const { links, people } = studio.server.services;
  const join = async (invited: string | null, email: string, password = PASSWORD) => {
    const { path } = await links.invite(studio.server.account, studio.idOf('owner'), invited, 'viewer');
    const json = { token: path.split('#')[1], email, name: 'Eve', password };
    return studio.api('/links', { method: 'POST', as: null, json });
  };
  for (const email of ['boss@example.com', 'ada@example.com']) {
    const { status, json } = await join(null, email);
    expect([status, json]).toEqual([
      403,
      {
        code: 'forbidden',
        error: 'This invitation is for no address: sign in with Example ID, or ask for an invitation to your address.',
      },
    ]);
  }
  await expect(people.findByEmail('boss@example.com')).rejects.toThrow();
  // Whoever invites an address vouches for it, and a password that is known proves whose it is.
  expect((await join('bob@example.com', 'bob@example.com')).status).toBe(200);
  expect((await join(null, 'bob@example.com')).status).toBe(200);
  expect((await join(null, 'bob@example.com', 'not the one at all')).json.code).toBe('password_wrong');
});

test('an address that somebody has typed is theirs only once the provider says so', async () => {
  await using lab = await open();
  const { studio, signIn } = lab;
  const { people, links, members, sessions, storage } = studio.server.services;
  // As without an identity provider: a viewer takes another's address.
  const viewer = studio.idOf('viewer');
  await people.update(viewer, { email: 'alice@corp.example', name: 'Eve' });
  await links.invite(studio.server.account, studio.idOf('owner'), 'alice@corp.example', 'owner');
  const alice = { claims: { email: 'alice@corp.example' } };
  const refused = await signIn(alice);
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringMatching(/has not shown .* is theirs/)]);
  expect((await studio.ask('', { as: 'viewer' })).json.role).toBe('viewer');

  // Whoever runs the server gives the address to its owner.
  await people.verify('alice@corp.example', 'eve@corp.example');
  const signedIn = await signIn(alice);
  expect(signedIn.json).toMatchObject({ accounts: [{ id: studio.server.account, role: 'owner' }] });
  expect((signedIn.json.person as { id: string }).id).not.toBe(viewer);
  expect((await members.list(studio.server.account)).find(({ id }) => id === viewer)).toMatchObject({ role: 'viewer' });

  // Who joined by an invitation and a password connects the provider in a session begun with it.
  const { path } = await links.invite(studio.server.account, studio.idOf('owner'), 'bob@corp.example', 'editor');
  const joined = await studio.api('/links', {
    ...{ as: null, method: 'POST', json: { token: path.split('#')[1], name: 'Bob', password: PASSWORD } },
  });
  const cookie = joined.headers['set-cookie']?.[0]?.split(';')[0] as `${string}=${string}`;
  expect((await studio.api('/me', { as: cookie })).json.emailVerified).toBe(false);
  const bob = { claims: { email: 'bob@corp.example' } };
  expect((await signIn(bob)).status).toBe(403);
  const finish = async (as: `${string}=${string}`) => {
    const begun = await lab.start();
    return lab.finish(lab.issuer.authorize(begun.url, bob), `${as}; ${begun.cookie}`);
  };
  expect((await finish(studio.cookieOf('viewer') as `${string}=${string}`)).status).toBe(403);
  const connected = await finish(cookie);
  expect([connected.status, connected.json.person]).toMatchObject([200, { email: 'bob@corp.example' }]);
  expect((await signIn(bob)).json.person).toEqual(connected.json.person);

  // Another address has to be shown anew.
  const { id } = await people.findByEmail('bob@corp.example');
  await people.update(id, { email: 'bobby@corp.example', name: 'Bob' });
  expect((await storage.people.find(id))?.verifiedAt).toBeNull();
  expect(await sessions.list(id)).not.toEqual([]);
});

test('an address that only looks like another’s is another', async () => {
  await using lab = await open();
  await lab.studio.server.services.people.create({ email: 'kate@example.com', name: 'Kate', password: null });
  for (const email of ['\u212Aate@example.com', 'kate@ex\u00adample.com', 'k\u0430te@example.com']) {
    const { status, json } = await lab.signIn({ claims: { email } });
    expect([status, json.code], email).toEqual([403, 'sign_in_refused']);
  }
  expect((await lab.signIn({ claims: { email: 'not an address' } })).json.error).toMatch(
    /gave an e-mail address that is not valid/,
  );
  expect((await lab.signIn({ claims: { email: 'KATE@Example.com' } })).json.person).toMatchObject({ name: 'Kate' });
});

test('metadata that would send browsers elsewhere than to a web address are refused', async () => {
  await using lab = await open({ PLATEN_OIDC_NAME: 'Example ID' });
  const start = () => lab.studio.api('/session/provider/start', { method: 'POST', as: null, json: {} });
  for (const [name, value] of [
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', undefined],
    ['token_endpoint', 'data:text/plain,x'],
    ['jwks_uri', 'file:///etc/passwd'],
    ['userinfo_endpoint', 'no address'],
  ] as const) {
    lab.issuer.metadata = { [name]: value };
    const { status, json } = await start();
    expect([status, json.code, json.error]).toEqual([403, 'sign_in_refused', expect.stringContaining(name)]);
  }
  lab.issuer.metadata = {};
  expect((await start()).status).toBe(200);
});

test('an invitation with a higher role raises that of a member, a lower one changes nothing', async () => {
  await using lab = await open();
  const { studio, signIn } = lab;
  const { links, people, members } = studio.server.services;
  const ada = await people.findByEmail('ada@example.com');
  await members.add(studio.server.account, ada.id, 'editor');
  for (const [invited, role] of [
    ['viewer', 'editor'],
    ['owner', 'owner'],
  ] as const) {
    await links.invite(studio.server.account, studio.idOf('owner'), 'ada@example.com', invited);
    expect((await signIn()).json.accounts).toMatchObject([{ role }]);
  }
  await people.create({ email: 'bob@example.com', name: 'Bob', password: PASSWORD });
  const bob = await people.findByEmail('bob@example.com');
  await members.add(studio.server.account, bob.id, 'viewer');
  const { path } = await links.invite(studio.server.account, studio.idOf('owner'), null, 'owner');
  const json = { token: path.split('#')[1], email: 'bob@example.com', password: PASSWORD };
  expect((await studio.api('/links', { method: 'POST', as: null, json })).json.accounts).toMatchObject([
    { role: 'owner' },
  ]);
});

test('the configuration is refused where it cannot be safe or whole', () => {
  const load = (env: Record<string, string>) => () =>
    loadConfig({ PLATEN_OIDC_ISSUER: 'https://id.example.com', PLATEN_OIDC_CLIENT_ID: 'platen', ...env });
  expect(load({})().oidc).toMatchObject({ clientSecret: null, name: 'id.example.com' });
  expect(load({ PLATEN_OIDC_ISSUER: 'http://id.example.com' })).toThrow(/PLATEN_OIDC_ISSUER: must be an https/);
  expect(load({ PLATEN_OIDC_CLIENT_ID: '' })).toThrow(/one needs the other/);
  expect(load({ PLATEN_PUBLIC_URL: 'http://platen.lan' })).toThrow(/needs a PLATEN_PUBLIC_URL of https/);
  const shown = reportVariables({ PLATEN_OIDC_CLIENT_SECRET: 'secret' });
  expect(shown.find(({ name }) => name === 'PLATEN_OIDC_CLIENT_SECRET')?.set).toBe('…');
  expect(load({ PLATEN_OIDC_JOIN: 'example.com=owner' })).toThrow(/PLATEN_OIDC_JOIN: "example.com=owner" is not/);
});
