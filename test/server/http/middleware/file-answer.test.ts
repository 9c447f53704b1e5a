// Tests renders answered with the file itself: `response: "bytes"` and the header Accept.

import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { type Ask, SHAPES, serverUnderTest } from '../server-under-test.ts';

const server = await serverUnderTest({}, { exportAs: async (output) => Buffer.from(`a ${output} file`) });
afterAll(() => server[Symbol.asyncDispose]());
const template = (await server.services.templates.create(server.account, SHAPES)).id;

const post = (json: object, accept?: string, more: Ask = {}) =>
  server.ask('/v1/renders', {
    method: 'POST',
    json: { template, ...json },
    ...more,
    headers: { ...(accept === undefined ? {} : { accept }), ...more.headers },
  });

test('response: "bytes" answers with the file, which is stored and counted, its id and URL in headers', async () => {
  const before = Number((await server.ask('/v1/usage')).json.used);
  const { status, headers, text } = await post({ response: 'bytes', output: 'webp', modifications: { bxo: 'x' } });
  expect([status, text, headers['content-type']]).toEqual([200, 'a webp file', 'image/webp']);
  const id = String(headers['platen-render-id']);
  const url = `${server.url}/assets/${id}.webp`;
  expect(headers).toMatchObject({ 'platen-render-url': url, 'content-location': url, 'cache-control': 'no-store' });
  expect(headers['platen-warnings']).toContain('bxo');
  expect((await server.ask(`/assets/${id}.webp`, { key: null })).text).toBe(text);
  expect((await server.ask(`/v1/renders/${id}`)).json).toMatchObject({ status: 'done', result: { id, url } });
  expect((await server.ask('/v1/usage')).json.used).toBe(before + 1);
});

/** Accept, `output` → the type of the answer. */
const CHOICES: readonly (readonly [string | undefined, object, string])[] = [
  [undefined, {}, 'application/json'],
  ['*/*', {}, 'application/json'],
  ['application/json', {}, 'application/json'],
  ['application/json, text/plain, */*', {}, 'application/json'],
  ['text/html', {}, 'application/json'],
  ['image/gif', {}, 'application/json'],
  ['image/avif', {}, 'image/avif'],
  ['image/svg+xml', {}, 'image/svg+xml'],
  ['image/png, application/json', {}, 'application/json'],
  ['image/png;q=0', {}, 'application/json'],
  ['application/json;q=0.1, image/png', {}, 'image/png'],
  ['image/png', {}, 'image/png'],
  ['IMAGE/JPEG', {}, 'image/jpeg'],
  ['image/*', {}, 'image/png'],
  ['image/*', { output: 'webp' }, 'image/webp'],
  ['application/pdf', {}, 'application/pdf'],
  ['image/png;q=0.5, image/webp', {}, 'image/webp'],
  ['image/png, */*;q=0.1', { output: 'pdf' }, 'application/pdf'],
  ['image/png', { response: 'json' }, 'application/json'],
  ['application/json', { response: 'bytes' }, 'image/png'],
  ['image/png', { async: true }, 'application/json'],
];
test.each(CHOICES)('Accept: %s with %j is answered as %s', async (accept, json, type) => {
  const { headers } = await post(json, accept);
  expect(headers['content-type']?.split(';')[0]).toBe(type);
});

test('400: an output that Accept excludes, and a job that is to be a file', async () => {
  const used = async () => (await server.ask('/v1/usage')).json.used;
  // A job of a test before this one is counted when it ends.
  const open = async (status: string) => (await server.ask(`/v1/history?status=${status}`)).json.renders;
  await expect.poll(async () => [await open('queued'), await open('processing')]).toEqual([[], []]);
  const before = await used();
  expect([
    (await post({ output: 'pdf' }, 'image/*')).status,
    (await post({ output: 'png' }, 'image/webp')).json,
  ]).toEqual([400, { error: 'Accept: asks for image/webp, output for "png"; leave one of them out.' }]);
  expect((await post({ response: 'bytes', async: true })).json).toEqual({
    error: 'response: must be "json" for a job; leave it out, or async and webhookUrl',
  });
  expect((await post({ response: 'picture' })).json.error).toMatch(/^response: must be one of "json", "bytes"/);
  expect(await used()).toBe(before);
});

test('errors are JSON, whatever Accept says', async () => {
  const { status, json } = await post({ modifications: { box: { opacity: 2 } } }, 'image/png');
  expect([status, json]).toEqual([400, { error: 'modifications.box.opacity: must be at most 1' }]);
});

test('a repeated request gets the same file; the key of one with another Accept is refused', async () => {
  const again = (json: object, accept?: string) => post(json, accept, { headers: { 'idempotency-key': 'file' } });
  const first = await again({}, 'image/webp');
  const second = await again({}, 'image/webp');
  expect(second).toMatchObject({ status: 200, text: 'a webp file', headers: { 'idempotent-replayed': 'true' } });
  expect(second.headers['platen-render-id']).toBe(first.headers['platen-render-id']);
  expect([(await again({}, 'image/png')).status, (await again({})).status]).toEqual([422, 422]);
  const bytes = () => post({ response: 'bytes' }, undefined, { headers: { 'idempotency-key': 'bytes' } });
  expect((await bytes()).headers['platen-render-id']).toBe((await bytes()).headers['platen-render-id']);
});

test('requests at once with one key get one file each of the same render', async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => post({ response: 'bytes' }, undefined, { headers: { 'idempotency-key': 'many' } })),
  );
  expect(new Set(answers.map(({ headers }) => headers['platen-render-id'])).size).toBe(1);
  expect(new Set(answers.map(({ body }) => createHash('sha256').update(body).digest('hex'))).size).toBe(1);
});

test('a batch has no file to answer with', async () => {
  const { headers } = await server.ask('/v1/renders/batch', {
    method: 'POST',
    json: { template, items: [{}] },
    headers: { accept: 'image/png' },
  });
  expect(headers['content-type']).toContain('application/json');
});
