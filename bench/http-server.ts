// A server in a process of its own: `node bench/http-server.ts <platen|takumi>`. Platen's own, or takumi behind a Koa
// app that does what Platen's does for a render: reads JSON, draws, writes the file, answers with where it is.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Koa from 'koa';
import { openServices, startServer } from '../src/app.ts';
import { loadConfig, widenThreadPool } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { loadAssets } from './assets.ts';
import type { Output } from './peers/peer.ts';
import { open as openTakumi } from './peers/takumi.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

/** What a render is asked for with. */
export interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Template by workload. */
  readonly templates: Readonly<Record<string, string>>;
}

export interface Health {
  readonly rss: number;
  /** ms, since the last look. */
  readonly longestDelay: number;
}

// What it measures has its own interval in it: at 1 ms, the error is no more.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

async function servePlaten(folder: string): Promise<ServerAddress> {
  widenThreadPool();
  const config = loadConfig({ PLATEN_DATA: folder, PORT: '0', LOG_LEVEL: 'silent' });
  const server = await startServer(config, createLog('silent'));
  await using services = await openServices(config);
  const account = await services.accounts.create({ email: null, displayName: 'Bench', plan: 'pro' });
  const key = await services.keys.create(account.id, 'live');
  const { images } = await loadAssets();
  const ids = new Map<string, string>();
  for (const name of ['photo.jpg', 'portrait.jpg', 'logo.png']) {
    const uploaded = await services.images.upload(account.id, images.get(name)?.bytes ?? Buffer.alloc(0));
    ids.set(name, uploaded.id);
  }
  const templates: Record<string, string> = {};
  for (const { name, template } of WORKLOADS) {
    const stored = JSON.stringify(template).replace(/"src":"([^"]+)"/g, (whole, src) =>
      whole.replace(src, ids.get(src) ?? src),
    );
    templates[name] = (await services.templates.create(account.id, JSON.parse(stored))).id;
  }
  const headers = { authorization: `Bearer ${key.key}` };
  return { url: `${server.url}/v1/renders`, headers, templates };
}

async function serveTakumi(folder: string): Promise<ServerAddress> {
  const peer = await openTakumi(await loadAssets());
  const app = new Koa();
  let files = 0;
  app.use(async (context) => {
    const chunks: Buffer[] = [];
    for await (const chunk of context.req) chunks.push(chunk as Buffer);
    const { template, modifications, output } = JSON.parse(Buffer.concat(chunks).toString()) as {
      template: string;
      modifications: Record<string, string>;
      output: Output;
    };
    const workload = WORKLOADS.find(({ name }) => name === template) as Workload;
    const name = `${files++}.${output}`;
    await writeFile(join(folder, name), await peer.render(workload, modifications, output));
    context.body = { id: name, url: `/${name}`, output };
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const templates = Object.fromEntries(WORKLOADS.map(({ name }) => [name, name]));
  return { url: `http://127.0.0.1:${port}/`, headers: {}, templates };
}

async function main(kind: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  process.on('disconnect', async () => {
    await rm(folder, { recursive: true, force: true });
    process.exit(0);
  });
  process.on('message', () => {
    process.send?.({ rss: process.memoryUsage.rss(), longestDelay: delay.max / 1e6 } satisfies Health);
    delay.reset();
  });
  process.send?.(await (kind === 'platen' ? servePlaten(folder) : serveTakumi(folder)));
}

if (import.meta.main) await main(process.argv[2] ?? '');
