import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { ThreadRpc } from '#draw/renderer/thread-rpc.ts';
import { outcome } from './supplies.ts';

type Echo = {
  echo(value: unknown): Promise<unknown>;
  fail(what: keyof typeof failures): Promise<never>;
  wait(nothing: null, signal: AbortSignal): Promise<never>;
  give(bytes: Uint8Array): Promise<Uint8Array>;
};

const kept = new Uint8Array(8);
const failures = {
  app: new AppError('overloaded', 'Later, please.', { retryAfter: 7, cause: new Error('all busy', { cause: 'noon' }) }),
  validation: new ValidationError('layers[0].src', 'must be a text'),
  bug: new TypeError('x is not a function'),
  'no error': 'a mere text',
};

function ends() {
  const { port1, port2 } = new MessageChannel();
  const answering = new ThreadRpc<Record<string, never>>(port2, {
    echo: async (value: unknown) => value,
    fail: (what: keyof typeof failures) => Promise.reject(failures[what]),
    wait: (_: null, signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('told to stop')))),
    give: async () => kept,
  } satisfies Echo);
  const asking = new ThreadRpc<Echo>(port1, {});
  return {
    asking,
    answering,
    [Symbol.dispose]() {
      port1.close();
    },
  };
}

const thrown = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error: unknown) => error);

test('answers find the calls that they belong to', async () => {
  using both = ends();
  const values = [1, 'two', { three: [3] }, null];
  expect(await Promise.all(values.map((value) => both.asking.call('echo', value)))).toEqual(values);
});

test('an expected failure arrives as it was thrown', async () => {
  using both = ends();
  const error = (await thrown(both.asking.call('fail', 'app'))) as AppError;
  expect(error).toBeInstanceOf(AppError);
  expect([error.code, error.message, error.retryAfter]).toEqual(['overloaded', 'Later, please.', 7]);
  expect(error.cause).toEqual(new Error('all busy', { cause: 'noon' }));
});

test('so does a validation error, with its path', async () => {
  using both = ends();
  const error = await thrown(both.asking.call('fail', 'validation'));
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toEqual(failures.validation);
});

test('of a bug, the words and the place arrive', async () => {
  using both = ends();
  const error = (await thrown(both.asking.call('fail', 'bug'))) as Error;
  expect(error.message).toBe('x is not a function');
  expect(error.stack).toBe(failures.bug.stack);
  expect(await thrown(both.asking.call('fail', 'no error'))).toBe('a mere text');
});

test('what cannot be sent is an error of the call', async () => {
  using both = ends();
  expect(await outcome(both.asking.call('echo', () => 1))).toContain('could not be cloned');
});

test('an abort travels', async () => {
  using both = ends();
  const controller = new AbortController();
  const waiting = outcome(both.asking.call('wait', null, controller.signal));
  controller.abort();
  expect(await waiting).toBe('Error: told to stop');
  expect(await outcome(both.asking.call('wait', null, AbortSignal.abort()))).toBe('Error: told to stop');
});

test('bytes with a buffer of their own are given away', async () => {
  using both = ends();
  expect(await both.asking.call('give', new Uint8Array())).toEqual(new Uint8Array(8));
  expect(kept.length).toBe(0);
});

test('when the other end is gone, so are the calls', async () => {
  using both = ends();
  const waiting = outcome(both.asking.call('wait', null));
  both.asking.end(new Error('nobody is left'));
  expect(await waiting).toBe('Error: nobody is left');
  expect(await outcome(both.asking.call('echo', 1))).toBe('Error: nobody is left');
});
