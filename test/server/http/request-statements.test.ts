// Tests how often a request asks the database: not at all while nothing was committed, and once to store a render. PostgreSQL is
// asked whether anything has changed, once, as of when the request has arrived.

import { Client } from 'pg';
import sqlite3 from 'sqlite3';
import { expect, test, vi } from 'vitest';
import { currentTrace } from '#base/trace.ts';
import { ON_POSTGRES } from '../storage/new-database.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from './server-under-test.ts';

/** The statements of requests from now on. */
function watchStatements() {
  const texts: string[] = [];
  const note = (text: unknown) => {
    if (currentTrace() !== null) texts.push(String(text));
  };
  const spies = ON_POSTGRES ? [watchPostgres(note)] : watchSqlite(note);
  return {
    texts,
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

function watchPostgres(note: (text: unknown) => void) {
  const original = Client.prototype.query as (...args: unknown[]) => unknown;
  return vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    // Only those with a callback are ours.
    if (typeof args.at(-1) === 'function') note((args[0] as { text?: unknown }).text);
    return Reflect.apply(original, this, args);
  } as typeof Client.prototype.query);
}

function watchSqlite(note: (text: unknown) => void) {
  return (['all', 'run'] as const).map((method) => {
    const original = sqlite3.Statement.prototype[method];
    return vi.spyOn(sqlite3.Statement.prototype, method).mockImplementation(function (
      this: sqlite3.Statement,
      ...args: unknown[]
    ) {
      note((this as unknown as { sql: string }).sql);
      return Reflect.apply(original, this, args);
    });
  });
}

const UNLIMITED = {
  PLATEN_PLANS: JSON.stringify({ free: { quota: 100, blocks: false }, pro: { quota: 100, blocks: false } }),
};

/** The statements of the last of four equal requests: after the first, its key is noted as used, which is a commit. */
async function statementsOf(ask: () => ReturnType<ServerUnderTest['ask']>): Promise<string[]> {
  for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(200);
  using watched = watchStatements();
  expect((await ask()).status).toBe(200);
  return [...watched.texts];
}

const LOOK = /change_count/;
/** Of a request when nothing has changed. */
const LOOKS = ON_POSTGRES || process.platform !== 'linux' ? [LOOK] : [];
const STORE = /^INSERT INTO metered_renders/;

test('an account, a preview, a layout and a render look at most once whether anything changed, and a render stores in one statement', async () => {
  await using server = await serverUnderTest(UNLIMITED);
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const matching = (...statements: readonly RegExp[]) => statements.map((one) => expect.stringMatching(one));
  const post =
    (path: string, json: object, more = {}) =>
    () =>
      server.post(path, json, more);
  expect(await statementsOf(() => server.ask('/v1/account'))).toEqual(matching(...LOOKS));
  expect(await statementsOf(post(`/v1/templates/${template}/preview`, {}))).toEqual(matching(...LOOKS));
  expect(await statementsOf(post(`/v1/templates/${template}/layout`, {}))).toEqual(matching(...LOOKS));
  expect(await statementsOf(post('/v1/renders', { template }))).toEqual(matching(...LOOKS, STORE));
  expect(await statementsOf(post('/v1/renders', { template: SHAPES }))).toEqual(matching(...LOOKS, STORE));
  const bytes = { headers: { accept: 'image/png' } };
  expect(await statementsOf(post('/v1/renders', { template }, bytes))).toEqual(matching(...LOOKS, STORE));
});

test('a file that is the answer is not read again, unless the memory of answers is taken', async () => {
  const answered = async (size: number) => {
    const file = Buffer.alloc(size, 7);
    const env = { PLATEN_ANSWER_MEMORY_MB: '32' };
    await using server = await serverUnderTest({ ...UNLIMITED, ...env }, { exportAs: async () => Buffer.from(file) });
    const { id: template } = await server.services.templates.create(server.account, SHAPES);
    const bytes = { headers: { accept: 'image/png' } };
    const ask = async () => {
      const answer = await server.post('/v1/renders', { template }, bytes);
      expect(answer.body.equals(file)).toBe(true);
      return answer;
    };
    return (await statementsOf(ask)).length;
  };
  expect(await answered(300_000)).toBe(LOOKS.length + 1);
  // An account has half of the memory.
  expect(await answered(17 * 2 ** 20)).toBe(LOOKS.length + 3);
});

test('items of a batch, and renders with an Idempotency-Key, ask for their key where they are stored', async () => {
  await using server = await serverUnderTest(UNLIMITED);
  const { id: template } = await server.services.templates.create(server.account, SHAPES);
  const batch = await statementsOf(() => server.post('/v1/renders/batch', { template, items: [{}] }));
  expect(batch.filter((sql) => !LOOK.test(sql))).toEqual([expect.stringMatching(STORE)]);
  let count = 0;
  const named = await statementsOf(() => {
    count += 1;
    return server.post('/v1/renders', { template }, { headers: { 'idempotency-key': `render ${count}` } });
  });
  const transaction = named.slice(
    named.findIndex((sql) => sql.startsWith('BEGIN')),
    named.indexOf('COMMIT') + 1,
  );
  expect(
    transaction.map((sql) =>
      /^(BEGIN|INSERT INTO metered_renders|insert into .idempotent_answers|delete from .idempotent_parts|COMMIT)/
        .exec(sql)?.[1]
        ?.replace(/[`"]/, ''),
    ),
  ).toEqual([
    'BEGIN',
    'INSERT INTO metered_renders',
    'insert into idempotent_answers',
    'delete from idempotent_parts',
    'COMMIT',
  ]);
});

test('what was remembered is read again after a change, whoever makes it', async () => {
  await using server = await serverUnderTest(UNLIMITED);
  const { services, account, key } = server;
  const { id: template } = await services.templates.create(account, SHAPES);
  const size = async () => (await server.post(`/v1/templates/${template}/layout`, {})).json.width;
  expect([await size(), await size()]).toEqual([SHAPES.width, SHAPES.width]);
  await services.templates.replace(account, template, { ...SHAPES, width: 60 });
  expect(await size()).toBe(60);
  await services.accounts.rename(account, { displayName: 'Another', email: null });
  expect((await server.ask('/v1/account', { key })).json.display_name).toBe('Another');
  await services.templates.delete(account, template);
  expect((await server.post('/v1/renders', { template })).status).toBe(404);
});
