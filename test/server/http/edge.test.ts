// Tests what applies to every request: keys, unknown paths and methods, limits of the body, headers, the log.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/storage/open-database.ts';
import { newApiKey } from '../../../src/base/ids.ts';
import { ON_POSTGRES } from '../storage/new-database.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const start = (env = {}) => serverUnderTest(env, { exportAs: async () => Buffer.from('a picture') });

test('GET /v1/account', async () => {
  await using server = await start();
  const { status, headers, json } = await server.ask('/v1/account');
  expect([status, json]).toEqual([200, { plan: 'free', email: 'me@example.com', display_name: 'Me' }]);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect((await server.ask('/v1/account', { key: server.otherKey })).json).toEqual({
    plan: 'free',
    email: null,
    display_name: null,
  });
});

test('401 with the same words whatever is wrong', async () => {
  await using server = await start();
  const { key } = server;
  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${key}`,
    `Token ${key}`,
    key,
    `Bearer ${key}${key}`,
    `Bearer ${key} x`,
    `Bearer ${key},${key}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${newApiKey('live')}`,
    'Bearer plt_live_',
    `Bearer ${'a'.repeat(5_000)}`,
  ];
  for (const authorization of headers) {
    const answer = await server.ask('/v1/account', {
      key: null,
      headers: authorization === undefined ? {} : { authorization },
    });
    expect([answer.status, answer.json], authorization).toEqual([
      401,
      { error: expect.stringMatching(/^invalid or revoked API key/) },
    ]);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  }
  expect((await server.ask(`/v1/account?api_key=${key}`, { key: null })).status).toBe(401);
});

test('the scheme of a key is case-insensitive', async () => {
  await using server = await start();
  for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
    const headers = { authorization: `${scheme} ${server.key}` };
    expect((await server.ask('/v1/account', { key: null, headers })).status).toBe(200);
  }
});

test('a revocation and a change of plan hold for the next request', async () => {
  await using server = await start();
  await server.services.accounts.setPlan(server.account, 'pro');
  expect((await server.ask('/v1/account')).json.plan).toBe('pro');
  await server.services.keys.revoke(server.keyId);
  expect((await server.ask('/v1/account')).status).toBe(401);
  expect((await server.ask('/v1/account', { key: server.testKey })).status).toBe(200);
});

test('a key is stored as its SHA-256 alone', async () => {
  await using server = await start();
  const db = await openDatabase(server.database);
  const stored = ON_POSTGRES
    ? [Buffer.from(JSON.stringify(await db('keys')))]
    : await Promise.all(['', '-wal'].map((end) => readFile(`${server.database}${end}`).catch(() => Buffer.alloc(0))));
  await db.destroy();
  expect(Buffer.concat(stored).includes(server.keyId)).toBe(true);
  for (const key of [server.key, server.testKey, server.otherKey]) {
    for (const bytes of stored) expect(bytes.includes(key.slice(9))).toBe(false);
  }
});

test('every path under /v1 asks for a key, but for three', async () => {
  await using server = await start();
  const closed = [
    '/v1/account',
    '/v1/renders',
    '/v1/renders/x',
    '/v1/templates',
    '/v1/templates/x',
    '/v1/nope',
    '/v1/',
  ];
  for (const path of closed) expect((await server.ask(path, { key: null })).status, path).toBe(401);
  expect((await server.ask('/v1/schema/template.json', { key: null })).status).toBe(200);
  expect((await server.ask('/v1/templates/x/render.png', { key: null })).status).toBe(403);
  // Other spellings of a path must not reach its route.
  for (const path of ['/V1/account', '//v1/account', '/v1/account/', '/%761/account']) {
    expect([401, 404], path).toContain((await server.ask(path, { key: null })).status);
    expect((await server.ask(path)).status, path).toBe(404);
  }
});

test('404 and 405 are JSON, and 405 says what is allowed', async () => {
  await using server = await start();
  const described = '; the API is described at /docs/api';
  const missing = [
    ['GET', '/v1/nope', described],
    ['GET', '/nope', described],
    ['GET', '/v1/templates/../account', described],
    ['GET', '/assets/', described],
    ['GET', '/v2/account', '; did you mean GET /v1/account?'],
    ['GET', '/account', '; did you mean GET /v1/account?'],
    ['POST', '/v1/render', '; did you mean POST /v1/renders?'],
    ['GET', '/v1/render', '; did you mean POST /v1/renders?'],
    ['POST', '/v1/renders/', '; did you mean POST /v1/renders?'],
    ['GET', '/v1/jobs/rnd_x', '; did you mean GET /v1/renders/rnd_x?'],
    ['GET', '/api/v1/templates', '; did you mean GET /v1/templates?'],
    ['GET', '/v1/openapi', '; did you mean GET /v1/openapi.json?'],
    ['DELETE', '/v1/template/tpl_x', '; did you mean DELETE /v1/templates/tpl_x?'],
    ['GET', '/v1/studio/me/accounts', described],
  ] as const;
  for (const [method, path, hint] of missing) {
    const { status, json } = await server.ask(path, { method });
    expect([status, json.error], path).toEqual([404, `not found: there is no ${method} ${path}${hint}`]);
  }
  const wrong = [
    ['DELETE', '/v1/renders', 'POST', 'POST'],
    ['PUT', '/v1/renders', 'POST', 'POST'],
    ['GET', '/v1/screenshots', 'POST', 'POST'],
    ['POST', '/v1/account', 'HEAD, GET', 'GET'],
    ['TRACE', '/v1/account', 'HEAD, GET', 'GET'],
    ['PATCH', '/v1/templates/x', 'HEAD, GET, PUT, DELETE', 'GET, PUT or DELETE'],
    ['POST', '/healthz', 'HEAD, GET', 'GET'],
    ['GET', '/v1/templates/x/preview', 'POST', 'POST'],
    ['POST', '/v1/renders/bacth', 'HEAD, GET', 'GET', '; did you mean POST /v1/renders/batch?'],
  ] as const;
  for (const [method, path, allow, named, hint = ''] of wrong) {
    const { status, headers, json } = await server.ask(path, { method });
    const error = `method not allowed: ${path} takes ${named}, not ${method}${hint}`;
    expect([status, headers.allow, json], `${method} ${path}`).toEqual([405, allow, { error }]);
  }
});

test('HEAD answers as GET does, without a body', async () => {
  await using server = await start();
  const { status, headers, text } = await server.ask('/v1/account', { method: 'HEAD' });
  expect([status, headers['content-type'], text]).toEqual([200, 'application/json; charset=utf-8', '']);
});

test('/healthz and / need no key', async () => {
  await using server = await start();
  expect((await server.ask('/healthz', { key: null })).json).toEqual({ status: 'ok' });
  expect((await server.ask('/', { key: null })).text).toContain('Platen');
});

/** Posts `raw` as a render with these headers. */
const post = (server: ServerUnderTest, raw: string | Buffer, headers = {}) =>
  server.ask('/v1/renders', { method: 'POST', raw, headers });

test('400: bodies that are no JSON object', async () => {
  await using server = await start();
  const cases: [string | Buffer, string][] = [
    ['', 'needs a JSON body'],
    ['{', 'not valid JSON'],
    ['null', 'must be a JSON object'],
    ['[]', 'must be a JSON object'],
    ['"x"', 'must be a JSON object'],
    ['\ufeff{}', 'not valid JSON'],
    [Buffer.from([0xfe, 0xff, 0, 0x7b]), 'not valid UTF-8'],
    ['['.repeat(200_000), 'nests deeper than 32'],
    [`{"a":"${'x'.repeat(100)}\\"${'['.repeat(100)}","b":${'['.repeat(40)}1`, 'nests deeper than 32'],
    [`{"a":"${'x'.repeat(100)}\\"${'['.repeat(100)}\\\\","b":[1]}`, 'templateId is required'],
    ['{"a":'.repeat(100_000), 'nests deeper than 32'],
  ];
  for (const [raw, message] of cases) {
    const { status, json } = await post(server, raw);
    expect([status, json.error], String(raw).slice(0, 20)).toEqual([400, expect.stringContaining(message)]);
  }
});

