// Sends one request to the API. Retries it, with the same Idempotency-Key, if that is safe and may succeed.

import { PlatenError } from './errors.ts';
import { type ClientOptions, type CompleteOptions, completeOptions } from './options.ts';
import { wait } from './wait.ts';

export interface RequestOptions {
  /** Cancels the request, and the pause between two attempts. */
  readonly signal?: AbortSignal;
  /**
   * Makes a POST take effect once however often it is sent. Default: generated for every POST that creates something.
   */
  readonly idempotencyKey?: string;
}

export interface Call extends RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with `/`. */
  readonly path: string;
  readonly json?: unknown;
  /** A body that is sent unchanged, with its media type. */
  readonly bytes?: { readonly body: BodyInit; readonly type: string };
  /** Whether the server accepts an Idempotency-Key here. */
  readonly isIdempotent?: boolean;
}

export interface Reply {
  readonly body: ArrayBuffer;
  /** Sentences from `platen-warnings` about input that was odd but could be rendered. */
  readonly warnings: readonly string[];
  readonly headers: Headers;
}

const RETRIED = new Set([429, 500, 502, 503, 504]);
/** Statuses with which the server says that it did nothing. */
const NOT_DONE = new Set([429, 503]);
/** ms before the second attempt; it doubles each time. */
const FIRST_PAUSE = 250;
/** Seconds: a longer Retry-After is reported to the caller as an error instead of waited for. */
const LONGEST_RETRY_AFTER = 60;

export class Transport {
  readonly #options: CompleteOptions;

  /** @throws TypeError for an option that is missing, unknown or no address */
  constructor(options: ClientOptions) {
    this.#options = completeOptions(options);
  }

  /** @throws PlatenError unless the answer is 2xx; the abort reason of `signal` */
  async send(call: Call): Promise<Reply> {
    const read = async (response: Response): Promise<Reply> => ({
      body: await response.arrayBuffer(),
      warnings: warningsOf(response),
      headers: response.headers,
    });
    const reply = await this.#send(call, read);
    return reply ?? { body: new ArrayBuffer(), warnings: [], headers: new Headers() };
  }

  /**
   * Like `send`, with the body as it arrives. The client's `timeout` is that until it begins.
   *
   * @throws PlatenError unless the answer is 2xx; the abort reason of `signal`
   */
  async open(call: Call): Promise<Response> {
    return (await this.#send(call, async (response) => response)) ?? new Response();
  }

  /** @returns null for something that is deleted already */
  async #send<T>(call: Call, read: (response: Response) => Promise<T>): Promise<T | null> {
    const { retries } = this.#options;
    const key = call.isIdempotent ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isSafe = call.method === 'GET' || call.method === 'DELETE' || key !== undefined;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#try(call, key, read);
      if (!(outcome instanceof PlatenError)) return outcome;
      // It was deleted by an attempt whose answer was lost.
      if (call.method === 'DELETE' && attempt > 0 && outcome.status === 404) return null;
      // Each PUT saves a version, so it is sent again only if the server certainly saved none.
      const isUndone = call.method === 'PUT' && NOT_DONE.has(outcome.status);
      const isHopeful = outcome.status === 0 || RETRIED.has(outcome.status);
      const isSoon = (outcome.retryAfter ?? 0) <= LONGEST_RETRY_AFTER;
      if (!(isSafe || isUndone) || !isHopeful || !isSoon || attempt >= retries) throw outcome;
      // With jitter, so that many callers do not retry at the same time.
      const pause = FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random());
      await wait(Math.max(pause, 1_000 * (outcome.retryAfter ?? 0)), call.signal);
    }
  }

  async #try<T>(
    { method, path, json, bytes, signal }: Call,
    key: string | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T | PlatenError> {
    const { apiKey, baseUrl, timeout, fetch: ask = fetch } = this.#options;
    const limit = new AbortController();
    // A timer with a longer delay fires at once.
    const timer = timeout < 2 ** 31 ? setTimeout(() => limit.abort(), timeout) : undefined;
    try {
      const response = await ask(baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(bytes === undefined ? {} : { 'content-type': bytes.type }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
        redirect: 'error',
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(bytes === undefined ? {} : { body: bytes.body }),
      });
      if (!response.ok) return await errorOf(response);
      return await read(response);
    } catch (cause) {
      signal?.throwIfAborted();
      const message = limit.signal.aborted
        ? `The server did not answer within ${timeout} ms.`
        : 'The server was not reached.';
      return new PlatenError(0, message, null, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function errorOf(response: Response): Promise<PlatenError> {
  const text = await response.text();
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new PlatenError(response.status, sentenceOf(text, response.status), Number.isFinite(after) ? after : null);
}

/** The `error` of a JSON answer; otherwise the text, as from a signed URL or a proxy. */
function sentenceOf(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // Not JSON: a proxy's page, or plain text.
  }
  return /^[^<]{1,500}$/.test(text) ? text.trim() : `The server answered ${status}.`;
}

function warningsOf(response: Response): readonly string[] {
  return JSON.parse(response.headers.get('platen-warnings') ?? '[]') as string[];
}
