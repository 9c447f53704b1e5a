import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { newId } from '../../../src/base/ids.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const bytes = Buffer.from('picture');

test('what was put can be read', async () => {
  await using folder = await temporaryFolder();
  const blobs = await openFileBlobs(join(folder.path, 'assets'));
  const name = `${newId('rnd')}.png`;
  await blobs.put(name, bytes);
  const blob = await blobs.open(name);
  expect(blob?.size).toBe(bytes.length);
  expect(Buffer.concat((await blob?.stream().toArray()) ?? []).toString()).toBe('picture');
  expect(await readdir(join(folder.path, 'assets'))).toEqual([name]);
});

test('what was deleted is gone, and deleting it again is no error', async () => {
  await using folder = await temporaryFolder();
  const blobs = await openFileBlobs(folder.path);
  const name = newId('img');
  await blobs.put(name, bytes);
  await blobs.delete(name);
  await blobs.delete(name);
  expect(await blobs.open(name)).toBeNull();
});

test('a name that is not ours never reaches the disk', async () => {
  await using folder = await temporaryFolder();
  const blobs = await openFileBlobs(folder.path);
  await writeFile(join(folder.path, 'secret'), 'x');
  for (const name of ['secret', '../secret', '/etc/passwd', 'rnd_a.png', `${newId('rnd')}/../secret`, '', '.', '\0']) {
    expect(await blobs.open(name), name).toBeNull();
    await expect(blobs.put(name, bytes), name).rejects.toThrow('cannot name a blob');
    await blobs.delete(name);
  }
  expect(await readdir(folder.path)).toEqual(['secret']);
});

test('half-written files of a killed process are swept, young ones are not', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.path, { recursive: true });
  await writeFile(join(folder.path, '.tmp-old'), 'x');
  await utimes(join(folder.path, '.tmp-old'), 0, 0);
  await writeFile(join(folder.path, '.tmp-young'), 'x');
  await openFileBlobs(folder.path);
  expect(await readdir(folder.path)).toEqual(['.tmp-young']);
});
