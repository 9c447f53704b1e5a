// Tests with fake timers when the server cuts off a client that reads slowly. The heavy suite does so with real
// sockets.

import { EventEmitter } from 'node:events';
import type { Context } from 'koa';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cutOffSlowReaders } from '#server/http/middleware/slow-readers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The second at which an answer is cut off whose client reads `rate` bytes a second; null = never. */
async function brokenOff(length: number, rate: number, isKnown = true): Promise<number | null> {
  let destroyed = false;
  const res = Object.assign(new EventEmitter(), { destroyed: false, destroy: () => (destroyed = true) });
  const socket = { bytesWritten: 0, writableLength: 0 };
  const response = isKnown ? { length } : {};
  await cutOffSlowReaders()({ res, req: { socket }, response } as unknown as Context, async () => {});
  for (let second = 1; second < 10_000; second += 1) {
    socket.bytesWritten = Math.min(length, second * rate);
    if (socket.bytesWritten === length) {
      res.emit('close');
      vi.advanceTimersByTime(1_000_000);
      return destroyed ? second : null;
    }
    vi.advanceTimersByTime(1_000);
    if (!destroyed) continue;
    expect(vi.getTimerCount()).toBe(0);
    return second;
  }
  throw new Error('it never ends');
}

const MB = 2 ** 20;
test('who reads is let be', async () => expect(await brokenOff(MB, MB)).toBeNull());
test('so is who reads slowly', async () => expect(await brokenOff(10 * MB, 32 * 1024)).toBeNull());
test('nothing read in ten seconds', async () => expect(await brokenOff(MB, 0)).toBe(20));
test('too little read on the whole', async () => expect(await brokenOff(MB, 1_024)).toBe(60));
test('an answer of unknown length may take its time', async () => expect(await brokenOff(MB, 1_024, false)).toBeNull());
test('unless nothing is read', async () => expect(await brokenOff(MB, 0, false)).toBe(20));

test('who left before the answer was ready is not looked at', async () => {
  const res = Object.assign(new EventEmitter(), { destroyed: false });
  const koa = { res, req: { socket: {} }, response: { length: MB } } as unknown as Context;
  await cutOffSlowReaders()(koa, async () => {
    res.destroyed = true;
    res.emit('close');
  });
  expect(vi.getTimerCount()).toBe(0);
});
