// Tests uploads of images and fonts, and their use by id or URL (product section 5).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import { QUADRANTS_SVG, quadrants } from '../../draw/images/pictures.ts';
import { type Answer, type Ask, type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

const PNG = await quadrants().png().toBuffer();
const PACKAGE = '@expo-google-fonts/bricolage-grotesque';
const TTF = readFileSync(join(findPackage(PACKAGE) ?? '', '700Bold/BricolageGrotesque_700Bold.ttf'));

const post = (server: ServerUnderTest, path: string, raw: string | Buffer, type: string, more: Ask = {}) =>
  server.ask(path, { method: 'POST', raw, ...more, headers: { 'content-type': type, ...more.headers } });

async function form(...files: readonly Buffer[]): Promise<[Buffer, string]> {
  const data = new FormData();
  data.set('note', 'hello');
  for (const file of files) data.append('file', new Blob([Uint8Array.from(file)]), 'a.png');
  const request = new Response(data);
  return [Buffer.from(await request.arrayBuffer()), request.headers.get('content-type') ?? ''];
}

async function drawn(server: ServerUnderTest, layer: object, key = server.key): Promise<Answer> {
  const json = { ...SHAPES, layers: [{ name: 'it', width: 20, height: 20, ...layer }] };
  const { id } = (await server.post('/v1/templates', json, { key })).json;
  return server.post('/v1/renders', { template: id }, { key });
}

test('POST /v1/images: 201 with what it is, raw or as a form', async () => {
  await using server = await serverUnderTest();
  const [body, type] = await form(PNG);
  for (const answer of [
    await post(server, '/v1/images', PNG, 'image/png'),
    await post(server, '/v1/images', PNG, 'application/octet-stream'),
    await post(server, '/v1/images', body, type),
  ]) {
    expect([answer.status, answer.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^img_/),
        url: `${server.url}/images/${answer.json.id}.png`,
        width: 60,
        height: 40,
        format: 'png',
      },
    ]);
  }
});

