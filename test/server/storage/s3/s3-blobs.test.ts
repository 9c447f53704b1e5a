import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openS3Blobs } from '#server/storage/s3/s3-blobs.ts';
import { newId } from '../../../../src/base/ids.ts';
import { serve } from '../../../listen.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { ACCESS_KEY, BUCKET, s3Server } from './s3-server.ts';

async function blobsUnderTest(secret: string = ACCESS_KEY.AWS_SECRET_ACCESS_KEY) {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await s3Server());
  const folder = parts.use(await temporaryFolder());
  const location = {
    endpoint: server.endpoint,
    region: 'eu-central-1',
    bucket: BUCKET,
    prefix: 'platen',
    isVirtualHosted: false,
    kmsKey: null,
    keys: {
      kind: 'keys',
      accessKeyId: ACCESS_KEY.AWS_ACCESS_KEY_ID,
      secretAccessKey: secret,
      sessionToken: null,
    },
  } as const;
  const blobs = await openS3Blobs({ location, folder: 'assets', cacheFolder: folder.path });
  const owned = parts.move();
  return { server, blobs, location, folder: folder.path, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const bytes = Buffer.from('a picture, or so'.repeat(1_000));
const all = async (stream: NodeJS.ReadableStream | undefined) => (stream ? buffer(stream) : null);

test('what was put can be read, and says how it may be kept', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const name = `${newId('rnd')}.png`;
  await blobs.put(name, bytes);
  const blob = await blobs.open(name);
  expect(blob?.size).toBe(bytes.length);
  expect((await all(blob?.stream()))?.equals(bytes)).toBe(true);
  expect((await blobs.read(name))?.equals(bytes)).toBe(true);
  expect(server.objects.get(`platen/assets/${name}`)?.headers).toEqual({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-disposition': `inline; filename="${name}"`,
  });
});

test('an upload says its type by the format that it was found to have; what could run in a browser is only saved', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const [photo, drawing] = [newId('img'), newId('img')];
  await blobs.put(photo, bytes, 'jpeg');
  await blobs.put(drawing, bytes, 'svg');
  const told = (name: string) => server.objects.get(`platen/assets/${name}`)?.headers;
  expect(told(photo)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-disposition': `inline; filename="${photo}.jpeg"`,
  });
  expect(told(drawing)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
  });
});

test.each(['busy', 'cut', null] as const)(
  'any range can be read, with every second request failing (%s)',
  async (fault) => {
    await using under = await blobsUnderTest();
    const { blobs, server } = under;
    const name = `${newId('rnd')}.pdf`;
    await blobs.put(name, bytes);
    server.fault = (request) => (request % 2 === 1 ? fault : null);
    const blob = await blobs.open(name);
    for (const [start, end] of [
      [0, 0],
      [0, 99],
      [100, 8_000],
      [bytes.length - 1, bytes.length - 1],
      [0, bytes.length - 1],
    ] as const) {
      const got = await all(blob?.stream({ start, end }));
      expect(got?.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
    }
  },
);

test('a presigned address serves the file to anybody, as what it is, until it is changed', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const name = newId('img');
  await blobs.put(name, bytes);
  const address = (await blobs.address(name, 'webp')) ?? '';
  const response = await fetch(address);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await fetch(address.replace('image%2Fwebp', 'text%2Fhtml'))).status).toBe(403);
  expect((await fetch(address.replace(name, newId('img')))).status).toBe(403);
  expect(server.log.filter((line) => line.startsWith('HEAD'))).toEqual([]);
  expect(await blobs.address('../secret')).toBeNull();
});

test('what was deleted is gone, and deleting it again is no error', async () => {
  await using under = await blobsUnderTest();
  const { blobs } = under;
  const name = newId('img');
  await blobs.put(name, bytes);
  await blobs.delete(name);
  await blobs.delete(name);
  expect([await blobs.open(name), await blobs.read(name)]).toEqual([null, null]);
});

