// Tests a server without the role "browser": it forwards requests that need a browser unchanged to PLATEN_BROWSER_URL.

import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { serve } from '../../listen.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const HTML = { name: 'Page', width: 20, height: 20, engine: 'html', html: '<p data-layer="a">x' } as const;
const PAGE_IN_LAYER = {
  ...SHAPES,
  layers: [
    { name: 'page', type: 'image', src: 'screenshot:https://example.com', width: 40, height: 20, optional: true },
  ],
} as const;

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Stands in for a server with a browser, and records its requests. */
async function browserServer() {
  const asked: Asked[] = [];
  const server = await serve(async (request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body: await text(request) });
    const isPicture = url.includes('/render.png');
    response.writeHead(isPicture ? 200 : 400, {
      'content-type': isPicture ? 'image/png' : 'application/json; charset=utf-8',
      'platen-warnings': 'odd',
      ...(isPicture ? { 'content-length': 7 } : {}),
    });
    response.end(isPicture ? 'picture' : '{"error":"from afar"}');
  });
  return { ...server, asked };
}

const WITHOUT = { PLATEN_ROLES: 'api,worker' };
const used = async (server: ServerUnderTest) => (await server.ask('/v1/usage')).json;
const post = (server: ServerUnderTest, path: string, json: object, headers = {}) =>
  server.post(path, json, { headers });

test('requests that need a browser are passed on whole, once, and cost nothing here', async () => {
  await using browsers = await browserServer();
  await using server = await serverUnderTest({ ...WITHOUT, PLATEN_BROWSER_URL: browsers.url });
  const { services, account, signingSecret } = server;
  const html = (await services.templates.create(account, HTML)).id;
  const shapes = (await services.templates.create(account, SHAPES)).id;
  const layer = (await services.templates.create(account, PAGE_IN_LAYER)).id;
  const parameters = [['a', 'y']] as const;
  const signed = `/v1/templates/${html}/render.png?${signedQuery(signingSecret, { template: html, extension: 'png', parameters })}`;

  const shot = { url: 'https://example.com', output: 'png' };
  const headers = { 'idempotency-key': 'once', 'x-request-id': 'order-7' };
  const { status, json, headers: answered } = await post(server, '/v1/screenshots', shot, headers);
  expect([status, json, answered['platen-warnings']]).toEqual([400, { error: 'from afar' }, 'odd']);
  expect(browsers.asked[0]).toMatchObject({
    method: 'POST',
    url: '/v1/screenshots',
    headers: { authorization: `Bearer ${server.key}`, 'idempotency-key': 'once', 'x-client-request-id': 'order-7' },
    body: JSON.stringify(shot),
  });
  const picture = await server.ask(signed, { key: null });
  expect([picture.status, picture.text]).toEqual([200, 'picture']);
  expect(picture.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '7' });
  expect(browsers.asked[1]).toMatchObject({ method: 'GET', url: signed });

  await post(server, '/v1/renders', { template: html });
  await post(server, '/v1/renders', { template: layer });
  await post(server, `/v1/templates/${html}/preview`, {});
  // The whole batch is forwarded; items rendered here as well would be counted twice.
  await post(server, '/v1/renders/batch', { renders: [{ template: shapes }, { template: html }] });
  expect(browsers.asked.slice(2).map(({ url }) => url)).toEqual([
    '/v1/renders',
    '/v1/renders',
    `/v1/templates/${html}/preview`,
    '/v1/renders/batch',
  ]);
  expect(await used(server)).toMatchObject({ used: 0 });

  expect((await post(server, '/v1/renders', { template: shapes })).status).toBe(200);
  const denied = await post(server, '/v1/screenshots', { url: 'http://127.0.0.1/' });
  expect([denied.status, browsers.asked.length]).toEqual([400, 6]);
});

test('the body of a GET is neither read nor passed on', async () => {
  await using browsers = await browserServer();
  await using server = await serverUnderTest({ ...WITHOUT, PLATEN_BROWSER_URL: browsers.url });
  const { id: template } = await server.services.templates.create(server.account, HTML);
  const query = signedQuery(server.signingSecret, { template, extension: 'png', parameters: [] });
  const client = connect(server.port, '127.0.0.1');
  let heard = '';
  client.on('data', (chunk) => {
    heard += chunk;
  });
  client.write(`GET /v1/templates/${template}/render.png?${query} HTTP/1.1\r\nHost: a\r\n`);
  client.write(`Content-Length: ${2 ** 40}\r\n\r\nthe first of a terabyte`);
  await expect.poll(() => heard, { timeout: 5_000, interval: 20 }).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*picture/);
  client.destroy();
  expect(browsers.asked.map(({ body, headers }) => [body, headers['content-length']])).toEqual([['', undefined]]);
});

test('503 that names the role where there is no such server, or one that does not answer', async () => {
  await using server = await serverUnderTest(WITHOUT);
  const { status, json } = await post(server, '/v1/screenshots', { url: 'https://example.com' });
  expect([status, json.error]).toEqual([
    503,
    'This needs a browser, and this server lacks the role "browser" (PLATEN_ROLES). PLATEN_BROWSER_URL names servers that have it.',
  ]);
  await server.restart({ ...WITHOUT, PLATEN_BROWSER_URL: 'http://127.0.0.1:9' });
  const away = await post(server, '/v1/screenshots', { url: 'https://example.com' });
  expect([away.status, away.headers['retry-after'], away.json.error]).toEqual([
    503,
    '5',
    'No server with the role "browser" answers; try again in a few seconds.',
  ]);
  expect(await used(server)).toMatchObject({ used: 0 });
});

test('a request goes on once: a server that leads to itself says so', async () => {
  await using server = await serverUnderTest(WITHOUT);
  const { port } = server;
  await server.restart({ ...WITHOUT, PORT: String(port), PLATEN_BROWSER_URL: `http://127.0.0.1:${port}` });
  const { status, json } = await post(server, '/v1/screenshots', { url: 'https://example.com' });
  expect([status, json.error]).toEqual([503, 'PLATEN_BROWSER_URL leads to a server without the role "browser".']);
});

test('its jobs that need a browser wait, and others do not wait behind them', async () => {
  await using server = await serverUnderTest(WITHOUT);
  const html = (await server.services.templates.create(server.account, HTML)).id;
  const shapes = (await server.services.templates.create(server.account, SHAPES)).id;
  const accept = async (path: string, json: object) => (await post(server, path, { ...json, async: true })).json.id;
  const waiting = [
    await accept('/v1/screenshots', { url: 'https://example.com' }),
    await accept('/v1/renders', { template: html }),
  ];
  const other = await accept('/v1/renders', { template: shapes });
  const statusOf = async (id: unknown) => (await server.ask(`/v1/renders/${id}`)).json.status;
  await expect.poll(() => statusOf(other), { interval: 20, timeout: 10_000 }).toBe('done');
  expect(await Promise.all(waiting.map(statusOf))).toEqual(['queued', 'queued']);
});
