import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { Guard } from '#server/net/guard.ts';
import { type GetOptions, OutboundClient } from '#server/net/outbound-client.ts';
import { listen, serve } from '../../listen.ts';
import { canary, fakeResolver, guardFor, hasSecondLoopback } from './servers.ts';

const clients: OutboundClient[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

function clientFor(guard: Guard = guardFor(['127.0.0.1/32']), ca?: string): OutboundClient {
  const client = new OutboundClient(guard, { userAgent: 'Platen/1', ...(ca === undefined ? {} : { ca }) });
  clients.push(client);
  return client;
}

/** Fetches from a server with this handler. Returns the body. */
async function get(answer: RequestListener, options: Partial<GetOptions> = {}, path = '/a?b=c'): Promise<string> {
  await using server = await serve(answer);
  const { bytes } = await clientFor().get(`http://127.0.0.1:${server.port}${path}`, { maxBytes: 1000, ...options });
  return Buffer.from(bytes).toString();
}
const refused = (work: Promise<unknown>, message: RegExp | string, code = 'invalid_request') =>
  expect(work).rejects.toMatchObject({
    code,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
const notAllowed = (work: Promise<unknown>) => refused(work, 'URL not allowed.', 'url_not_allowed');

test('a file', async () => expect(await get((_, answer) => answer.end('hello'))).toBe('hello'));
test('what it asks with', async () => {
  const asked = await get(
    ({ url, method, headers }, answer) => answer.end(JSON.stringify({ url, method, ...headers })),
    { accept: 'image/*' },
  );
  expect(JSON.parse(asked)).toMatchObject({
    method: 'GET',
    url: '/a?b=c',
    accept: 'image/*',
    'accept-encoding': 'identity',
    'user-agent': 'Platen/1',
  });
});
test('no proxy of the environment comes between', async () => {
  await using trap = await canary();
  const before = { ...process.env };
  Object.assign(process.env, {
    HTTP_PROXY: `http://127.0.0.1:${trap.port}`,
    http_proxy: `http://127.0.0.1:${trap.port}`,
  });
  try {
    expect(await get((_, answer) => answer.end('hello'))).toBe('hello');
  } finally {
    process.env = before;
  }
  expect(trap.hits()).toBe(0);
});

test('a status that is none of success', () =>
  refused(
    get((_, answer) => answer.writeHead(404).end('secret')),
    'The server answered 404.',
  ));
test('a file of just the size', async () =>
  expect(await get((_, answer) => answer.end('x'.repeat(1000)))).toHaveLength(1000));
test('a file announced too large', () =>
  refused(
    get((_, answer) => answer.writeHead(200, { 'content-length': 10 ** 9 }).end('x')),
    /larger than 0 MiB/,
  ));
test('a file that is larger than nobody said', () =>
  refused(
    get((_, answer) => {
      const more = () => {
        while (answer.writable && answer.write('x'.repeat(500)));
      };
      answer.on('drain', more);
      more();
    }),
    /larger than/,
  ));
test('a compressed answer', () =>
  refused(
    get((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'))),
    /compressed/,
  ));
test('a server that says nothing', () =>
  refused(
    get(() => {}, { timeout: 100 }),
    'The server did not answer in time.',
  ));
test('a server that drips', () =>
  refused(
    get(
      (_, answer) => {
        const drip = setInterval(() => answer.write('x'), 10);
        answer.on('close', () => clearInterval(drip));
      },
      { timeout: 150 },
    ),
    'The server did not answer in time.',
  ));
test('a server that hangs up', () =>
  refused(
    get(({ socket }) => socket.destroy()),
    'The connection to the server failed.',
  ));
test('a body that breaks off', () =>
  refused(
    get((_, answer) => {
      answer.writeHead(200, { 'content-length': 100 });
      answer.write('x', () => answer.destroy());
    }),
    'The connection to the server failed.',
  ));
test('nobody listens', async () => {
  const closed = await serve(() => {});
  await closed[Symbol.asyncDispose]();
  await refused(
    clientFor().get(`http://127.0.0.1:${closed.port}/`, { maxBytes: 1 }),
    /connection to the server failed/,
  );
});
test('the caller gives up', () =>
  expect(get(() => {}, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough'));
test('a denied URL opens no socket', async () => {
  await using trap = await canary();
  await notAllowed(clientFor(guardFor([])).get(`http://127.0.0.1:${trap.port}/`, { maxBytes: 1 }));
  expect(trap.hits()).toBe(0);
});
test('a name that does not resolve', () =>
  notAllowed(clientFor(guardFor([])).get('http://missing.example.com/', { maxBytes: 1 })));

/** A handler: `/` redirects to `location`, `/loop/N` to `/loop/N-1`; `/end` and `/loop/0` answer. */
const redirecting =
  (status: number, location: string): RequestListener =>
  ({ url = '' }, answer) => {
    if (url === '/end' || url === '/loop/0') return void answer.end('arrived');
    const loop = /^\/loop\/(\d+)$/.exec(url);
    answer.writeHead(status, { location: loop ? `/loop/${Number(loop[1]) - 1}` : location }).end('ignored');
  };
for (const status of [301, 302, 303, 307, 308]) {
  test(`${status} is followed`, async () => expect(await get(redirecting(status, '/end'), {}, '/')).toBe('arrived'));
}
test('300 is not', () => refused(get(redirecting(300, '/end'), {}, '/'), 'The server answered 300.'));
test('three redirects', async () => expect(await get(redirecting(302, ''), {}, '/loop/3')).toBe('arrived'));
test('four are too many', () => refused(get(redirecting(302, ''), {}, '/loop/4'), /more than 3 times/));
test('a redirect to nowhere', () => notAllowed(get(redirecting(302, 'http://'), {}, '/')));

const corpus: { redirect_cases: { id: string; situation: string }[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../corpora/ssrf.json'), 'utf8'),
);
/** Targets of the cases whose description contains no address. */
const LOCATIONS: Readonly<Record<string, string>> = {
  R12: 'http://user:secret@8.8.8.8/',
  R13: 'http://8.8.8.8:6379/',
};
for (const { id, situation } of corpus.redirect_cases) {
  test.skipIf(!hasSecondLoopback)(`${id} ${situation}`, async () => {
    const status = Number(/^\d{3}/.exec(situation)?.[0] ?? 302);
    const location = LOCATIONS[id] ?? /-> (\S+)/.exec(situation)?.[1] ?? '';
    await using server = await serve(redirecting(status, location), '127.0.0.2');
    await using trap = await canary('127.0.0.1', server.port);
    const to = location.replace('127.0.0.1:9001', `127.0.0.1:${server.port}`);
    await using redirector = await serve(redirecting(status, to), '127.0.0.2');
    const client = clientFor(guardFor(['127.0.0.2/32']));
    const fetched = client.get(`http://127.0.0.2:${redirector.port}/`, { maxBytes: 100 });
    await notAllowed(fetched);
    // Where a server redirects to may be known to nobody else.
    await expect(fetched).rejects.toMatchObject({
      explanation: expect.stringMatching(/^Its host .* check the spelling/),
    });
    expect(trap.hits()).toBe(0);
  });
}

const pem = readFileSync(join(import.meta.dirname, 'fixtures/images.test.pem'), 'utf8');
const names = fakeResolver({ 'images.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] });
const secure = () => listen(createTlsServer({ key: pem, cert: pem }, (_, answer) => answer.end('secret')));
test('TLS, by name', async () => {
  await using server = await secure();
  const client = clientFor(guardFor(['127.0.0.1/32'], names), pem);
  const { bytes } = await client.get(`https://images.test:${server.port}/`, { maxBytes: 100 });
  expect(Buffer.from(bytes).toString()).toBe('secret');
});
test('TLS, by address', async () => {
  await using server = await secure();
  const client = clientFor(guardFor(['127.0.0.1/32'], names), pem);
  expect((await client.get(`https://127.0.0.1:${server.port}/`, { maxBytes: 100 })).status).toBe(200);
});
test('TLS, in a name that the certificate has not', async () => {
  await using server = await secure();
  const client = clientFor(guardFor(['127.0.0.1/32'], names), pem);
  await refused(client.get(`https://other.test:${server.port}/`, { maxBytes: 100 }), /certificate/);
});
test('TLS, by an authority that nobody knows', async () => {
  await using server = await secure();
  const client = clientFor(guardFor(['127.0.0.1/32'], names));
  await refused(client.get(`https://images.test:${server.port}/`, { maxBytes: 100 }), /certificate/);
});

/** Posts a webhook to a server with this handler. Returns the answer. */
async function post(answer: RequestListener, timeout = 5000): Promise<{ status: number; bytes: Uint8Array }> {
  await using server = await serve(answer);
  const headers = { 'content-type': 'application/json', 'x-platen-signature': 'sha256=00' };
  return await clientFor().post(`http://127.0.0.1:${server.port}/hook`, Buffer.from('{"id":1}'), { headers, timeout });
}
test('a post is delivered byte for byte', async () => {
  const { status, bytes } = await post(async (request, answer) => {
    const body = (await request.toArray()).join('');
    answer.writeHead(201).end(`${request.method} ${request.headers['x-platen-signature']} ${body}`);
  });
  expect(`${status} ${Buffer.from(bytes).toString()}`).toBe('201 POST sha256=00 {"id":1}');
});
test('a redirect is an answer', async () =>
  expect((await post((_, answer) => answer.writeHead(302, { location: '/x' }).end())).status).toBe(302));
test('a failure is an answer', async () =>
  expect((await post((_, answer) => answer.writeHead(500).end('no'))).status).toBe(500));
test('64 KiB of the answer are read', async () =>
  expect((await post((_, answer) => answer.end('x'.repeat(10 ** 6)))).bytes).toHaveLength(64 * 1024));
test('a body that never ends does not take the status back', async () =>
  expect((await post((_, answer) => answer.write('x'), 200)).status).toBe(200));
test('no answer is a failure', () =>
  refused(
    post(() => {}, 100),
    'The server did not answer in time.',
  ));
test('a webhook to a denied address', () =>
  notAllowed(clientFor(guardFor([])).post('http://10.0.0.1/', Buffer.from(''), { headers: {} })));
