import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { removeUnlessOwned } from '#server/service/files/orphans.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const ID = 'rnd_0123456789abcdefghijkl';

/** Whether the file is left after its row could not be stored. */
async function isLeft(failure: Error, rows: readonly string[] | null): Promise<boolean> {
  await using folder = await temporaryFolder();
  const blobs = await openFileBlobs(folder.path);
  await blobs.put(`${ID}.png`, Buffer.from('x'));
  const owners = async () => {
    if (!rows) throw new Error('the database is gone');
    return new Set(rows);
  };
  await removeUnlessOwned(blobs, `${ID}.png`, owners, failure);
  return (await blobs.open(`${ID}.png`)) !== null;
}

test('the file of a row that was not stored is removed', async () => {
  expect(await isLeft(new Error('constraint'), [])).toBe(false);
});

test('it stays where the row was stored, or nobody knows', async () => {
  expect(await isLeft(new Error('the connection was lost'), [ID])).toBe(true);
  expect(await isLeft(new Error('the connection was lost'), null)).toBe(true);
});

test('it stays when the database did not answer in time: the row may still be committed', async () => {
  expect(await isLeft(new AppError('overloaded', 'The server is busy.'), [])).toBe(true);
});
