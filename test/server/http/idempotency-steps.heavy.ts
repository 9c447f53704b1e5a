// Makes a request with an Idempotency-Key fail at each database statement, or be killed at every third (`WHOLE=1`: at
// each), and sends it again: it is done once and counted once, and every repetition gets the same answer.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findPackage } from '#draw/fonts/catalog.ts';
import { exportAs } from '#draw/output/export.ts';
import type { Database } from '#server/storage/database.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { quadrants } from '../../draw/images/pictures.ts';
import { failStatements } from '../storage/failing-statements.ts';
import { ON_POSTGRES } from '../storage/new-database.ts';
import { type Answer, type Ask, NOW, type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

/** A killed server starts again, which takes a second. */
const KILLED_EVERY = process.env.WHOLE ? 1 : 5;
const PNG = await quadrants().png().toBuffer();
const FONTS = findPackage('@expo-google-fonts/bricolage-grotesque') ?? '';
const FONT = await readFile(join(FONTS, '700Bold/BricolageGrotesque_700Bold.ttf'));

interface Request {
  readonly path: string;
  /** Whether the account's plan has a limit, so that a unit is reserved first. */
  readonly blocks?: boolean;
  readonly ask: (template: string) => Ask;
  /** The table in which the request inserts rows. */
  readonly table: string;
  /** The number of rows that the answer reports; `units` is its number of units. */
  readonly made: (answer: Answer) => number;
  readonly units: (answer: Answer) => number;
}

const json = (body: object) => ({ method: 'POST', json: body });
const file = (raw: Buffer, type: string) => ({ method: 'POST', raw, headers: { 'content-type': type } });

const one = () => 1;
const none = () => 0;
const ok = (answer: Answer) => Number(answer.json.ok);

const REQUESTS: Readonly<Record<string, Request>> = {
  'a render': {
    path: '/v1/renders',
    ask: (template) => json({ template, modifications: { nobody: 'x' } }),
    table: 'renders',
    made: one,
    units: one,
  },
  'a render of a plan without a limit': {
    path: '/v1/renders',
    blocks: false,
    ask: (template) => json({ template }),
    table: 'renders',
    made: one,
    units: one,
  },
  'a render as a job': {
    path: '/v1/renders',
    ask: (template) => json({ template, async: true }),
    table: 'renders',
    made: one,
    units: one,
  },
  'a batch': {
    path: '/v1/renders/batch',
    ask: (template) => json({ template, items: [{}, { box: { opacity: 2 } }, { box: 'red' }] }),
    table: 'renders',
    made: ok,
    units: ok,
  },
  'a template': { path: '/v1/templates', ask: () => json(SHAPES), table: 'templates', made: one, units: none },
  'an image': { path: '/v1/images', ask: () => file(PNG, 'image/png'), table: 'images', made: one, units: none },
  'a font': { path: '/v1/fonts', ask: () => file(FONT, 'font/ttf'), table: 'fonts', made: one, units: none },
};

/** Counts rows and units, and the files that rows name but that do not exist. */
async function left({ folder, account }: ServerUnderTest, db: Database, table: string) {
  const done: { id: string }[] = await db('renders').where({ status: 'done' });
  const files = new Set(await readdir(join(folder, 'assets')));
  const [totals] = await db('usage').where({ account_id: account });
  return {
    rows: (await db(table)).length,
    units: (await db('usage_units').where({ state: 'used' })).length,
    used: totals?.used ?? 0,
    reserved: totals?.reserved ?? 0,
    missing: done.filter(({ id }) => !files.has(`${id}.png`)),
  };
}

for (const [name, { path, blocks = true, ask, table, made, units }] of Object.entries(REQUESTS)) {
  test.each([['killed', 'all'] as const, ['refused', 'one'] as const])(
    `${name}, %s at its statements`,
    async (_, how) => {
      const start = performance.now();
      await using server = await serverUnderTest(
        { PLATEN_PLANS: JSON.stringify({ free: { quota: 1000, blocks } }), PLATEN_BATCH_CONCURRENCY: '1' },
        {
          // The clock advances, so that a job that failed gets its next attempt.
          clock: () => new Date(NOW.getTime() + performance.now() - start),
          // Drawing is the same on both databases, so on PostgreSQL the test draws without separate threads.
          ...(ON_POSTGRES ? { exportAs } : {}),
        },
      );
      const db = await openDatabase(server.database);
      await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
      const { id: template } = await server.services.templates.create(server.account, SHAPES);
      let failed = true;
      let step = 0;
      while (failed) {
        step += how === 'all' ? KILLED_EVERY : 1;
        const plain = ask(template);
        const send = () =>
          server.ask(path, { ...plain, headers: { ...plain.headers, 'idempotency-key': `step ${step}` } });
        const before = await left(server, db, table);
        let given: Answer;
        {
          using failing = failStatements(step, how);
          given = await send();
          failed = failing.failed();
        }
        if (how === 'all') await server.restart();

        const first = await send();
        const second = await send();
        expect(first.status).toBeLessThan(300);
        // The answer of a killed server reaches nobody.
        if (given.status < 300 && (how === 'one' || !failed)) expect(first.text).toBe(given.text);
        expect([second.status, second.text]).toEqual([first.status, first.text]);
        expect(second.headers['platen-warnings']).toBe(first.headers['platen-warnings']);
        expect(second.headers['idempotent-replayed']).toBe('true');
        // A failed statement alone may become an item's error in the stored answer; after a kill, all valid items
        // succeed.
        if (name === 'a batch' && how === 'all') expect(first.json).toMatchObject({ count: 3, ok: 2 });
        await expect
          .poll(() => left(server, db, table), { timeout: 10_000, interval: 10 })
          .toEqual({
            rows: before.rows + made(first),
            units: before.units + units(first),
            used: before.used + units(first),
            reserved: 0,
            missing: [],
          });
      }
      expect(step).toBeGreaterThan(5);
    },
  );
}
