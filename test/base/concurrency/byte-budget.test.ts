import { expect, test, vi } from 'vitest';
import { ByteBudget } from '#base/concurrency/byte-budget.ts';

const budget = () => new ByteBudget({ total: 100, share: 60, patience: 10_000 });
/** Resolves to whether the promise is settled by now. */
const settled = (promise: Promise<unknown>) => {
  const not = Symbol();
  return Promise.race([promise.catch(() => {}), new Promise((resolve) => setImmediate(resolve, not))]).then(
    (first) => first !== not,
  );
};

test('an account gets its share; what it asks for beyond that waits, while another is served', async () => {
  const bytes = budget();
  using first = await bytes.take('a', 50);
  const second = bytes.take('a', 20);
  expect(await settled(second)).toBe(false);
  using _other = await bytes.take('b', 40);
  expect(bytes.used).toBe(90);
  first[Symbol.dispose]();
  using _second = await second;
  expect(bytes.used).toBe(60);
});

test('more than the share counts as the share', async () => {
  const bytes = budget();
  using _all = await bytes.take('a', 1_000);
  expect(bytes.used).toBe(60);
});

test('given back once, however often it is disposed of, and in part', async () => {
  const bytes = budget();
  const loan = await bytes.take('a', 50);
  loan.shrink(80);
  loan.shrink(10);
  expect(bytes.used).toBe(10);
  loan[Symbol.dispose]();
  loan[Symbol.dispose]();
  expect(bytes.used).toBe(0);
});

test('what is given back goes to the account that holds least', async () => {
  const bytes = budget();
  const [a, b] = [await bytes.take('a', 50), await bytes.take('b', 50)];
  const order: string[] = [];
  const more = bytes.take('a', 10).then(() => order.push('a'));
  const fresh = bytes.take('c', 10).then(() => order.push('c'));
  b.shrink(40);
  await Promise.all([fresh, settled(more)]);
  expect(order[0]).toBe('c');
  a[Symbol.dispose]();
  await more;
});

test('an account whose share is taken does not hold up others', async () => {
  const bytes = budget();
  using _a = await bytes.take('a', 60);
  const b = await bytes.take('b', 40);
  const [mine, other] = [bytes.take('a', 30), bytes.take('c', 30)];
  b[Symbol.dispose]();
  using _other = await other;
  expect(await settled(mine)).toBe(false);
});

test('a wait has an end: the account is told that it holds too much, or that the server is busy', async () => {
  vi.useFakeTimers();
  try {
    const bytes = budget();
    const a = await bytes.take('a', 60);
    using _b = await bytes.take('b', 40);
    const own = expect(bytes.take('a', 30)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 5 });
    const others = expect(bytes.take('c', 30)).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
    await vi.advanceTimersByTimeAsync(10_000);
    await own;
    await others;
    a[Symbol.dispose]();
    using _later = await bytes.take('c', 30);
    expect(bytes.used).toBe(70);
  } finally {
    vi.useRealTimers();
  }
});
