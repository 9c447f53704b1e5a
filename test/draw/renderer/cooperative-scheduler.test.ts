import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CooperativeScheduler } from '#draw/renderer/local-renderer.ts';

/** Works in stretches with pauses, as drawing does. */
async function work(turns: CooperativeScheduler, whose: string, stretches: number, order: string[]): Promise<void> {
  for (let stretch = 0; stretch < stretches; stretch++) {
    await turns.pause(whose);
    order.push(whose);
  }
}

test('a job of one account goes on after one stretch of another account, however many jobs that has', async () => {
  const turns = new CooperativeScheduler();
  const order: string[] = [];
  const busy = Array.from({ length: 4 }, () => work(turns, 'busy', 3, order));
  const other = work(turns, 'other', 3, order);
  await other;
  expect(order).toEqual(['busy', 'other', 'busy', 'other', 'busy', 'other']);
  await Promise.all(busy);
  expect(order).toHaveLength(15);
});

test('between two stretches the event loop goes round once', async () => {
  const turns = new CooperativeScheduler();
  const order: string[] = [];
  const all = Promise.all([work(turns, 'a', 2, order), work(turns, 'b', 2, order)]);
  for (let turn = 1; turn <= 4; turn++) {
    await setImmediate();
    expect(order).toHaveLength(turn);
  }
  await all;
});
