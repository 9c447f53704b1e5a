import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ConfigError,
  loadConfig,
  publicAddress,
  reportVariables,
  tooFewFiles,
  unknownVariables,
  variablesTable,
} from '../../../src/server/config/config.ts';
import { VARIABLES } from '../../../src/server/config/variables.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

function refused(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'accepted';
}

test('an empty environment gives the documented defaults', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: null,
    logLevel: 'info',
    chromiumPath: null,
  });
  expect(config.dataFolder).toBe(`${process.cwd()}/data`);
  expect(config.database).toBe(`${process.cwd()}/data/platen.sqlite`);
  expect(config.plans).toEqual({
    free: { quota: 100, blocks: true, storage: 512, renderStorage: 2_048 },
    pro: { quota: 5000, blocks: false, storage: 10_240 },
  });
  expect(config.allowPrivateNetworks).toEqual([]);
  expect(config.allowLinkLocal).toBe(false);
});

test('an empty variable is an absent one', () => expect(loadConfig({ PORT: '', HOST: ' ' }).port).toBe(3000));

test('a port is a whole number', () => {
  expect(loadConfig({ PORT: '0' }).port).toBe(0);
  expect(refused({ PORT: '-1' })).toBe('PORT: must be a whole number');
  expect(refused({ PORT: '70000' })).toBe('PORT: must be between 0 and 65535');
});

test('files are in a bucket where its address is given, with its key', () => {
  const key = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'hush' };
  const s3 = (url: string) => loadConfig({ ASSETS_URL: url, ...key }).s3;
  const keys = { kind: 'keys', accessKeyId: 'AKIA', secretAccessKey: 'hush', sessionToken: null };
  const secret = { isVirtualHosted: false, kmsKey: null, role: null, keys };
  expect(s3('s3://pictures')).toEqual({
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
    bucket: 'pictures',
    prefix: '',
    ...secret,
  });
  expect(s3('s3://pictures/a/b/?endpoint=http://minio:9000/&region=eu-central-1')).toEqual({
    endpoint: 'http://minio:9000',
    region: 'eu-central-1',
    bucket: 'pictures',
    prefix: 'a/b',
    ...secret,
  });
  expect(s3('s3://My_pics?region=RegionOne')).toMatchObject({ bucket: 'My_pics', region: 'RegionOne' });
  expect(s3('s3://bc?addressing=virtual&kms=arn:aws:kms:eu-central-1:1:key/a')).toMatchObject({
    isVirtualHosted: true,
    kmsKey: 'arn:aws:kms:eu-central-1:1:key/a',
  });
  for (const text of ['pictures', 'https://pictures', 's3://', 's3://me@pictures']) {
    expect(refused({ ASSETS_URL: text, ...key }), text).toMatch(/^ASSETS_URL: must be an address such as s3:/);
  }
  for (const [text = '', problem = ''] of [
    ['s3://b?endpoint=x', 'has the endpoint "x"'],
    ['s3://b?endpoint=https://a.blob.core.windows.net', 'names Azure Blob Storage, which does not speak S3'],
    ['s3://bc?endpiont=https://a', 'has the parameter "endpiont"; there are region, endpoint'],
    ['s3://bc?addressing=host', 'has another addressing than path'],
    ['s3://bc?credentials=azure', 'has other credentials than aws or google'],
    ['s3://b_c?addressing=virtual', 'names the bucket "b_c", which cannot be part of a host'],
    ['s3://bc?region=a.b', 'has the region "a.b"'],
  ]) {
    expect(refused({ ASSETS_URL: text.replace('//b?', '//bc?'), ...key }), text).toContain(`ASSETS_URL: ${problem}`);
  }
  expect(refused({ ASSETS_URL: 's3://pictures', AWS_ACCESS_KEY_ID: 'AKIA' })).toMatch(/^ASSETS_URL: needs AWS_ACCESS/);
});

