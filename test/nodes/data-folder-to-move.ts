// Fills a data folder as a server on SQLite leaves it: a few real requests, and any number of additional renders.

import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openServices } from '#server/services.ts';
import { atomically } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { newId } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { quadrants } from '../draw/images/pictures.ts';
import { SHAPES } from '../server/http/server-under-test.ts';
import { startProcess } from '../server-process.ts';

export interface DataFolder {
  readonly accountId: string;
  readonly key: string;
  readonly template: string;
  /** Path and query of a signed URL that was opened, and its image. */
  readonly signed: { readonly path: string; readonly bytes: Buffer };
  /** A render that was made with this Idempotency-Key. */
  readonly idempotent: { readonly key: string; readonly body: object; readonly id: string };
  /** The path of an asset, and its bytes. */
  readonly asset: { readonly path: string; readonly bytes: Buffer };
  /** Unfinished jobs: one that waits, and one whose server died during it. */
  readonly jobs: readonly string[];
  readonly used: number;
}

const PERIOD = new Date().toISOString().slice(0, 7);
const MONTH_AGO = Date.now() - 30 * 24 * 60 * 60 * 1000;

export async function fillDataFolder(folder: string, renders: number): Promise<DataFolder> {
  const made = await askServer(folder);
  await addRenders(folder, made.accountId, renders);
  const jobs = await addOpenJobs(folder, made.accountId, made.template);
  return { ...made, jobs, used: made.used + renders };
}

async function askServer(folder: string): Promise<Omit<DataFolder, 'jobs'>> {
  await using server = await startProcess(folder);
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder }));
  const { id: accountId } = await services.accounts.create({
    email: 'ada@example.com',
    displayName: 'Ada',
    plan: 'pro',
  });
  const { key } = await services.keys.create(accountId, 'live');
  const { signing } = await services.accounts.secrets(accountId);
  const { id: template } = await services.templates.create(accountId, SHAPES);
  const headers = { authorization: `Bearer ${key}` };
  const post = async (path: string, body: object | Buffer, more: Record<string, string> = {}) => {
    const raw = Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
    const type = Buffer.isBuffer(body) ? 'image/png' : 'application/json';
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type, ...more },
      body: raw,
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { id: string; url: string };
  };
  const get = async (path: string) => Buffer.from(await (await fetch(`${server.url}${path}`)).arrayBuffer());

  await post('/v1/images', await quadrants().png().toBuffer());
  const query = signedQuery(signing, { template, extension: 'png', parameters: [['box.fill', '#ff0000']] });
  const path = `/v1/templates/${template}/render.png?${query}`;
  const signed = { path, bytes: await get(path) };
  const body = { template, modifications: { box: '#00ff00' } };
  const { id, url } = await post('/v1/renders', body, { 'idempotency-key': 'once' });
  const assetPath = new URL(url).pathname;
  const asset = { path: assetPath, bytes: await get(assetPath) };
  return { accountId, key, template, signed, idempotent: { key: 'once', body, id }, asset, used: 2 };
}

/** Adds finished renders with their files and units, all different. */
async function addRenders(folder: string, accountId: string, count: number): Promise<void> {
  const db = await openDatabase(join(folder, 'platen.sqlite'));
  await mkdir(join(folder, 'assets'), { recursive: true });
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, n) => {
      const bytes = Buffer.from(`picture ${from + n} ${'…'.repeat((from + n) % 40)}`);
      return { id: newId('rnd'), bytes, at: MONTH_AGO + from + n };
    });
    for (const { id, bytes } of rows) await writeFile(join(folder, 'assets', `${id}.png`), bytes);
    await atomically(db, async (tx) => {
      for (const { id, bytes, at } of rows) {
        await tx('metered_renders').insert({
          id,
          account_id: accountId,
          kind: 'render',
          output: 'png',
          status: 'done',
          size: bytes.length,
          digest: createHash('sha256').update(bytes).digest('base64'),
          created_at: at,
          finished_at: at,
          asked: JSON.stringify({ n: 'ä "quoted" \u0001', at }),
          period: PERIOD,
        });
      }
    });
  }
  await db.destroy();
}

async function addOpenJobs(folder: string, accountId: string, template: string): Promise<string[]> {
  const db = await openDatabase(join(folder, 'platen.sqlite'));
  const request = JSON.stringify({ template: `${template}@1`, modifications: {}, output: 'png' });
  const open = [
    { status: 'queued', attempt: 0, worker: null },
    { status: 'processing', attempt: 1, worker: 'one-that-died' },
  ];
  const rows = open.map((state) => ({
    ...state,
    id: newId('rnd'),
    account_id: accountId,
    kind: 'render',
    output: 'png',
    created_at: Date.now(),
    claimable_at: Date.now(),
    request,
    metered: 1,
  }));
  await db('renders').insert(rows);
  await db('usage_units').insert(
    rows.map(({ id }) => ({ render_id: id, account_id: accountId, period: PERIOD, state: 'reserved' })),
  );
  await db.destroy();
  return rows.map(({ id }) => id);
}