test('brackets in strings are no nesting', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const modifications = { nobody: `\\"${'['.repeat(100)}` };
  const { status } = await server.post('/v1/renders', { template: id, modifications });
  expect(status).toBe(200);
});

test('400: anything but application/json in UTF-8, uncompressed', async () => {
  await using server = await start();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', '']) {
    const { status, json } = await post(server, '{}', { 'content-type': type });
    expect([status, json.error], type).toEqual([400, expect.stringContaining('application/json')]);
  }
  expect((await post(server, '{}', { 'content-type': 'Application/JSON; charset=UTF-8' })).json.error).toMatch(
    /^templateId is required\./,
  );
  expect((await post(server, 'x', { 'content-encoding': 'gzip' })).json.error).toContain('must not be compressed');
});

test('413: a body over 4 MiB, told or found out', async () => {
  await using server = await start();
  const over = Buffer.alloc(4 * 1024 * 1024 + 1, 0x20);
  const told = await post(server, over);
  expect([told.status, told.json]).toEqual([413, { error: 'The body may have at most 4194304 bytes.' }]);
  const found = await post(server, over, { 'transfer-encoding': 'chunked' });
  expect(found.status).toBe(413);
  expect((await post(server, Buffer.alloc(4 * 1024 * 1024, 0x20))).status).toBe(400);
});

