// Tests what may happen once, or up to a limit, when many ask for it at the same time.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import type { Answer } from '../server-under-test.ts';
import { SoftAuthenticator } from './soft-authenticator.ts';
import { PASSWORD, type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';
import { CLIENT, testIssuer } from './test-issuer.ts';

const FONTS = findPackage('@expo-google-fonts/bricolage-grotesque') ?? '';
const FONT = readFileSync(join(FONTS, '700Bold/BricolageGrotesque_700Bold.ttf'));
/** All renders. */
const ANY = { status: null, kind: null, output: null, templateId: null } as const;
const TEXTS = { name: 'Texts', width: 10, height: 10 };
/** A template of some 300 kB. */
const LARGE = {
  ...TEXTS,
  layers: Array.from({ length: 6 }, (_, index) => ({
    ...{ name: `a${index}`, type: 'text', text: 'é'.repeat(25_000), width: 9 },
  })),
};

/** The answers to `count` requests at once: how many succeeded. */
async function succeeded(count: number, request: (index: number) => Promise<Answer>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => request(index)));
  // 503: on a busy machine, some may wait too long for their turn.
  for (const { status, text } of answers) expect(status === 503 || status < 500, text).toBe(true);
  return answers.filter(({ status }) => status < 300).length;
}

const tokenOf = (path: string) => path.split('#')[1] ?? '';
const useLink = ({ api }: StudioUnderTest, json: object) => api('/links', { as: null, method: 'POST', json });

test('an invitation lets one of ten in', async () => {
  await using studio = await studioUnderTest();
  const { links, members } = studio.server.services;
  const { path } = await links.invite(studio.server.account, studio.idOf('owner'), null, 'editor');
  const before = (await members.list(studio.server.account)).length;
  const join = (index: number) =>
    useLink(studio, { token: tokenOf(path), email: `p${index}@example.com`, name: 'P', password: PASSWORD });
  expect(await succeeded(10, join)).toBe(1);
  expect(await members.list(studio.server.account)).toHaveLength(before + 1);
});

test('a reset link sets one of ten passwords', async () => {
  await using studio = await studioUnderTest();
  const { path } = await studio.server.services.links.reset('owner@example.com');
  const reset = (index: number) => useLink(studio, { token: tokenOf(path), password: `${PASSWORD} ${index}` });
  expect(await succeeded(10, reset)).toBe(1);
  const signIn = (index: number) =>
    studio.api('/session', {
      ...{ as: null, method: 'POST', json: { email: 'owner@example.com', password: `${PASSWORD} ${index}` } },
    });
  expect(await succeeded(10, signIn)).toBe(1);
});

test('an answer of the identity provider signs in once of ten times', async () => {
  await using issuer = await testIssuer();
  await using studio = await studioUnderTest(
    { PLATEN_OIDC_ISSUER: issuer.url, PLATEN_OIDC_CLIENT_ID: CLIENT.id, PLATEN_OIDC_CLIENT_SECRET: CLIENT.secret },
    { clock: () => new Date() },
  );
  await studio.server.services.people.create({ email: 'ada@example.com', name: 'Ada', password: null });
  const start = await studio.api('/session/provider/start', { method: 'POST', as: null, json: {} });
  const as = start.headers['set-cookie']?.[0]?.split(';')[0] as `${string}=${string}`;
  const query = issuer.authorize(String(start.json.url));
  const finish = () => studio.api('/session/provider', { method: 'POST', as, json: { query } });
  expect(await succeeded(10, finish)).toBe(1);
});

