// Sends signed requests to one bucket of an S3-compatible store, and retries each while that may help.
//
// The endpoint is the operator's own, so it does not pass the guard for addresses given by callers. Requests use
// node:http because the command line has no `fetch` (cli/main.ts).

import { type BinaryLike, createHash } from 'node:crypto';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { resultWithin } from '#base/concurrency/deadline.ts';
import { AppError } from '#base/errors.ts';
import { withoutEnd } from '#core/without-end.ts';
import { S3Credentials, type S3KeySource } from './s3-credentials.ts';
import { tagged } from './xml.ts';

/** Location of the bucket, and the credentials. */
export interface S3Location {
  /** Of the service: `https://s3.eu-central-1.amazonaws.com`, `http://minio:9000`. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of all names; '' or without slashes at its ends. */
  readonly prefix: string;
  /** Whether the bucket is part of the host, `https://bucket.host/key`, instead of the path. */
  readonly isVirtualHosted: boolean;
  /** The key of the store's key management with which it encrypts what is stored; null = as the bucket says. */
  readonly kmsKey: string | null;
  readonly keys: S3KeySource;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Key of the object within the bucket; '' for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** All requests are idempotent, so each is retried after a broken connection or a temporary error. Pause in ms. */
const ATTEMPTS = 3;
const PAUSE = 100;
/** Time until the response headers, ms; and the extra time per KiB of the request's body. */
const PATIENCE = 5_000;
const PATIENCE_PER_KIB = 2;
/** Time to read a whole body, ms. */
const BODY_PATIENCE = 60_000;
/** SHA-256 of an empty body. */
const EMPTY = createHash('sha256').digest('hex');

/** Maximum idle connections that are kept open. */
const KEPT_CONNECTIONS = 64;
const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: KEPT_CONNECTIONS } as const;

/** A response whose body must be read or destroyed. */
export type S3Answer = http.IncomingMessage & { readonly statusCode: number };

export class S3Client implements Disposable {
  readonly #location: S3Location;
  readonly #base: string;
  readonly #credentials: S3Credentials;
  readonly #agent: http.Agent;

