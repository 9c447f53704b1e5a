// Adds the language features that our sources need and Node 22 lacks. Imported first by the command, for its side
// effect.

/** ES2026's AsyncDisposableStack, complete for callers that use nothing after disposal. */
class Stack implements AsyncDisposable {
  readonly [Symbol.toStringTag] = 'AsyncDisposableStack';
  #disposals: (() => unknown)[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (value === null || value === undefined) return value;
    const dispose = (value as Partial<AsyncDisposable>)[Symbol.asyncDispose] ?? (value as Disposable)[Symbol.dispose];
    if (typeof dispose !== 'function') throw new TypeError('The value cannot be disposed of.');
    this.defer(() => dispose.call(value));
    return value;
  }

  adopt<T>(value: T, dispose: (value: T) => unknown): T {
    this.defer(() => dispose(value));
    return value;
  }

  defer(dispose: () => unknown): void {
    if (this.#disposed) throw new ReferenceError('The stack is disposed of.');
    this.#disposals.push(dispose);
  }

  move(): Stack {
    if (this.#disposed) throw new ReferenceError('The stack is disposed of.');
    const moved = new Stack();
    moved.#disposals = this.#disposals;
    this.#disposals = [];
    this.#disposed = true;
    return moved;
  }

  /**
   * Disposes in reverse order, continuing after failures. @throws the last error, with earlier ones as its `suppressed`
   */
  async disposeAsync(): Promise<void> {
    this.#disposed = true;
    let failure: { readonly error: unknown } | null = null;
    for (let dispose = this.#disposals.pop(); dispose; dispose = this.#disposals.pop()) {
      try {
        await dispose();
      } catch (error) {
        failure = failure === null ? { error } : { error: suppressing(error, failure.error) };
      }
    }
    if (failure !== null) throw failure.error;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}

function suppressing(error: unknown, suppressed: unknown): Error {
  const message = 'An error was suppressed during disposal.';
  return Object.assign(new Error(message), { name: 'SuppressedError', error, suppressed });
}

export { Stack as OlderStack };

if (globalThis.AsyncDisposableStack === undefined) {
  Object.defineProperty(globalThis, 'AsyncDisposableStack', { value: Stack, configurable: true, writable: true });
}
