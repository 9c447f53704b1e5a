// A test key's files are marked in every output and however they are had; those of a live key, of signed URLs and
// previews never.

import { expect, test, vi } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { type Export, SHAPES, serverUnderTest } from './server-under-test.ts';

/** Writes for each page whether it ends in the two strokes of the watermark. */
const tellingMarks: Export = async (_output, pages) =>
  Buffer.from(JSON.stringify([...pages].map(({ ops }) => ops.slice(-2).every(({ kind }) => kind === 'stroke'))));
async function start() {
  const server = await serverUnderTest({}, { exportAs: tellingMarks });
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const stored = async (url: unknown) => (await server.ask(new URL(String(url)).pathname, { key: null })).text;
  return { server, template, stored };
}

test('of each output, in the asset and in the bytes, with a test key alone', async () => {
  const { server, template, stored } = await start();
  await using _ = server;
  for (const [key, marked] of [
    [server.key, '[false]'],
    [server.testKey, '[true]'],
    // The drawing of one key is not lent to the other.
    [server.key, '[false]'],
  ] as const) {
    for (const output of ['png', 'jpeg', 'webp', 'avif', 'pdf']) {
      const { json } = await server.post('/v1/renders', { template, output }, { key });
      expect(await stored(json.url), output).toBe(marked);
      const bytes = await server.post('/v1/renders', { template, output, response: 'bytes' }, { key });
      expect(bytes.text, output).toBe(marked);
    }
    const accept = { headers: { accept: 'image/svg+xml' }, key };
    expect((await server.post('/v1/renders', { template }, accept)).text).toBe(marked);
    const { json } = await server.post('/v1/renders/batch', { template, items: [{}, {}] }, { key });
    for (const { url } of json.results as { url: string }[]) expect(await stored(url)).toBe(marked);
    const job = await server.post('/v1/renders', { template, async: true }, { key });
    await vi.waitFor(async () => {
      const { json: done } = await server.ask(`/v1/renders/${job.json.id}`, { key });
      expect(await stored((done.result as { url: string } | null)?.url)).toBe(marked);
    }, 10_000);
  }
});

test('of no signed URL, and no preview with a test key', async () => {
  const { server, template } = await start();
  await using _ = server;
  const query = signedQuery(server.signingSecret, { template, extension: 'png', parameters: [] }, null);
  expect((await server.ask(`/v1/templates/${template}/render.png?${query}`, { key: null })).text).toBe('[false]');
  const preview = await server.post(`/v1/templates/${template}/preview`, {}, { key: server.testKey });
  expect(preview.text).toBe('[false]');
});

test.each(['zip', 'pdf'])('of each file of a batch that is joined to a %s', async (merge) => {
  await using server = await serverUnderTest();
  const count = async (path: string, key: string) => {
    const { body } = await server.ask(path, { key });
    return body.length;
  };
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const sizes = [];
  for (const key of [server.key, server.testKey]) {
    const output = merge === 'zip' ? 'png' : 'pdf';
    const begun = await server.post('/v1/batches', { template, merge, output, items: [{}, {}] }, { key });
    expect(begun.status).toBe(202);
    await vi.waitFor(async () => {
      const { json } = await server.ask(`/v1/batches/${begun.json.id}`, { key });
      expect([json.done, json.file]).toEqual([2, expect.any(String)]);
    }, 60_000);
    sizes.push(await count(`/v1/batches/${begun.json.id}/file`, key));
  }
  // Each has two pictures or pages of 40 × 20 px in one colour; the marked ones have letters on them.
  expect(sizes[1]).toBeGreaterThan(Number(sizes[0]) + 100);
});
