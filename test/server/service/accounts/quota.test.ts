import { expect, test, vi } from 'vitest';
import { AppError } from '#base/errors.ts';
import { billingPeriod, Quota, type Ticket } from '#server/service/accounts/quota.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const PLANS = { free: { quota: 2, blocks: true }, pro: { quota: 2, blocks: false } };
const live = { accountId: 'acc_a', plan: 'free', kind: 'live' } as const;

async function quotaUnderTest() {
  const opened = await storageUnderTest();
  const clock = { now: NOW };
  const quota = new Quota(opened.storage.usage, PLANS, () => clock.now);
  return {
    ...opened,
    clock,
    quota,
    async deliver({ unit }: Ticket) {
      if (unit) await opened.storage.usage.commit(unit);
    },
    totals: () => opened.storage.usage.totals('acc_a', '2026-11'),
  };
}

test('the month is that of UTC', () => {
  expect(billingPeriod(new Date('2026-12-01T00:59:59+01:00'))).toBe('2026-11');
  expect(billingPeriod(new Date('2026-12-01T01:00:00+01:00'))).toBe('2026-12');
});

test('a unit that is not committed is given back', async () => {
  await using opened = await quotaUnderTest();
  {
    await using _ticket = await opened.quota.reserve(live, 'rnd_1');
    expect(await opened.totals()).toEqual({ used: 0, reserved: 1 });
  }
  expect(await opened.totals()).toEqual({ used: 0, reserved: 0 });
});

test('whoever cannot have a unit given back hears what went wrong before, and it lapses', async () => {
  await using opened = await quotaUnderTest();
  const { clock, quota, storage } = opened;
  vi.spyOn(storage.usage, 'release').mockRejectedValue(new AppError('overloaded', 'The database is busy.'));
  const render = async () => {
    await using _ticket = await quota.reserve(live, 'rnd_1');
    throw new AppError('overloaded', 'The disk is full.');
  };
  await expect(render()).rejects.toMatchObject({ code: 'overloaded', message: 'The disk is full.' });
  expect(await opened.totals()).toEqual({ used: 0, reserved: 1 });

  clock.now = new Date(NOW.getTime() + 120_001);
  for (const id of ['rnd_2', 'rnd_3']) await opened.deliver(await quota.reserve(live, id));
  expect(await opened.totals()).toEqual({ used: 2, reserved: 0 });
});

test('a unit that is committed is counted', async () => {
  await using opened = await quotaUnderTest();
  {
    await using ticket = await opened.quota.reserve(live, 'rnd_1');
    await opened.deliver(ticket);
  }
  expect(await opened.totals()).toEqual({ used: 1, reserved: 0 });
});

test('a blocking plan stops at its quota, counting what is under way', async () => {
  await using opened = await quotaUnderTest();
  await using _one = await opened.quota.reserve(live, 'rnd_1');
  await using _two = await opened.quota.reserve(live, 'rnd_2');
  await expect(opened.quota.reserve(live, 'rnd_3')).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: 'The 2 renders a month of the plan "free" are used up; upgrade to continue.',
  });
});

test('a paid plan goes on, and counts', async () => {
  await using opened = await quotaUnderTest();
  for (const id of ['rnd_1', 'rnd_2', 'rnd_3']) {
    await using ticket = await opened.quota.reserve({ ...live, plan: 'pro' }, id);
    await opened.deliver(ticket);
  }
  expect(await opened.totals()).toEqual({ used: 3, reserved: 0 });
});

test('a test key is neither metered nor blocked', async () => {
  await using opened = await quotaUnderTest();
  for (const id of ['rnd_1', 'rnd_2', 'rnd_3']) {
    await using ticket = await opened.quota.reserve({ ...live, kind: 'test' }, id);
    await opened.deliver(ticket);
  }
  expect(await opened.totals()).toEqual({ used: 0, reserved: 0 });
});

test('a new month starts at zero', async () => {
  await using opened = await quotaUnderTest();
  for (const id of ['rnd_1', 'rnd_2']) {
    await using ticket = await opened.quota.reserve(live, id);
    await opened.deliver(ticket);
  }
  opened.clock.now = new Date('2026-12-01T00:00:00Z');
  await using _ticket = await opened.quota.reserve(live, 'rnd_3');
});

test('what a killed process had reserved is free again two minutes later', async () => {
  await using opened = await quotaUnderTest();
  // The reservations are never released, as after a kill.
  await opened.quota.reserve(live, 'rnd_1');
  await opened.quota.reserve(live, 'rnd_2');
  opened.clock.now = new Date(NOW.getTime() + 119_000);
  await expect(opened.quota.reserve(live, 'rnd_3')).rejects.toMatchObject({ code: 'quota_exceeded' });
  opened.clock.now = new Date(NOW.getTime() + 121_000);
  await using _ticket = await opened.quota.reserve(live, 'rnd_3');
});

test('a plan that is no longer configured is our fault, not the caller’s', async () => {
  await using opened = await quotaUnderTest();
  await expect(opened.quota.reserve({ ...live, plan: 'gold' }, 'rnd_1')).rejects.toThrow(
    'does not define the plan "gold"',
  );
});
