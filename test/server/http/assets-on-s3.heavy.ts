// Tests the server with its files in an S3 bucket: everything it stores is written to the bucket and served from it,
// and nothing is counted while the bucket is unavailable.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { platen } from '../../cli/run-platen.ts';
import { quadrants } from '../../draw/images/pictures.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { ACCESS_KEY, BUCKET, type Fault, s3Server } from '../storage/s3/s3-server.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

const PNG = await quadrants().png().toBuffer();
const FONTS = findPackage('@expo-google-fonts/bricolage-grotesque') ?? '';
const FONT = await readFile(join(FONTS, '700Bold/BricolageGrotesque_700Bold.ttf'));

async function serverOnS3(more: Readonly<Record<string, string>> = {}) {
  await using parts = new AsyncDisposableStack();
  const s3 = parts.use(await s3Server());
  const env = { ASSETS_URL: `s3://${BUCKET}/platen?endpoint=${s3.endpoint}`, ...ACCESS_KEY, ...more };
  const server = parts.use(await serverUnderTest(env));
  const owned = parts.move();
  return { ...server, s3, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('assets, uploads, fonts and the pictures of signed URLs are in the bucket', async () => {
  await using server = await serverOnS3();
  const upload = (path: string, raw: Buffer, type: string) =>
    server.ask(path, { method: 'POST', raw, headers: { 'content-type': type } });
  const image = (await upload('/v1/images', PNG, 'image/png')).json.id;
  const font = (await upload('/v1/fonts', FONT, 'font/ttf')).json;
  const { id: template } = await server.services.templates.create(server.account, {
    name: 'Card',
    width: 60,
    height: 40,
    layers: [
      { name: 'photo', type: 'image', src: image, width: 20, height: 20 },
      { name: 'word', type: 'text', text: 'Hi', fontFamily: font.family, fontSize: 16, width: 60 },
    ],
  });
  const made = await server.post('/v1/renders', { template });
  expect([made.status, made.headers['platen-warnings']]).toEqual([200, undefined]);
  const asset = await server.ask(new URL(String(made.json.url)).pathname, { key: null });
  expect([asset.status, asset.headers['content-type']]).toEqual([200, 'image/png']);

  const query = signedQuery(server.signingSecret, { template, extension: 'png', parameters: [] });
  const path = `/v1/templates/${template}/render.png?${query}`;
  const [drawn, kept] = [await server.ask(path, { key: null }), await server.ask(path, { key: null })];
  expect([drawn.status, kept.status, kept.body.equals(drawn.body)]).toEqual([200, 200, true]);

  const folders = [...server.s3.objects.keys()].map((key) => key.split('/')[1]);
  expect([...new Set(folders)].sort()).toEqual(['assets', 'images', 'uploaded-fonts', 'variants']);
  expect(server.s3.objects.get(`platen/assets/${made.json.id}.png`)?.bytes.equals(asset.body)).toBe(true);
});

test.each(['busy', 'cut'] as const)(
  'while the bucket is away (%s) 503, nothing is counted, and then all is well',
  async (fault) => {
    await using server = await serverOnS3();
    const { id: template } = await server.services.templates.create(server.account, SHAPES);
    const render = () => server.post('/v1/renders', { template });
    const first = await render();
    const asset = new URL(String(first.json.url)).pathname;
    const setFault = (next: Fault | null) => {
      server.s3.fault = () => next;
    };

    setFault(fault);
    for (const answer of [await render(), await server.ask(asset, { key: null })]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    }
    expect((await server.ask('/v1/usage')).json.used).toBe(1);

    setFault(null);
    await vi.waitFor(async () => expect((await render()).status).toBe(200), { timeout: 10_000 });
    expect((await server.ask(asset, { key: null })).status).toBe(200);
    expect((await server.ask('/v1/usage')).json.used).toBe(2);
  },
);

test('with every tenth request failing all is done, and each unit has its file', async () => {
  await using server = await serverOnS3();
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const failed = new Set<string>();
  server.s3.fault = (request, key) => {
    // An object once at most: it is given up after some, which may all fall on tenth requests.
    const fault = failed.has(key) ? null : request % 10 === 3 ? 'busy' : request % 10 === 7 ? 'cut' : null;
    if (fault) failed.add(key);
    return fault;
  };
  const colours = Array.from({ length: 30 }, (_, n) => ({ box: `rgb(${n}, 0, 0)` }));
  const made = await Promise.all(
    colours.map((modifications) => server.post('/v1/renders', { template, modifications })),
  );
  expect(made.map(({ status }) => status)).toEqual(Array(30).fill(200));
  expect(failed.size).toBeGreaterThan(2);
  expect((await server.ask('/v1/usage')).json.used).toBe(30);
  for (const { json } of made) expect(server.s3.objects.has(`platen/assets/${json.id}.png`)).toBe(true);
});

test('a bucket that is lost: 503 with a sentence, not ready by name, nothing counted, and all is well with it again', async () => {
  await using server = await serverOnS3();
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const render = () => server.post('/v1/renders', { template });
  server.s3.fault = () => 'gone';
  const upload = await server.ask('/v1/images', { method: 'POST', raw: PNG, headers: { 'content-type': 'image/png' } });
  const error = 'The asset store cannot be used; S3 refuses: 404 NoSuchBucket. Try again later.';
  for (const { status, json } of [await render(), upload]) {
    expect([status, json.error]).toEqual([503, error]);
  }
  const ready = await server.ask('/readyz', { key: null });
  expect([ready.status, ready.json.error]).toEqual([503, `The bucket "${BUCKET}" of ASSETS_URL cannot be written to.`]);
  expect((await server.ask('/v1/usage')).json.used).toBe(0);
  server.s3.fault = () => null;
  expect((await render()).status).toBe(200);
});

test('a file in a bucket that is lost is not missing for certain: 503, and it is there again with the bucket', async () => {
  await using server = await serverOnS3();
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const { json } = await server.post('/v1/renders', { template });
  const asset = () => server.ask(new URL(String(json.url)).pathname, { key: null });
  server.s3.fault = () => 'gone';
  const lost = await asset();
  expect([lost.status, lost.headers['retry-after']]).toEqual([503, '30']);
  expect(lost.json.error).toBe('The asset store cannot be used; S3 refuses: 404 NoSuchBucket. Try again later.');
  server.s3.fault = () => null;
  expect((await asset()).status).toBe(200);
});

test('doctor has a line for the bucket', async () => {
  await using s3 = await s3Server();
  await using folder = await temporaryFolder();
  const doctor = (bucket: string, endpoint = s3.endpoint) =>
    platen(folder.path, ['doctor'], {
      ASSETS_URL: `s3://${bucket}/platen?endpoint=${endpoint}`,
      ...ACCESS_KEY,
    });
  const lineOf = ({ stdout }: { stdout: string }) => /^ *(?:ok|BROKEN) +bucket: .*$/m.exec(stdout)?.[0].trim();
  const right = await doctor(BUCKET);
  expect([right.status, lineOf(right)]).toEqual([
    0,
    `ok       bucket: "${BUCKET}" at ${s3.endpoint} can be written to.`,
  ]);
  const missing = await doctor('nowhere');
  expect(missing.status).toBe(1);
  expect(lineOf(missing)).toMatch(
    /^BROKEN +bucket: The bucket "nowhere" of ASSETS_URL cannot be used\. S3 refuses: 404 NoSuchBucket\. Check ASSETS_URL, /,
  );
  const closed = await doctor(BUCKET, 'http://127.0.0.1:1');
  expect(lineOf(closed)).toContain(
    'cannot be used. http://127.0.0.1:1 does not answer (ECONNREFUSED). Check ASSETS_URL',
  );
});

test.each([true, false])('ranges of stored files are served (in a bucket: %s)', async (onS3) => {
  await using server = onS3 ? await serverOnS3() : await serverUnderTest();
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const { json } = await server.post('/v1/renders', { template });
  const path = new URL(String(json.url)).pathname;
  const ask = (range: string, more = {}) => server.ask(path, { key: null, headers: { range, ...more } });
  const whole = await server.ask(path, { key: null });
  const size = whole.body.length;
  expect(whole.headers['accept-ranges']).toBe('bytes');
  const etag = String(whole.headers.etag);

  const cases: [string, number, number][] = [
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, size - 1],
    ['bytes=-5', size - 5, size - 1],
    [`bytes=20-${size + 100}`, 20, size - 1],
    [`bytes=-${size * 2}`, 0, size - 1],
  ];
  for (const [range, start, end] of cases) {
    const part = await ask(range, { 'if-range': etag });
    expect([part.status, part.headers['content-range']], range).toEqual([206, `bytes ${start}-${end}/${size}`]);
    expect(part.headers['content-length']).toBe(String(end - start + 1));
    expect(part.body.equals(whole.body.subarray(start, end + 1)), range).toBe(true);
  }
  for (const range of ['bytes=0-1,3-4', 'bytes=9-2', 'bytes=-', 'lines=1-2', 'bytes=x-1']) {
    expect((await ask(range)).body.equals(whole.body), range).toBe(true);
  }
  expect((await ask('bytes=0-9', { 'if-range': '"another"' })).status).toBe(200);
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const none = await ask(range);
    expect([none.status, none.headers['content-range']], range).toEqual([416, `bytes */${size}`]);
    expect(none.json.error).toBe(`The file has ${size} bytes; ask for a range within them.`);
  }
});

