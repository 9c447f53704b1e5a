// Tests pg-boss as the job engine on a real PostgreSQL: order, attempts, jobs of a dead server, and the drain.

import { expect, test, vi } from 'vitest';
import { openEngine } from '#server/jobs/open-engine.ts';
import type { ClaimedJob } from '#server/storage/jobs.ts';
import { openStorage } from '#server/storage/storage.ts';
import { idleEngine } from '../../../nodes/nodes.ts';
import { newDatabaseAlone } from '../../storage/new-database.ts';
import { type Engines, openEngines } from './engines.ts';

const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

/** A `doJob` that runs `work` and marks the job's row as done. */
const finishing = (engines: Engines, begun: string[], work: (job: ClaimedJob) => Promise<void> = async () => {}) => {
  let runToEnd = 0;
  return async (job: ClaimedJob) => {
    runToEnd += 1;
    begun.push(`${job.id}, attempt ${job.attempt}, of ${runToEnd}`);
    await work(job);
    runToEnd -= 1;
    await engines.storage.transaction(async (stores) => {
      await stores.jobs.finish(job, { size: 1, digest: null, warnings: [] }, engines.storage.clock());
    });
    return null;
  };
};

test('ten engines that are opened at once on an empty database all start', async () => {
  await using made = await newDatabaseAlone('empty');
  const opened = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const storage = await openStorage(made.location);
      return { storage, engine: await openEngine(idleEngine({ database: made.location, storage })) };
    }),
  );
  for (const { engine } of opened) await engine.jobs.start();
  for (const { engine, storage } of opened) {
    await engine.jobs.drain(0);
    await engine[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
  }
});

