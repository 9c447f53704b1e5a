import { expect, test } from 'vitest';
import { createLog } from '#server/observability/log.ts';
import { Idempotency } from '#server/service/idempotency.ts';
import { Leases } from '#server/service/leases.ts';
import type { Storage } from '#server/storage/storage.ts';
import { NOW, storageUnderTest } from '../storage/open-storage.ts';

const request = { accountId: 'acc_a', kind: 'live', key: 'mine', fingerprint: 'f' } as const;
const answer = { status: 202, body: '{"id":"rnd_1"}', warnings: null };

function idempotency(storage: Storage): Idempotency {
  const clock = () => NOW;
  const leases = new Leases({ storage, clock, holder: 'a', alone: true });
  return new Idempotency({ storage, leases, clock, log: createLog('silent') });
}

test('an answer that its work recorded is given again, even if the process died before it was sent', async () => {
  await using opened = await storageUnderTest();
  const server = () => idempotency(opened.storage);
  const killed = server().once(request, async ({ answered }) => {
    await opened.storage.transaction((stores) => answered(stores, answer));
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  const again = server().once(request, () => Promise.reject(new Error('must not be begun')));
  expect(await again).toMatchObject(answer);
});

test('an answer whose transaction failed is forgotten with it', async () => {
  await using opened = await storageUnderTest();
  const server = idempotency(opened.storage);
  const failed = server.once(request, ({ answered }) =>
    opened.storage.transaction(async (stores) => {
      await answered(stores, answer);
      throw new Error('disk full');
    }),
  );
  await expect(failed).rejects.toThrow('disk full');
  const other = { ...answer, body: '{"id":"rnd_2"}' };
  expect(await server.once(request, async () => other)).toEqual(other);
});