test('somebody new who signs in five times at once by the identity provider is one person', async () => {
  await using issuer = await testIssuer();
  await using studio = await studioUnderTest(
    {
      ...{ PLATEN_OIDC_ISSUER: issuer.url, PLATEN_OIDC_CLIENT_ID: CLIENT.id, PLATEN_OIDC_CLIENT_SECRET: CLIENT.secret },
      PLATEN_OIDC_JOIN: 'corp.example=viewer',
    },
    { clock: () => new Date() },
  );
  const { people } = studio.server.services;
  const before = (await people.list()).length;
  const signIn = async () => {
    const start = await studio.api('/session/provider/start', { method: 'POST', as: null, json: {} });
    const as = start.headers['set-cookie']?.[0]?.split(';')[0] as `${string}=${string}`;
    const query = issuer.authorize(String(start.json.url), { claims: { email: 'new@corp.example' } });
    return studio.api('/session/provider', { method: 'POST', as, json: { query } });
  };
  expect(await succeeded(5, signIn)).toBeGreaterThan(0);
  expect(await people.list()).toHaveLength(before + 1);
  expect((await signIn()).json.accounts).toMatchObject([{ role: 'viewer' }]);
});

test('an answer of a passkey signs in once of ten times', async () => {
  await using studio = await studioUnderTest();
  const host = `localhost:${studio.server.port}`;
  const headers = { host, origin: `http://${host}` };
  const authenticator = new SoftAuthenticator({ host: 'localhost', origin: headers.origin });
  const post = (path: string, json: object, as: 'owner' | null) =>
    studio.api(path, { method: 'POST', as, json, headers });
  const ask = async (path: string, as: 'owner' | null) =>
    (await post(path, {}, as)).json as { token: string; options: { challenge: string } };
  const added = await ask('/me/passkeys/options', 'owner');
  const credential = authenticator.create(added.options);
  const made = await post('/me/passkeys', { token: added.token, name: 'Laptop', credential }, 'owner');
  expect(made.status).toBe(201);
  const { token, options } = await ask('/session/passkey/options', null);
  const answer = { token, credential: authenticator.get(options) };
  expect(await succeeded(10, () => post('/session/passkey', answer, null))).toBe(1);
});

test('one of five people gets an address', async () => {
  await using studio = await studioUnderTest();
  const { people, sessions } = studio.server.services;
  const cookies: `${string}=${string}`[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { id } = await people.create({ email: `p${index}@example.com`, name: 'P', password: null });
    cookies.push(`__Host-platen=${(await sessions.begin(id, { address: '::1', agent: 'test' })).token}`);
  }
  const take = (index: number) =>
    studio.api('/me', { as: cookies[index] ?? null, method: 'PUT', json: { name: 'P', email: 'one@example.com' } });
  expect(await succeeded(5, take)).toBe(1);
});

test('of ten saves of one revision of a draft one is stored', async () => {
  await using studio = await studioUnderTest();
  const { id } = await studio.server.services.templates.create(studio.server.account, { ...TEXTS, layers: [] });
  const save = (index: number) =>
    studio.ask(`/templates/${id}/draft`, {
      method: 'PUT',
      headers: { 'if-match': '"0"' },
      json: { document: { ...TEXTS, name: `Draft ${index}`, layers: [] } },
    });
  expect(await succeeded(10, save)).toBe(1);
});

test('with 96 fonts four of twelve are added', async () => {
  await using studio = await studioUnderTest();
  const { fonts, storage } = studio.server.services;
  const { id, ...font } = await fonts.upload(studio.server.account, FONT);
  for (let index = 1; index < 96; index += 1) await storage.fonts.insert({ ...font, id: `fnt_${index}` });
  const upload = () =>
    studio.server.ask('/v1/fonts', { method: 'POST', raw: FONT, headers: { 'content-type': 'font/ttf' } });
  expect(await succeeded(12, upload)).toBe(4);
  expect(await storage.fonts.ids(studio.server.account)).toHaveLength(100);
  expect(id).toMatch(/^fnt_/);
});

