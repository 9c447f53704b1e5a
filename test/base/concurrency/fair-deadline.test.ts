import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import {
  countThreadTime,
  isSlowItself,
  lackedIn,
  processorTimeIn,
  processorTimeOfProcess,
  whenLate,
} from '#base/concurrency/fair-deadline.ts';

/** What `late` was called with, and after how long at least. */
async function lateness(ms: number, used: () => number) {
  const begun = performance.now();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  whenLate(ms, async () => used(), resolve);
  return { isItsOwn: await promise, took: performance.now() - begun };
}

test('work that had a processor all the time is late after its time', async () => {
  const { isItsOwn, took } = await lateness(20, () => 20);
  expect(isItsOwn).toBe(true);
  expect(took).toBeGreaterThanOrEqual(19);
});

test('work that had none is late after four times its time, and not by itself', async () => {
  const { isItsOwn, took } = await lateness(20, () => 5);
  expect(isItsOwn).toBe(false);
  expect(took).toBeGreaterThanOrEqual(79);
});

test('work that is given a processor later is late by itself', async () => {
  let used = 0;
  expect((await lateness(20, () => (used += 8))).isItsOwn).toBe(true);
});

test('work that has ended is not late', async () => {
  let isLate = false;
  whenLate(
    5,
    async () => 5,
    () => (isLate = true),
  )();
  await sleep(30);
  expect(isLate).toBe(false);
  expect([isSlowItself(89, 100), isSlowItself(90, 100)]).toEqual([false, true]);
});

test('the processor time of a thread is told while it is in a loop', async () => {
  const worker = new Worker('for (;;);', { eval: true });
  await new Promise((resolve) => worker.once('online', resolve));
  const used = countThreadTime(worker);
  await expect.poll(used, { timeout: 20_000 }).toBeGreaterThan(20);
  await worker.terminate();
  expect(await used()).toBe(0);
});

test('a thread that does not say what it used has used no more than its process', async () => {
  const used = countThreadTime({ cpuUsage: () => new Promise(() => {}) } as unknown as Worker);
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await sleep(500);
  const told = await used();
  const { user, system } = process.cpuUsage(before);
  expect(told).toBeLessThanOrEqual(Math.min(performance.now() - begun, (user + system) / 1e3) + 20);
});

test('how much of a minute some task waited for a processor is read from the pressure of the system', () => {
  const told =
    'some avg10=97.86 avg60=42.50 avg300=1.04 total=13648562483\nfull avg10=0.00 avg60=9.00 avg300=0.00 total=0\n';
  expect([lackedIn(told), lackedIn(''), lackedIn('some avg10=1.00')]).toEqual([0.425, 0, 0]);
});

test('the processor time of a process is read from /proc, whatever it is called', async () => {
  expect(processorTimeIn('42 (a) (b) S 1 42 42 0 -1 4194560 1 0 0 0 7 3 99 99 20 0 1 0 5')).toBe(100);
  if (process.platform !== 'linux') return;
  const { user, system } = process.cpuUsage();
  expect(await processorTimeOfProcess(process.pid)).toBeGreaterThanOrEqual((user + system) / 1e3 - 50);
});
