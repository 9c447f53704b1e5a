import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { admitFairly } from '#server/http/middleware/fair-admission.ts';

const asked = (authorization: string | undefined, name: string, remoteAddress = '::1') =>
  ({ headers: { authorization }, socket: { remoteAddress }, url: name }) as unknown as IncomingMessage;
const whose = ({ headers, socket }: IncomingMessage) => headers.authorization ?? socket.remoteAddress ?? '';
const answer = {} as ServerResponse;

test('keys take turns, and each key has its own order', async () => {
  const order: string[] = [];
  const listen = admitFairly((request) => order.push(request.url ?? ''), whose);
  for (const name of ['a1', 'a2', 'a3']) listen(asked('a', name), answer);
  listen(asked('b', 'b1'), answer);
  listen(asked(undefined, 'c1', '::2'), answer);
  listen(asked(undefined, 'd1', '::3'), answer);
  expect(order).toEqual([]);
  while (order.length < 6) await setImmediate();
  expect(order).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'a3']);
});

test('while requests arrive one is let in in each turn of the loop, so that the next connection is soon accepted', async () => {
  const order: string[] = [];
  const listen = admitFairly((request) => order.push(request.url ?? ''), whose, { stretch: 1_000 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) listen(asked('a', name), answer);
  await setImmediate();
  expect(order).toEqual(['a1']);
  listen(asked('b', 'b1'), answer);
  await setImmediate();
  expect(order).toEqual(['a1', 'a2']);
  await setImmediate();
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

test('what takes longer than a stretch goes on in the next turn of the loop', async () => {
  const order: string[] = [];
  const listen = admitFairly((request) => order.push(request.url ?? ''), whose, { stretch: 0 });
  for (const name of ['a1', 'a2']) listen(asked('a', name), answer);
  await setImmediate();
  expect(order).toEqual(['a1']);
  listen(asked('b', 'b1'), answer);
  await setImmediate();
  await setImmediate();
  expect(order.toSorted()).toEqual(['a1', 'a2', 'b1']);
});

const BURST = { stretch: 1_000, burst: 0, pace: 60_000, longest: 60_000 };

test('while a burst keeps arriving one is let in at a time, and the others when none arrives', async () => {
  const order: string[] = [];
  const listen = admitFairly((request) => order.push(request.url ?? ''), whose, BURST);
  for (const name of ['a1', 'a2', 'a3']) {
    listen(asked('a', name), answer);
    await setImmediate();
    expect(order).toEqual(['a1']);
  }
  listen(asked('b', 'b1'), answer);
  await setImmediate();
  expect(order).toEqual(['a1']);
  await setImmediate();
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test.each([
  ['few waiting requests', { burst: 100 }],
  ['a load that does not end', { longest: 0 }],
])('%s are let in in every turn of the loop', async (_, pacing) => {
  const order: string[] = [];
  const listen = admitFairly((request) => order.push(request.url ?? ''), whose, { ...BURST, ...pacing });
  for (const name of ['a1', 'a2', 'a3']) {
    listen(asked('a', name), answer);
    await setImmediate();
  }
  expect(order).toEqual(['a1', 'a2', 'a3']);
});
