// Starts what the attacks of one account are run against: one server as it is documented to be started, or two servers
// on one PostgreSQL and one bucket.

import { join } from 'node:path';
import { openServices, type Services } from '#server/services.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import { openBlobs } from '#server/storage/open-blobs.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { ROOT } from '../command.ts';
import { runOn } from '../server/storage/postgres/run-on.ts';
import { startPostgres } from '../server/storage/postgres/start-postgres.ts';
import { ACCESS_KEY, BUCKET, s3Server } from '../server/storage/s3/s3-server.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** How many servers are attacked; two share a PostgreSQL and a bucket. */
export const NODES = process.env.NODES === '2' ? 2 : 1;

export interface AttackedServers extends AsyncDisposable {
  readonly servers: readonly ServerProcess[];
  readonly services: Services;
  /** The files of renders. */
  readonly assets: BlobStore;
}

/** @param prepare adds what has to be there before the servers start */
export async function attackedServers(
  env: Readonly<Record<string, string>>,
  prepare: (services: Services) => Promise<unknown> = async () => {},
  nodes: 1 | 2 = NODES,
): Promise<AttackedServers> {
  await using opened = new AsyncDisposableStack();
  const shared = nodes === 1 ? {} : await sharedStores(opened);
  const folders = [];
  for (let index = 0; index < nodes; index += 1) folders.push(opened.use(await temporaryFolder()).path);
  const config = loadConfig({ PLATEN_DATA: folders[0], ...shared, ...env });
  const services = opened.use(await openServices(config));
  const assets = opened.use(await openBlobs(config, 'assets'));
  await prepare(services);
  const command = [process.execPath, join(ROOT, 'bin/platen.mjs'), 'serve'];
  const servers: ServerProcess[] = [];
  for (const folder of folders) {
    servers.push(opened.use(await startProcess(folder, { LOG_LEVEL: 'info', ...shared, ...env }, command)));
  }
  const parts = opened.move();
  return { servers, services, assets, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

async function sharedStores(opened: AsyncDisposableStack): Promise<Readonly<Record<string, string>>> {
  const postgres = opened.use(await startPostgres());
  await runOn(postgres.urlOf('postgres'), 'CREATE DATABASE platen');
  const s3 = opened.use(await s3Server(1_000));
  const bucket = `s3://${BUCKET}/platen?endpoint=${s3.endpoint}`;
  return { DATABASE_URL: postgres.urlOf('platen'), ASSETS_URL: bucket, ...ACCESS_KEY };
}

/** The ports of the servers, as greedy-clients.ts takes them. */
export const portsOf = (servers: readonly ServerProcess[]) => servers.map(({ url }) => new URL(url).port).join(',');
