import { expect, test } from 'vitest';
import { openStorage } from '#server/storage/storage.ts';
import { NOW, storageUnderTest } from './open-storage.ts';

const PERIOD = '2026-11';
const unit = (renderId: string) => ({ renderId, accountId: 'acc_a', period: PERIOD });
const LATER = new Date(NOW.getTime() + 60_000);

test('a unit goes from reserved to used', async () => {
  await using opened = await storageUnderTest();
  const { usage } = opened.storage;
  expect(await usage.reserve(unit('rnd_1'), 5, LATER)).toBe(true);
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 0, reserved: 1 });
  await usage.commit(unit('rnd_1'));
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 1, reserved: 0 });
});

test('a unit is counted once, however often it is committed or given back', async () => {
  await using opened = await storageUnderTest();
  const { usage } = opened.storage;
  await usage.reserve(unit('rnd_1'), 5, LATER);
  await usage.commit(unit('rnd_1'));
  await usage.commit(unit('rnd_1'));
  await usage.release('rnd_1');
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 1, reserved: 0 });
});

test('a unit that was not set aside is counted once, beside those that were', async () => {
  await using opened = await storageUnderTest();
  const { usage } = opened.storage;
  await usage.commit(unit('rnd_1'));
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 1, reserved: 0 });
  await usage.reserve(unit('rnd_2'), null, LATER);
  await usage.commit(unit('rnd_1'));
  await usage.commit(unit('rnd_3'));
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 2, reserved: 1 });
});

test('a unit that is given back can be had again', async () => {
  await using opened = await storageUnderTest();
  const { usage } = opened.storage;
  expect(await usage.reserve(unit('rnd_1'), 1, LATER)).toBe(true);
  expect(await usage.reserve(unit('rnd_2'), 1, LATER)).toBe(false);
  await usage.release('rnd_1');
  await usage.release('rnd_1');
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 0, reserved: 0 });
  expect(await usage.reserve(unit('rnd_2'), 1, LATER)).toBe(true);
});

test('a refusal changes nothing', async () => {
  await using opened = await storageUnderTest();
  const { usage } = opened.storage;
  expect(await usage.reserve(unit('rnd_1'), 0, LATER)).toBe(false);
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 0, reserved: 0 });
});

test('what a killed process had reserved lapses; what is used or has no end does not', async () => {
  await using opened = await storageUnderTest();
  const { usage } = opened.storage;
  await usage.reserve(unit('rnd_killed'), 5, NOW);
  await usage.reserve(unit('rnd_running'), 5, LATER);
  await usage.reserve(unit('rnd_job'), 5, null);
  await usage.reserve(unit('rnd_used'), 5, NOW);
  await usage.commit(unit('rnd_used'));
  expect(await usage.releaseExpired('acc_a', new Date(NOW.getTime() + 1))).toBe(1);
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 1, reserved: 2 });
});

test('an asset that is delivered after its reservation lapsed is still counted', async () => {
  await using opened = await storageUnderTest();
  const { usage } = opened.storage;
  await usage.reserve(unit('rnd_1'), 5, NOW);
  await usage.releaseExpired('acc_a', LATER);
  await usage.commit(unit('rnd_1'));
  expect(await usage.totals('acc_a', PERIOD)).toEqual({ used: 1, reserved: 0 });
});

test('of 200 at once with 10 left exactly 10 get one, over two connections', async () => {
  await using opened = await storageUnderTest();
  await using other = await openStorage(opened.location);
  const wishes = Array.from({ length: 200 }, (_, index) =>
    (index % 2 === 0 ? opened.storage : other).usage.reserve(unit(`rnd_${index}`), 10, LATER),
  );
  expect((await Promise.all(wishes)).filter(Boolean)).toHaveLength(10);
  expect(await other.usage.totals('acc_a', PERIOD)).toEqual({ used: 0, reserved: 10 });
});
