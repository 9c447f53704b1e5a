// Tests bodies of megabytes: their long strings, which are kept as parts of the text, and the turns in which they are read.

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readBody } from '../../../../src/server/http/middleware/body.ts';
import type { RequestContext } from '../../../../src/server/http/middleware/request-context.ts';
import { serve } from '../../../listen.ts';
import { serverUnderTest } from '../server-under-test.ts';

const SIZE = 4 * 2 ** 20;

const picture = (characters: number) => `data:image/png;base64,${'A'.repeat(characters)}`;
const template = (...sources: readonly string[]) => ({
  ...{ name: 'Long', width: 9, height: 9 },
  layers: sources.map((src, index) => ({ name: `${index}`, type: 'image', src, optional: true })),
});

test('a long string is as it was sent, with all that is beside it', async () => {
  await using server = await serverUnderTest();
  const sources = [picture(400_000), 'https://example.com/é', picture(300_000).replace('AAA', 'Aé😀')];
  const made = await server.post('/v1/templates', template(...sources));
  expect([made.status, made.json.error]).toEqual([201, undefined]);
  const { json } = await server.ask(`/v1/templates/${made.json.id}`);
  const { layers } = json as unknown as ReturnType<typeof template>;
  expect(layers.map(({ src }) => src)).toEqual(sources);
});

test('a long string that JSON does not allow is refused', async () => {
  await using server = await serverUnderTest();
  const body = JSON.stringify(template(picture(400_000)));
  const send = (raw: string) => server.ask('/v1/templates', { method: 'POST', raw });
  const tab = await send(body.replace('A"', '\t"'));
  expect([tab.status, tab.json.error]).toEqual([400, expect.stringMatching(/^The body is not valid JSON: line 1/)]);
  // As a name it is no value, with space before the colon too.
  const named = await send(body.replace('"src":', `"${'b'.repeat(300_000)}" \n: 1, "src":`));
  expect([named.status, named.json.error]).toEqual([
    400,
    expect.stringMatching(/^layers\[0\]: unknown property "b{9}/),
  ]);
  expect((await send(body.slice(0, 300_000))).status).toBe(400);
});

test('a turn of the event loop reads pieces of some bodies, not all that has arrived', async () => {
  let [most, inTurn] = [0, 0];
  await using server = await serve(async (req, res) => {
    const get = (name: string) => String(req.headers[name] ?? '');
    const koa = { req, res, ip: '192.0.2.1', state: {}, get, set: () => {} } as unknown as RequestContext;
    req.on('data', (chunk: Buffer) => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      inTurn += chunk.length;
      most = Math.max(most, inTurn);
    });
    const { length } = await readBody(koa, SIZE);
    res.end(`${length}`);
  });
  // Sent by another process, so that much of it can arrive at once.
  const program = `
    const body = Buffer.alloc(${SIZE});
    const send = () => fetch('http://127.0.0.1:${server.port}', { method: 'POST', body }).then((answer) => answer.text());
    Promise.all(Array.from({ length: 8 }, send)).then((all) => process.stdout.write(all.join()));`;
  const sender = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(await text(sender.stdout)).toBe(Array(8).fill(SIZE).join());
  // In one turn all eight may begin, and four of them be read on: two chunks of 64 KiB each.
  expect(most).toBeLessThanOrEqual((8 + 4) * 2 * 64 * 1024);
});
