// Tests what an operator monitors and configures: readiness, metrics, rate limits.

import { once } from 'node:events';
import fs from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { LocalRenderer } from '#draw/renderer/local-renderer.ts';
import type { Config } from '#server/config/config.ts';
import { newApiKey } from '../../../../src/base/ids.ts';
import { failStatements } from '../../storage/failing-statements.ts';
import { NOW, SHAPES, serverUnderTest } from '../server-under-test.ts';

test('/readyz needs no key, and asks the database and the disk', async () => {
  await using server = await serverUnderTest();
  // The drawing thread may still be starting.
  const ready = async () => (await server.ask('/readyz', { key: null })).json;
  await expect.poll(ready, { timeout: 30_000 }).toEqual({ status: 'ready' });
  expect(await readdir(join(server.folder, 'assets'))).toEqual([]);
});

const NOT_READY = { 'retry-after': '5', 'cache-control': 'no-store' };

test('/readyz: 503 while the database does not answer, and 200 when it does again', async () => {
  await using server = await serverUnderTest();
  {
    using _failing = failStatements(1, 'all');
    const { status, headers, json } = await server.ask('/readyz', { key: null });
    expect([status, json]).toEqual([503, { error: 'The database does not answer.' }]);
    expect(headers).toMatchObject(NOT_READY);
    expect((await server.ask('/healthz', { key: null })).status).toBe(200);
  }
  expect((await server.ask('/readyz', { key: null })).status).toBe(200);
});

test('/readyz: 503 while the data folder cannot be written to, and 200 when it can', async () => {
  await using server = await serverUnderTest();
  const [assets, aside] = [join(server.folder, 'assets'), join(server.folder, 'aside')];
  await rename(assets, aside);
  const { status, headers, json } = await server.ask('/readyz', { key: null });
  expect([status, json]).toEqual([503, { error: 'The data folder cannot be written to.' }]);
  expect(headers).toMatchObject(NOT_READY);
  await rename(aside, assets);
  const again = async () => (await server.ask('/readyz', { key: null })).status;
  await expect.poll(again, { timeout: 5_000, interval: 100 }).toBe(200);
});

test('/readyz: 503 while no thread draws, and 200 when one does again', async () => {
  let isStuck = true;
  const openRenderer = async (config: Config) => {
    const renderer = new LocalRenderer({
      library: await openFontLibrary({ folders: config.fontFolders }),
      concurrency: 1,
    });
    const status = renderer.status.bind(renderer);
    renderer.status = () => (isStuck ? new Promise(() => {}) : status());
    return renderer;
  };
  await using server = await serverUnderTest({}, { openRenderer });
  const { status, headers, json } = await server.ask('/readyz', { key: null });
  expect([status, json]).toEqual([503, { error: 'The server cannot draw at the moment.' }]);
  expect(headers).toMatchObject(NOT_READY);
  expect((await server.ask('/healthz', { key: null })).status).toBe(200);
  isStuck = false;
  const again = async () => (await server.ask('/readyz', { key: null })).status;
  await expect.poll(again, { timeout: 5_000, interval: 100 }).toBe(200);
});

