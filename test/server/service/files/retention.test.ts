import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectImage } from '#draw/images/inspect.ts';
import { Assets } from '#server/service/files/assets.ts';
import { AccountFonts } from '#server/service/files/fonts.ts';
import { ImageLibrary } from '#server/service/files/images.ts';
import { sweep } from '#server/service/files/retention.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import type { Render } from '#server/storage/renders.ts';
import { newId } from '../../../../src/base/ids.ts';
import { quadrants } from '../../../draw/images/pictures.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

async function sweepUnderTest() {
  await using parts = new AsyncDisposableStack();
  const { storage } = parts.use(await storageUnderTest());
  const folder = parts.use(await temporaryFolder());
  const assetBlobs = await openFileBlobs(folder.path);
  const uploadFolder = join(folder.path, 'uploads');
  const uploadBlobs = await openFileBlobs(uploadFolder);
  const images = new ImageLibrary(storage, uploadBlobs, inspectImage, () => NOW);
  const fonts = new AccountFonts(storage, await openFileBlobs(`${uploadFolder}2`), () => NOW);
  const assets = new Assets(
    storage,
    assetBlobs,
    () => '',
    () => NOW,
  );
  const add = async (status: Render['status'] | 'none', age: number): Promise<string> => {
    const id = newId('rnd');
    const at = new Date(NOW.getTime() - age);
    const base = { id, accountId: 'acc_a', kind: 'render', output: 'png', createdAt: at } as const;
    if (status === 'done')
      await storage.renders.insert({ ...base, status, size: 1, digest: null, warnings: [], finishedAt: at }, null);
    else if (status === 'error') await storage.renders.insert({ ...base, status, error: 'no', finishedAt: at }, null);
    else if (status !== 'none') await storage.renders.insert({ ...base, status }, null);
    await assetBlobs.put(`${id}.png`, Buffer.from('x'));
    // The age of a file is measured with the system clock.
    const written = new Date(Date.now() - age);
    await utimes(join(folder.path, `${id}.png`), written, written);
    return id;
  };
  const run = (assetTtl: number | null) =>
    sweep(
      {
        storage,
        assetBlobs,
        assetTtl,
        auditTtl: DAY,
        uploads: [images, fonts],
        variants: { sweep: async () => {} },
        clock: () => NOW,
      },
      new AbortController().signal,
    );
  const kept = async (id: string) => ({
    file: (await assetBlobs.open(`${id}.png`)) !== null,
    row: (await storage.renders.find('acc_a', id)) !== null,
    shown: await assets.job('acc_a', id).then(
      () => true,
      () => false,
    ),
  });
  const upload = async () => (await images.upload('acc_a', await quadrants().png().toBuffer())).id;
  /** Gives each upload this age, ms, and runs a sweep. Returns the files that are left. */
  const uploadsLeft = async (ids: readonly string[], age: number) => {
    const written = new Date(Date.now() - age);
    for (const id of ids) await utimes(join(uploadFolder, id), written, written);
    await run(null);
    return (await uploadBlobs.list()).toSorted();
  };
  const owned = parts.move();
  return {
    add,
    run,
    kept,
    images,
    upload,
    uploadBlobs,
    uploadsLeft,
    storage,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function check(status: Render['status'] | 'none', age: number, ttl: number | null, expected: string) {
  await using one = await sweepUnderTest();
  const id = await one.add(status, age);
  await one.run(ttl);
  const { file, row, shown } = await one.kept(id);
  expect([file && 'file', row && 'row', shown && 'shown'].filter(Boolean).join(' ')).toBe(expected);
}

test('a file that no render owns is removed after an hour', async () => {
  await check('none', HOUR - 5_000, null, 'file');
  await check('none', HOUR + 5_000, null, '');
  await check('error', 2 * HOUR, null, 'row shown');
  await check('processing', 2 * HOUR, null, 'file row shown');
});

test('so is one of an upload that was cut short; a whole one stays', async () => {
  await using one = await sweepUnderTest();
  const [whole, cutShort] = [await one.upload(), newId('img')];
  await one.uploadBlobs.put(cutShort, Buffer.from('x'));
  const both = [whole, cutShort].toSorted();
  expect(await one.uploadsLeft(both, HOUR - 5_000)).toEqual(both);
  expect(await one.uploadsLeft(both, HOUR + 5_000)).toEqual([whole]);
});

test('an image that was deleted in the studio is kept for a day, then its row and its file go', async () => {
  await using one = await sweepUnderTest();
  const id = await one.upload();
  await one.images.remove('acc_a', id);
  expect(await one.uploadsLeft([id], DAY)).toEqual([id]);
  await one.storage.images.undelete('acc_a', id, new Date(0));
  await one.storage.images.markDeleted('acc_a', id, new Date(NOW.getTime() - DAY - 5_000));
  expect(await one.uploadsLeft([id], DAY)).toEqual([]);
  expect(await one.storage.images.owners([id])).toEqual(new Set());
});

test('a job is shown for 30 days after its end, and its asset stays', async () => {
  await check('done', 30 * DAY - 5_000, null, 'file row shown');
  await check('done', 30 * DAY + 5_000, null, 'file row');
  await check('done', 5_000 * DAY, null, 'file row');
  await check('error', 30 * DAY - 5_000, null, 'row shown');
  await check('error', 30 * DAY + 5_000, null, '');
  await check('queued', 31 * DAY, null, 'file row shown');
});

test('assets may have a time to live; their jobs are shown for 30 days all the same', async () => {
  await check('done', 7 * DAY - 5_000, 7 * DAY, 'file row shown');
  await check('done', 7 * DAY + 5_000, 7 * DAY, 'row shown');
  await check('done', 31 * DAY, 7 * DAY, '');
  await check('done', 31 * DAY, 60 * DAY, 'file row');
  await check('done', 61 * DAY, 60 * DAY, '');
});

test('thousands of rows are deleted, some hundred at a time', async () => {
  await using one = await sweepUnderTest();
  const [old, count] = [new Date(NOW.getTime() - 31 * DAY), 1_200];
  for (let i = 0; i < count; i += 1) {
    const row = { id: newId('rnd'), accountId: 'acc_a', kind: 'render', output: 'png', createdAt: old } as const;
    await one.storage.renders.insert({ ...row, status: 'error', error: 'no', finishedAt: old }, null);
  }
  const left = async () =>
    (
      await one.storage.renders.page(
        'acc_a',
        { status: null, kind: null, output: null, templateId: null },
        { limit: 1, after: null },
      )
    ).items.length;
  expect(await left()).toBe(1);
  await one.run(null);
  expect(await left()).toBe(0);
});

test('the log of webhooks is kept for 30 days; what is still to be sent stays', async () => {
  await using one = await sweepUnderTest();
  const { deliveries } = one.storage;
  for (const [id, age] of Object.entries({ msg_old: 31 * DAY, msg_pending: 31 * DAY, msg_new: DAY })) {
    const createdAt = new Date(NOW.getTime() - age);
    await deliveries.insert({
      id,
      accountId: 'acc_a',
      renderId: 'rnd_1',
      url: 'https://x.example/',
      body: '',
      createdAt,
    });
  }
  for (const claimed of await deliveries.claim(NOW, NOW, { limit: 9, perHost: 9, perAccount: 9 })) {
    if (claimed.id === 'msg_pending') continue;
    const attempt = { at: NOW, duration: 1, status: 200, error: null };
    await deliveries.record(claimed, attempt, { status: 'delivered', attempts: 1, dueAt: null });
  }
  await one.run(null);
  expect((await deliveries.list(null, 9)).map(({ id }) => id).sort()).toEqual(['msg_new', 'msg_pending']);
});

test('templates that an older server saved are indexed, until there are no more', async () => {
  await using under = await sweepUnderTest();
  const left = [20, 3];
  under.storage.templateMaterials.indexOthers = async () => left.shift() ?? 0;
  await under.run(null);
  expect(left).toEqual([]);
});