test('a job that is only accepted waits for a node that does jobs; what is rolled back is not there', async () => {
  await using engines = await openEngines();
  const accepts = await engines.open();
  await engines.add(accepts, 'rnd_1');
  await expect(
    engines.storage.transaction(async (stores) => {
      await accepts.jobs.add(stores, [engines.job('rnd_2')]);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect([await engines.status('rnd_1'), await engines.status('rnd_2')]).toEqual(['queued', undefined]);
  const begun: string[] = [];
  const works = await engines.open({ doJob: finishing(engines, begun) });
  await works.jobs.start();
  await soon(async () => expect(await engines.status('rnd_1')).toBe('done'));
  // The working node is notified of a job that another node accepts.
  await engines.add(accepts, 'rnd_3');
  await soon(async () => expect(await engines.status('rnd_3')).toBe('done'));
  expect([begun, engines.errors]).toEqual([['rnd_1, attempt 1, of 1', 'rnd_3, attempt 1, of 1'], []]);
});

test('accounts take turns, and one that is alone has all the hands', async () => {
  await using engines = await openEngines();
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const engine = await engines.open({ doJob: finishing(engines, begun), concurrency: 1 });
  const jobs = (account: string, count: number) =>
    Array.from({ length: count }, (_, index) => engines.job(`rnd_${account.at(-1)}${index}`, account));
  await engines.storage.transaction((stores) => engine.jobs.add(stores, jobs('acc_a', 6)));
  await engines.storage.transaction((stores) => engine.jobs.add(stores, jobs('acc_b', 3)));
  await engine.jobs.start();
  await soon(() => expect(begun).toHaveLength(9));
  const names = begun.map((line) => line.split(',')[0]);
  // Of one start tag, jobs run in order of acceptance.
  expect(names).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'a5'].map((name) => `rnd_${name}`));

  const crowd: string[] = [];
  const wide = await engines.open({ doJob: finishing(engines, crowd, () => gate.promise), concurrency: 4 });
  await engine.jobs.drain(1_000);
  const more = Array.from({ length: 9 }, (_, index) => engines.job(`rnd_more${index}`));
  await engines.storage.transaction((stores) => wide.jobs.add(stores, more));
  await wide.jobs.start();
  await soon(() => expect(crowd).toHaveLength(4));
  expect(wide.jobs.free).toBe(0);
  gate.resolve();
  await soon(() => expect(crowd).toHaveLength(9));
});

test('a job that is to be tried again is, at its time; it counts or it does not', async () => {
  await using engines = await openEngines();
  const begun: string[] = [];
  const finish = finishing(engines, begun);
  const answers = [true, false];
  const engine = await engines.open({
    doJob: async (job) => {
      const counts = answers.shift();
      if (counts === undefined) return finish(job);
      begun.push(`${job.id}, attempt ${job.attempt}, failed`);
      return { at: new Date(engines.storage.clock().getTime() + 300), counts };
    },
  });
  await engines.add(engine, 'rnd_1');
  await engine.jobs.start();
  await soon(async () => expect(await engines.status('rnd_1')).toBe('done'));
  expect(begun).toEqual(['rnd_1, attempt 1, failed', 'rnd_1, attempt 2, failed', 'rnd_1, attempt 2, of 1']);
});

test('what a server that died worked on is done by another, alone, and the last of it is blamed', async () => {
  await using engines = await openEngines();
  const never = Promise.withResolvers<null>();
  const started: string[] = [];
  const killed = await engines.open({
    concurrency: 2,
    doJob: (job) => {
      started.push(job.id);
      return never.promise;
    },
  });
  for (const id of ['rnd_1', 'rnd_2', 'rnd_3', 'rnd_4']) await engines.add(killed, id);
  await killed.jobs.start();
  await soon(() => expect(started).toEqual(['rnd_1', 'rnd_2']));
  const begun: string[] = [];
  // A server that is alone on its database does not wait until the other's heartbeat expires.
  const next = await engines.open({
    alone: true,
    concurrency: 3,
    doJob: finishing(engines, begun, () => new Promise((resolve) => setTimeout(resolve, 50))),
  });
  await next.jobs.start();
  await soon(async () => expect(await engines.status('rnd_4')).toBe('done'));
  await soon(async () => expect(await engines.status('rnd_2')).toBe('done'));
  const alone = begun.filter((line) => /rnd_[12]/.test(line));
  expect(alone.map((line) => line.replace(/rnd_\d, /, '')).sort()).toEqual(['attempt 1, of 1', 'attempt 2, of 1']);
  // The engine that lost these jobs can no longer change them.
  never.resolve(null);
});

test('a drain takes nothing more, waits, and hands back the rest as if it had not begun', async () => {
  await using engines = await openEngines();
  const quick = Promise.withResolvers<void>();
  const stuck = Promise.withResolvers<void>();
  const begun: string[] = [];
  const engine = await engines.open({
    concurrency: 2,
    doJob: finishing(engines, begun, ({ id }) => (id === 'rnd_1' ? quick.promise : stuck.promise)),
  });
  for (const id of ['rnd_1', 'rnd_2', 'rnd_3']) await engines.add(engine, id);
  await engine.jobs.start();
  await soon(() => expect(begun).toHaveLength(2));
  const drained = engine.jobs.drain(300);
  quick.resolve();
  await drained;
  const states = () => Promise.all(['rnd_1', 'rnd_2', 'rnd_3'].map(engines.status));
  expect(await states()).toEqual(['done', 'queued', 'queued']);
  stuck.resolve();
  const next: string[] = [];
  const other = await engines.open({ doJob: finishing(engines, next) });
  await other.jobs.start();
  await soon(async () => expect(await states()).toEqual(['done', 'done', 'done']));
  expect(next).toEqual(['rnd_2, attempt 1, of 1', 'rnd_3, attempt 1, of 1']);
});

test('a job that needs a browser is left to a node that has one, also when it is tried again', async () => {
  await using engines = await openEngines();
  const [begun, ofBrowser]: [string[], string[]] = [[], []];
  const without = await engines.open({ withoutBrowser: true, doJob: finishing(engines, begun) });
  const page = { ...engines.job('rnd_page'), needsBrowser: true };
  await engines.storage.transaction((stores) => without.jobs.add(stores, [page, engines.job('rnd_plain')]));
  await without.jobs.start();
  await soon(async () => expect(await engines.status('rnd_plain')).toBe('done'));
  let failures = 1;
  const finish = finishing(engines, ofBrowser);
  const withBrowser = await engines.open({
    doJob: async (job) => (failures-- > 0 ? { at: engines.storage.clock(), counts: true } : finish(job)),
  });
  await withBrowser.jobs.start();
  await soon(async () => expect(await engines.status('rnd_page')).toBe('done'));
  expect([begun, ofBrowser]).toEqual([['rnd_plain, attempt 1, of 1'], ['rnd_page, attempt 2, of 1']]);
});

test('a job that pg-boss does not know, or takes to be over, is entered at the start; an entry of nothing is dropped', async () => {
  await using engines = await openEngines();
  const { storage } = engines;
  const begun: string[] = [];
  const engine = await engines.open({ doJob: finishing(engines, begun) });
  await storage.jobs.insert(engines.job('rnd_moved'));
  await engines.add(engine, 'rnd_over');
  await storage.transaction(async (stores) => {
    const [job] = (await stores.pgBossJobs.begin(['rnd_over'], 'test')).begun;
    if (!job) throw new Error('it was not begun');
    await engine.jobs.ended(stores, job);
    await stores.jobs.handBack(job, storage.clock());
  });
  await storage.transaction(async (stores) => {
    await engine.jobs.add(stores, [engines.job('rnd_gone')]);
    await stores.executeSql("DELETE FROM renders WHERE id = 'rnd_gone'");
  });
  await engine.jobs.start();
  await soon(() => expect(begun).toHaveLength(2));
  expect(begun.map((line) => line.split(',')[0]).sort()).toEqual(['rnd_moved', 'rnd_over']);
  const open = async () =>
    (await storage.executeSql("SELECT id FROM pgboss.job WHERE name = 'jobs' AND state < 'active'")).rows;
  await soon(async () => expect(await open()).toEqual([]));
  expect(engines.errors).toEqual([]);
});