test('/readyz: 503 once the server is told to stop, on the connections that it still has', async () => {
  const drawing = Promise.withResolvers<void>();
  const drawn = Promise.withResolvers<void>();
  const server = await serverUnderTest(
    {},
    {
      exportAs: async () => {
        drawing.resolve();
        await drawn.promise;
        return Buffer.from('a picture');
      },
    },
  );
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const body = JSON.stringify({ template: id });
  const socket = connect(server.port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(
    `POST /v1/renders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await drawing.promise;
  const stopped = server[Symbol.asyncDispose]();
  socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => server.logged(), { interval: 10 }).toContain('"path":"/readyz","status":503');
  drawn.resolve();
  await stopped;
  await closed;
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*HTTP\/1\.1 503 Service Unavailable/);
  expect(heard).toContain('{"error":"The server is stopping."}');
});

test.each([
  ['ENOSPC', 'has no room to store anything'],
  ['EACCES', 'may not use its data folder'],
  ['EPERM', 'may not use its data folder'],
])('503 and no unit for what cannot be stored (%s), and 200 once it can', async (code, problem) => {
  await using server = await serverUnderTest();
  const { id } = await server.services.templates.create(server.account, SHAPES);
  const render = () => server.post('/v1/renders', { template: id });
  const full = Object.assign(new Error(`${code}: not now`), { code });
  const written = vi.spyOn(fs, 'write').mockImplementation((...args: unknown[]) => {
    const done = args.at(-1) as (error: Error) => void;
    done(full);
  });
  const { status, headers, json } = await render();
  expect([status, json]).toEqual([503, { error: `The server ${problem}; try again later.` }]);
  expect(headers['retry-after']).toBe('30');
  written.mockRestore();
  expect((await render()).status).toBe(200);
  expect((await server.ask('/v1/usage')).json.used).toBe(1);
  expect(await readdir(join(server.folder, 'assets'))).toHaveLength(1);
});

test('there are no metrics unless a port is set, and none on the API’s', async () => {
  await using server = await serverUnderTest();
  expect([server.metricsPort, (await server.ask('/metrics')).status]).toEqual([null, 404]);
});

test('metrics are on a port of their own, in the form of Prometheus', async () => {
  await using server = await serverUnderTest({ PLATEN_METRICS_PORT: '0', CHROMIUM_PATH: '/nowhere' });
  const { id } = await server.services.templates.create(server.account, SHAPES);
  await server.post('/v1/renders', { template: id, output: 'webp' });
  const html = { name: 'Page', width: 20, height: 20, engine: 'html', html: '<p>x' };
  const page = await server.services.templates.create(server.account, html);
  await server.post('/v1/renders', { template: page.id });
  const url = 'https://93.184.215.14/';
  await server.post('/v1/screenshots', { url, output: 'jpeg' });
  await server.ask('/v1/nope');
  const answer = await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`);
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  for (const line of [
    'platen_http_requests_total{status="200"} 1',
    'platen_http_requests_total{status="404"} 1',
    'platen_renders_total{kind="layers",output="webp",outcome="done"} 1',
    'platen_renders_total{kind="html",output="png",outcome="failed"} 1',
    'platen_renders_total{kind="screenshot",output="jpeg",outcome="failed"} 1',
    'platen_jobs{status="queued"} 0',
    'platen_queue_oldest_seconds 0',
    'platen_job_slots_free 8',
    'platen_gate_waiting{gate="drawing"} 0',
    'platen_variant_cache_bytes 0',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  for (const line of text.trim().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+)$/);
  }
  expect(text).toMatch(/^process_resident_memory_bytes \d{8,}$/m);
  expect(text).toMatch(/^nodejs_eventloop_delay_seconds\{quantile="0.99"\} /m);
  expect(text).not.toContain(server.account);
  expect((await fetch(`http://127.0.0.1:${server.metricsPort}/v1/account`)).status).toBe(404);
});

test('429 with Retry-After beyond the limit, an account at a time, where one is set', async () => {
  const clock = { now: NOW };
  await using server = await serverUnderTest({ PLATEN_REQUESTS_PER_MINUTE: '3' }, { clock: () => clock.now });
  for (const status of [200, 200, 200, 429]) expect((await server.ask('/v1/account')).status).toBe(status);
  const { headers, json } = await server.ask('/v1/templates');
  expect([headers['retry-after'], json]).toEqual(['20', { error: 'Too many requests; try again in 20 s.' }]);
  expect((await server.ask('/v1/account', { key: server.otherKey })).status).toBe(200);
  expect((await server.ask('/healthz', { key: null })).status).toBe(200);
  clock.now = new Date(NOW.getTime() + 20_000);
  for (const status of [200, 429]) expect((await server.ask('/v1/account')).status).toBe(status);
});

test('429 with Retry-After beyond what an account may have under way, where a limit is set', async () => {
  await using server = await serverUnderTest({ PLATEN_REQUESTS_AT_ONCE: '1' });
  const head = `POST /v1/renders HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\ncontent-length: 9\r\n\r\n`;
  const ask = () => {
    const client = connect(server.port, '127.0.0.1');
    client.write(head);
    // Refused where a request of the loop below was there first.
    client.once('data', () => {
      client.destroy();
      slow = ask();
    });
    return client;
  };
  let slow = ask();
  const status = async (key: string) => (await server.ask('/v1/account', { key })).status;
  await vi.waitFor(async () => expect(await status(server.key)).toBe(429), { timeout: 10_000 });
  const { headers, json } = await server.ask('/v1/account');
  const error = 'Too many requests at once; at most 1 may be under way. Try again in 1 s.';
  expect([headers['retry-after'], json]).toEqual(['1', { error }]);
  expect(await status(server.otherKey)).toBe(200);
  slow.destroy();
  await vi.waitFor(async () => expect(await status(server.key)).toBe(200), { timeout: 10_000 });
});

test.each([
  ['POST', '/v1/renders', 'application/json'],
  ['POST', '/v1/images', 'multipart/form-data; boundary=b'],
  ['POST', '/mcp', 'application/json'],
])('clients that leave before the body of %s %s keep no place', async (method, path, type) => {
  await using server = await serverUnderTest({ PLATEN_REQUESTS_AT_ONCE: '3' });
  const head =
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
    `content-type: ${type}\r\ncontent-length: 100\r\n\r\n`;
  const answered = () => server.logged().split(`"path":"${path}"`).length - 1;
  for (let count = 0; count < 40; count += 1) {
    const client = connect(server.port, '127.0.0.1');
    await once(client, 'connect');
    client.write(head, () => client.resetAndDestroy());
  }
  await expect.poll(answered, { timeout: 5_000, interval: 20 }).toBe(40);
  expect((await server.ask('/v1/account')).status).toBe(200);
});

test('429 with Retry-After for wrong keys beyond the limit of an address; valid keys and none are let be', async () => {
  const clock = { now: NOW };
  await using server = await serverUnderTest({ PLATEN_BAD_KEYS_PER_MINUTE: '3' }, { clock: () => clock.now });
  const wrong = async (key = newApiKey('live')) => (await server.ask('/v1/account', { key })).status;
  expect([await wrong(), await wrong('plt_live_x'), await wrong(server.key.slice(1)), await wrong()]).toEqual([
    401, 401, 401, 429,
  ]);
  const { headers, json } = await server.ask('/v1/account', { key: newApiKey('test') });
  expect([headers['retry-after'], json]).toEqual(['20', { error: 'Too many requests; try again in 20 s.' }]);
  expect((await server.ask('/v1/account')).status).toBe(200);
  expect((await server.ask('/v1/account', { key: null })).status).toBe(401);
  clock.now = new Date(NOW.getTime() + 20_000);
  expect([await wrong(), await wrong()]).toEqual([401, 429]);
});

test('a thousand revocations in a row are each answered 401, unless an operator sets a limit below that', async () => {
  await using server = await serverUnderTest();
  const key = newApiKey('live');
  const statuses = new Set<number>();
  for (let count = 0; count < 1_000; count += 1) statuses.add((await server.ask('/v1/account', { key })).status);
  expect([...statuses]).toEqual([401]);
});

test('a taken port of the metrics is told with the variable that sets it', async () => {
  await using first = await serverUnderTest({ PLATEN_METRICS_PORT: '0', CHROMIUM_PATH: '/nowhere' });
  const taken = String(first.metricsPort);
  await expect(serverUnderTest({ PLATEN_METRICS_PORT: taken, CHROMIUM_PATH: '/nowhere' })).rejects.toThrow(
    `Port ${taken} of 127.0.0.1 is in use. Set PLATEN_METRICS_PORT to another one.`,
  );
});

test.each([
  ['192.0.2.1', 'which is not an address of this machine'],
  ['nowhere.invalid', 'a name that cannot be found'],
])('HOST %s is told by name', async (host, problem) => {
  await expect(serverUnderTest({ HOST: host, CHROMIUM_PATH: '/nowhere' })).rejects.toThrow(
    `HOST is ${host}, ${problem}. Set it to an address of this machine, or to 0.0.0.0 for all of them.`,
  );
});
