// Tests that every statement of a render, a signed URL, a job or an update of templates uses an index: no table is scanned.

import { Client } from 'pg';
import sqlite3 from 'sqlite3';
import { expect, test, vi } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { atomically, type Database } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { ON_POSTGRES } from '../storage/new-database.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

/**
 * The allowed scans: the queue reads an index of unfinished jobs in turn order, up to the first one that is due, and
 * `change_count` has a single row, a counter of changes.
 */
const ALLOWED = ['SCAN renders USING INDEX renders_claimable', 'SCAN change_count'];

/**
 * Statements of the sweep at the server's start, which may still run: what was deleted long ago goes for good, and
 * `1 = ?` is knex's SQL for an empty list, which reads nothing.
 */
const OF_SWEEP = /where 1 = |^delete from \S+ where \S*deleted_at\S* < /;

/** Records the SQL of the statements that run until it is disposed of. */
function watchStatements() {
  const texts = new Set<string>();
  const spies = ON_POSTGRES ? [watchPostgres(texts)] : watchSqlite(texts);
  const stop = () => {
    for (const spy of spies) spy.mockRestore();
  };
  return { texts, [Symbol.dispose]: stop };
}

function watchPostgres(texts: Set<string>) {
  const original = Client.prototype.query as (...args: unknown[]) => unknown;
  return vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    const [query] = args as [{ readonly text?: string }];
    if (query.text !== undefined) texts.add(query.text);
    return Reflect.apply(original, this, args);
  } as typeof Client.prototype.query);
}

function watchSqlite(texts: Set<string>) {
  return (['all', 'run'] as const).map((method) => {
    const original = sqlite3.Statement.prototype[method];
    return vi.spyOn(sqlite3.Statement.prototype, method).mockImplementation(function (
      this: sqlite3.Statement,
      ...args: unknown[]
    ) {
      texts.add((this as unknown as { sql: string }).sql);
      return Reflect.apply(original, this, args);
    });
  });
}

/** The table scans in a statement's query plan. */
async function scansOf(db: Database, sql: string): Promise<string[]> {
  if (ON_POSTGRES) return postgresScansOf(db, sql);
  const bindings = Array.from({ length: sql.split('?').length - 1 }, () => null);
  const steps: { detail: string }[] = await db.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings as never);
  return steps
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (?!CONSTANT)/.test(detail) && !ALLOWED.includes(detail));
}

/** PostgreSQL scans small tables. With `enable_seqscan` off, it scans only where there is no other plan. */
async function postgresScansOf(db: Database, sql: string): Promise<string[]> {
  return atomically(db, async (tx) => {
    await tx.raw('SET LOCAL enable_seqscan = off');
    const { rows } = await tx.raw(`EXPLAIN (GENERIC_PLAN) ${sql.replaceAll('?', '\\?')}`);
    const lines = rows.map((row: Record<string, string>) => row['QUERY PLAN']);
    return lines.filter((line: string) => /Seq Scan on (?!change_count)/.test(line));
  });
}

test('no statement of a render, a signed URL or a job scans a table', async () => {
  await using server = await serverUnderTest({}, { exportAs: async () => Buffer.from('a picture') });
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const query = signedQuery(server.signingSecret, { template, extension: 'png', parameters: [] }, null);
  using watched = watchStatements();
  for (const output of ['png', 'pdf'])
    expect((await server.post('/v1/renders', { template, output })).status).toBe(200);
  for (const _ of ['drawn', 'kept']) {
    expect((await server.ask(`/v1/templates/${template}/render.png?${query}`, { key: null })).status).toBe(200);
  }
  const accepted = await server.post('/v1/renders', { template, async: true });
  await vi.waitFor(async () => expect((await server.ask(`/v1/renders/${accepted.json.id}`)).json.status).toBe('done'), {
    timeout: 10_000,
    interval: 20,
  });

  expect(await scansIn(watched.texts, server, 15)).toEqual([]);
});

test('nor does one that finds or updates the templates that use an older version of something', async () => {
  await using server = await serverUnderTest();
  const saveBrand = () => server.ask('/v1/brands/acme', { method: 'PUT', json: {} });
  await saveBrand();
  const { id: template } = await server.services.templates.create(server.account, { ...SHAPES, brand: 'acme' });
  await saveBrand();
  using watched = watchStatements();
  const { materialUpdates } = server.services;
  expect(await materialUpdates.newerOf(server.account, template)).toHaveLength(1);
  expect((await materialUpdates.countsByBrand(server.account)).get('acme')).toBe(1);
  const path = '/v1/brands/acme';
  for (const query of ['', `?after=${template}`]) await server.ask(`${path}/outdated-uses${query}`);
  const updated = await server.post(`${path}/update-uses`, { templates: 'all' });
  expect(updated.json).toMatchObject({ ok: 1 });
  expect(await scansIn(watched.texts, server, 10)).toEqual([]);
});

/** The scans of the statements that were watched, at least so many. */
async function scansIn(texts: ReadonlySet<string>, server: ServerUnderTest, atLeast: number): Promise<string[]> {
  const planned = [...texts].filter(
    (sql) => /^\s*(select|insert|update|delete|with)\b/i.test(sql) && !OF_SWEEP.test(sql),
  );
  expect(planned.length).toBeGreaterThan(atLeast);
  const db = await openDatabase(server.database);
  const scans: string[] = [];
  for (const sql of planned) {
    for (const scan of await scansOf(db, sql)) scans.push(`${scan}: ${sql}`);
  }
  await db.destroy();
  return scans;
}
