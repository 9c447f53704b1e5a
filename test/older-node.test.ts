// Tests that the replacement for AsyncDisposableStack on Node 22 behaves like Node 24's own.

import { expect, test } from 'vitest';
import { OlderStack } from '#cli/older-node.ts';

/** Checks what happens, in order, on both. */
async function check(
  play: (stack: AsyncDisposableStack, said: string[]) => unknown,
  expected: string[],
): Promise<void> {
  for (const stack of [new AsyncDisposableStack(), new OlderStack() as AsyncDisposableStack]) {
    const said: string[] = [];
    try {
      await play(stack, said);
      await stack.disposeAsync();
    } catch (error) {
      const { name, message, suppressed } = error as SuppressedError;
      said.push(name === 'SuppressedError' ? `${name} of ${suppressed.message}` : `${name}: ${message}`);
    }
    expect([...said, stack.disposed ? 'disposed' : 'open']).toEqual(expected);
  }
}

const says = (said: string[], word: string) => ({ [Symbol.asyncDispose]: async () => void said.push(word) });

test('last in, first out', () =>
  check(
    (stack, said) => {
      stack.use(says(said, 'used'));
      stack.use(null);
      stack.use({ [Symbol.dispose]: () => void said.push('at once') });
      stack.adopt('adopted', (word) => void said.push(word));
      stack.defer(() => void said.push('deferred'));
    },
    ['deferred', 'adopted', 'at once', 'used', 'disposed'],
  ));
test('what was moved is disposed of elsewhere', () =>
  check(
    async (stack, said) => {
      stack.defer(() => void said.push('deferred'));
      const moved = stack.move();
      said.push(`${stack.disposed}, ${moved.disposed}`);
      await moved.disposeAsync();
    },
    ['true, false', 'deferred', 'disposed'],
  ));
test('all are disposed of, whichever fail', () =>
  check(
    (stack, said) => {
      stack.defer(() => void said.push('first'));
      stack.defer(() => Promise.reject(new Error('second')));
      stack.defer(() => {
        throw new Error('third');
      });
    },
    ['first', 'SuppressedError of third', 'disposed'],
  ));
