// Tests the limit of password attempts, which all servers of one database count together.

import { expect, test } from 'vitest';
import { SignInThrottle } from '#server/service/people/sign-in-throttle.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { openStorage, type Storage } from '#server/storage/storage.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { newDatabase } from '../../storage/new-database.ts';

/** The attempt counters of two servers on one database, with a simulated clock. */
async function twoServers() {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const { location } = parts.use(await newDatabase(folder.path));
  let now = Date.UTC(2026, 10, 21);
  const clock = () => new Date(now);
  const stores: Storage[] = [];
  for (const _ of [0, 1]) stores.push(parts.use(await openStorage(location)));
  const servers = stores.map((storage) => new SignInThrottle(storage, clock));
  const opened = parts.move();
  return {
    servers: servers as [SignInThrottle, SignInThrottle],
    location,
    stores: stores as [Storage, Storage],
    wait: (ms: number) => {
      now += ms;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const REFUSED = expect.objectContaining({ code: 'rate_limited' });

test('ten wrong ones in a quarter of an hour, whichever server is asked', async () => {
  await using made = await twoServers();
  const [one, other] = made.servers;
  for (let time = 0; time < 5; time++) {
    await one.take(['person ada']);
    await other.take(['person ada']);
  }
  await expect(one.take(['person ada'])).rejects.toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfter: 900 }),
  );
  await expect(other.take(['person ada', 'address 1.2.3.4'])).rejects.toThrow(REFUSED);
  await other.take(['person bob']);
  made.wait(15 * 60 * 1000);
  await other.take(['person ada']);
});

test('one that is refused counts nowhere, one that fits is given back', async () => {
  await using made = await twoServers();
  const [one, other] = made.servers;
  for (let time = 0; time < 10; time++) await one.take(['person ada']);
  for (let time = 0; time < 12; time++) {
    await expect(other.take(['address 1.2.3.4', 'person ada'])).rejects.toThrow(REFUSED);
  }
  for (let time = 0; time < 30; time++) await (await other.take(['address 1.2.3.4', 'person bob']))();
  await other.take(['address 1.2.3.4']);
});

test('of forty at once ten are let through', async () => {
  await using made = await twoServers();
  const tried = Array.from({ length: 40 }, (_, index) =>
    made.servers[index % 2]?.take(['person ada', `address ${index}`]),
  );
  const outcomes = await Promise.allSettled(tried);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});

test('what was typed is not in the database, and is forgotten', async () => {
  await using made = await twoServers();
  await made.servers[0].take(['person my-password']);
  const db = await openDatabase(made.location);
  await using _db = { [Symbol.asyncDispose]: () => db.destroy() };
  expect(await db('sign_in_tries')).toEqual([
    { key: expect.stringMatching(/^[\w-]{43}$/), tries: 1, until: expect.any(Number) },
  ]);
  await made.stores[0].signInTries.deleteLapsedBefore(new Date(Date.UTC(2026, 10, 22)));
  expect(await db('sign_in_tries')).toEqual([]);
});