  constructor(location: S3Location) {
    this.#location = location;
    const { endpoint, bucket, isVirtualHosted } = location;
    const base = withoutEnd(endpoint, /\//);
    this.#base = isVirtualHosted ? base.replace('://', `://${bucket}.`) : `${base}/${bucket}`;
    this.#credentials = new S3Credentials(location.keys);
    this.#agent = this.#base.startsWith('https:') ? new https.Agent(AGENT_OPTIONS) : new http.Agent(AGENT_OPTIONS);
  }

  /**
   * Sends a request and returns the response with its body unread. Statuses 404, of an object
   * in a bucket that exists, and, for a range, 416 do not throw.
   *
   * @throws AppError `overloaded` when the store cannot be reached or is busy; S3Refusal when it refuses
   */
  async send(request: S3Request): Promise<S3Answer> {
    return this.#attempt(() => this.#once(request));
  }

  /** Sends a request and discards the response's body. Returns its status and content-length. @throws as `send` */
  async command(request: S3Request): Promise<{ readonly status: number; readonly length: number }> {
    return this.#attempt(async () => {
      const answer = await this.#once(request);
      await resultWithin(BODY_PATIENCE, buffer(answer), tooLate(answer));
      return { status: answer.statusCode, length: Number(answer.headers['content-length'] ?? 0) };
    });
  }

  /** Reads the whole body of a GET; null when the object does not exist. @throws as `send` */
  async read(key: string, query: S3Request['query'] = {}): Promise<Buffer | null> {
    return this.#attempt(async () => {
      const answer = await this.#once({ method: 'GET', key, query });
      // Throws when the body is cut off.
      const bytes = await resultWithin(BODY_PATIENCE, buffer(answer), tooLate(answer));
      return answer.statusCode === 404 ? null : bytes;
    });
  }

  /**
   * A URL, signed in its query, with which anybody may fetch the object for a limited time.
   *
   * @param seconds validity, 1 to 604,800
   * @param query headers that the store shall respond with: `response-content-type` and the like
   */
  async presign(key: string, seconds: number, query: Readonly<Record<string, string>>): Promise<string> {
    const url = new URL(`${this.#base}/${key}`);
    url.searchParams.set('X-Amz-Expires', String(seconds));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const keys = await this.#credentials.get();
    // The configuration has no redirects for a token (config.ts).
    if ('bearer' in keys) throw new Error('A token cannot sign addresses.');
    const signer = new AwsV4Signer({ ...keys, ...this.#signing, method: 'GET', url: url.href, signQuery: true });
    // The signature was computed with %20 for a space.
    return (await signer.sign()).url.href.replaceAll('+', '%20');
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  get #signing() {
    return { region: this.#location.region, service: 's3' } as const;
  }

  /** The headers of a request, with those that authorise it. */
  async #authorised(method: string, url: URL, headers: Readonly<Record<string, string>>, body: Uint8Array | undefined) {
    const keys = await this.#credentials.get();
    const { kmsKey } = this.#location;
    const encrypts = method === 'PUT' && kmsKey !== null;
    // Ensures that what is stored is what was sent, also without TLS.
    const digest = (algorithm: string) => createHash(algorithm).update(body as BinaryLike);
    if ('bearer' in keys) {
      return {
        ...headers,
        ...(body && { 'content-md5': digest('md5').digest('base64') }),
        ...(encrypts && { 'x-goog-encryption-kms-key-name': kmsKey }),
        authorization: `Bearer ${keys.bearer}`,
      };
    }
    const all = {
      ...headers,
      ...(encrypts && {
        'x-amz-server-side-encryption': 'aws:kms',
        'x-amz-server-side-encryption-aws-kms-key-id': kmsKey,
      }),
      'x-amz-content-sha256': body ? digest('sha256').digest('hex') : EMPTY,
    };
    const signed = await new AwsV4Signer({ ...keys, ...this.#signing, method, url: url.href, headers: all }).sign();
    return Object.fromEntries(signed.headers);
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

  /**
   * Tells a missing object from a missing bucket: the answer to a HEAD does not say which it is.
   *
   * @throws S3Refusal when there is no bucket; Error when the store is busy
   */
  async #requireBucket(): Promise<void> {
    try {
      const answer = await this.#once({ method: 'HEAD', key: '' });
      answer.resume();
      if (answer.statusCode === 404) throw new S3Refusal(404, 'NoSuchBucket');
    } catch (error) {
      // A key that may not look at the bucket is told so only where there is one.
      if (!(error instanceof S3Refusal) || error.status === 404) throw error;
    }
  }

  async #once({ method, key, query = {}, headers = {}, body }: S3Request): Promise<S3Answer> {
    const url = new URL(key === '' ? this.#base : `${this.#base}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const authorised = await this.#authorised(method, url, headers, body);
    const send = url.protocol === 'https:' ? https.request : http.request;
    const outgoing = send(url, {
      method,
      agent: this.#agent,
      headers: { ...authorised, ...(body || method === 'PUT' ? { 'content-length': body?.length ?? 0 } : {}) },
    });
    // A connection may emit another error after its first one was reported.
    outgoing.on('error', () => {}).end(body);
    const patience = PATIENCE + ((body?.length ?? 0) / 1024) * PATIENCE_PER_KIB;
    const [answer] = await resultWithin(patience, once(outgoing, 'response') as Promise<[S3Answer]>, tooLate(outgoing));
    answer.on('error', () => {});
    const status = answer.statusCode;
    // A missing object is an answer, but whatever is written needs a bucket.
    if (status === 404 && method !== 'PUT' && key !== '') {
      await this.#requireBucket().catch((error) => {
        answer.destroy();
        throw error;
      });
    }
    const isAnswer = (status === 404 && method !== 'PUT') || status === 416;
    if ((status >= 200 && status < 300) || isAnswer) return answer;
    const said = (await resultWithin(PATIENCE, text(answer), tooLate(answer)).catch(() => '')).slice(0, 2_000);
    if (status >= 500 || status === 429 || status === 408) throw new Error(`S3 answered ${status}. ${said}`);
    throw new S3Refusal(status, tagged(said, 'Code'), sentenceOf(said));
  }
}

/** What the store says itself, with what it names beside: `The region is wrong. (Region: eu-central-1)`. */
function sentenceOf(xml: string): string | null {
  const named = ['Endpoint', 'Region'].flatMap((name) => tagged(xml, name)?.replace(/^/, `${name}: `) ?? []);
  const text = tagged(xml, 'Message');
  const message = text === null ? null : `${withoutEnd(text, /[\s.]/)}.`;
  const words = [message, named.length > 0 ? `(${named.join(', ')})` : null].filter((part) => part !== null).join(' ');
  return words === '' ? null : words.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 600);
}

/** An answer that no retry can change soon: a wrong secret, a missing bucket, no right to write. */
export class S3Refusal extends AppError {
  /** What S3 answered, for the operator. */
  readonly detail: string;
  readonly status: number;

  /** @param sentence what the store says itself: for the operator, since it may name keys and hosts */
  constructor(status: number, code: string | null, sentence: string | null = null) {
    const short = `S3 refuses: ${status}${code === null ? '' : ` ${code}`}.`;
    super('overloaded', `The asset store cannot be used; ${short} Try again later.`, { retryAfter: 30 });
    this.detail = sentence === null ? short : `${short} It says: ${sentence}`;
    this.status = status;
  }
}

export function unavailable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('overloaded', 'The asset store cannot be reached; try again in a moment.', {
    cause,
    retryAfter: 5,
  });
}

/** Gives up a request or its answer. */
export const tooLate = (stream: { destroy(): void }) => () => {
  stream.destroy();
  return new Error('S3 did not answer in time.');
};
