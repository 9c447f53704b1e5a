// Tests where keys for S3 come from, and what is said of a store that cannot be used.

import dns from 'node:dns';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { openBlobs } from '#server/storage/open-blobs.ts';
import type { S3Location } from '#server/storage/s3/s3-client.ts';
import { S3Client } from '#server/storage/s3/s3-client.ts';
import { S3Credentials, type S3KeySource } from '#server/storage/s3/s3-credentials.ts';
import { serve } from '../../../listen.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

type Done = (error: null, address: unknown, family?: number) => void;

const HOUR = 3_600_000;
const START = Date.parse('2026-11-01T12:00:00Z');

/** A service that answers paths with bodies; notes its requests. */
async function cloud(answers: Readonly<Record<string, (request: IncomingMessage) => unknown>>) {
  const asked: string[] = [];
  const server = await serve((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push(`${request.method} ${path}`);
    const body = answers[path]?.(request);
    if (body === undefined) return void response.writeHead(403).end('not for you');
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url: server.url, asked, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Keys as AWS's metadata services give them, for an hour. */
const temporary = (name: string, now = START) => ({
  Code: 'Success',
  AccessKeyId: `ASIA${name}`,
  SecretAccessKey: 'hush',
  Token: 'a session',
  Expiration: new Date(now + HOUR).toISOString(),
});
const keysOf = (name: string) => ({ accessKeyId: `ASIA${name}`, secretAccessKey: 'hush', sessionToken: 'a session' });
const keysFrom = (source: S3KeySource) => new S3Credentials(source, () => START).get();

test('the role of a machine at AWS, by version 2 of its metadata service', async () => {
  const roles = '/latest/meta-data/iam/security-credentials/';
  const isHeld = ({ headers }: IncomingMessage) => headers['x-aws-ec2-metadata-token'] === 'session';
  await using server = await cloud({
    '/latest/api/token': ({ method, headers }) =>
      method === 'PUT' && headers['x-aws-ec2-metadata-token-ttl-seconds'] ? 'session' : undefined,
    [roles]: (request) => (isHeld(request) ? 'pictures' : undefined),
    [`${roles}pictures`]: (request) => (isHeld(request) ? temporary('EC2') : undefined),
  });
  expect(await keysFrom({ kind: 'aws', endpoint: server.url })).toEqual(keysOf('EC2'));
});

test('the role of a container, with the token in a file', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'token'), 'pod identity\n');
  await using server = await cloud({
    '/v1/credentials': ({ headers }) => (headers.authorization === 'pod identity' ? temporary('POD') : undefined),
  });
  const endpoint = `${server.url}/v1/credentials`;
  const source = { kind: 'container', endpoint, token: null } as const;
  expect(await keysFrom({ ...source, tokenFile: join(folder.path, 'token') })).toEqual(keysOf('POD'));
  await expect(keysFrom({ ...source, tokenFile: null })).rejects.toThrow(
    `The credentials of container cannot be read: ${server.url} answered 403: not for you`,
  );
});

test('a role of AWS for the token of a cluster', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'token'), 'eyJ.a.b');
  await using server = await cloud({
    '/': ({ url }) => {
      const query = new URL(url ?? '', 'http://sts').searchParams;
      const { AccessKeyId, SecretAccessKey, Token, Expiration } = temporary('STS');
      const isRight =
        query.get('Action') === 'AssumeRoleWithWebIdentity' && query.get('WebIdentityToken') === 'eyJ.a.b';
      return isRight && query.get('RoleArn') === 'arn:aws:iam::1:role/a'
        ? `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><SessionToken>${Token}</SessionToken><SecretAccessKey>${SecretAccessKey}</SecretAccessKey><Expiration>${Expiration}</Expiration><AccessKeyId>${AccessKeyId}</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`
        : undefined;
    },
  });
  const source = { kind: 'web-identity', endpoint: `${server.url}/`, role: 'arn:aws:iam::1:role/a' } as const;
  expect(await keysFrom({ ...source, tokenFile: join(folder.path, 'token') })).toEqual(keysOf('STS'));
});

test('keys are renewed five minutes before they expire, once for all that wait; a failed renewal keeps them', async () => {
  let now = START;
  let given: string | null = 'A';
  await using server = await cloud({ '/': () => (given === null ? undefined : temporary(given, now)) });
  const source = { kind: 'container', endpoint: `${server.url}/`, token: null, tokenFile: null } as const;
  const credentials = new S3Credentials(source, () => now);
  const many = () => Promise.all(Array.from({ length: 20 }, () => credentials.get()));
  expect(await many()).toEqual(Array(20).fill(keysOf('A')));
  expect(server.asked).toHaveLength(1);
  given = 'B';
  now = START + HOUR - 5 * 60_000 - 1;
  expect(await credentials.get()).toEqual(keysOf('A'));
  given = null;
  now += 1;
  expect(await many()).toEqual(Array(20).fill(keysOf('A')));
  expect(server.asked).toHaveLength(2);
  given = 'B';
  now += 10_000;
  expect(await many()).toEqual(Array(20).fill(keysOf('B')));
  given = null;
  now += HOUR;
  await expect(credentials.get()).rejects.toThrow('answered 403');
});

