// takumi behind Platen's app, and behind a minimal one: two Koa apps that answer `POST /v1/renders` with its pictures.
//
// The first consists of the product's own parts: the key is looked up, the template found, the unit counted, and the
// asset stored on disk and in the database before the response. Only the drawing is not Platen's. The second parses
// JSON, draws, writes a file and returns its URL: the cost of a server without any guarantees.

import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import { ConcurrencyLimit } from '#base/concurrency/concurrency-limit.ts';
import { AppError } from '#base/errors.ts';
import { callerOf, limitRequests, requireKey } from '#server/http/middleware/authentication.ts';
import { readJsonObject } from '#server/http/middleware/body.ts';
import { errorBoundary } from '#server/http/middleware/errors.ts';
import type { State } from '#server/http/middleware/request-context.ts';
import { cutOffSlowReaders } from '#server/http/middleware/slow-readers.ts';
import { accessLog } from '#server/http/middleware/tracing.ts';
import { readRenderRequest } from '#server/http/v1/renders.ts';
import type { Log } from '#server/observability/log.ts';
import { Quota } from '#server/service/accounts/quota.ts';
import { RateLimit } from '#server/service/accounts/rate-limit.ts';
import { Assets } from '#server/service/files/assets.ts';
import { nothingMore } from '#server/service/idempotency.ts';
import type { Services } from '#server/services.ts';
import { openFileBlobs } from '#server/storage/blobs.ts';
import type { Config } from '../src/server/config/config.ts';
import type { Output, Peer } from './peers/peer.ts';
import { servedWorkload } from './served.ts';
import type { Workload } from './workloads.ts';

type Strings = Readonly<Record<string, string>>;

/** Not listening yet. @param workloads by template id */
export async function sameApp(
  peer: Peer,
  services: Services,
  workloads: ReadonlyMap<string, Workload>,
  config: Config,
  log: Log,
): Promise<Server> {
  const clock = () => new Date();
  const { storage, templates } = services;
  const blobs = await openFileBlobs(join(config.dataFolder, 'assets'));
  const assets = new Assets(storage, blobs, () => 'http://127.0.0.1', clock);
  const quota = new Quota(storage.usage, config.plans, clock);

  const router = new Router<State>();
  router.post('/v1/renders', async (koa) => {
    const caller = callerOf(koa);
    const { template, modifications, output } = readRenderRequest(await readJsonObject(koa));
    const { id } = await templates.open(caller.accountId, template);
    const asset = assets.begin(caller.accountId, output);
    await using ticket = await quota.reserve(caller, asset.id);
    const raced = peer.outputs.find((one) => one === output);
    if (!raced) throw new AppError('invalid_request', `output: the race has no ${output}`);
    const bytes = await peer.render(workloads.get(id) as Workload, modifications as Strings, raced);
    const result = assets.result(asset);
    await assets.save(asset, { bytes, diagnostics: [] }, ticket, result, nothingMore);
    koa.body = result;
  });

  const app = new Koa<State>();
  app.use(cutOffSlowReaders());
  app.use(accessLog(log));
  app.use(errorBoundary(log));
  app.use(requireKey(services.keys, new RateLimit(0, clock), () => true));
  app.use(limitRequests(new RateLimit(0, clock), new ConcurrencyLimit(0)));
  app.use(router.routes());
  return createServer(app.callback());
}

/** Not listening yet. Templates are named after their workloads. @param folder for the pictures */
export function bareApp(peer: Peer, folder: string): Server {
  const app = new Koa();
  let files = 0;
  app.use(async (koa) => {
    const chunks: Buffer[] = [];
    for await (const chunk of koa.req) chunks.push(chunk as Buffer);
    const { template, modifications, output } = JSON.parse(Buffer.concat(chunks).toString()) as {
      template: string;
      modifications: Strings;
      output: Output;
    };
    const name = `${files++}.${output}`;
    await writeFile(join(folder, name), await peer.render(servedWorkload(template), modifications, output));
    koa.body = { id: name, url: `/${name}`, output };
  });
  return createServer(app.callback());
}
