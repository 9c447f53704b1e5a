// Specification, "Authentication".

import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { openDatabase } from '#server/storage/open-database.ts';
import { newApiKey } from '../../src/base/ids.ts';
import { plans, specServer, table } from './spec-server.ts';

const server = await specServer();
const limited = await specServer(plans(1, true));

/** All endpoints of the specification but the signed one. */
const ENDPOINTS = [
  ['POST', '/v1/renders'],
  ['POST', '/v1/renders/batch'],
  ['GET', '/v1/renders/rnd_x'],
  ['POST', '/v1/screenshots'],
  ['GET', '/v1/templates'],
  ['GET', '/v1/account'],
] as const;

const works = async (key: string) => (await server.ask('/v1/account', { key })).status === 200;
const makeKey = () => server.services.keys.create(server.account, 'live');

table('API keys', {
  'Every REST request except the signed render URL carries a Bearer API key: `Authorization: Bearer <API_KEY>`.':
    async () => {
      for (const [method, path] of ENDPOINTS) {
        expect((await server.ask(path, { method, key: null })).status, path).toBe(401);
        const headers = { authorization: server.key };
        expect((await server.ask(path, { method, key: null, headers })).status, path).toBe(401);
        expect((await server.ask(path, { method })).status, path).not.toBe(401);
      }
      expect((await server.open(server.signed())).status).toBe(200);
    },
  "Keys are created in the application's settings.": async () => {
    const { key } = await makeKey();
    expect(await works(key)).toBe(true);
    expect((await server.ask('/v1/keys', { method: 'POST', json: {} })).status).toBe(404);
  },
  "`<live_prefix>` (a live-key prefix) | Production; counts against the plan's quota and billing": async () => {
    expect(limited.key).toMatch(/^plt_live_/);
    expect((await limited.render()).status).toBe(200);
    expect(await limited.used()).toBe(1);
    expect((await limited.render()).status).toBe(402);
  },
  '`<test_prefix>` (a test-key prefix) | Testing': async () => {
    expect(limited.testKey).toMatch(/^plt_test_/);
    const used = await limited.used();
    for (let count = 0; count < 3; count += 1) expect((await limited.render({}, limited.testKey)).status).toBe(200);
    expect((await limited.render({ async: true }, limited.testKey)).status).toBe(202);
    expect(await limited.used()).toBe(used);
  },
  'A key is shown once, at creation.': async () => {
    const { key } = await makeKey();
    expect(await works(key)).toBe(true);
    for (const path of ['/v1/account', '/v1/usage', '/v1/templates']) {
      expect((await server.ask(path, { key })).text).not.toContain(key.slice(9));
    }
    expect(server.logged()).not.toContain(key.slice(9));
  },
  'Only a SHA-256 hash of a key is kept, so a lost key cannot be recovered, only revoked and replaced.': async () => {
    const { id, key } = await makeKey();
    const db = await openDatabase(server.database);
    await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
    const row = await db('keys').where({ id }).first();
    expect(Object.values(row)).toContain(createHash('sha256').update(key).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(key.slice(9, -4));
  },
  'Revocation is immediate. Rotation means creating a new key and revoking the old one.': async () => {
    const old = await makeKey();
    expect(await works(old.key)).toBe(true);
    const next = await makeKey();
    await server.services.keys.revoke(old.id);
    expect([await works(old.key), await works(next.key)]).toEqual([false, true]);
  },
  'A missing, invalid or revoked key yields `401` with `{error}`.': async () => {
    const revoked = await makeKey();
    await server.services.keys.revoke(revoked.id);
    for (const key of [null, '', 'x', 'plt_live_no', newApiKey('live'), newApiKey('test'), revoked.key]) {
      const { status, json } = await server.ask('/v1/account', { key });
      expect([status, json]).toEqual([401, { error: expect.stringMatching(/^invalid or revoked API key/) }]);
    }
  },
  'Keys must not be put in client-side code. For browser or image-tag use, a signed render URL is used instead.':
    async () => {
      // A page of another origin may show a signed URL, but must not read what a key gives access to.
      expect((await server.ask('/v1/account')).headers['access-control-allow-origin']).toBeUndefined();
      expect((await server.open(server.signed())).headers['access-control-allow-origin']).toBe('*');
    },
});

const path = `/v1/templates/${server.template}/render.png`;
const sigOf = (secret: string, canon: string) =>
  createHmac('sha256', secret).update(`v1\n${server.template}\npng\n${canon}`).digest('hex');

table('Signed render URL', {
  'Security scheme: an API-key-style query parameter named `sig`.': async () => {
    expect((await server.open(`${path}?sig=${sigOf(server.signingSecret, '')}`)).status).toBe(200);
    const { json } = await server.open('/v1/openapi.json');
    const { securitySchemes } = json.components as { securitySchemes: Record<string, unknown> };
    expect(Object.values(securitySchemes)).toContainEqual(
      expect.objectContaining({ type: 'apiKey', in: 'query', name: 'sig' }),
    );
  },
  'The value is an HMAC-SHA256 signature over the template, the extension and the canonicalised parameters.':
    async () => {
      const canon = 'q=80&title=%C3%A9%20%2A';
      const sig = sigOf(server.signingSecret, canon);
      for (const query of [canon, 'title=%c3%a9+*&q=80']) {
        expect((await server.open(`${path}?${query}&sig=${sig}`)).status).toBe(200);
      }
    },
  'The owner pre-signs the URL. A missing or invalid signature yields `403`.': async () => {
    const theirs = (await server.services.accounts.secrets(server.other)).signing;
    for (const query of ['', `?sig=${sigOf(theirs, '')}`, `?sig=${sigOf(server.signingSecret, 'title=x')}`]) {
      expect((await server.open(path + query)).status).toBe(403);
    }
  },
});
