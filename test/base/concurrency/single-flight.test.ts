import { expect, test } from 'vitest';
import { SingleFlight } from '#base/concurrency/single-flight.ts';

test('equal work is done once, other work beside it, and again when it is over', async () => {
  const shared = new SingleFlight<string>();
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
  const shared = new SingleFlight<string>();
  const fail = () => shared.run('a', () => Promise.reject(new Error('no pixels')));
  const [first, second] = await Promise.allSettled([fail(), fail()]);
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected']);
  expect(await shared.run('a', async () => 'drawn')).toBe('drawn');
});

test('a result is released after its last use, unless somebody keeps it or a use fails', async () => {
  const released: string[] = [];
  const shared = new SingleFlight<string>((made) => released.push(made));
  const use = (key: string, until: Promise<unknown>) =>
    shared.use(
      key,
      async () => key,
      () => until,
    );
  const [soon, late] = [Promise.resolve(), Promise.withResolvers<void>()];

  const both = [use('used twice', soon), use('used twice', late.promise)];
  await both[0];
  expect(released).toEqual([]);
  late.resolve();
  await Promise.all(both);
  expect(released).toEqual(['used twice']);

  await Promise.all([use('kept', soon), shared.run('kept', async () => 'kept')]);
  await Promise.allSettled([use('failed', Promise.reject(new Error('disk full'))), use('failed', soon)]);
  expect(released).toEqual(['used twice']);
});