test('templates, versions, drafts, images and fonts together stay within the storage of the plan', async () => {
  const limit = 2 ** 20;
  await using studio = await studioUnderTest({ PLATEN_PLANS: '{"free":{"quota":100,"blocks":true,"storage":1}}' });
  const { server, ask } = studio;
  const { templates, storage } = server.services;
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1)
    ids.push((await templates.create(server.account, { ...TEXTS, layers: [] })).id);
  const photo = Buffer.concat([readFileSync('fixtures/assets/photo.jpg'), Buffer.alloc(250_000)]);
  const post = (path: string, raw: Buffer, type: string) =>
    server.ask(path, { method: 'POST', raw, headers: { 'content-type': type } });
  const kinds: readonly ((index: number) => Promise<Answer>)[] = [
    () => server.post('/v1/templates', LARGE),
    (index) => server.ask(`/v1/templates/${ids[index % 4]}`, { method: 'PUT', json: LARGE }),
    (index) =>
      ask(`/templates/${ids[index % 4]}/draft`, {
        ...{ method: 'PUT', headers: { 'if-match': '"0"' }, json: { document: LARGE, baseVersion: 1 } },
      }),
    () => post('/v1/images', photo, 'image/jpeg'),
    () => post('/v1/fonts', FONT, 'font/ttf'),
  ];
  const made = await succeeded(20, (index) => kinds[index % kinds.length]?.(Math.floor(index / 5)) as Promise<Answer>);
  expect(made).toBeGreaterThan(2);
  const stored = await storage.storedBytes.of(server.account);
  expect(stored).toBeLessThanOrEqual(limit);
  expect(stored).toBeGreaterThan(limit / 2);
});

test('a draft that grows beyond the storage of the plan is refused, a shorter one is saved', async () => {
  await using studio = await studioUnderTest({ PLATEN_PLANS: '{"free":{"quota":100,"blocks":true,"storage":1}}' });
  const { server, ask } = studio;
  const { templates, storage } = server.services;
  const statuses: number[] = [];
  const ids: string[] = [];
  const save = async (id: string, revision: number, document: object) => {
    const headers = { 'if-match': `"${revision}"` };
    return (await ask(`/templates/${id}/draft`, { method: 'PUT', headers, json: { document, baseVersion: 1 } })).status;
  };
  for (let index = 0; index < 5; index += 1) {
    const { id } = await templates.create(server.account, { ...TEXTS, layers: [] });
    ids.push(id);
    statuses.push(await save(id, 0, LARGE));
  }
  expect(statuses).toEqual([200, 200, 200, 402, 402]);
  expect(await storage.storedBytes.of(server.account)).toBeLessThan(2 ** 20);
  expect(await save(String(ids[0]), 1, { ...LARGE, layers: [] })).toBe(200);
  expect(await save(String(ids[4]), 0, LARGE)).toBe(200);
});

test('renders, jobs and batches of both kinds together stay within the quota', { timeout: 60_000 }, async () => {
  await using studio = await studioUnderTest({ PLATEN_PLANS: '{"free":{"quota":10,"blocks":true}}' });
  const { server, ask } = studio;
  const { id: template } = await server.services.templates.create(server.account, { ...TEXTS, layers: [] });
  const kinds: readonly (() => Promise<Answer>)[] = [
    () => server.post('/v1/renders', { template }),
    () => server.post('/v1/renders', { template, async: true }),
    () => server.post('/v1/renders/batch', { template, items: [{}, {}] }),
    () =>
      ask(`/templates/${template}/batch`, {
        ...{ method: 'POST', json: { rows: [{ modifications: {} }, { modifications: {} }], archive: 'zip' } },
      }),
  ];
  await Promise.all(Array.from({ length: 32 }, (_, index) => kinds[index % kinds.length]?.()));
  const { storage } = server.services;
  const totals = () => storage.usage.totals(server.account, '2026-11');
  await vi.waitFor(async () => expect(await totals()).toEqual({ used: 10, reserved: 0 }), { timeout: 30_000 });
  expect((await storage.renders.page(server.account, ANY, { limit: 100, after: null })).items).toHaveLength(10);
});
