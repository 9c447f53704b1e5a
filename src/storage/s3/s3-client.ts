// Signed requests to one bucket of an S3-compatible store, each tried again while that may help.
//
// The endpoint is the operator's own, so it is not behind the guard that callers' addresses are.

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
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

export class S3Client {
  readonly #client: AwsClient;
  readonly #base: string;

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Location) {
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
    this.#base = `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  }

  /**
   * The answer, whose body has not been read; 404 is one.
   *
   * @throws AppError `overloaded` when the store cannot be reached or is busy; Error with what it says when it refuses
   */
  async send(request: S3Request): Promise<Response> {
    return this.#attempt(async () => this.#once(request));
  }

  /** The whole body of a GET; null when there is no such object. @throws as `send` */
  async read(key: string, query: S3Request['query'] = {}): Promise<Buffer | null> {
    return this.#attempt(async () => {
      const response = await this.#once({ method: 'GET', key, query });
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      // One that is cut off throws.
      return Buffer.from(await within(BODY_PATIENCE, response.arrayBuffer()));
    });
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

  async #once({ method, key, query = {}, headers = {}, body }: S3Request): Promise<Response> {
    const url = new URL(key === '' ? this.#base : `${this.#base}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await this.#client.sign(url.href, {
      method,
      headers: {
        ...headers,
        // So that what is stored is what was sent, also without TLS.
        'x-amz-content-sha256': body ? createHash('sha256').update(body).digest('hex') : EMPTY,
      },
      ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
    });
    const aborted = new AbortController();
    const patience = PATIENCE + ((body?.length ?? 0) / 1024) * PATIENCE_PER_KIB;
    const timer = setTimeout(() => aborted.abort(new Error(`no answer within ${patience} ms`)), patience);
    const response = await fetch(signed, { signal: aborted.signal }).finally(() => clearTimeout(timer));
    if (response.ok || response.status === 404) return response;
    const said = (await response.text().catch(() => '')).slice(0, 2_000);
    if (response.status >= 500 || response.status === 429 || response.status === 408) {
      throw new Error(`S3 answered ${response.status}. ${said}`);
    }
    throw new S3Refusal(response.status, /<Code>([^<]{1,100})<\/Code>/.exec(said)?.[1] ?? null);
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

/** What comes of `work`, if it comes in time. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not read within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
