import { expect, test } from 'vitest';
import { Leases } from '#server/service/leases.ts';
import { NOW, storageUnderTest } from '../storage/open-storage.ts';

async function twoServers() {
  const opened = await storageUnderTest();
  const { storage } = opened;
  const time = { now: NOW };
  const pass = (ms: number) => {
    time.now = new Date(time.now.getTime() + ms);
  };
  const server = (holder: string) => new Leases({ storage, clock: () => time.now, holder, alone: false });
  return { ...opened, pass, one: server('one'), other: server('other') };
}

test('who comes second waits, and takes what the first has made', async () => {
  await using servers = await twoServers();
  let made: string | null = null;
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ask = (who: 'one' | 'other') =>
    servers[who].once(
      'work',
      10_000,
      async () => made,
      async () => {
        begun.push(who);
        await gate.promise;
        made = `by ${who}`;
        return made;
      },
    );
  const first = ask('one');
  await expect.poll(() => begun).toEqual(['one']);
  const second = ask('other');
  gate.resolve();
  expect(await Promise.all([first, second])).toEqual(['by one', 'by one']);
  expect(begun).toEqual(['one']);
});

test('what failed at one server is tried by the next', async () => {
  await using servers = await twoServers();
  const nothing = async () => null;
  const failed = servers.one.once('work', 1_000, nothing, () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(await servers.other.once('work', 1_000, nothing, async () => 'done')).toBe('done');
});

test('a server whose lease lapsed records nothing any more', async () => {
  await using servers = await twoServers();
  const nothing = async () => null;
  const recorded = servers.one.once('work', 1_000, nothing, async (late) => {
    servers.pass(20_000);
    await servers.other.once('work', 1_000, nothing, (lease) => servers.storage.transaction((tx) => lease.fence(tx)));
    return servers.storage.transaction((tx) => late.fence(tx));
  });
  await expect(recorded).rejects.toMatchObject({ code: 'overloaded', retryAfter: 2 });
});

test('whoever waits for too long is told to come back', async () => {
  await using servers = await twoServers();
  const nothing = async () => null;
  const tired = servers.one.once('work', 1_000, nothing, () =>
    servers.other.once('work', 10, nothing, async () => 'begun'),
  );
  await expect(tired).rejects.toMatchObject({ code: 'overloaded' });
});

test('what is done every hour is done by one of them', async () => {
  await using servers = await twoServers();
  const turns = async () => [
    await servers.one.isFirstThisPeriod('sweep', 3_600_000),
    await servers.other.isFirstThisPeriod('sweep', 3_600_000),
  ];
  expect(await turns()).toEqual([true, false]);
  servers.pass(3_600_000);
  expect((await turns()).filter(Boolean)).toHaveLength(1);
});
