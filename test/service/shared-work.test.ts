import { expect, test } from 'vitest';
import { SharedWork } from '#service/shared-work.ts';

test('equal work is done once, other work beside it, and again when it is over', async () => {
  const shared = new SharedWork<string>();
  const started: string[] = [];
  const ask = (key: string) =>
    shared.run(key, async () => {
      started.push(key);
      return `${key} ${started.length}`;
    });
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual(['a 1', 'a 1', 'b 2']);
  expect(await ask('a')).toBe('a 3');
});

test('a failure is everybody’s, and not kept', async () => {
  const shared = new SharedWork<string>();
  const fail = () => shared.run('a', () => Promise.reject(new Error('no pixels')));
  const [first, second] = await Promise.allSettled([fail(), fail()]);
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
  expect(await shared.run('a', async () => 'drawn')).toBe('drawn');
});
