import { expect, test } from 'vitest';
import { ImageLibrary } from '#service/images.ts';
import { openFileBlobs } from '#storage/blobs.ts';
import { newId } from '../../src/ids.ts';
import { NOW, storageUnderTest } from '../storage/open-storage.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const signal = new AbortController().signal;
const outside = { read: async (source: string) => Buffer.from(`outside: ${source}`) };

async function imagesUnderTest() {
  const folder = await temporaryFolder();
  const opened = await storageUnderTest();
  return {
    images: new ImageLibrary(opened.storage, await openFileBlobs(folder.path), () => NOW),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('the format is what the bytes say', async () => {
  await using test = await imagesUnderTest();
  const heads = {
    png: '\x89PNG\r\n\x1a\n',
    jpeg: '\xff\xd8\xff\xe0',
    webp: 'RIFF\x10\0\0\0WEBPVP8 ',
    gif: 'GIF89a',
    avif: '\0\0\0\x20ftypavif',
    svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  };
  for (const [format, head] of Object.entries(heads)) {
    const bytes = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(32)]);
    expect((await test.images.upload('acc_a', format === 'svg' ? Buffer.from(head) : bytes)).format).toBe(format);
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
  const { id } = await test.images.upload('acc_a', Buffer.from('<svg/>'));
  const read = (account: string, source: string) => test.images.sourcesFor(account, outside).read(source, signal);
  expect(Buffer.from(await read('acc_a', id)).toString()).toBe('<svg/>');
  const unknown = newId('img');
  for (const [account, source] of [
    ['acc_b', id],
    ['acc_a', unknown],
  ] as const) {
    await expect(read(account, source)).rejects.toMatchObject({ message: `There is no uploaded image "${source}".` });
  }
});

test('any other source is read outside', async () => {
  await using test = await imagesUnderTest();
  const read = test.images.sourcesFor('acc_a', outside).read;
  for (const source of ['https://example.com/x.png', 'img_short', '../img_x', '']) {
    expect(Buffer.from(await read(source, signal)).toString()).toBe(`outside: ${source}`);
  }
});
