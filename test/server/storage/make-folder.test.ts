// Tests that folders are made, and that the system's own error is given where they cannot be.

import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '#server/storage/make-folder.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('a folder and those above it are made, by several at a time; one that is there is left alone', async () => {
  await using folder = await temporaryFolder();
  const deep = join(folder.path, 'a/b/c');
  await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(join(deep, 'd'))]);
  expect((await stat(join(deep, 'd'))).isDirectory()).toBe(true);
  await mkdir(join(folder.path, 'there'));
  await makeFolder(join(folder.path, 'there'));
});

test('a file in the way', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST', path: file });
  await expect(makeFolder(join(file, 'a/b'))).rejects.toMatchObject({ code: 'EEXIST', path: file });
});

test.skipIf(process.platform !== 'linux')('a filesystem that takes no folders', () =>
  expect(makeFolder('/proc/platen/data')).rejects.toMatchObject({ code: 'EPERM', path: '/proc/platen' }),
);
