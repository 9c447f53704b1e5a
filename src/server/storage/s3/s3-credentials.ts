// Gets the keys with which requests to S3 are signed: those of the configuration, or temporary ones of a cloud's role.
//
// Only the addresses that the clouds document are asked; the environment cannot lead elsewhere (config.ts). Answers are
// bounded in size and time, and redirects are not followed. Temporary keys are renewed before they expire.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { resultWithin } from '#base/concurrency/deadline.ts';
import { tagged } from './xml.ts';

/** Where the keys come from. */
export type S3KeySource =
  | {
      readonly kind: 'keys';
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      /** Of temporary keys. */
      readonly sessionToken: string | null;
    }
  /** A role of AWS, for a token that the cluster writes (IRSA): `AssumeRoleWithWebIdentity` of STS at `endpoint`. */
  | { readonly kind: 'web-identity'; readonly endpoint: string; readonly role: string; readonly tokenFile: string }
  /** A role of AWS, of a container (ECS, EKS Pod Identity): `endpoint` is the whole address. */
  | {
      readonly kind: 'container';
      readonly endpoint: string;
      readonly token: string | null;
      readonly tokenFile: string | null;
    }
  /** A role of AWS, of the machine: its metadata service, version 2. */
  | { readonly kind: 'aws'; readonly endpoint: string }
  /** The service account of the machine at Google: its metadata service. */
  | { readonly kind: 'google'; readonly endpoint: string };

/** Keys for a signature of AWS, or a token of OAuth 2.0. */
export type S3Keys =
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
  | { readonly bearer: string };

interface Kept {
  readonly keys: S3Keys;
  /** ms since 1970 */
  readonly expires: number;
}

/** Keys are renewed this long before they expire, ms; if that fails, again after `PAUSE`. */
const AHEAD = 5 * 60_000;
const PAUSE = 10_000;
/** Time for one answer, ms, and its maximum size, bytes. */
const PATIENCE = 5_000;
const MAX_ANSWER = 64 * 1024;

export class S3Credentials {
  readonly #source: S3KeySource;
  readonly #now: () => number;
  #kept: Kept | null = null;
  #renewal: Promise<Kept> | null = null;
  #renewAt = Number.NEGATIVE_INFINITY;

  constructor(source: S3KeySource, now: () => number = Date.now) {
    this.#source = source;
    this.#now = now;
  }

  /** @throws Error saying why there are none */
  async get(): Promise<S3Keys> {
    const kept = this.#kept;
    if (kept && this.#now() < this.#renewAt) return kept.keys;
    // All requests that wait share one renewal.
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null;
    });
    try {
      return (await this.#renewal).keys;
    } catch (error) {
      if (kept === null || this.#now() >= kept.expires) throw error;
      this.#renewAt = this.#now() + PAUSE;
      return kept.keys;
    }
  }

  async #renew(): Promise<Kept> {
    const kept = await fetchKeys(this.#source, this.#now).catch((cause) => {
      throw new Error(`The credentials of ${this.#source.kind} cannot be read: ${(cause as Error).message}`, { cause });
    });
    this.#kept = kept;
    // A cloud may give the same keys until shortly before they expire.
    this.#renewAt = Math.max(kept.expires - AHEAD, this.#now() + PAUSE);
    return kept;
  }
}

async function fetchKeys(source: S3KeySource, now: () => number): Promise<Kept> {
  switch (source.kind) {
    case 'keys': {
      const { accessKeyId, secretAccessKey, sessionToken } = source;
      const keys = { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) };
      return { keys, expires: Number.POSITIVE_INFINITY };
    }
    case 'web-identity': {
      const url = new URL(source.endpoint);
      url.search = new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: source.role,
        RoleSessionName: 'platen',
        WebIdentityToken: (await readFile(source.tokenFile, 'utf8')).trim(),
      }).toString();
      const xml = await ask(url.href);
      return keysOf({
        AccessKeyId: tagged(xml, 'AccessKeyId'),
        SecretAccessKey: tagged(xml, 'SecretAccessKey'),
        Token: tagged(xml, 'SessionToken'),
        Expiration: tagged(xml, 'Expiration'),
      });
    }
    case 'container': {
      const { endpoint, token, tokenFile } = source;
      // The file is replaced from time to time.
      const authorization = tokenFile === null ? token : (await readFile(tokenFile, 'utf8')).trim();
      return keysOf(JSON.parse(await ask(endpoint, authorization === null ? {} : { authorization })));
    }
    case 'aws': {
      const session = await ask(
        `${source.endpoint}/latest/api/token`,
        { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
        'PUT',
      );
      const headers = { 'x-aws-ec2-metadata-token': session };
      const roles = `${source.endpoint}/latest/meta-data/iam/security-credentials/`;
      const [role = ''] = (await ask(roles, headers)).trim().split('\n');
      return keysOf(JSON.parse(await ask(roles + encodeURIComponent(role), headers)));
    }
    case 'google': {
      const url = `${source.endpoint}/computeMetadata/v1/instance/service-accounts/default/token`;
      const { access_token: bearer, expires_in: seconds } = JSON.parse(await ask(url, { 'metadata-flavor': 'Google' }));
      if (typeof bearer !== 'string' || typeof seconds !== 'number') throw new Error('there is no token in the answer');
      return { keys: { bearer }, expires: now() + seconds * 1_000 };
    }
  }
}

/** @param answer of AWS, in the form of its metadata services */
function keysOf(answer: { readonly [name: string]: unknown }): Kept {
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken } = answer;
  const expires = Date.parse(String(answer.Expiration));
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string' || typeof sessionToken !== 'string') {
    throw new Error('there are no keys in the answer');
  }
  if (Number.isNaN(expires)) throw new Error('the answer does not say when the keys expire');
  return { keys: { accessKeyId, secretAccessKey, sessionToken }, expires };
}

async function ask(url: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<string> {
  const { origin, protocol } = new URL(url);
  const late = () => new Error(`${origin} does not answer`);
  const outgoing = (protocol === 'https:' ? https.request : http.request)(url, { method, headers, agent: false });
  outgoing.on('error', () => {}).end();
  try {
    const [answer] = await resultWithin(PATIENCE, once(outgoing, 'response') as Promise<[http.IncomingMessage]>, late);
    const text = await resultWithin(PATIENCE, readText(answer), late);
    if (answer.statusCode === 200) return text;
    throw new Error(`${origin} answered ${answer.statusCode}: ${text.replace(/\s+/g, ' ').slice(0, 300)}`);
  } finally {
    outgoing.destroy();
  }
}

async function readText(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
