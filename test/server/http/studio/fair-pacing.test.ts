import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairnessKeys } from '#server/http/middleware/fairness-key.ts';
import type { RequestContext } from '#server/http/middleware/request-context.ts';
import type { NamedOperation } from '#server/http/studio/contract.ts';
import { FairPacing } from '#server/http/studio/fair-pacing.ts';

const operation = (id: string, access: string) => ({ id, access }) as unknown as NamedOperation;
const asked = (headers: Record<string, string> = {}) =>
  ({ state: {}, get: (name: string) => headers[name] ?? '' }) as unknown as RequestContext;

/** Begins requests that do not end, and returns how many of each are worked on. */
async function begun(...requests: readonly (readonly [NamedOperation, string])[]) {
  const turns = new FairPacing();
  const counts: Record<string, number> = {};
  for (const [one, whose] of requests) {
    void turns.take(asked(), one, whose, () => {
      counts[whose] = (counts[whose] ?? 0) + 1;
      return new Promise(() => {});
    });
  }
  await setImmediate();
  return counts;
}

const times = (count: number, id: string, access: string, whose: string) =>
  Array.from({ length: count }, () => [operation(id, access), whose] as const);

test('few requests without a session are worked on at once, and another address has a place', async () => {
  const flood = times(800, 'studioReadSession', 'open', '::1');
  expect(await begun(...flood, ...times(1, 'studioReadSession', 'open', '::2'))).toEqual({ '::1': 4, '::2': 1 });
});

test('few requests of an account are worked on at once, and none of another waits for them', async () => {
  const flood = times(200, 'studioListTemplates', 'viewer', 'acc_a');
  expect(await begun(...flood, ...times(2, 'studioListTemplates', 'viewer', 'acc_b'))).toEqual({ acc_a: 4, acc_b: 2 });
});

test('requests that take long do not keep others of their account waiting', async () => {
  const uploads = times(50, 'studioUploadImage', 'editor', 'acc_a');
  expect(await begun(...uploads, ...times(1, 'studioListTemplates', 'viewer', 'acc_a'))).toEqual({ acc_a: 17 });
});

test('a request takes its turn when its body has arrived: one whose body does not arrive holds none', async () => {
  const turns = new FairPacing();
  const save = operation('studioSaveDraft', 'editor');
  for (let index = 0; index < 50; index += 1) {
    void turns.take(asked({ 'content-length': '9' }), save, 'acc_a', () => new Promise(() => {}));
  }
  const koa = asked({ 'content-length': '9' });
  await turns.take(koa, save, 'acc_a', async () => koa.state.turn?.());
});

const from = (address: string, headers: object) => ({ headers, socket: { remoteAddress: address } }) as never;

test('an invented key or cookie takes the turn of its address, a valid one that of its holder', () => {
  const keys = new FairnessKeys();
  expect(keys.of(from('::1', { authorization: 'Bearer a' }))).toBe(keys.of(from('::1', { cookie: 'platen=b' })));
  keys.remember(from('::1', { authorization: 'Bearer a' }), 'acc_a');
  keys.remember(from('::1', { cookie: 'x=y; __Host-platen=b; z=z' }), 'per_b');
  expect(keys.of(from('::2', { authorization: 'Bearer a' }))).toBe('acc_a');
  expect(keys.of(from('::2', { cookie: '__Host-platen=b' }))).toBe('per_b');
  expect(keys.of(from('192.0.2.1', {}))).toBe('192.0.2.1');
});
