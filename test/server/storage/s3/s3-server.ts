// An in-memory S3 server for tests: the five operations that Platen uses, on one bucket, for correctly signed requests.
//
// It computes signatures from the received request (AWS, "Signature Version 4 signing process"), and compares bodies
// with the signed hash. It can also fail in the ways real servers do.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

export const BUCKET = 'pictures';
export const ACCESS_KEY = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a secret/of+theirs' } as const;

/**
 * `busy`: 503. `gone`: there is no such bucket. `cut`: the connection breaks, in the middle of a body if there is one.
 * `silent`: there is no answer.
 */
export type Fault = 'busy' | 'gone' | 'cut' | 'silent';

interface StoredObject {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly lastModified: Date;
}

export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  /** The stored objects by key. */
  readonly objects: Map<string, StoredObject>;
  /** Requests with the status of their answers: `PUT a/b 200`. */
  readonly log: string[];
  /** Decides the fault of each request, numbered from 0, for an object; null = none. */
  fault: (request: number, key: string) => Fault | null;
}

/** @param page the number of objects on one page of a listing */
export async function s3Server(page = 3): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const log: string[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const made: S3Server = {
    endpoint: '',
    objects,
    log,
    fault: () => null,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const fault = made.fault(count++, keyOf(request));
    if (fault === 'silent') return;
    const refusal = refusalOf(request, body);
    const {
      status,
      headers = {},
      bytes = Buffer.alloc(0),
    } = fault === 'busy'
      ? { status: 503, bytes: error('SlowDown') }
      : fault === 'gone'
        ? { status: 404, bytes: error('NoSuchBucket') }
        : refusal === null
          ? serve(request, body)
          : { status: 403, bytes: error(refusal) };
    log.push(`${request.method} ${keyOf(request)} ${fault ?? status}`);
    if (fault === 'cut' && bytes.length < 2) return void request.socket.resetAndDestroy();
    response.writeHead(status, { 'content-length': bytes.length, ...headers });
    if (request.method === 'HEAD') return void response.end();
    if (fault !== 'cut') return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.resetAndDestroy());
  }

  function serve(request: IncomingMessage, body: Buffer): Served {
    const key = keyOf(request);
    const url = new URL(request.url ?? '', 'http://s3');
    if (!url.pathname.startsWith(`/${BUCKET}`)) return { status: 404, bytes: error('NoSuchBucket') };
    if (key === '') return { status: 200, bytes: list(url.searchParams) };
    if (request.method === 'PUT') {
      const told = ['content-type', 'cache-control', 'content-disposition'].map((name) => [
        name,
        request.headers[name],
      ]);
      objects.set(key, {
        bytes: body,
        headers: Object.fromEntries(told.filter(([, value]) => value !== undefined)),
        lastModified: new Date(),
      });
      return { status: 200 };
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    const found = objects.get(key);
    if (!found) return { status: 404, bytes: error('NoSuchKey') };
    if (request.method === 'HEAD')
      return { status: 200, headers: { ...found.headers, 'content-length': found.bytes.length } };
    const asked = [...url.searchParams].flatMap(([name, value]) =>
      name.startsWith('response-') ? [[name.slice('response-'.length), value]] : [],
    );
    const headers = { ...found.headers, ...Object.fromEntries(asked) };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return { status: 200, headers, bytes: found.bytes };
    return { status: 206, headers, bytes: found.bytes.subarray(Number(from), to ? Number(to) + 1 : undefined) };
  }

  function list(query: URLSearchParams): Buffer {
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort();
    const shown = keys.slice(0, page);
    const contents = shown.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.lastModified.toISOString()}</LastModified><Size>${objects.get(key)?.bytes.length}</Size></Contents>`,
    );
    const next = keys.length > page ? `<NextContinuationToken>${shown.at(-1)}</NextContinuationToken>` : '';
    return Buffer.from(`<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return Object.assign(made, { endpoint: `http://127.0.0.1:${port}` });
}

interface Served {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly bytes?: Buffer;
}

const error = (code: string) => Buffer.from(`<Error><Code>${code}</Code></Error>`);
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

function keyOf({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(new URL(url, 'http://s3').pathname.split('/').slice(2).join('/'));
}

/** Null if the headers or the query carry a valid signature of the received request; otherwise the S3 error code. */
function refusalOf(request: IncomingMessage, body: Buffer): string | null {
  if (request.url?.includes('X-Amz-Signature=')) return refusalOfPresigned(request);
  const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, credential = '', signed = '', given = ''] = form.exec(request.headers.authorization ?? '') ?? [];
  if (given === '') return 'AccessDenied';
  const [keyId, day = '', region = '', service = ''] = credential.split('/');
  if (keyId !== ACCESS_KEY.AWS_ACCESS_KEY_ID) return 'InvalidAccessKeyId';
  const header = (name: string) => String(request.headers[name] ?? '').trim();
  const hash = header('x-amz-content-sha256');
  if (hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...signed.split(';').map((name) => `${name}:${header(name)}`),
    '',
    signed,
    hash,
  ].join('\n');
  const isRight = isSignature(given, [day, region, service], header('x-amz-date'), canonical);
  return isRight ? null : 'SignatureDoesNotMatch';
}

/** The same for presigned URLs (AWS, "Authenticating Requests: Using Query Parameters"). */
function refusalOfPresigned({ method, url = '', headers }: IncomingMessage): string | null {
  const [path = '', query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const [keyId, day = '', region = '', service = ''] = (parameters.get('X-Amz-Credential') ?? '').split('/');
  if (keyId !== ACCESS_KEY.AWS_ACCESS_KEY_ID) return 'InvalidAccessKeyId';
  if (headers.authorization !== undefined) return 'InvalidArgument';
  const date = parameters.get('X-Amz-Date') ?? '';
  const begins = Date.parse(date.replace(/^(.{4})(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!(Date.now() < begins + Number(parameters.get('X-Amz-Expires')) * 1_000)) return 'AccessDenied';
  const escaped = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const signed = [...parameters]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
  const canonical = [method, path, signed, `host:${headers.host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const given = parameters.get('X-Amz-Signature') ?? '';
  return isSignature(given, [day, region, service], date, canonical) ? null : 'SignatureDoesNotMatch';
}

/** Whether `given` is the signature of this canonical request with our secret. @param scope day, region, service */
function isSignature(given: string, scope: readonly string[], at: string, canonical: string): boolean {
  const text = ['AWS4-HMAC-SHA256', at, `${scope.join('/')}/aws4_request`, sha256(canonical)].join('\n');
  const key = [...scope, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${ACCESS_KEY.AWS_SECRET_ACCESS_KEY}`,
  );
  const bytes = Buffer.from(given, 'hex');
  return bytes.length === 32 && timingSafeEqual(hmac(key, text), bytes);
}
