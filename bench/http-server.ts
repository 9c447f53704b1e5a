// Runs a server in its own process, as `node bench/http-server.ts <kind> <data folder>`: Platen's own, takumi behind a
// Koa app, or an idle one, which shows how the machine affects a process that does nothing.

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Koa from 'koa';
import { createLog, type Log } from '#server/observability/log.ts';
import { openServices, type Services } from '#server/services.ts';
import { startServer } from '#server/start-server.ts';
import { boundHeaps, type Config, loadConfig, widenThreadPool } from '../src/server/config/config.ts';
import { loadAssets } from './assets.ts';
import { openDrawing } from './drawing.ts';
import type { ServerKind } from './http.ts';
import type { Output } from './peers/peer.ts';
import { servedWorkloads } from './served.ts';

/** What a client needs to request a render. */
export interface ServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Template id by workload. */
  readonly templates: Readonly<Record<string, string>>;
  /** Signing secret of URLs. */
  readonly secret: string;
}

/** A render ordered without HTTP; the answer has its number. */
export interface DrawOrder {
  readonly draw: string;
  readonly output: Output;
  readonly i: number;
}

export interface Health {
  readonly rss: number;
  /** CPU time of all threads since the start, ms. */
  readonly cpuMs: number;
  /** Longest delay of the event loop since the last query, ms. */
  readonly longestDelay: number;
  /** Most CPU time that the thread spent in one turn of the event loop, ms; unaffected by the rest of the machine. */
  readonly longestTurn: number;
}

// The measured delay includes the sampling interval, so at 1 ms the error is at most that.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

let longestTurn = 0;
let worked = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage();
  longestTurn = Math.max(longestTurn, (user + system - worked.user - worked.system) / 1e3);
  worked = { user, system };
}, 1).unref();

/** Creates an account with a template for each workload. */
async function createAccount({ accounts, keys, images, templates }: Services): Promise<Omit<ServerAddress, 'url'>> {
  const account = await accounts.create({ email: null, displayName: 'Bench', plan: 'pro' });
  const { key } = await keys.create(account.id, 'live');
  const files = (await loadAssets()).images;
  const ids = new Map<string, string>();
  const sources = JSON.stringify(servedWorkloads().map(({ template }) => template)).matchAll(/"src":"([^"]+)"/g);
  for (const name of new Set([...sources].map(([, source]) => source ?? ''))) {
    const uploaded = await images.upload(account.id, files.get(name)?.bytes ?? Buffer.alloc(0));
    ids.set(name, uploaded.id);
  }
  const byWorkload: Record<string, string> = {};
  for (const { name, template } of servedWorkloads()) {
    const stored = JSON.stringify(template).replace(/"src":"([^"]+)"/g, (whole, src) =>
      whole.replace(src, ids.get(src) ?? src),
    );
    byWorkload[name] = (await templates.create(account.id, JSON.parse(stored))).id;
  }
  const { signing: secret } = await accounts.secrets(account.id);
  return { headers: { authorization: `Bearer ${key}` }, templates: byWorkload, secret };
}

async function servePlaten(config: Config, log: Log): Promise<ServerAddress> {
  const server = await startServer(config, log);
  await using services = await openServices(config);
  return { url: `${server.url}/v1/renders`, ...(await createAccount(services)) };
}

/** Loaded only by its own servers: a peer's code must not count as Platen's memory. */
async function loadTakumi() {
  const { open: openTakumi } = await import('./peers/takumi.ts');
  return { openTakumi, ...(await import('./takumi-app.ts')) };
}

async function serveTakumi(config: Config, log: Log): Promise<ServerAddress> {
  const { openTakumi, sameApp } = await loadTakumi();
  const services = await openServices(config);
  const { headers, templates, secret } = await createAccount(services);
  const workloads = new Map(servedWorkloads().map((workload) => [templates[workload.name] ?? '', workload]));
  const server = await sameApp(await openTakumi(await loadAssets()), services, workloads, config, log);
  return { url: `${await listen(server)}/v1/renders`, headers, templates, secret };
}

async function serveBareTakumi({ dataFolder }: Config): Promise<ServerAddress> {
  const { openTakumi, bareApp } = await loadTakumi();
  const server = bareApp(await openTakumi(await loadAssets()), dataFolder);
  const templates = Object.fromEntries(servedWorkloads().map(({ name }) => [name, name]));
  return { url: await listen(server), headers: {}, templates, secret: '' };
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const NOWHERE: ServerAddress = { url: '', headers: {}, templates: {}, secret: '' };

const KINDS: Readonly<Record<ServerKind, (config: Config, log: Log) => Promise<ServerAddress>>> = {
  platen: servePlaten,
  takumi: serveTakumi,
  'takumi, bare app': serveBareTakumi,
  idle: async () => NOWHERE,
  'koa static': async ({ dataFolder }) => ({ ...NOWHERE, url: await listen(staticApp(dataFolder)) }),
  drawing: async ({ renderConcurrency, rasterMemory }) => {
    const draw = await openDrawing(renderConcurrency, rasterMemory);
    process.on('message', async (order: DrawOrder | 'health') => {
      if (order === 'health') return;
      await draw(order.draw, order.output, order.i);
      process.send?.({ drawn: order.i });
    });
    return NOWHERE;
  },
};

async function main(kind: string, folder: string): Promise<void> {
  widenThreadPool();
  boundHeaps();
  process.on('disconnect', () => process.exit(0));
  process.on('message', (message) => {
    if (message !== 'health') return;
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system) / 1e3;
    const rss = process.memoryUsage.rss();
    process.send?.({ rss, longestDelay: delay.max / 1e6, longestTurn, cpuMs } satisfies Health);
    delay.reset();
    longestTurn = 0;
  });
  const config = loadConfig({ PLATEN_DATA: folder, PORT: '0', LOG_LEVEL: 'silent' });
  process.send?.(await KINDS[kind as ServerKind](config, createLog('silent')));
}

/**
 * The baseline for a signed URL that was drawn before: a minimal Koa file server. It serves `/name` from the file of
 * that name, with an ETag of its size and modification time; not listening yet.
 */
function staticApp(folder: string): Server {
  const app = new Koa();
  app.use(async (koa) => {
    const path = join(folder, basename(koa.path));
    const { size, mtimeMs } = await stat(path);
    koa.status = 200;
    koa.etag = `${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}`;
    koa.type = 'png';
    koa.length = size;
    if (koa.fresh) koa.status = 304;
    else koa.body = createReadStream(path);
  });
  return createServer(app.callback());
}

if (import.meta.main) await main(process.argv[2] ?? '', process.argv[3] ?? '');
