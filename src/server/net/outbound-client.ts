// The HTTP client for images and webhooks.
//
// Every connection is opened by the guard, every redirect is checked anew, the size is counted while the body arrives,
// and the time is limited in total. Proxies of the environment are ignored, compressed responses are refused.

import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { Agent, buildConnector, Dispatcher } from 'undici';
import { AppError } from '#base/errors.ts';
import { CONNECT_TIMEOUT } from './dial.ts';
import type { Guard } from './guard.ts';

export interface OutboundClientOptions {
  readonly userAgent: string;
  /** PEM certificates to trust instead of the usual authorities. */
  readonly ca?: string;
}

const MAX_REDIRECTS = 3;

export interface GetOptions {
  /** Maximum size of the body; a larger one is an error. */
  readonly maxBytes: number;
  /** Total timeout, ms: names, connections, redirects, body. Default 10 s. */
  readonly timeout?: number;
  /** The `accept` header. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum bytes of the response that are read; the rest is dropped. Default 64 KiB. */
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

/** The caller's error when there was no response; it reveals neither the address nor the URL. */
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
  /** Null until the first request: many servers make none, and undici takes 10 MB. */
  #agent: Promise<Agent> | null = null;

  constructor(guard: Guard, { userAgent, ca }: OutboundClientOptions) {
    this.#guard = guard;
    this.#userAgent = userAgent;
    this.#trust = ca === undefined ? {} : { ca };
  }

  /**
   * Fetches a file, following redirects.
   *
   * @throws AppError `url_not_allowed` when it, or a redirect, is denied or cannot be resolved; `invalid_request` with
   *   a sentence when the server fails or sends too much; the signal's reason when that is aborted
   */
  async get(url: string, options: GetOptions): Promise<OutboundResponse> {
    const { maxBytes, timeout = 10_000, accept = '*/*', signal } = options;
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
        if (hops >= MAX_REDIRECTS) throw refuse(`The server redirects more than ${MAX_REDIRECTS} times.`);
        target = this.#guard.checkRedirect(URL.parse(location, target.href)?.href ?? '').url;
      }
    } catch (error) {
      throw failure(error, deadline, signal);
    }
  }

  /**
   * Sends a body and reads the beginning of the response, whatever its status. Redirects are not followed.
   *
   * @throws AppError `url_not_allowed`; `invalid_request` with a sentence when there is no response
   */
  async post(
    url: string,
    body: Uint8Array,
    options: PostOptions,
  ): Promise<OutboundResponse & { readonly location: string | null }> {
    const { headers, maxBytes = 64 * 1024, timeout = 15_000, signal } = options;
    const deadline = AbortSignal.timeout(timeout);
    const both = signal ? AbortSignal.any([deadline, signal]) : deadline;
    try {
      const response = await this.#request('POST', this.#guard.check(url).url, headers, body, both);
      const { location } = response.headers;
      const bytes = await readBeginning(response, maxBytes);
      return { status: response.statusCode, bytes, location: typeof location === 'string' ? location : null };
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

/** undici's connector: TCP through the guard, TLS with the requested server name. */
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
      // TLS has no server name for an IP address; the certificate is then checked against `host`.
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

/** Closes the connection instead of waiting for a body that nobody reads. */
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
      // The server may send more than its content-length says.
      if (length > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return { status: statusCode, bytes: Buffer.concat(chunks, length) };
  } catch (error) {
    discard(response);
    throw error;
  }
}

/** Reads up to `maxBytes`. The status has arrived, so it counts even if the body breaks off or never ends. */
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
    // Deadline, or the server closed the connection.
  }
  discard(response);
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
