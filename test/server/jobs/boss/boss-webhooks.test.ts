// Tests webhooks with pg-boss: a log entry for every attempt, a limit per host across all servers, and replays.

import { expect, test, vi } from 'vitest';
import type { Sent } from '#server/jobs/engine.ts';
import { announce, Deliveries } from '#server/service/jobs/webhooks.ts';
import type { Delivery } from '#server/storage/deliveries.ts';
import { type Engines, openEngines } from './engines.ts';

const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

const complete = ({ storage }: Engines, url: string, accountId = 'acc_a') =>
  announce(
    storage.deliveries,
    { accountId, webhookUrl: url },
    { id: 'rnd_1', status: 'error', result: null, error: 'no' },
    storage.clock(),
  );

/** The result of an attempt: failed with another one in `again` ms, or delivered if `again` is null. */
function sent({ storage }: Engines, { attempts }: Delivery, again: number | null): Sent {
  const at = storage.clock();
  const dueAt = again === null ? null : new Date(at.getTime() + again);
  return {
    attempt: { at, duration: 1, status: again === null ? 200 : 500, error: null },
    next: { status: again === null ? 'delivered' : 'pending', attempts: attempts + 1, dueAt },
  };
}

test('an attempt that fails is made again at its time, and a replay begins anew', async () => {
  await using engines = await openEngines();
  const { storage } = engines;
  const pauses = [200, null, 200, null];
  const engine = await engines.open({ send: async (delivery) => sent(engines, delivery, pauses.shift() ?? null) });
  const delivery = await complete(engines, 'https://example.com/hook');
  if (!delivery) throw new Error('nothing was announced');
  await engine.webhooks.start();
  const deliveries = new Deliveries(storage, storage.clock, engine.webhooks);
  const answers = async () => {
    const [{ status, log } = { status: null, log: [] }] = await deliveries.list(null);
    return [status, ...log.map((attempt) => attempt.status)];
  };
  await soon(async () => expect(await answers()).toEqual(['delivered', 500, 200]));
  await deliveries.replay(delivery.id);
  await soon(async () => expect(await answers()).toEqual(['delivered', 500, 200, 500, 200]));
  expect(engines.errors).toEqual([]);
});

test('at most 5 at once to one host from all servers; others do not wait for it', async () => {
  await using engines = await openEngines();
  const slow = Promise.withResolvers<void>();
  const begun: string[] = [];
  const send = async (delivery: Delivery) => {
    begun.push(delivery.url);
    await slow.promise;
    return sent(engines, delivery, null);
  };
  for (let index = 0; index < 20; index += 1) await complete(engines, `https://slow.example.com/${index}`);
  for (let index = 0; index < 3; index += 1) await complete(engines, `https://other.example.com:8443/${index}`);
  const both = [await engines.open({ send }), await engines.open({ send })];
  await Promise.all(both.map(({ webhooks }) => webhooks.start()));
  await soon(() => expect(begun).toHaveLength(8));
  for (const { webhooks } of both) webhooks.wake();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(begun.filter((url) => url.includes('slow'))).toHaveLength(5);
  slow.resolve();
  await soon(() => expect(begun).toHaveLength(23));
});

test('receivers of one account that never answer leave places for another account', async () => {
  await using engines = await openEngines();
  const never = Promise.withResolvers<void>();
  const begun: string[] = [];
  const send = async (delivery: Delivery) => {
    begun.push(delivery.accountId);
    await never.promise;
    return sent(engines, delivery, null);
  };
  const count = 120;
  for (let index = 0; index < count; index += 1) await complete(engines, `https://h${index % 100}.example.com/`);
  const both = [await engines.open({ send }), await engines.open({ send })];
  await Promise.all(both.map(({ webhooks }) => webhooks.start()));
  await soon(() => expect(begun).toHaveLength(50));
  const other = await complete(engines, 'https://other.example.com/', 'acc_b');
  await engines.storage.transaction(async (stores) => other && both[0]?.webhooks.add(stores, other));
  both[0]?.webhooks.wake();
  await soon(() => expect(begun.at(-1)).toBe('acc_b'));
  expect(begun).toHaveLength(51);
  never.resolve();
  await soon(() => expect(begun).toHaveLength(count + 1));
  expect(engines.errors).toEqual([]);
});

test('what falls to one of all servers is done once', async () => {
  await using engines = await openEngines();
  let sweeps = 0;
  const sweep = async () => {
    sweeps += 1;
  };
  const all = await Promise.all([1, 2, 3].map(() => engines.open({ sweep })));
  await Promise.all(all.map(({ maintenance }) => maintenance.start()));
  const planned = await engines.storage.executeSql('SELECT key, cron FROM pgboss.schedule ORDER BY key');
  expect(planned.rows).toEqual([
    { key: 'erase', cron: '* * * * *' },
    { key: 'missing', cron: '* * * * *' },
    { key: 'sweep', cron: '17 * * * *' },
  ]);
  // Insert what the cron schedule inserts when it is due.
  await engines.storage.executeSql(
    `INSERT INTO pgboss.job (name, data) VALUES ('maintenance', '{"key": "sweep"}'), ('maintenance', '{"key": "missing"}')`,
  );
  const open = async () =>
    (await engines.storage.executeSql("SELECT id FROM pgboss.job WHERE name = 'maintenance' AND state <= 'active'"))
      .rows;
  await soon(async () => expect(await open()).toEqual([]));
  expect([sweeps, engines.errors]).toEqual([1, []]);
});
