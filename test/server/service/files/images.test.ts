import { expect, test, vi } from 'vitest';
import { inspectImage } from '#draw/images/inspect.ts';
import { ImageLibrary } from '#server/service/files/images.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import { newId } from '../../../../src/base/ids.ts';
import { QUADRANTS, QUADRANTS_SVG, quadrants } from '../../../draw/images/pictures.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const ADDRESS = 'https://img.example.com';
const signal = new AbortController().signal;
const outside = { read: async (source: string) => Buffer.from(`outside: ${source}`) };

async function imagesUnderTest() {
  const folder = await temporaryFolder();
  const opened = await storageUnderTest();
  return {
    storage: opened.storage,
    images: new ImageLibrary(opened.storage, await openFileBlobs(folder.path), inspectImage, () => NOW),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('the format is what the bytes say', async () => {
  await using test = await imagesUnderTest();
  const files = {
    png: await quadrants().png().toBuffer(),
    jpeg: await quadrants().jpeg().toBuffer(),
    webp: await quadrants().webp().toBuffer(),
    gif: await quadrants().gif().toBuffer(),
    avif: await quadrants().avif().toBuffer(),
    svg: QUADRANTS_SVG,
  };
  for (const [format, bytes] of Object.entries(files)) {
    expect(await test.images.upload('acc_a', bytes)).toMatchObject({ format, ...QUADRANTS });
  }
  await expect(test.images.upload('acc_a', Buffer.from('<html>'))).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(test.images.upload('acc_a', Buffer.alloc(0))).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an image over 15 MiB is refused', async () => {
  await using test = await imagesUnderTest();
  const bytes = Buffer.alloc(15 * 1024 * 1024 + 1);
  bytes.write('GIF89a', 'latin1');
  await expect(test.images.upload('acc_a', bytes)).rejects.toMatchObject({ code: 'too_large' });
});

test('an upload is read by its own account alone', async () => {
  await using test = await imagesUnderTest();
  const { id } = await test.images.upload('acc_a', QUADRANTS_SVG);
  const read = (account: string, source: string) =>
    test.images.sourcesFor({ accountId: account, uploadsVersion: 1 }, outside, ADDRESS).read(source, signal);
  for (const source of [id, `${ADDRESS}/images/${id}.svg`]) expect(await read('acc_a', source)).toEqual(QUADRANTS_SVG);
  const unknown = newId('img');
  for (const [account, source] of [
    ['acc_b', id],
    ['acc_a', unknown],
  ] as const) {
    await expect(read(account, source)).rejects.toMatchObject({ message: `There is no uploaded image "${source}".` });
  }
});

test('whose an upload is, is asked once for as long as the uploads stay as they are', async () => {
  await using test = await imagesUnderTest();
  const { id } = await test.images.upload('acc_a', QUADRANTS_SVG);
  const asked = vi.spyOn(test.storage.images, 'find');
  const read = (uploadsVersion: number) =>
    test.images.sourcesFor({ accountId: 'acc_a', uploadsVersion }, outside, ADDRESS).read(id, signal);
  for (const version of [1, 1, 2, 2, 1]) expect(await read(version)).toEqual(QUADRANTS_SVG);
  expect(asked).toHaveBeenCalledTimes(2);
  await test.images.delete('acc_a', id);
  await expect(read(3)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('any other source is read outside', async () => {
  await using test = await imagesUnderTest();
  const read = test.images.sourcesFor({ accountId: 'acc_a', uploadsVersion: 1 }, outside, ADDRESS).read;
  for (const source of [
    'https://example.com/x.png',
    'img_short',
    '../img_x',
    '',
    `${ADDRESS}/assets/x`,
    `${ADDRESS}.evil/images/img_1.png`,
  ]) {
    expect(Buffer.from(await read(source, signal)).toString()).toBe(`outside: ${source}`);
  }
});