/** A store that keeps what is put, and answers `refusal` instead if there is one. */
async function store(answer: RequestListener = () => {}) {
  const objects = new Map<string, Buffer>();
  const requests: IncomingMessage[] = [];
  const server = await serve(async (request, response) => {
    requests.push(request);
    answer(request, response);
    if (response.headersSent) return void request.resume();
    const name = `${request.headers.host?.split(':')[0]} ${request.url}`;
    if (request.method === 'PUT') objects.set(name, await buffer(request));
    response.end(request.method === 'GET' ? objects.get(name) : '');
  });
  return { ...server, url: server.url, requests, objects, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const location = (endpoint: string, more: Partial<S3Location> = {}): S3Location => ({
  endpoint,
  region: 'eu-central-1',
  bucket: 'pictures',
  prefix: '',
  isVirtualHosted: false,
  kmsKey: null,
  keys: { kind: 'keys', accessKeyId: 'ASIA', secretAccessKey: 'hush', sessionToken: 'a session' },
  ...more,
});
async function open(s3: S3Location) {
  await using folder = await temporaryFolder();
  await (await openBlobs({ dataFolder: folder.path, s3 }, 'assets'))[Symbol.asyncDispose]?.();
}

test('a session token is signed and sent, in presigned addresses too, with the key of the key management', async () => {
  await using server = await store();
  const s3 = location(server.url, { kmsKey: 'a-key' });
  await open(s3);
  const [put, get] = server.requests;
  expect(put?.headers).toMatchObject({
    'x-amz-security-token': 'a session',
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'a-key',
  });
  expect(put?.headers.authorization).toContain('x-amz-security-token');
  expect(put?.headers.authorization).toContain('x-amz-server-side-encryption-aws-kms-key-id');
  expect(get?.headers['x-amz-server-side-encryption']).toBeUndefined();
  using client = new S3Client(s3);
  expect(await client.presign('a', 60, {})).toContain('X-Amz-Security-Token=a%20session');
});

test('a virtual-hosted bucket is part of the host', async () => {
  await using server = await store();
  const found = vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, { all }: { all?: boolean }, done: Done) => {
    const address = { address: '127.0.0.1', family: 4 };
    if (all) done(null, [address]);
    else done(null, address.address, address.family);
  }) as never);
  try {
    await open(location(server.url.replace('127.0.0.1', 's3.example'), { isVirtualHosted: true }));
  } finally {
    found.mockRestore();
  }
  expect([...server.objects.keys()]).toEqual(['pictures.s3.example /assets/.probe']);
});

test('a token of Google authorises alone, and bodies carry their MD5', async () => {
  await using metadata = await cloud({
    '/computeMetadata/v1/instance/service-accounts/default/token': ({ headers }) =>
      headers['metadata-flavor'] === 'Google' ? { access_token: 'ya29', expires_in: 3599 } : undefined,
  });
  await using server = await store();
  await open(location(server.url, { kmsKey: 'projects/a', keys: { kind: 'google', endpoint: metadata.url } }));
  const [put] = server.requests;
  expect(put?.headers).toMatchObject({
    authorization: 'Bearer ya29',
    // MD5 of "probe", by openssl.
    'content-md5': 'jahD/2UgWmE3Swm4HtD6NQ==',
    'x-goog-encryption-kms-key-name': 'projects/a',
  });
  expect(Object.keys(put?.headers ?? {}).filter((name) => name.startsWith('x-amz'))).toEqual([]);
});

const refused = (server: { url: string }) => expect(open(location(server.url))).rejects;
const BEGIN = 'The bucket "pictures" of ASSETS_URL cannot be used.';

test('a refusal is told as the store says it, with what it names', async () => {
  await using wrongRegion = await store((_request, response) =>
    response
      .writeHead(400)
      .end(
        "<Error><Code>AuthorizationHeaderMalformed</Code><Message>The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-central-1'</Message><Region>eu-central-1</Region></Error>",
      ),
  );
  await refused(wrongRegion).toThrow(
    `${BEGIN} S3 refuses: 400 AuthorizationHeaderMalformed. It says: The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-central-1'. (Region: eu-central-1)`,
  );
  await using console_ = await store((_request, response) =>
    response
      .writeHead(400)
      .end(
        '<Error><Code>InvalidRequest</Code><Message>Requests must be\n made to API port &amp; no other.</Message></Error>',
      ),
  );
  await refused(console_).toThrow(
    `${BEGIN} S3 refuses: 400 InvalidRequest. It says: Requests must be made to API port & no other.`,
  );
});

test('whatever answers 200 to everything is no store', async () => {
  await using page = await store((_request, response) => response.end('<html>A console</html>'));
  await refused(page).toThrow(`${BEGIN} S3 refuses: 200. It says: what was stored is not given back`);
});

test('a store that is busy, does not answer, or whose role cannot be had, is told apart', async () => {
  await using busy = await store((_request, response) => response.writeHead(503).end('<Code>SlowDown</Code>'));
  await refused(busy).toThrow(`${BEGIN} S3 answered 503. <Code>SlowDown</Code>`);
  await refused({ url: 'http://127.0.0.1:1' }).toThrow(`${BEGIN} http://127.0.0.1:1 does not answer (ECONNREFUSED).`);
  const keys = { kind: 'aws', endpoint: 'http://127.0.0.1:1' } as const;
  await expect(open(location(busy.url, { keys }))).rejects.toThrow(`${BEGIN} The credentials of aws cannot be read: `);
});
