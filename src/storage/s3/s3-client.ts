// Signed requests to one bucket of an S3-compatible store, each tried again while that may help.
//
// The endpoint is the operator's own, so it is not behind the guard that callers' addresses are. Requests go through
// node:http, as the command line has no `fetch` (cli/main.ts).

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AppError } from '#errors';

/** Where the bucket is, and who we are to it. */
export interface S3Location {
  /** Of the service: `https://s3.eu-central-1.amazonaws.com`, `http://minio:9000`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before all names; '' or without slashes at its ends. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Of the object, within the bucket; '' for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** All requests may be made twice, so each is: after a break of the connection, or an answer that passes by itself. */
const ATTEMPTS = 3;
const PAUSE = 100;
/** Until the head of the answer, ms; and what is added for each KiB that is sent before it. */
const PATIENCE = 5_000;
const PATIENCE_PER_KIB = 2;
/** Until all of a body that is read at once, ms. */
const BODY_PATIENCE = 60_000;
/** SHA-256 of nothing. */
const EMPTY = createHash('sha256').digest('hex');

/** Connections that are kept open between requests, at most. */
const KEPT_CONNECTIONS = 64;
const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS } as const;

/** The head of an answer, whose body is to be read or destroyed. */
export type S3Answer = http.IncomingMessage & { readonly statusCode: number };

export class S3Client implements Disposable {
  readonly #location: S3Location;
  readonly #base: string;
  readonly #agent: http.Agent;

  constructor(location: S3Location) {
    this.#location = location;
    this.#base = `${location.endpoint.replace(/\/+$/, '')}/${location.bucket}`;
    this.#agent = this.#base.startsWith('https:') ? new https.Agent(AGENT_OPTIONS) : new http.Agent(AGENT_OPTIONS);
  }

  /**
   * The answer, whose body has not been read; 404 and, to a range, 416 are answers.
   *
   * @throws AppError `overloaded` when the store cannot be reached or is busy; S3Refusal when it refuses
   */
  async send(request: S3Request): Promise<S3Answer> {
    return this.#attempt(() => this.#once(request));
  }

  /** Sends a request whose answer has no body of interest. Returns its status and content-length. @throws as `send` */
  async command(request: S3Request): Promise<{ readonly status: number; readonly length: number }> {
    return this.#attempt(async () => {
      const answer = await this.#once(request);
      await within(BODY_PATIENCE, buffer(answer), () => answer.destroy());
      return { status: answer.statusCode, length: Number(answer.headers['content-length'] ?? 0) };
    });
  }

  /** The whole body of a GET; null when there is no such object. @throws as `send` */
  async read(key: string, query: S3Request['query'] = {}): Promise<Buffer | null> {
    return this.#attempt(async () => {
      const answer = await this.#once({ method: 'GET', key, query });
      // One that is cut off throws.
      const bytes = await within(BODY_PATIENCE, buffer(answer), () => answer.destroy());
      return answer.statusCode === 404 ? null : bytes;
    });
  }

  /**
   * An address at which anybody may fetch the object for a while, signed in its query.
   *
   * @param seconds how long, 1 to 604,800
   * @param query headers that the store is to answer with: `response-content-type` and the like
   */
  async presign(key: string, seconds: number, query: Readonly<Record<string, string>>): Promise<string> {
    const url = new URL(`${this.#base}/${key}`);
    url.searchParams.set('X-Amz-Expires', String(seconds));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({ ...this.#signing, method: 'GET', url: url.href, signQuery: true });
    // A space is %20 in what was signed.
    return (await signer.sign()).url.href.replaceAll('+', '%20');
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  get #signing() {
    const { accessKeyId, secretAccessKey, region } = this.#location;
    return { accessKeyId, secretAccessKey, region, service: 's3' } as const;
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof S3Refusal) throw error;
        if (attempt === ATTEMPTS) throw unavailable(error);
        await sleep(PAUSE * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  }

  async #once({ method, key, query = {}, headers = {}, body }: S3Request): Promise<S3Answer> {
    const url = new URL(key === '' ? this.#base : `${this.#base}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      ...this.#signing,
      method,
      url: url.href,
      headers: {
        ...headers,
        // So that what is stored is what was sent, also without TLS.
        'x-amz-content-sha256': body ? createHash('sha256').update(body).digest('hex') : EMPTY,
      },
    }).sign();
    const send = url.protocol === 'https:' ? https.request : http.request;
    const outgoing = send(signed.url, {
      method,
      agent: this.#agent,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(body || method === 'PUT' ? { 'content-length': body?.length ?? 0 } : {}),
      },
    });
    // A connection may break once more after its first failure was told.
    outgoing.on('error', () => {}).end(body);
    const patience = PATIENCE + ((body?.length ?? 0) / 1024) * PATIENCE_PER_KIB;
    const [answer] = await within(patience, once(outgoing, 'response') as Promise<[S3Answer]>, () => {
      outgoing.destroy();
    });
    answer.on('error', () => {});
    const status = answer.statusCode;
    if ((status >= 200 && status < 300) || status === 404 || status === 416) return answer;
    const said = (await within(PATIENCE, text(answer), () => answer.destroy()).catch(() => '')).slice(0, 2_000);
    if (status >= 500 || status === 429 || status === 408) throw new Error(`S3 answered ${status}. ${said}`);
    throw new S3Refusal(status, /<Code>([^<]{1,100})<\/Code>/.exec(said)?.[1] ?? null);
  }
}

/** What no attempt would change: a wrong secret, a bucket that is not there, no right to write. */
export class S3Refusal extends Error {
  override readonly name = 'S3Refusal';

  constructor(status: number, code: string | null) {
    super(`S3 refuses: ${status}${code === null ? '' : ` ${code}`}.`);
  }
}

export function unavailable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('overloaded', 'The asset store cannot be reached; try again in a moment.', {
    cause,
    retryAfter: 5,
  });
}

/** What comes of `work`, if it comes in time; else `giveUp` is called. @throws Error, also what `work` throws */
export async function within<T>(ms: number, work: Promise<T>, giveUp: () => void): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`not read within ${ms} ms`));
    giveUp();
  }, ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
  }
}