test('the keys of a bucket are of the environment, or of a role, which is asked where its cloud says', () => {
  const of = (env: Record<string, string>) => loadConfig({ ASSETS_URL: 's3://bc?region=eu-west-1', ...env }).s3?.keys;
  const key = { AWS_ACCESS_KEY_ID: 'ASIA', AWS_SECRET_ACCESS_KEY: 'hush', AWS_SESSION_TOKEN: 'a token' };
  const role = { AWS_ROLE_ARN: 'arn:aws:iam::1:role/a', AWS_WEB_IDENTITY_TOKEN_FILE: '/run/token' };
  expect(of({ ...key, ...role })).toMatchObject({ kind: 'keys', sessionToken: 'a token' });
  expect(of(role)).toEqual({
    kind: 'web-identity',
    endpoint: 'https://sts.eu-west-1.amazonaws.com/',
    role: role.AWS_ROLE_ARN,
    tokenFile: '/run/token',
  });
  expect(of({ AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/a' })).toMatchObject({
    kind: 'container',
    endpoint: 'http://169.254.170.2/v2/credentials/a',
  });
  const pod = { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/run/pod' };
  const full = (address: string) => of({ AWS_CONTAINER_CREDENTIALS_FULL_URI: address, ...pod });
  for (const address of [
    'http://169.254.170.23/v1/credentials',
    'http://[fd00:ec2::23]/v1',
    'https://keys.example/a',
  ]) {
    expect(full(address)).toEqual({ kind: 'container', endpoint: address, token: null, tokenFile: '/run/pod' });
  }
  for (const address of ['http://169.254.169.254/latest', 'http://10.0.0.1/', 'http://127.0.0.1.example/']) {
    expect(() => full(address)).toThrow('AWS_CONTAINER_CREDENTIALS_FULL_URI: must be an https: address, or one of');
  }
  expect(of({ ASSETS_URL: 's3://bc?credentials=aws', ...key })).toEqual({
    kind: 'aws',
    endpoint: 'http://169.254.169.254',
  });
  const google = { ASSETS_URL: 's3://bc?credentials=google&endpoint=https://storage.googleapis.com' };
  expect(of(google)).toEqual({ kind: 'google', endpoint: 'http://metadata.google.internal' });
  expect(refused({ ...google, ASSETS_DELIVERY: 'redirect' })).toMatch(
    /^ASSETS_DELIVERY: redirect needs keys that sign/,
  );
});

test('a server is alone unless others can have its rows and its files', () => {
  const [database, key] = [{ DATABASE_URL: 'postgres://db/a' }, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }];
  expect(loadConfig({}).alone).toBe(true);
  expect(loadConfig(database).alone).toBe(true);
  expect(loadConfig({ ASSETS_URL: 's3://pictures', ...key }).alone).toBe(true);
  expect(loadConfig({ ...database, ASSETS_URL: 's3://pictures', ...key }).alone).toBe(false);
  expect(loadConfig({ ...database, PLATEN_SHARED_FILES: 'true' }).alone).toBe(false);
  expect(refused({ PLATEN_SHARED_FILES: 'true' })).toMatch(/^PLATEN_SHARED_FILES: needs DATABASE_URL/);
});

test('the database is PostgreSQL where its address is given', () => {
  const url = 'postgres://platen:hush@db:5432/platen?sslmode=no-verify';
  expect(loadConfig({ DATABASE_URL: url }).database).toBe(url);
  expect(loadConfig({ DATABASE_URL: 'postgresql://db/platen' }).database).toBe('postgresql://db/platen');
  for (const text of ['db', 'mysql://db/platen', 'postgres://db', 'postgres://db/', 'postgres:///']) {
    expect(refused({ DATABASE_URL: text }), text).toMatch(/^DATABASE_URL: must be an address such as/);
  }
});

test('what is wrong with the address of a database is said, and the two forms of a socket are taken', () => {
  const socket = 'postgres://u:p@/db?host=/cloudsql/a:b:c';
  for (const text of [
    socket,
    'postgres://u:p@%2Fvar%2Frun/db',
    'postgres:///db',
    'postgres://u:p%23@h/a?options=a@b',
  ]) {
    expect(loadConfig({ DATABASE_URL: text }).database).toBe(text);
  }
  // The driver checks the certificate in each, and warns of all but the last.
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    const { database } = loadConfig({ DATABASE_URL: `postgres://h/a?sslmode=${mode}&sslrootcert=/a.pem` });
    expect(database).toBe('postgres://h/a?sslmode=verify-full&sslrootcert=/a.pem');
  }
  for (const [text = '', problem = ''] of [
    ['postgres://u:p#x@h/db', 'has a # in its user or password, or elsewhere before an @: write it as %23'],
    ['postgres://u:p/x@h/db', 'has a / in its user or password, or elsewhere before an @: write it as %2F'],
    ['postgres://u:p?x@h/db', 'has a ? in its user or password, or elsewhere before an @: write it as %3F'],
    ['postgres://u:p@a:5432,b:5432/db', 'names several hosts, and Platen connects to one'],
    ['postgres://u:p@/db?host=a,b', 'names several hosts, and Platen connects to one'],
    ['postgres://u:p@h/db?sslmode=verify_full', 'has the sslmode "verify_full"; there are disable, prefer, require'],
    ['postgres://u:p@h:x/db', 'must be an address such as postgres://user:password@host:5432/name, or, for a socket'],
  ]) {
    expect(refused({ DATABASE_URL: text })).toContain(`DATABASE_URL: ${problem}`);
  }
});

