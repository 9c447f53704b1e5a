// Tests the sentences about PostgreSQL over TLS and by sockets, and readiness while it takes no writes.

import { execFile } from 'node:child_process';
import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '#server/storage/storage.ts';
import { loadConfig } from '../../../../src/server/config/config.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../temporary-folder.ts';
import { check, sentences } from '../opening-sentences.ts';
import { runOn } from './run-on.ts';
import { NOBODY, type PostgresServer, startPostgres } from './start-postgres.ts';

const run = promisify(execFile);
let folder: TemporaryFolder;
let server: PostgresServer;
const path = (name: string) => join(folder.path, name);

/** Makes a key and a certificate, by an authority of its own or of another's. */
async function certify(name: string, days: number, altName: string, ca: string | null = null) {
  const by = ca === null ? [] : ['-CA', path(`${ca}.pem`), '-CAkey', path(`${ca}.key`)];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${altName}`];
  const out = ['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    String(days),
    ...subject,
    ...by,
    ...out,
  ]);
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await chmod(folder.path, 0o755);
  await certify('authority', 10, 'DNS:authority.example');
  await certify('server', 10, 'DNS:localhost', 'authority');
  await certify('elsewhere', 10, 'DNS:db.example', 'authority');
  if (process.getuid?.() === 0) {
    for (const name of ['server.key', 'elsewhere.key']) await chown(path(name), NOBODY.uid, NOBODY.gid);
  }
  for (const name of ['server.key', 'elsewhere.key']) await chmod(path(name), 0o600);
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Serves with a certificate, or without TLS. */
async function serveWith(certificate: string | null): Promise<void> {
  const url = server.urlOf('postgres');
  await runOn(url, `ALTER SYSTEM SET ssl = ${certificate === null ? 'off' : 'on'}`);
  if (certificate !== null) {
    await runOn(url, `ALTER SYSTEM SET ssl_cert_file = '${path(certificate)}.pem'`);
    await runOn(url, `ALTER SYSTEM SET ssl_key_file = '${path(certificate)}.key'`);
  }
  await runOn(url, 'SELECT pg_reload_conf()');
}

/** By name: the driver compares certificates with names only. */
const at = (parameters: string) => `${server.urlOf('postgres').replace('127.0.0.1', 'localhost')}?${parameters}`;
const refusal = (words: string) =>
  `The database "postgres" at localhost:${server.port} as platen, of DATABASE_URL, cannot be used: ${words}`;

test('a server without TLS, an unknown authority, another host, and files that are none', async () => {
  const noTls = refusal(
    'the server offers no TLS, which sslmode asks for. Set ssl = on in its postgresql.conf, or leave sslmode out of DATABASE_URL on a network that you trust.',
  );
  await check(at('sslmode=verify-full'), noTls);

  await serveWith('server');
  const unknown = refusal(
    'the authority of its certificate is not known here. Add sslrootcert=/path/authority.pem to DATABASE_URL, or name that file in NODE_EXTRA_CA_CERTS; sslmode=no-verify encrypts without checking who answers.',
  );
  await expect
    .poll(() => sentences(at('sslmode=verify-full')), { timeout: 10_000 })
    .toEqual([`AppError: ${unknown}`, `AppError: ${unknown}`]);
  const trusted = at(`sslmode=verify-full&sslrootcert=${path('authority.pem')}`);
  await (await openStorage(trusted))[Symbol.asyncDispose]();
  await (await openStorage(at('sslmode=no-verify')))[Symbol.asyncDispose]();

  const missing = path('none.pem');
  await check(
    at(`sslmode=verify-full&sslrootcert=${missing}`),
    refusal(`${missing} cannot be read (ENOENT). Correct sslrootcert, sslcert or sslkey in DATABASE_URL.`),
  );
  await writeFile(path('no.pem'), 'no certificate');
  const [, opened] = await sentences(at(`sslmode=verify-full&sslcert=${path('no.pem')}&sslkey=${path('no.pem')}`));
  expect(opened).toMatch(
    /no TLS connection is made \(.*\)\. Check sslmode, sslrootcert, sslcert and sslkey in DATABASE_URL\.$/,
  );

  await serveWith('elsewhere');
  const other = refusal(
    'its certificate is for another host. Write the host in DATABASE_URL as a name of its certificate, which an IP address is not; sslmode=no-verify does not check.',
  );
  await expect
    .poll(() => sentences(trusted), { timeout: 10_000 })
    .toEqual([`AppError: ${other}`, `AppError: ${other}`]);
});

test('a server that takes users over TLS only, and one that wants their certificates', async () => {
  await serveWith('server');
  const trusted = `sslrootcert=${path('authority.pem')}`;
  const [{ file }] = await rows<{ file: string }>("SELECT current_setting('hba_file') AS file");
  const before = await readFile(file, 'utf8');
  try {
    await writeFile(
      file,
      `local all all trust\nhost postgres platen 127.0.0.1/32 trust\nhostssl all guest 127.0.0.1/32 trust\n`,
    );
    await runOn(server.urlOf('postgres'), 'CREATE ROLE guest LOGIN SUPERUSER');
    await runOn(server.urlOf('postgres'), 'SELECT pg_reload_conf()');
    const guest = (parameters: string) => at(parameters).replace('platen@', 'guest@');
    const sentence =
      /AppError: .* as guest, of DATABASE_URL, cannot be used: PostgreSQL does not let this user in from here without TLS\. Add sslmode=require to DATABASE_URL/;
    await expect
      .poll(async () => (await sentences(guest(''))).every((said) => sentence.test(said)), { timeout: 10_000 })
      .toBe(true);
    await (await openStorage(guest(`sslmode=verify-full&${trusted}`)))[Symbol.asyncDispose]();

    await writeFile(
      file,
      `host postgres platen 127.0.0.1/32 trust\nhostssl all guest 127.0.0.1/32 trust clientcert=verify-full\n`,
    );
    await runOn(server.urlOf('postgres'), "ALTER SYSTEM SET ssl_ca_file = ''");
    await runOn(server.urlOf('postgres'), `ALTER SYSTEM SET ssl_ca_file = '${path('authority.pem')}'`);
    await runOn(server.urlOf('postgres'), 'SELECT pg_reload_conf()');
    const wanted =
      /cannot be used: it asks for a certificate of the client\. Add sslcert=\/path\/cert\.pem and sslkey=/;
    await expect
      .poll(async () => (await sentences(guest(`sslmode=verify-full&${trusted}`))).every((said) => wanted.test(said)), {
        timeout: 10_000,
      })
      .toBe(true);
  } finally {
    await writeFile(file, before);
    await runOn(server.urlOf('postgres'), 'SELECT pg_reload_conf()');
  }
});

test('a socket that is not there is named', async () => {
  const { database } = loadConfig({ DATABASE_URL: `postgres://me:hush@/cards?host=${folder.path}` });
  await check(
    database,
    `The database "cards" at ${folder.path} as me, of DATABASE_URL, cannot be used: there is no socket ${folder.path}/.s.PGSQL.5432 that it answers at (ENOENT). Start PostgreSQL, or correct host= in DATABASE_URL.`,
  );
});

test('a database that becomes read-only is not writable, and is again; one that is at the start is told', async () => {
  const url = server.urlOf('postgres');
  await using storage = await openStorage(url);
  expect(await storage.isWritable()).toBe(true);
  await runOn(url, 'CREATE DATABASE fresh');
  const set = async (value: string) => {
    await runOn(url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await runOn(url, 'SELECT pg_reload_conf()');
  };
  await set('on');
  await expect.poll(() => storage.isWritable(), { timeout: 10_000 }).toBe(false);
  expect((await sentences(server.urlOf('fresh')))[1]).toMatch(
    /cannot be used: it takes no writes: it is a standby, or default_transaction_read_only is on\. Set DATABASE_URL to the primary, or let it take writes\.$/,
  );
  await set('off');
  await expect.poll(() => storage.isWritable(), { timeout: 10_000 }).toBe(true);
});

async function rows<Row>(sql: string): Promise<[Row]> {
  await using storage = await openStorage(server.urlOf('postgres'));
  return (await storage.executeSql<Row>(sql)).rows as [Row];
}