test('an upload is used by its id and by its URL, and served at that', async () => {
  await using server = await serverUnderTest();
  const { id, url } = (await post(server, '/v1/images', PNG, 'image/png')).json;
  for (const src of [id, url]) expect((await drawn(server, { type: 'image', src })).status).toBe(200);
  const { pathname } = new URL(String(url));
  const served = await server.ask(pathname, { key: null });
  expect([served.status, served.headers['content-type'], served.body.equals(PNG)]).toEqual([200, 'image/png', true]);
  expect(served.headers['content-security-policy']).toContain('sandbox');
  const etag = String(served.headers.etag);
  expect((await server.ask(pathname, { key: null, headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await server.ask(pathname.replace('.png', '.jpeg'), { key: null })).status).toBe(404);
});

test('an SVG is drawn, but never handed out', async () => {
  await using server = await serverUnderTest();
  const { id, url, format } = (await post(server, '/v1/images', QUADRANTS_SVG, 'image/svg+xml')).json;
  expect([format, (await drawn(server, { type: 'image', src: id })).status]).toEqual(['svg', 200]);
  expect((await server.ask(new URL(String(url)).pathname, { key: null })).status).toBe(404);
});

test('images are listed, read and deleted by their own account alone', async () => {
  await using server = await serverUnderTest();
  const image = (await post(server, '/v1/images', PNG, 'image/png')).json;
  const path = `/v1/images/${image.id}`;
  expect((await server.ask('/v1/images')).json).toEqual({ images: [image] });
  expect((await server.ask(path)).json).toEqual(image);

  const key = server.otherKey;
  expect((await server.ask('/v1/images', { key })).json).toEqual({ images: [] });
  for (const method of ['GET', 'DELETE']) expect((await server.ask(path, { method, key })).status).toBe(404);
  for (const src of [image.id, image.url]) {
    const { status, json } = await drawn(server, { type: 'image', src }, key);
    expect([status, json.error]).toEqual([400, expect.stringContaining('no uploaded image')]);
  }

  expect((await server.ask(path, { method: 'DELETE' })).status).toBe(204);
  expect((await server.ask(path, { method: 'DELETE' })).status).toBe(404);
  expect((await server.ask(new URL(String(image.url)).pathname, { key: null })).status).toBe(404);
});

test('an image that anybody deletes is refused from the next request on, however often it was drawn', async () => {
  await using server = await serverUnderTest();
  const { id: src } = (await post(server, '/v1/images', PNG, 'image/png')).json;
  const layers = [{ name: 'a', type: 'image', width: 10, height: 10, src }];
  const { id: template } = await server.services.templates.create(server.account, { ...SHAPES, layers });
  const status = async () => (await server.post('/v1/renders', { template })).status;
  expect([await status(), await status()]).toEqual([200, 200]);
  // Deleted through another connection, as by the command line.
  await server.services.images.delete(server.account, String(src));
  expect([await status(), await status()]).toEqual([400, 400]);
});

test('what is refused as an image', async () => {
  await using server = await serverUnderTest();
  const [two, twoType] = await form(PNG, PNG);
  const [none, noneType] = await form();
  const many = Buffer.from(`${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(50)}--b--\r\n`);
  const cases: [string | Buffer, string, number, string][] = [
    ['', 'image/png', 400, 'empty'],
    ['<html>', 'image/png', 400, 'not a PNG'],
    [PNG.subarray(0, 60), 'image/png', 400, 'PNG file'],
    ['{}', 'application/json', 400, 'Send the file itself'],
    [two, twoType, 400, 'exactly one file'],
    [none, noneType, 400, 'exactly one file'],
    [many, 'multipart/form-data; boundary=b', 400, 'at most 20 parts'],
    [PNG, 'multipart/form-data', 400, 'no boundary'],
    [PNG, 'multipart/form-data; boundary=b', 400, 'no valid multipart form'],
    [Buffer.alloc(15 * 2 ** 20 + 1), 'image/png', 413, '15 MiB'],
    [Buffer.alloc(16 * 2 ** 20), 'image/png', 413, 'at most'],
  ];
  for (const [raw, type, status, message] of cases) {
    const answer = await post(server, '/v1/images', raw, type);
    expect([answer.status, answer.json.error], `${type} ${raw.length}`).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  }
  expect((await server.ask('/v1/images')).json).toEqual({ images: [] });
});

test.each([
  ['in the file', 'Content-Disposition: form-data; name="a"; filename="a.png"\r\n\r\nsome bytes'],
  ['behind the headers of the file', 'Content-Disposition: form-data; name="a"; filename="a.png"\r\n\r\n'],
  ['in the headers of the file', 'Content-Disposition: form-data; name="a"; filename="a.png"\r\n'],
  ['in a field', 'Content-Disposition: form-data; name="a"\r\n\r\nsome bytes'],
  ['behind the end of the file', 'Content-Disposition: form-data; name="a"; filename="a.png"\r\n\r\nsome bytes\r\n--b'],
])('a form that is cut off %s is a 400, and the server goes on', async (_, part) => {
  await using server = await serverUnderTest();
  const { status, json } = await post(server, '/v1/images', `--b\r\n${part}`, 'multipart/form-data; boundary=b');
  expect([status, json.error]).toEqual([400, 'The body is no valid multipart form.']);
  expect((await server.ask('/v1/account')).status).toBe(200);
});

test('POST /v1/fonts: a family for this account’s templates alone', async () => {
  await using server = await serverUnderTest();
  const text = { type: 'text', text: 'Hello', fontFamily: 'Brand Sans', width: 40 };
  const before = await drawn(server, text);
  expect(before.headers['platen-warnings']).toContain('Brand Sans');

  const { status, json } = await post(server, '/v1/fonts', renamed(TTF, 'Brand Sans'), 'font/ttf');
  const font = { id: expect.stringMatching(/^fnt_/), family: 'Brand Sans', weight: 700, style: 'normal', axes: {} };
  expect([status, json]).toEqual([201, font]);
  expect((await server.ask('/v1/fonts')).json).toEqual({ fonts: [font] });

  const after = await drawn(server, text);
  expect([after.status, after.headers['platen-warnings']]).toEqual([200, undefined]);
  await server.restart();
  expect((await drawn(server, text)).headers['platen-warnings']).toBeUndefined();

  const key = server.otherKey;
  expect((await drawn(server, text, key)).headers['platen-warnings']).toContain('Brand Sans');
  expect((await server.ask('/v1/fonts', { key })).json).toEqual({ fonts: [] });
  expect((await server.ask(`/v1/fonts/${json.id}`, { method: 'DELETE', key })).status).toBe(404);

  expect((await server.ask(`/v1/fonts/${json.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await drawn(server, text)).headers['platen-warnings']).toContain('Brand Sans');
});

test('a font’s family may be named by its upload, and named again by another', async () => {
  await using server = await serverUnderTest();
  const text = { type: 'text', text: 'A', fontFamily: 'House 2', fontWeight: 700 };
  const { status, json } = await post(server, '/v1/fonts?family=%20House%202', TTF, 'font/ttf');
  expect([status, json.family]).toEqual([201, 'House 2']);
  expect((await drawn(server, text)).headers['platen-warnings']).toBeUndefined();
  expect((await post(server, '/v1/fonts?family=', TTF, 'font/ttf')).json.family).toBe('Bricolage Grotesque');
  for (const name of ['H%C3%A4us', 'a%22%7D', 'a'.repeat(101)]) {
    const refused = await post(server, `/v1/fonts?family=${name}`, TTF, 'font/ttf');
    expect([refused.status, refused.json.error]).toEqual([400, expect.stringMatching(/^family: /)]);
  }
});

test('what is refused as a font', async () => {
  await using server = await serverUnderTest();
  const cases: [string | Buffer, number, string][] = [
    ['', 400, 'empty'],
    [PNG, 400, 'not a TrueType'],
    [TTF.subarray(0, 2_000), 400, 'font'],
    [Buffer.alloc(5 * 2 ** 20 + 1), 413, '5 MiB'],
  ];
  for (const [raw, status, message] of cases) {
    const answer = await post(server, '/v1/fonts', raw, 'font/ttf');
    expect([answer.status, answer.json.error], String(raw.length)).toEqual([status, expect.stringContaining(message)]);
  }
});

test('an upload with an Idempotency-Key is kept once', async () => {
  await using server = await serverUnderTest();
  const headers = { 'idempotency-key': 'a' };
  const [first, second] = [
    await post(server, '/v1/images', PNG, 'image/png', { headers }),
    await post(server, '/v1/images', PNG, 'image/png', { headers }),
  ];
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  expect((await server.ask('/v1/images')).json.images).toHaveLength(1);
});

/** Renames the font's family. Shorter names are padded to keep the length; longer ones do not fit. Names are UTF-16. */
function renamed(font: Buffer, family: string): Buffer {
  const [from, to] = ['Bricolage Grotesque', family.padEnd('Bricolage Grotesque'.length)].map((name) =>
    Buffer.from(name, 'utf16le').swap16(),
  );
  const copy = Buffer.from(font);
  if (!from || !to) return copy;
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) to.copy(copy, at);
  return copy;
}
