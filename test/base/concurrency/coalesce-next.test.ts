import { expect, test } from 'vitest';
import { coalesceNext } from '#base/concurrency/coalesce-next.ts';

/** Coalesced work whose runs end one by one when the test says so. */
function slowWork() {
  const begun: PromiseWithResolvers<void>[] = [];
  const ask = coalesceNext(() => {
    const piece = Promise.withResolvers<void>();
    begun.push(piece);
    return piece.promise;
  });
  return { ask, begun };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('those who ask at the same time share one piece of work', async () => {
  const { ask, begun } = slowWork();
  const asked = Promise.all([ask(), ask(), ask()]);
  await turn();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await asked;
});

test('who asks while it is under way is served by the next, which they share', async () => {
  const { ask, begun } = slowWork();
  const first = ask();
  await turn();
  let served = 0;
  const late = [ask(), ask()].map((asked) => asked.then(() => served++));
  begun[0]?.resolve();
  await first;
  await turn();
  expect([begun.length, served]).toEqual([2, 0]);
  begun[1]?.resolve();
  await Promise.all(late);
  expect(served).toBe(2);
});

test('a failure is told to those whom it concerns, and to nobody after them', async () => {
  const { ask, begun } = slowWork();
  const first = ask();
  await turn();
  const late = ask();
  begun[0]?.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await turn();
  begun[1]?.resolve();
  await late;
});
