// Tests that one client's connections never take all that the server accepts.

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { type ConnectionLimit, limitConnections } from '#server/http/middleware/connection-limit.ts';
import { type ServerUnderTest, serverUnderTest } from '../server-under-test.ts';

async function limited(limit: Omit<ConnectionLimit, 'all'>) {
  const server = createServer(({ url }, response) => void (url === '/slow' || response.end('answered')));
  limitConnections(server, { ...limit, all: 8 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    /** Opens connections from an address and sends `begun` over each; returns how many are still open. */
    async hold(count: number, localAddress: string, begun: string): Promise<number> {
      const before = sockets.length;
      let closed = 0;
      for (let index = 0; index < count; index += 1) {
        const socket = connect({ port, host: '127.0.0.1', localAddress });
        socket
          .on('error', () => {})
          .on('close', () => {
            closed += 1;
          });
        await once(socket, 'connect');
        socket.write(begun);
        sockets.push(socket.resume());
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      return sockets.length - before - closed;
    },
    /** The status of a request from an address, or the code of its failure. */
    async ask(localAddress: string): Promise<number | string> {
      const asked = request({ port, host: '127.0.0.1', localAddress, agent: false }).end();
      const { promise, resolve } = Promise.withResolvers<number | string>();
      asked.on('response', (answer) => resolve(answer.resume().statusCode ?? 0));
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      return promise;
    },
    close: (index: number) => sockets[index]?.destroy(),
    isOpen: (index: number) => sockets[index]?.destroyed === false,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close().closeAllConnections();
    },
  };
}

const HALVES = {
  idle: '',
  'half a header': 'GET / HTTP/1.1\r\nhost: x',
  'half a body': 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n1',
};

for (const [name, begun] of Object.entries(HALVES)) {
  test(`one client's connections leave room for others: ${name}`, async () => {
    await using server = await limited({ most: 5, isProxy: () => false });
    expect(await server.hold(12, '127.0.0.2', begun)).toBe(5);
    expect([await server.ask('127.0.0.2'), await server.ask('127.0.0.3')]).toEqual(['ECONNRESET', 200]);
  });
}

test('a connection that is closed makes room for another', async () => {
  await using server = await limited({ most: 2, isProxy: () => false });
  expect(await server.hold(2, '127.0.0.2', '')).toBe(2);
  expect(await server.ask('127.0.0.2')).toBe('ECONNRESET');
  server.close(0);
  await expect.poll(() => server.ask('127.0.0.2')).toBe(200);
});

test('a proxy is not limited, and 0 limits nobody', async () => {
  await using proxied = await limited({ most: 2, isProxy: (address) => address === '127.0.0.2' });
  expect(await proxied.hold(6, '127.0.0.2', '')).toBe(6);
  await using unlimited = await limited({ most: 0, isProxy: () => false });
  expect(await unlimited.hold(6, '127.0.0.2', '')).toBe(6);
});

for (const [name, begun] of Object.entries(HALVES)) {
  test(`connections that wait make room for others when all are taken: ${name}`, async () => {
    await using server = await limited({ most: 5, isProxy: (address) => address === '127.0.0.2' });
    // What may be a proxy is not limited, and yet it shuts out nobody.
    expect(await server.hold(12, '127.0.0.2', begun)).toBe(8);
    expect([await server.ask('127.0.0.3'), await server.ask('127.0.0.2')]).toEqual([200, 200]);
    // Nor do two addresses. Whoever has fewer keeps what it has.
    await using shared = await limited({ most: 5, isProxy: () => false });
    expect(await shared.hold(1, '127.0.0.4', begun)).toBe(1);
    await shared.hold(5, '127.0.0.2', begun);
    await shared.hold(5, '127.0.0.3', begun);
    expect(await shared.ask('127.0.0.5')).toBe(200);
    expect(shared.isOpen(0)).toBe(true);
  });
}

test('a request under way keeps its connection when all are taken', async () => {
  await using server = await limited({ most: 0, isProxy: () => false });
  expect(await server.hold(4, '127.0.0.2', 'GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')).toBe(4);
  await server.hold(12, '127.0.0.2', '');
  expect([0, 1, 2, 3, 4].map(server.isOpen)).toEqual([true, true, true, true, false]);
  expect(await server.ask('127.0.0.3')).toBe(200);
});

test('a client behind a configured proxy has so many requests under way, and leaves the others to other clients', async () => {
  await using server = await serverUnderTest({
    PLATEN_PUBLIC_URL: 'https://img.example.com',
    PLATEN_CONNECTIONS_PER_ADDRESS: '5',
  });
  const sockets = Array.from({ length: 8 }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /v1/studio/session HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 198.51.100.1, 203.0.113.7\r\n');
    socket.write('content-type: application/json\r\norigin: http://x\r\ncontent-length: 9\r\n\r\n1');
    return socket;
  });
  const refused: string[] = [];
  for (const socket of sockets)
    void text(socket).then(
      (answer) => refused.push(answer),
      () => {},
    );
  await vi.waitFor(() => expect(refused).toHaveLength(3), { timeout: 10_000 });
  for (const answer of refused) expect(answer).toMatch(/^HTTP\/1\.1 429 /);
  expect(refused[0]).toMatch(/\r\nconnection: close\r\n/i);
  const ask = async (from: string) =>
    (await server.ask('/healthz', { key: null, headers: { 'x-forwarded-for': from } })).status;
  expect([await ask('203.0.113.7'), await ask('203.0.113.8')]).toEqual([429, 200]);
  for (const socket of sockets) socket.destroy();
});

test('wrong keys are counted by the client behind a configured proxy, and by the peer where none is', async () => {
  const env = { PLATEN_BAD_KEYS_PER_MINUTE: '1' };
  await using proxied = await serverUnderTest({ ...env, PLATEN_PUBLIC_URL: 'https://img.example.com' });
  await using direct = await serverUnderTest(env);
  const tried = async (server: ServerUnderTest, ...from: readonly string[]) => {
    const statuses: number[] = [];
    for (const client of from) {
      const headers = { 'x-forwarded-for': client };
      statuses.push((await server.ask('/v1/account', { key: 'plt_live_wrong', headers })).status);
    }
    return statuses;
  };
  expect(await tried(proxied, '203.0.113.7', '203.0.113.8', '203.0.113.7')).toEqual([401, 401, 429]);
  expect(await tried(direct, '203.0.113.7', '203.0.113.8')).toEqual([401, 429]);
});
