import { expect, test } from 'vitest';
import { MemoryBudget } from '#draw/images/memory-budget.ts';

/** Checks how many of these tasks run at the same time, at most. */
async function check(bytes: readonly number[], expected: number, budget = new MemoryBudget(100)): Promise<void> {
  let running = 0;
  let most = 0;
  await Promise.all(
    bytes.map((count) =>
      budget.run(count, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(expected);
}

test('what fits together runs together', () => check(Array(100).fill(1), 100));
test('and no more than fits', () => check(Array(10).fill(33), 3));
test('more than all counts as all', () => check([200, 200], 1));
test('a small piece does not pass a large one that came first', async () => {
  const order: string[] = [];
  const budget = new MemoryBudget(100);
  const note = (name: string) => async () => {
    order.push(name);
    await new Promise(setImmediate);
  };
  await Promise.all([budget.run(60, note('a')), budget.run(60, note('b')), budget.run(1, note('c'))]);
  expect(order).toEqual(['a', 'b', 'c']);
});
test('a failure gives its share back', async () => {
  const budget = new MemoryBudget(100);
  for (let round = 0; round < 10; round += 1) {
    await expect(budget.run(70, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  await check([100], 1, budget);
});
test('whoever waits too long is told so, and lets those behind pass', async () => {
  const budget = new MemoryBudget(100);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = budget.run(60, () => promise);
  const large = budget.run(100, async () => 'never', 20);
  const behind = budget.run(40, async () => 'passed', 60_000);
  await expect(large).rejects.toMatchObject({ code: 'overloaded' });
  expect(await behind).toBe('passed');
  resolve();
  await first;
});
