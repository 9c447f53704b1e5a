import { expect, test } from 'vitest';
import { withinBudget } from '#images/decode-budget.ts';

/** How many of these run at the same time, at most. */
async function check(pixels: readonly number[], expected: number): Promise<void> {
  let running = 0;
  let most = 0;
  await Promise.all(
    pixels.map((count) =>
      withinBudget(count, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(expected);
}

test('small images all at once', () => check(Array(100).fill(1_000_000), 100));
test('three of the largest', () => check(Array(10).fill(50_000_000), 3));
test('one beyond the budget, alone', () => check([200_000_000, 200_000_000], 1));
test('a failure gives its share back', async () => {
  for (let round = 0; round < 10; round += 1) {
    await expect(withinBudget(100_000_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  await check([150_000_000], 1);
});