test('a name that is not ours never reaches the bucket', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const before = server.log.length;
  for (const name of ['secret', '../secret', 'rnd_a.png', `${newId('rnd')}/../secret`, '', '.', '\0']) {
    expect([await blobs.open(name), await blobs.read(name)], name).toEqual([null, null]);
    await expect(blobs.put(name, bytes), name).rejects.toThrow('cannot name a blob');
    await blobs.delete(name);
  }
  expect(server.log).toHaveLength(before);
});

test('the list goes over pages, and leaves out what is not ours', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const names = Array.from({ length: 8 }, () => newId('img')).sort();
  for (const name of names) await blobs.put(name, bytes);
  const other = { bytes, headers: {}, lastModified: new Date() };
  server.objects.set('platen/images/img_elsewhere', other).set('platen/assets/README', other);
  expect((await blobs.list()).sort()).toEqual(names);
  for await (const { age } of blobs.entries()) expect(age).toBeLessThan(60_000);
});

test('a wrong secret is refused at the start, with what the store says', async () => {
  await expect(blobsUnderTest('another secret')).rejects.toThrow('S3 refuses: 403 SignatureDoesNotMatch.');
});

test('a bucket that does not exist is refused at the start', async () => {
  await using server = await serve((request, response) => {
    request.resume().on('end', () => response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>'));
  });
  await using folder = await temporaryFolder();
  const location = {
    endpoint: server.url,
    region: 'r',
    bucket: 'none',
    prefix: '',
    isVirtualHosted: false,
    kmsKey: null,
    keys: { kind: 'keys', accessKeyId: 'a', secretAccessKey: 'b', sessionToken: null },
  } as const;
  const opening = openS3Blobs({ location, folder: 'assets', cacheFolder: folder.path });
  await expect(opening).rejects.toThrow('S3 refuses: 404 NoSuchBucket.');
});

test('an anonymous request, and a body that is not what was signed, are refused by the store of these tests', async () => {
  await using under = await blobsUnderTest();
  const url = `${under.server.endpoint}/${BUCKET}/platen/assets/x`;
  expect((await fetch(url)).status).toBe(403);
  expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
});

test.each(['busy', 'cut'] as const)('every second request fails (%s), and nothing is noticed', async (fault) => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  server.fault = (request) => (request % 2 === 0 ? fault : null);
  for (let round = 0; round < 5; round += 1) {
    const name = `${newId('rnd')}.png`;
    await blobs.put(name, bytes);
    const blob = await blobs.open(name);
    expect((await all(blob?.stream()))?.equals(bytes)).toBe(true);
    expect((await blobs.read(name))?.equals(bytes)).toBe(true);
  }
  expect(await blobs.list()).toHaveLength(5);
});

test('a missing object is null, and one in a missing bucket an error', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const name = newId('img');
  expect([await blobs.open(name), await blobs.read(name), await blobs.localPath(name)]).toEqual([null, null, null]);
  server.fault = () => 'gone';
  for (const find of [blobs.open, blobs.read, blobs.localPath]) {
    await expect(find(name)).rejects.toThrow('S3 refuses: 404 NoSuchBucket.');
  }
});

test('a store that is gone is told as such, with when to come back', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const name = newId('img');
  await blobs.put(name, bytes);
  server.fault = () => 'cut';
  const gone = { code: 'overloaded', retryAfter: 5 };
  await expect(blobs.put(newId('img'), bytes)).rejects.toMatchObject(gone);
  await expect(blobs.read(name)).rejects.toMatchObject(gone);
  await expect(blobs.open(name)).rejects.toMatchObject(gone);
  server.fault = () => null;
  expect((await blobs.read(name))?.equals(bytes)).toBe(true);
});

test('a file is fetched once for what needs one', async () => {
  await using under = await blobsUnderTest();
  const { blobs, server } = under;
  const name = newId('fnt');
  await blobs.put(name, bytes);
  const [one, other] = await Promise.all([blobs.localPath(name), blobs.localPath(name)]);
  expect(one).toBe(other);
  expect(await blobs.localPath(name)).toBe(one);
  expect(server.log.filter((line) => line.startsWith('GET') && !line.includes('.probe'))).toHaveLength(1);
  expect((await readFile(one ?? '')).equals(bytes)).toBe(true);
  expect(await blobs.localPath(newId('fnt'))).toBeNull();
});