test('the address of the database may come from a file, but not from both', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'url');
  await writeFile(file, 'postgres://platen:hush@db/platen\n');
  expect(loadConfig({ DATABASE_URL_FILE: file }).database).toBe('postgres://platen:hush@db/platen');
  expect(refused({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://db/a' })).toMatch(/^DATABASE_URL_FILE: is set/);
  expect(refused({ DATABASE_URL_FILE: join(folder.path, 'none') })).toMatch(/^DATABASE_URL_FILE: ENOENT/);
  await writeFile(file, 'hush');
  expect(refused({ DATABASE_URL_FILE: file })).toMatch(/^DATABASE_URL: must be an address/);
});

test('all problems are named at once', () =>
  expect(
    refused({ PORT: 'x', LOG_LEVEL: 'loud' })
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual(['PORT', 'LOG_LEVEL']));

test('a public URL loses its trailing slash', () => {
  expect(loadConfig({ PLATEN_PUBLIC_URL: 'https://img.example.com/' }).publicUrl).toBe('https://img.example.com');
  expect(loadConfig({ PLATEN_PUBLIC_URL: 'https://example.com/platen/' }).publicUrl).toBe('https://example.com/platen');
  for (const text of ['img.example.com', 'ftp://example.com', 'https://a.example/?x=1', 'https://u:p@a.example']) {
    expect(refused({ PLATEN_PUBLIC_URL: text }), text).toMatch(/^PLATEN_PUBLIC_URL: must be/);
  }
});

test('networks are CIDRs', () => {
  const { allowPrivateNetworks } = loadConfig({ PLATEN_ALLOW_PRIVATE_NETWORKS: '10.0.0.0/8, fd00::/8' });
  expect(allowPrivateNetworks).toEqual(['10.0.0.0/8', 'fd00::/8']);
  for (const text of ['10.0.0.0', '10.0.0.0/33', 'localhost/8', '10.0.0.0/8/8', ',']) {
    expect(refused({ PLATEN_ALLOW_PRIVATE_NETWORKS: text }), text).toContain('is not a CIDR');
  }
});

test('plans are JSON', () => {
  const plans = loadConfig({ PLATEN_PLANS: '{"tiny":{"quota":1,"blocks":true}}' }).plans;
  expect(plans).toEqual({ tiny: { quota: 1, blocks: true } });
  for (const text of ['free', '{"free":100}', '{"free":{"quota":-1,"blocks":true}}']) {
    expect(refused({ PLATEN_PLANS: text }), text).toContain('must be JSON');
  }
});

test('the address of links', () => {
  expect(publicAddress(loadConfig({}), 3000)).toBe('http://127.0.0.1:3000');
  expect(publicAddress(loadConfig({ HOST: '0.0.0.0' }), 80)).toBe('http://localhost:80');
  expect(publicAddress(loadConfig({ HOST: '::1' }), 80)).toBe('http://[::1]:80');
  expect(publicAddress(loadConfig({ PLATEN_PUBLIC_URL: 'https://a.example' }), 80)).toBe('https://a.example');
});

test('a misspelt variable is noticed', () =>
  expect(unknownVariables({ PLATEN_DATA: 'x', PLATEN_DATE: 'x', PLATEN_SOMETHING_ELSE: 'x', PATH: 'x' })).toEqual([
    'PLATEN_DATE is set, but there is no such variable; did you mean PLATEN_DATA?',
    'PLATEN_SOMETHING_ELSE is set, but there is no such variable; docs/configuration.md lists those that there are.',
  ]));

test('variables of clients, and those that Kubernetes sets, are none that are misspelt', () => {
  const clients = { PLATEN_URL: 'http://127.0.0.1:3000', PLATEN_TEMPLATE: 'tpl_1', PLATEN_SIGNING_SECRET: 'sgn_1' };
  const service = { PLATEN_SERVICE_HOST: '10.0.0.1', PLATEN_PORT_3000_TCP: 'tcp://10.0.0.1:3000' };
  expect(unknownVariables({ ...clients, ...service, PLATEN_PORT: 'tcp://10.0.0.1:3000' })).toEqual([]);
  expect(unknownVariables({ PLATEN_PORT: '3000' })).toEqual([
    'PLATEN_PORT is set, but there is no such variable; did you mean PORT?',
  ]);
});

test('what Kubernetes says of the services of a namespace is neither a setting nor misspelt', () => {
  // The variables of a service, as docs/concepts/services-networking/service of Kubernetes lists them.
  const of = (service: string) => ({
    [`${service}_SERVICE_HOST`]: '10.0.0.11',
    [`${service}_SERVICE_PORT`]: '9464',
    [`${service}_SERVICE_PORT_HTTP_METRICS`]: '9464',
    [`${service}_PORT`]: 'tcp://10.0.0.11:9464',
    [`${service}_PORT_9464_TCP`]: 'tcp://10.0.0.11:9464',
    [`${service}_PORT_9464_TCP_PROTO`]: 'tcp',
    [`${service}_PORT_9464_TCP_PORT`]: '9464',
    [`${service}_PORT_9464_TCP_ADDR`]: '10.0.0.11',
  });
  const given = { ...of('PLATEN'), ...of('PLATEN_METRICS'), ...of('PLATEN_BROWSER'), ...of('PLATEN_A_B') };
  expect(unknownVariables(given)).toEqual([]);
  expect(loadConfig(given)).toEqual(loadConfig({}));
  expect(reportVariables(given).filter(({ set }) => set !== null)).toEqual([]);
  expect(() => loadConfig({ PLATEN_METRICS_PORT: 'http://10.0.0.11:9464' })).toThrow('must be a whole number');
  expect(loadConfig({ ...given, PLATEN_METRICS_PORT: '9464' }).metricsPort).toBe(9464);
});

test.skipIf(process.platform !== 'linux')('too few open files are told, with the number that is needed', async () => {
  const config = loadConfig({ PLATEN_BROWSERS: '4' });
  expect(tooFewFiles({ ...config, browsers: 0, roles: new Set(['api']) })).toBeNull();
  const limit = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  const needed = 256 + 128 * (limit + 2);
  expect(tooFewFiles({ ...config, browsers: limit })).toMatch(
    `Only ${limit} files and connections may be open at a time, where ${needed} may be needed`,
  );
});

test('no variable that the documents name is taken for a misspelt one', () => {
  const files = ['README.md', ...globSync('docs/*.md'), ...globSync('clients/*/README.md')];
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const names = new Set(text.match(/\bPLATEN_[A-Z0-9_]*[A-Z0-9]\b/g));
  expect(names.has('PLATEN_URL')).toBe(true);
  expect(unknownVariables(Object.fromEntries([...names].map((name) => [name, 'x'])))).toEqual([]);
});

test('the table of the documentation has a row and a sentence for each variable', () => {
  const rows = variablesTable().trim().split('\n').slice(2);
  expect(rows).toHaveLength(Object.keys(VARIABLES).length);
  for (const row of rows) expect(row).toMatch(/^\| `[A-Z_]+` \| .* \| [A-Z].*\. \|$/);
});
