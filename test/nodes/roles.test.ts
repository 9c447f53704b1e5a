// Tests servers of different roles on one database: requests and jobs that need a browser go to servers that have one.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { hasChromium, pixel, site } from '../server/chromium/chromium.ts';
import { SHAPES } from '../server/http/server-under-test.ts';
import type { ServerProcess } from '../server-process.ts';
import { type Nodes, startNodes } from './nodes.ts';

type Named = 'api' | 'browser' | 'worker' | 'pages';
let nodes: Nodes;
let servers: Readonly<Record<Named, ServerProcess>>;
let page: Awaited<ReturnType<typeof site>>;
let made: { readonly key: string; readonly secret: string; readonly shapes: string; readonly html: string };

beforeAll(async () => {
  page = await site({ '/': '<body style="margin:0;background:#0f0">' });
  const env = { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32', PLATEN_BROWSERS: '1', PLATEN_RENDER_CONCURRENCY: '1' };
  nodes = await startNodes({ count: 0, env });
  const browser = await nodes.add({ PLATEN_ROLES: 'api,browser' });
  const [api, worker, pages] = await Promise.all([
    nodes.add({ PLATEN_ROLES: 'api', PLATEN_BROWSER_URL: browser.url }),
    nodes.add({ PLATEN_ROLES: 'worker', PLATEN_METRICS_PORT: '0' }),
    nodes.add({ PLATEN_ROLES: 'worker,browser' }),
  ]);
  servers = { api, browser, worker, pages };
  const { accounts, keys, templates } = nodes.services;
  const { id } = await accounts.create({ email: null, displayName: null, plan: 'pro' });
  const html = {
    name: 'P',
    width: 20,
    height: 20,
    engine: 'html',
    html: '<p data-layer="a">x',
    css: 'html{background:#0f0}',
  };
  made = {
    key: (await keys.create(id, 'live')).key,
    secret: (await accounts.secrets(id)).signing,
    shapes: (await templates.create(id, SHAPES)).id,
    html: (await templates.create(id, html)).id,
  };
}, 120_000);
afterAll(async () => {
  await nodes?.[Symbol.asyncDispose]();
  await page?.[Symbol.asyncDispose]();
});

async function ask(server: Named, path: string, body?: object) {
  const headers = { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(`${servers[server].url}${path}`, { headers, ...init });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
}
const isGreen = async (bytes: Buffer) => expect(await pixel(bytes, 5, 5)).toBe('#00ff00ff');
const statusOf = async (id: string) => JSON.parse((await ask('api', `/v1/renders/${id}`)).text).status;
const isDone = (id: string) => expect.poll(() => statusOf(id), { timeout: 60_000, interval: 50 }).toBe('done');
/** The servers whose logs contain the job. */
const whoDid = (id: string) =>
  (Object.keys(servers) as Named[]).filter((name) => servers[name].problems.includes(`"job":"${id}"`));
const accept = async (path: string, body: object): Promise<string> =>
  JSON.parse((await ask('api', path, { ...body, async: true })).text).id;

test('a server without the role "api" answers about itself, and nothing else', async () => {
  for (const name of ['worker', 'pages'] as const) {
    expect((await ask(name, '/healthz')).status).toBe(200);
    expect((await ask(name, '/readyz')).status).toBe(200);
    const { status, text } = await ask(name, '/v1/account');
    expect([status, JSON.parse(text).error]).toEqual([
      503,
      'This server lacks the role "api" (PLATEN_ROLES): send requests to one that has it.',
    ]);
  }
});

test('a job is done by a worker, however it was accepted', async () => {
  const id = await accept('/v1/renders', { template: made.shapes });
  await isDone(id);
  expect(['worker', 'pages']).toContain(whoDid(id)[0]);
});

describe.skipIf(!hasChromium)('with Chromium', () => {
  test('what needs a browser at once is drawn by a server that has one, and counted once', async () => {
    const { text: before } = await ask('api', '/v1/usage');
    const shot = await ask('api', '/v1/screenshots', { url: `${page.origin}/`, width: 20, height: 20 });
    expect(shot.status, shot.text).toBe(200);
    const asset = new URL(JSON.parse(shot.text).url).pathname;
    await isGreen((await ask('api', asset)).bytes);
    const parameters = [['a', 'y']] as const;
    const query = signedQuery(made.secret, { template: made.html, extension: 'png', parameters });
    const drawn = await ask('api', `/v1/templates/${made.html}/render.png?${query}`);
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png']);
    await isGreen(drawn.bytes);
    const used = (text: string) => JSON.parse(text).used as number;
    expect(used((await ask('api', '/v1/usage')).text) - used(before)).toBe(2);
  });

  test('jobs that need a browser are done by workers that have one', async () => {
    const ids = [
      await accept('/v1/screenshots', { url: `${page.origin}/`, width: 20, height: 20 }),
      await accept('/v1/renders', { template: made.html }),
    ];
    for (const id of ids) {
      await isDone(id);
      await expect.poll(() => whoDid(id)).toEqual(['pages']);
    }
  });

  test('only they have started Chromium', async () => {
    const childrenOf = async ({ pid }: ServerProcess) =>
      (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').filter(Boolean).length;
    expect(await childrenOf(servers.api)).toBe(0);
    expect(await childrenOf(servers.worker)).toBe(0);
  });
});
