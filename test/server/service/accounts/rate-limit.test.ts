import { expect, test } from 'vitest';
import { RateLimit } from '#server/service/accounts/rate-limit.ts';

function limitAt(perMinute: number) {
  let now = 0;
  const limit = new RateLimit(perMinute, () => new Date(now));
  return {
    take: (key = 'a') => limit.take(key),
    wait(ms: number) {
      now += ms;
    },
  };
}

test('as many as allowed, then a wait', () => {
  const { take, wait } = limitAt(2);
  take();
  take();
  expect(() => take()).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfter: 30 }));
  wait(30_000);
  take();
  expect(() => take()).toThrow();
});

test('each key has its own', () => {
  const { take } = limitAt(1);
  take('a');
  take('b');
  expect(() => take('a')).toThrow();
});

test('zero is no limit', () => {
  const { take } = limitAt(0);
  for (let count = 0; count < 1000; count += 1) take();
});

test('a clock that goes back gives nothing and takes nothing', () => {
  const { take, wait } = limitAt(2);
  take();
  wait(-60_000);
  take();
  expect(() => take()).toThrow();
});
