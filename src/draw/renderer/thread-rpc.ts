// Remote procedure calls between threads: functions with one argument; results, errors and aborts are transmitted.
//
// Both ends may call, even while they answer a call. Bytes with a buffer of their own are transferred, not copied.
// Messages of one tick are sent as one batch: waking the other thread costs more than the messages.

import { isMarkedAsUntransferable } from 'node:worker_threads';
import { AppError, type ErrorCode } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';

/** The calls that an end answers, by name. Arguments and results are structured clones. */
export type Handlers = Readonly<Record<string, (argument: never, signal: AbortSignal) => Promise<unknown>>>;

type Argument<H extends Handlers, Name extends keyof H> = Parameters<H[Name]>[0];
type Result<H extends Handlers, Name extends keyof H> = Awaited<ReturnType<H[Name]>>;

/** A `Worker`, or the `parentPort` in one. */
export interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (messages: readonly Message[]) => void): unknown;
}

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: WrittenError };

/** A message, and the buffers that go over with it. */
interface Said {
  readonly message: Message;
  readonly given: readonly ArrayBuffer[];
}

/** `Theirs`: the handlers of the other end. */
export class ThreadRpc<Theirs extends Handlers> {
  readonly #port: Port;
  readonly #handlers: Handlers;
  /** Calls of this end without an answer yet, by number. */
  readonly #made = new Map<number, PromiseWithResolvers<unknown>>();
  /** Calls of the other end being answered, by number. */
  readonly #taken = new Map<number, AbortController>();
  #next = 0;
  #over: { readonly reason: unknown } | null = null;
  /** Messages not sent yet. */
  #said: Said[] = [];

  constructor(port: Port, ours: Handlers) {
    this.#port = port;
    this.#handlers = ours;
    port.on('message', (messages) => {
      for (const message of messages) this.#receive(message);
    });
  }

  /** How many calls this end has made. */
  get made(): number {
    return this.#next;
  }

  /**
   * @param signal its abort is sent to the other end; the call ends when that has answered
   * @param given buffers in the argument that are not needed here any more: they are transferred
   */
  async call<Name extends keyof Theirs & string>(
    name: Name,
    argument: Argument<Theirs, Name>,
    signal?: AbortSignal,
    given: readonly ArrayBuffer[] = [],
  ): Promise<Result<Theirs, Name>> {
    if (this.#over) throw this.#over.reason;
    const id = this.#next++;
    const answer = Promise.withResolvers<unknown>();
    const abort = () => this.#say({ kind: 'abort', id });
    this.#made.set(id, answer);
    this.#say({ kind: 'call', id, name, argument }, given);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    try {
      return (await answer.promise) as Result<Theirs, Name>;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.#made.delete(id);
    }
  }

  /** Rejects all pending and future calls, since the other end is gone, and aborts those being answered. */
  end(reason: unknown): void {
    this.#over = { reason };
    for (const { reject } of this.#made.values()) reject(reason);
    for (const taken of this.#taken.values()) taken.abort(reason);
  }

  #receive(message: Message): void {
    if (message.kind === 'call') void this.#answer(message.id, message.name, message.argument);
    else if (message.kind === 'abort') this.#taken.get(message.id)?.abort();
    else if (message.kind === 'result') this.#made.get(message.id)?.resolve(message.result);
    else this.#made.get(message.id)?.reject(readError(message.error));
  }

  async #answer(id: number, name: string, argument: unknown): Promise<void> {
    const controller = new AbortController();
    this.#taken.set(id, controller);
    try {
      const handler = this.#handlers[name];
      if (!handler) throw new Error(`There is nobody to answer ${name}.`);
      const result = await handler(argument as never, controller.signal);
      this.#say({ kind: 'result', id, result }, ownBuffers(result));
    } catch (error) {
      this.#say({ kind: 'error', id, error: writeError(error) });
    } finally {
      this.#taken.delete(id);
    }
  }

  #say(message: Message, given: readonly ArrayBuffer[] = []): void {
    this.#said.push({ message, given });
    if (this.#said.length === 1) queueMicrotask(() => this.#send(this.#said.splice(0)));
  }

  #send(said: readonly Said[]): void {
    const messages = said.map(({ message }) => message);
    try {
      this.#port.postMessage(
        messages,
        said.flatMap(({ given }) => given),
      );
    } catch (error) {
      // Sends the messages of a batch separately, so that only the one that cannot be cloned fails.
      if (said.length > 1) for (const each of said) this.#send([each]);
      else for (const message of messages) this.#unsent(message, error);
    }
  }

  #unsent(message: Message, error: unknown): void {
    if (message.kind === 'call') this.#made.get(message.id)?.reject(error);
    else if (message.kind === 'result') this.#say({ kind: 'error', id: message.id, error: writeError(error) });
    else throw error;
  }
}

/** The transferable buffer of a result that is bytes, or an object with `bytes`. */
function ownBuffers(result: unknown): ArrayBuffer[] {
  const bytes = result instanceof Uint8Array ? result : ((result ?? {}) as { bytes?: unknown }).bytes;
  if (!(bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer)) return [];
  const { buffer } = bytes;
  return bytes.length === buffer.byteLength && !isMarkedAsUntransferable(buffer) ? [buffer] : [];
}

/** An error as a plain value: structured cloning would turn each into a plain `Error`. */
type WrittenError =
  | {
      readonly kind: 'app';
      readonly code: ErrorCode;
      readonly message: string;
      readonly retryAfter: number | null;
      readonly cause: unknown;
    }
  | { readonly kind: 'validation'; readonly path: string; readonly problem: string }
  | { readonly kind: 'other'; readonly error: unknown };

function writeError(error: unknown): WrittenError {
  if (error instanceof AppError) {
    const { code, message, retryAfter, cause } = error;
    return { kind: 'app', code, message, retryAfter, cause: asPlain(cause) };
  }
  if (error instanceof ValidationError) return { kind: 'validation', path: error.path, problem: error.problem };
  return { kind: 'other', error: asPlain(error) };
}

/** Causes are only for the log: keeps their message and stack. */
function asPlain(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : String(cause);
  const plain = new Error(cause.message, { cause: asPlain(cause.cause) });
  if (cause.stack !== undefined) plain.stack = cause.stack;
  return plain;
}

function readError(written: WrittenError): unknown {
  if (written.kind === 'app') {
    const { code, message, retryAfter, cause } = written;
    return new AppError(code, message, { cause, ...(retryAfter === null ? {} : { retryAfter }) });
  }
  if (written.kind === 'validation') return new ValidationError(written.path, written.problem);
  return written.error;
}
