// Tests that one client's connections never take all that the server accepts.

import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type ConnectionLimit, limitConnections, networkOf } from '../../src/http/connection-limit.ts';

async function limited(limit: ConnectionLimit) {
  const server = createServer((_, response) => response.end('answered'));
  limitConnections(server, limit);
  server.maxConnections = 8;
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

test('addresses of one IPv6 /64 count together', () => {
  const shown = ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::1', '2001:db8::1', '::1'];
  expect(shown.map(networkOf)).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    '2001:db8:1:2::/64',
    '2001:db8:1:2::/64',
    '2001:db8:0:0::/64',
    '0:0:0:0::/64',
  ]);
});
