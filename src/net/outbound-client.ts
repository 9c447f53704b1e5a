// A URL in, the bytes behind it out: the HTTP client for images and webhooks.
//
// Every connection is the guard's, every redirect is checked anew, size is counted as it arrives and time is limited as
// a whole. Neither a proxy of the environment nor a compressed answer can come between.

import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { AppError } from '#errors';
import { CONNECT_TIMEOUT } from './dial.ts';
import type { Guard } from './guard.ts';

export interface OutboundClientOptions {
  readonly userAgent: string;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly ca?: string;
}

export interface GetOptions {
  /** Bytes of the body; one more is an error. */
  readonly maxBytes: number;
  /** ms for everything: names, connections, redirects, body. Default 10 s. */
  readonly timeout?: number;
  /** Default 3. */
  readonly maxRedirects?: number;
  /** The `accept` header. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the answer that are read; the rest is dropped. Default 64 KiB. */
  readonly maxBytes?: number;
  /** Default 15 s. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  readonly bytes: Uint8Array;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const CERTIFICATE_ERROR = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/;

function refuse(message: string, cause?: unknown): AppError {
  return new AppError('invalid_request', message, { cause });
}

/** What a caller is told when there was no answer; the address and the URL stay out of it. */
function failure(error: unknown, deadline: AbortSignal, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof AppError) return error;
  if (deadline.aborted) return refuse('The server did not answer in time.', error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (CERTIFICATE_ERROR.test(code)) return refuse('The certificate of the server is not valid.', error);
  return refuse('The connection to the server failed.', error);
}

export class OutboundClient {
  readonly #guard: Guard;
  readonly #userAgent: string;
  readonly #trust: ConnectionOptions;
  /** Null until something is first asked for: many a server never asks, and undici takes up 10 MB. */
  #agent: Promise<Agent> | null = null;

  constructor(guard: Guard, { userAgent, ca }: OutboundClientOptions) {
    this.#guard = guard;
    this.#userAgent = userAgent;
    this.#trust = ca === undefined ? {} : { ca };
  }

  /**
   * Fetches a file, following redirects.
   *
   * @throws AppError `url_not_allowed` when it, or a redirect, is denied or cannot be resolved; `invalid_request` with a
   *   sentence when the server fails or sends too much; the signal's reason when that is aborted
   */
  async get(url: string, options: GetOptions): Promise<OutboundResponse> {
    const { maxBytes, timeout = 10_000, maxRedirects = 3, accept = '*/*', signal } = options;
    const deadline = AbortSignal.timeout(timeout);
    const both = signal ? AbortSignal.any([deadline, signal]) : deadline;
    const headers = { accept };
    try {
      let target = this.#guard.check(url).url;
      for (let hops = 0; ; hops += 1) {
        const response = await this.#request('GET', target, headers, null, both);
        const location = response.headers.location;
        if (!REDIRECTS.includes(response.statusCode) || typeof location !== 'string') {
          return await readFile(response, maxBytes);
        }
        discard(response);
        if (hops >= maxRedirects) throw refuse(`The server redirects more than ${maxRedirects} times.`);
        target = this.#guard.check(URL.parse(location, target)?.href ?? '').url;
      }
    } catch (error) {
      throw failure(error, deadline, signal);
    }
  }

  /**
   * Sends a body and reads the beginning of the answer, whatever its status. A redirect is an answer like any other.
   *
   * @throws AppError `url_not_allowed`; `invalid_request` with a sentence when there is no answer
   */
  async post(url: string, body: Uint8Array, options: PostOptions): Promise<OutboundResponse> {
    const { headers, maxBytes = 64 * 1024, timeout = 15_000, signal } = options;
    const deadline = AbortSignal.timeout(timeout);
    const both = signal ? AbortSignal.any([deadline, signal]) : deadline;
    try {
      const response = await this.#request('POST', this.#guard.check(url).url, headers, body, both);
      return { status: response.statusCode, bytes: await readBeginning(response, maxBytes) };
    } catch (error) {
      throw failure(error, deadline, signal);
    }
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  async #request(
    method: 'GET' | 'POST',
    { origin, pathname, search }: URL,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const all = { 'user-agent': this.#userAgent, 'accept-encoding': 'identity', ...headers };
    this.#agent ??= openAgent(this.#guard, this.#trust);
    const agent = await this.#agent;
    return agent.request({ method, origin, path: pathname + search, headers: all, body, signal });
  }
}

async function openAgent(guard: Guard, trust: ConnectionOptions): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connect: (options, done) => connectGuarded(guard, options, trust, done),
    connections: 8,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
  });
}

/** undici's connector: TCP by the guard, TLS in the name that was asked for. */
function connectGuarded(
  guard: Guard,
  { protocol, hostname, port }: buildConnector.Options,
  trust: ConnectionOptions,
  done: buildConnector.Callback,
): void {
  const isTls = protocol === 'https:';
  guard.connect(hostname, port === '' ? (isTls ? 443 : 80) : Number(port)).then(
    (socket) => {
      if (!isTls) return done(null, socket);
      const host = hostname.replace(/^\[|\]$/g, '');
      // TLS has no server name for an address; the certificate is then checked against `host`.
      const name = isIP(host) === 0 ? { servername: host } : {};
      const secure = connectTls({ ...trust, ...name, host, socket, ALPNProtocols: ['http/1.1'] });
      const timer = setTimeout(() => secure.destroy(new Error('no TLS handshake in time')), CONNECT_TIMEOUT);
      const fail = (error: Error) => {
        clearTimeout(timer);
        done(error, null);
      };
      secure.once('error', fail);
      secure.once('secureConnect', () => {
        clearTimeout(timer);
        secure.off('error', fail);
        done(null, secure);
      });
    },
    (error: Error) => done(error, null),
  );
}

/** Drops the connection rather than wait for a body that nobody reads. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {});
  body.destroy();
}

async function readFile(response: Dispatcher.ResponseData, maxBytes: number): Promise<OutboundResponse> {
  const { statusCode, headers, body } = response;
  try {
    if (statusCode < 200 || statusCode > 299) throw refuse(`The server answered ${statusCode}.`);
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw refuse('The server sent a compressed answer, which was not asked for.');
    const tooLarge = () => refuse(`The file is larger than ${+(maxBytes / 2 ** 20).toFixed(2)} MiB.`);
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      // What the server announces is not what it sends.
      if (length > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return { status: statusCode, bytes: Buffer.concat(chunks, length) };
  } catch (error) {
    discard(response);
    throw error;
  }
}

/** Reads up to `maxBytes`. The status is the answer: a body that breaks off or never ends does not take it back. */
async function readBeginning(response: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
  } catch {
    // The deadline, or a server that hung up.
  }
  discard(response);
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
