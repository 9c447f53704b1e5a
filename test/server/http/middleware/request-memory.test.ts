// Tests that bodies and answers are counted: in memory, and as requests under way until their answers are sent.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { type ServerUnderTest, serverUnderTest } from '../server-under-test.ts';

const MB = 2 ** 20;

/** Sends a request whose last byte is missing. */
function withhold(server: ServerUnderTest, path: string, size: number): Socket {
  const client = connect(server.port, '127.0.0.1');
  const headers = `host: x\r\nauthorization: Bearer ${server.key}\r\ncontent-type: application/json\r\n`;
  client.write(`POST ${path} HTTP/1.1\r\n${headers}content-length: ${size}\r\n\r\n`);
  client.write(Buffer.alloc(size - 1, ' '));
  client.on('error', () => {});
  return client;
}

/** Whether the promise is still open after another request was answered. */
async function isOpen(server: ServerUnderTest, promise: Promise<unknown>): Promise<boolean> {
  const state = { isOpen: true };
  void promise.then(() => {
    state.isOpen = false;
  });
  for (let i = 0; i < 20; i += 1) await server.ask('/healthz', { key: null });
  return state.isOpen;
}

test('a large body waits while others of its account hold its share; small ones and other accounts do not', async () => {
  await using server = await serverUnderTest({ PLATEN_BODY_MEMORY_MB: '48' });
  const slow = withhold(server, '/v1/images', 12 * MB);
  const upload = (key: string, headers = {}) =>
    server.ask('/v1/images', { method: 'POST', key, headers, raw: Buffer.alloc(8 * MB) });
  // Until the first has arrived, any request is let through.
  await vi.waitFor(async () => expect(await isOpen(server, upload(server.key))).toBe(true), { timeout: 9_000 });
  const chunked = upload(server.key, { 'transfer-encoding': 'chunked' });
  expect(await isOpen(server, chunked)).toBe(true);
  expect((await upload(server.otherKey)).status).toBe(400);
  expect((await server.post('/v1/templates', {})).status).toBe(400);
  slow.destroy();
  expect((await chunked).status).toBe(400);
});

test('a message to /mcp is a request under way, and its own calls are not counted again', async () => {
  await using server = await serverUnderTest({ PLATEN_REQUESTS_AT_ONCE: '1', PLATEN_REQUESTS_PER_MINUTE: '100' });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_templates', arguments: {} } };
  const headers = { accept: 'application/json, text/event-stream' };
  const said = await server.ask('/mcp', { method: 'POST', headers, json: message });
  expect([said.status, said.text.includes('templates')]).toEqual([200, true]);
  const slow = withhold(server, '/mcp', 100);
  await vi.waitFor(async () => expect((await server.ask('/v1/account')).status).toBe(429));
  slow.destroy();
  await vi.waitFor(async () => expect((await server.ask('/v1/account')).status).toBe(200));
});

test('files of signed URLs of all templates of an account are counted together', async () => {
  const plans = '{"free":{"quota":100,"blocks":true}}';
  await using server = await serverUnderTest({ PLATEN_ANSWER_MEMORY_MB: '32', PLATEN_PLANS: plans });
  const { templates, images, accounts } = server.services;
  // A noisy picture, of whose PNG an account's share holds one.
  const [side, share] = [1_750, 16 * MB];
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width: side, height: side, channels: 3, background: '#000', noise } as const;
  const { id: src } = await images.upload(server.account, await sharp({ create }).jpeg().toBuffer());
  const { signing } = await accounts.secrets(server.account);
  const signed = async () => {
    const layers = [{ name: 'it', type: 'image', src, width: side, height: side }];
    const document = { name: 'Noise', width: side, height: side, layers };
    const { id: template } = await templates.create(server.account, document);
    const query = signedQuery(signing, { template, extension: 'png', parameters: [] });
    const path = `/v1/templates/${template}/render.png?${query}`;
    const { status, body } = await server.ask(path, { key: null });
    expect([status, body.length > share / 2, body.length < share]).toEqual([200, true, true]);
    return path;
  };
  const [first, second] = [await signed(), await signed()];
  const unread = connect(server.port, '127.0.0.1');
  unread.write(`GET ${first} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await once(unread, 'readable');
  const waiting = server.ask(second, { key: null });
  expect(await isOpen(server, waiting)).toBe(true);
  unread.destroy();
  expect((await waiting).status).toBe(200);
});

test('a preview whose client has left keeps its memory until it is drawn, and is not drawn if it still waits', async () => {
  const drawn: PromiseWithResolvers<Uint8Array>[] = [];
  const exportAs = async () => {
    drawn.push(Promise.withResolvers());
    return drawn.at(-1)?.promise ?? new Uint8Array();
  };
  await using server = await serverUnderTest({ PLATEN_ANSWER_MEMORY_MB: '32' }, { exportAs });
  const side = 2_000;
  const document = { name: 'Large', width: side, height: side, layers: [] };
  const { id } = await server.services.templates.create(server.account, document);
  const begin = () => {
    const client = connect(server.port, '127.0.0.1');
    const head = `POST /v1/templates/${id}/preview HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n`;
    client.write(`${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`);
    return client;
  };
  const first = begin();
  await vi.waitFor(() => expect(drawn).toHaveLength(1), { timeout: 9_000 });
  const second = begin();
  const third = server.post(`/v1/templates/${id}/preview`, {});
  expect(await isOpen(server, third)).toBe(true);
  for (const client of [first, second]) client.destroy();
  expect(await isOpen(server, third)).toBe(true);
  expect(drawn).toHaveLength(1);
  drawn[0]?.resolve(Buffer.from('a picture'));
  await vi.waitFor(() => expect(drawn).toHaveLength(2), { timeout: 9_000 });
  drawn[1]?.resolve(Buffer.from('a picture'));
  expect((await third).status).toBe(200);
  expect(drawn).toHaveLength(2);
});

test('nobody else can send requests as the server’s own', async () => {
  await using server = await serverUnderTest({ PLATEN_REQUESTS_PER_MINUTE: '1' });
  const headers = { 'x-platen-own-request': 'x'.repeat(43) };
  for (const status of [200, 429]) expect((await server.ask('/v1/account', { headers })).status).toBe(status);
});