test.each(['content-length: 50331648', 'transfer-encoding: chunked'])(
  '413 reaches a client that reads nothing until it has sent all its 48 MiB (%s)',
  async (length) => {
    await using server = await start();
    const socket = connect(server.port, '127.0.0.1');
    socket.pause();
    const head = `POST /v1/renders HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}${length}\r\n\r\n`);
    const isChunked = length.includes('chunked');
    const part = Buffer.alloc(2 ** 20, 0x20);
    for (let sent = 0; sent < 48; sent += 1) {
      if (isChunked) socket.write('100000\r\n');
      const isDrained = socket.write(part);
      if (isChunked) socket.write('\r\n');
      if (!isDrained) await once(socket, 'drain');
    }
    if (isChunked) socket.write('0\r\n\r\n');
    const [answer] = await once(socket.resume(), 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    // The connection serves further requests.
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    const [next] = await once(socket, 'data');
    expect(String(next)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  },
);

test.each(['content-length: 50331648', 'transfer-encoding: chunked'])(
  '413 reaches a client that still sends, and wants the connection closed after the answer (%s)',
  async (length) => {
    await using server = await start();
    const isChunked = length.includes('chunked');
    const head = `POST /v1/renders HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${server.key}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;
    const part = Buffer.alloc(2 ** 20, 0x20);
    // Whether the answer is lost is a race, so several times.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const socket = connect(server.port, '127.0.0.1');
      const answer = text(socket);
      socket.write(head);
      for (let sent = 0; sent < 48; sent += 1) {
        if (isChunked) socket.write('100000\r\n');
        const isDrained = socket.write(part);
        if (isChunked) socket.write('\r\n');
        if (!isDrained) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      }
      if (isChunked) socket.write('0\r\n\r\n');
      expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    }
  },
);

/** Sends bytes over a plain socket; returns everything received until the server closes it. */
function speak(server: ServerUnderTest, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => resolve(answer));
  socket.on('close', () => resolve(answer));
  return promise;
}

test('a head that is too large is 431, one that is malformed 400', async () => {
  await using server = await start();
  const many = Array.from({ length: 2_000 }, (_, index) => `x-header-${index}: value\r\n`).join('');
  expect(await speak(server, `GET /healthz HTTP/1.1\r\nHost: a\r\n${many}\r\n`)).toMatch(/^HTTP\/1.1 431/);
  expect(await speak(server, 'GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
  const smuggled = 'POST /v1/renders HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n';
  expect(await speak(server, smuggled)).toMatch(/^HTTP\/1.1 400/);
});

test('the log has one line a request, and no query, key or body', async () => {
  await using server = await start();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  await server.post('/v1/renders', { template: id, modifications: { box: 'rebeccapurple' } });
  await server.ask(`/v1/templates/${id}/render.png?box=rebeccapurple&sig=${'ab'.repeat(32)}`, { key: null });
  await server.ask(`/v1/nope/${server.key}`);
  const log = server.logged();
  const requests = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request');
  expect(requests.map(({ method, status }) => `${method} ${status}`)).toEqual(['POST 200', 'GET 403', 'GET 404']);
  expect(requests[0]).toMatchObject({ path: '/v1/renders', account: server.account, ms: expect.any(Number) });
  expect(log).not.toMatch(/rebeccapurple|abababab|Bearer/);
  expect(log).not.toContain(server.key);
});

test('a server that stops finishes what it is answering, and takes nothing new', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const drawing = Promise.withResolvers<void>();
  const server = await serverUnderTest(
    {},
    {
      exportAs: async () => {
        drawing.resolve();
        await promise;
        return Buffer.from('a picture');
      },
    },
  );
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const running = server.post('/v1/renders', { template: id });
  await drawing.promise;
  const stopped = server[Symbol.asyncDispose]();
  await expect(server.ask('/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  resolve();
  expect((await running).status).toBe(200);
  await stopped;
});
