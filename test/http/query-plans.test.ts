// Every statement that a render, a signed URL or a job makes goes by an index: no table is read from end to end.

import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { expect, test, vi } from 'vitest';
import { signedQuery } from '#service/signed-url.ts';
import { openDatabase } from '#storage/database.ts';
import { SHAPES, serverUnderTest } from './server-under-test.ts';

/** The queue in the order of its turns: an index of the jobs that are not over, read up to the first that is ripe. */
const QUEUE = 'SCAN renders USING INDEX renders_claimable';

/** The texts of the statements that run meanwhile. */
function watchStatements() {
  const texts = new Set<string>();
  const spies = (['all', 'run'] as const).map((method) => {
    const original = sqlite3.Statement.prototype[method];
    return vi.spyOn(sqlite3.Statement.prototype, method).mockImplementation(function (
      this: sqlite3.Statement,
      ...args: unknown[]
    ) {
      texts.add((this as unknown as { sql: string }).sql);
      return Reflect.apply(original, this, args);
    });
  });
  const stop = () => {
    for (const spy of spies) spy.mockRestore();
  };
  return { texts, [Symbol.dispose]: stop };
}

test('no statement of a render, a signed URL or a job scans a table', async () => {
  await using server = await serverUnderTest({}, { exportAs: async () => Buffer.from('a picture') });
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const query = signedQuery(server.signingSecret, { template, extension: 'png', parameters: [] }, null);
  using watched = watchStatements();
  const post = (json: object) => server.ask('/v1/renders', { method: 'POST', json });
  for (const output of ['png', 'pdf']) expect((await post({ template, output })).status).toBe(200);
  for (const _ of ['drawn', 'kept']) {
    expect((await server.ask(`/v1/templates/${template}/render.png?${query}`, { key: null })).status).toBe(200);
  }
  const accepted = await post({ template, async: true });
  await vi.waitFor(async () => expect((await server.ask(`/v1/renders/${accepted.json.id}`)).json.status).toBe('done'), {
    timeout: 10_000,
    interval: 20,
  });

  // `1 = ?` is knex's empty list, in the sweep that a start begins: it reads nothing.
  const planned = [...watched.texts].filter(
    (sql) => /^\s*(select|insert|update|delete)\b/i.test(sql) && !sql.includes('where 1 = ?'),
  );
  expect(planned.length).toBeGreaterThan(15);
  const db = await openDatabase(join(server.folder, 'platen.sqlite'));
  const scans: string[] = [];
  for (const sql of planned) {
    const bindings = Array.from({ length: sql.split('?').length - 1 }, () => null);
    const steps: { detail: string }[] = await db.raw(`EXPLAIN QUERY PLAN ${sql}`, bindings as never);
    for (const { detail } of steps)
      if (/^SCAN (?!CONSTANT)/.test(detail) && detail !== QUEUE) scans.push(`${detail}: ${sql}`);
  }
  await db.destroy();
  expect(scans).toEqual([]);
});