test('clients may be sent to the bucket, but for those that would send their key along', async () => {
  await using server = await serverOnS3({ ASSETS_DELIVERY: 'redirect' });
  const image = (await server.ask('/v1/images', { method: 'POST', raw: PNG, headers: { 'content-type': 'image/png' } }))
    .json;
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const made = (await server.post('/v1/renders', { template })).json;
  for (const { url } of [image, made]) {
    const path = new URL(String(url)).pathname;
    const sent = await server.ask(path, { key: null });
    expect([sent.status, sent.headers['cache-control'], sent.text]).toEqual([302, 'public, max-age=1800', '']);
    const fetched = await fetch(String(sent.headers.location));
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png']);
    const proxied = await server.ask(path);
    expect(proxied.status).toBe(200);
    expect(proxied.body.equals(Buffer.from(await fetched.arrayBuffer()))).toBe(true);
  }
  expect((await server.ask(`/assets/${String(made.id).replace(/.$/, '_')}.png`, { key: null })).status).toBe(404);
});

test('links to assets begin with the address of a CDN', async () => {
  await using server = await serverOnS3({ ASSETS_PUBLIC_URL: 'https://cdn.example.com/pictures/' });
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const { json } = await server.post('/v1/renders', { template });
  expect(json.url).toBe(`https://cdn.example.com/pictures/assets/${json.id}.png`);
  // The path in the URL is the object's key, so the CDN can be in front of the bucket or of the server.
  expect(server.s3.objects.has(`platen/assets/${json.id}.png`)).toBe(true);
});

test('the command line, which has no fetch, reaches the bucket too', async () => {
  await using server = await serverOnS3();
  const env = { ASSETS_URL: `s3://${BUCKET}/platen?endpoint=${server.s3.endpoint}`, ...ACCESS_KEY };
  const { status, stderr } = await platen(server.folder, ['account', 'list'], env);
  expect([status, stderr]).toEqual([0, '']);
});

test('a wrong secret ends the start, with what is wrong', async () => {
  await using s3 = await s3Server();
  const env = { ASSETS_URL: `s3://${BUCKET}?endpoint=${s3.endpoint}`, ...ACCESS_KEY, AWS_SECRET_ACCESS_KEY: 'x' };
  await expect(serverUnderTest(env)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The bucket "pictures" of ASSETS_URL cannot be used. S3 refuses: 403 SignatureDoesNotMatch.',
  });
});
