// Tests the outcomes of jobs: what is stored, counted and announced for each.

import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { createLog } from '#server/observability/log.ts';
import { jobUnit } from '#server/service/accounts/quota.ts';
import { Assets } from '#server/service/files/assets.ts';
import { doJob, type JobContext } from '#server/service/jobs/do-job.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import type { ClaimedJob } from '#server/storage/jobs.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const ID = 'rnd_0123456789abcdefghijkl';

async function jobUnderTest() {
  await using parts = new AsyncDisposableStack();
  const { storage, location } = parts.use(await storageUnderTest());
  const folder = parts.use(await temporaryFolder());
  const blobs = await openFileBlobs(folder.path);
  const clock = { now: NOW };
  const assets = new Assets(
    storage,
    blobs,
    () => 'http://x',
    () => clock.now,
  );
  const job = {
    id: ID,
    accountId: 'acc_a',
    kind: 'render',
    output: 'png',
    request: {},
    webhookUrl: 'http://example.com/hook',
    metered: true,
    createdAt: NOW,
  } as const;
  await storage.usage.reserve(jobUnit(job), 5, null);
  await storage.jobs.insert(job);
  const claim = async (): Promise<ClaimedJob> => {
    const turn = { after: '', first: [] };
    const [claimed] = await storage.jobs.claim('a', 1, clock.now, new Date(clock.now.getTime() + 30_000), turn);
    if (!claimed) throw new Error('nothing was claimed');
    return claimed;
  };
  const run = async (claimed: ClaimedJob, render: () => Promise<Uint8Array>) => {
    const drawn = async () => ({ bytes: await render(), diagnostics: [] });
    const ctx: JobContext = {
      storage,
      assets,
      work: { render: drawn, screenshot: drawn },
      queue: { async ended() {} },
      webhooks: { async add() {}, wake() {} },
      clock: () => clock.now,
      random: () => 0,
      log: createLog('silent'),
      address: () => 'http://127.0.0.1:3000',
    };
    const again = await doJob(ctx, claimed);
    // A job engine retries or hands back the job in the same way.
    if (again) await (again.counts ? storage.jobs.retry(claimed, again.at) : storage.jobs.handBack(claimed, again.at));
  };
  const state = async () => {
    const found = await storage.renders.find('acc_a', ID);
    const { used, reserved } = await storage.usage.totals('acc_a', '2026-11');
    const deliveries = await storage.deliveries.list(null, 9);
    return {
      status: found?.status,
      error: found?.status === 'error' ? found.error : null,
      units: `${used} used, ${reserved} reserved`,
      announced: deliveries.map(({ body }) => JSON.parse(body).status),
    };
  };
  const request = async () => {
    const db = await openDatabase(location);
    await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
    return (await db('renders').where({ id: ID }).first('request')).request;
  };
  const owned = parts.move();
  return { clock, claim, run, state, request, blobs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const bytes = async () => Buffer.from('a picture');
const throws = (error: unknown) => async () => {
  throw error;
};

test('done: the asset is stored, the unit counted, the completion announced', async () => {
  await using one = await jobUnderTest();
  await one.run(await one.claim(), bytes);
  expect(await one.state()).toEqual({ status: 'done', error: null, units: '1 used, 0 reserved', announced: ['done'] });
  expect((await one.blobs.open(`${ID}.png`))?.size).toBe(9);
});

test.each([
  new ValidationError('modifications.title.fontSize', 'must be at least 1'),
  new AppError('url_not_allowed', 'URL not allowed.'),
  new AppError('invalid_request', 'Layer "photo": The server answered 404.'),
  new AppError('not_found', 'Template "tpl_1" not found.'),
])('%s ends it at once', async (error) => {
  await using one = await jobUnderTest();
  await one.run(await one.claim(), throws(error));
  expect(await one.state()).toEqual({
    status: 'error',
    error: error.message,
    units: '0 used, 0 reserved',
    announced: ['error'],
  });
});

test.each([
  [new Error('EIO'), 'Something went wrong on our side; please try again.'],
  [
    new AppError('render_failed', 'The render took too long and was stopped.'),
    'The render took too long and was stopped.',
  ],
])('%s is tried three times, 1.6 s and 6.4 s apart at the least', async (error, told) => {
  await using one = await jobUnderTest();
  for (const pause of [1_600, 6_400]) {
    await one.run(await one.claim(), throws(error));
    expect(await one.state()).toEqual({ status: 'queued', error: null, units: '0 used, 1 reserved', announced: [] });
    one.clock.now = new Date(one.clock.now.getTime() + pause - 1);
    await expect(one.claim()).rejects.toThrow('nothing was claimed');
    one.clock.now = new Date(one.clock.now.getTime() + 1);
  }
  await one.run(await one.claim(), throws(error));
  expect(await one.state()).toEqual({
    status: 'error',
    error: told,
    units: '0 used, 0 reserved',
    announced: ['error'],
  });
});

test('a busy server is no attempt', async () => {
  await using one = await jobUnderTest();
  for (let times = 0; times < 5; times += 1) {
    const claimed = await one.claim();
    expect(claimed.attempt).toBe(1);
    await one.run(claimed, throws(new AppError('overloaded', 'The server is busy; try again in a few seconds.')));
    one.clock.now = new Date(one.clock.now.getTime() + 2_000);
  }
  await one.run(await one.claim(), bytes);
  expect((await one.state()).status).toBe('done');
});

test('a job that took its process with it three times is not begun a fourth time', async () => {
  await using one = await jobUnderTest();
  for (let kills = 0; kills < 3; kills += 1) {
    await one.claim();
    one.clock.now = new Date(one.clock.now.getTime() + 30_000);
  }
  await one.run(await one.claim(), () => {
    throw new Error('must not be begun');
  });
  expect(await one.state()).toEqual({
    status: 'error',
    error: 'The server stopped 3 times during this job; it is not tried again.',
    units: '0 used, 0 reserved',
    announced: ['error'],
  });
});

test.each([
  ['done', bytes],
  ['failed', throws(new AppError('invalid_request', 'no'))],
])('of two that worked on one job only the holder of the lease counts: the other %s', async (_how, late) => {
  await using one = await jobUnderTest();
  const lost = await one.claim();
  one.clock.now = new Date(one.clock.now.getTime() + 30_000);
  const held = await one.claim();
  await one.run(lost, late);
  expect(await one.state()).toMatchObject({ status: 'processing', units: '0 used, 1 reserved', announced: [] });
  await one.run(held, bytes);
  await one.run(lost, late);
  expect(await one.state()).toMatchObject({ status: 'done', units: '1 used, 0 reserved', announced: ['done'] });
});

test('a late worker does not replace the file that another has stored', async () => {
  await using one = await jobUnderTest();
  const lost = await one.claim();
  one.clock.now = new Date(one.clock.now.getTime() + 30_000);
  await one.run(await one.claim(), bytes);
  await one.run(lost, async () => Buffer.from('another picture of the same page'));
  expect((await one.blobs.open(`${ID}.png`))?.size).toBe('a picture'.length);
});

test('after a day, a job that no server has room for fails as any other', async () => {
  await using one = await jobUnderTest();
  one.clock.now = new Date(one.clock.now.getTime() + 24 * 60 * 60_000);
  const problem = 'The server has no memory to decode the PNG file at the moment; try again later.';
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await one.run(await one.claim(), throws(new AppError('overloaded', problem)));
    one.clock.now = new Date(one.clock.now.getTime() + 10_000);
  }
  expect(await one.state()).toMatchObject({ status: 'error', error: problem, units: '0 used, 0 reserved' });
});

test('a request is forgotten with the end of its job: it may hold cookies', async () => {
  for (const how of [bytes, throws(new AppError('invalid_request', 'no'))]) {
    await using one = await jobUnderTest();
    await one.run(await one.claim(), how);
    expect(await one.request()).toBeNull();
  }
});

test('the unit is of the month in which the job was accepted', async () => {
  await using one = await jobUnderTest();
  one.clock.now = new Date('2026-12-01T00:00:01Z');
  await one.run(await one.claim(), bytes);
  expect((await one.state()).units).toBe('1 used, 0 reserved');
});
