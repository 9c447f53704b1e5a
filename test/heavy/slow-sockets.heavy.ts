// Clients that dribble: two thousand of them neither slow the others down much nor stay for long.

import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { serverUnderTest } from '../http/server-under-test.ts';

const SOCKETS = 2_000;
const REQUESTS = 200;
/** A slow socket must be closed by then, ms. */
const PATIENCE = 35_000;

/** Sends a header line a second, and never the last. */
function dribble(port: number): { socket: Socket; closed: Promise<number> } {
  const start = performance.now();
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<number>((resolve) => socket.on('close', () => resolve(performance.now() - start)));
  socket.on('error', () => {});
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n');
  const timer = setInterval(() => socket.write('x: y\r\n'), 1_000);
  socket.on('close', () => clearInterval(timer));
  return { socket, closed };
}

async function p99(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let done = 0; done < REQUESTS; done += 1) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)] ?? 0;
}

test(`${SOCKETS} slow sockets: others are answered, and all are closed within 35 s`, { timeout: 120_000 }, async () => {
  await using server = await serverUnderTest();
  const ask = () => server.ask('/v1/account');
  const before = await p99(ask);
  const slow = Array.from({ length: SOCKETS }, () => dribble(server.port));
  const during = await p99(ask);
  const lives = await Promise.all(slow.map(({ closed }) => closed));
  console.log({ before, during, longest: Math.max(...lives) });
  expect(Math.max(...lives)).toBeLessThan(PATIENCE);
  expect((await ask()).status).toBe(200);
  // Their dribbling is done by this very process, on the same event loop as the server.
  expect(during).toBeLessThan(Math.max(250, before * 10));
});
