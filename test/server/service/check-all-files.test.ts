import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkAllFiles } from '#server/maintenance/doctor-checks.ts';
import { digestOf } from '#server/service/files/checked-files.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { newId } from '../../../src/base/ids.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { NOW, storageUnderTest } from '../storage/open-storage.ts';

async function filesUnderTest() {
  const parts = new AsyncDisposableStack();
  const { storage } = parts.use(await storageUnderTest());
  const folder = parts.use(await temporaryFolder());
  const blobs = parts.use(await openFileBlobs(folder.path));
  const bytes = Buffer.from('some bytes');
  const add = async (digest: string | null) => {
    const id = newId('img');
    await blobs.put(id, bytes);
    await storage.images.insert({
      id,
      accountId: 'acc_a',
      format: 'png',
      size: bytes.length,
      digest,
      width: 1,
      height: 1,
      name: null,
      focus: null,
      folder: null,
      createdAt: NOW,
    });
    return id;
  };
  const check = () => checkAllFiles(storage, { assets: null, images: blobs, fonts: null, variants: null });
  const path = (id: string) => join(folder.path, id);
  return { storage, bytes, add, check, path, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

test('every file is compared, and what is damaged is told', async () => {
  await using files = await filesUnderTest();
  const ids: string[] = [];
  for (let i = 0; i < 4; i += 1) ids.push(await files.add(await digestOf(files.bytes)));
  const [sound = '', changed = '', short = '', missing = ''] = ids;
  await writeFile(files.path(changed), 'SOME BYTES');
  await writeFile(files.path(short), 'some');
  await rm(files.path(missing));
  const { damaged, ...counts } = await files.check();
  expect(counts).toEqual({ sound: 1, filledIn: 0 });
  expect(
    damaged
      .sort()
      .map((line) => line.replace(/img_\w+/, (id) => `${ids.indexOf(id)}`))
      .sort(),
  ).toEqual([
    'images: the stored file 1 is damaged: its digest is not the one that was stored. Restore it from a backup, or delete it.',
    'images: the stored file 2 is damaged: it has 4 bytes, not 10. Restore it from a backup, or delete it.',
    'images: the stored file 3 is damaged: it is missing. Restore it from a backup, or delete it.',
  ]);
  expect(await readFile(files.path(sound), 'utf8')).toBe('some bytes');
});

test('the digests of older files are noted', async () => {
  await using files = await filesUnderTest();
  const id = await files.add(null);
  expect(await files.check()).toEqual({ sound: 1, filledIn: 1, damaged: [] });
  expect(await files.storage.storedFiles.find('images', id)).toMatchObject({ digest: await digestOf(files.bytes) });
  expect(await files.check()).toEqual({ sound: 1, filledIn: 0, damaged: [] });
});
