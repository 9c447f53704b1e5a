// Starts Debian's PgBouncer in front of the run's PostgreSQL, on its own port. PgBouncer refuses to run as root.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../listen.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { NOBODY } from './start-postgres.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

export interface PgBouncer extends AsyncDisposable {
  /** The URL of the same database through PgBouncer. */
  readonly location: string;
}

/**
 * @param location the URL of the database
 * @param ignored startup parameters that PgBouncer accepts without effect
 */
export async function startPgBouncer(
  location: string,
  poolMode: 'session' | 'transaction',
  ignored: readonly string[] = [],
): Promise<PgBouncer> {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  await chmod(folder.path, 0o755);
  const url = new URL(location);
  const port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder.path, 'users'),
    pool_mode: poolMode,
    ignore_startup_parameters: ignored.join(', '),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  await writeFile(settings.auth_file, `"${url.username}" ""\n`);
  const file = join(folder.path, 'pgbouncer.ini');
  await writeFile(file, ['[databases]', `* = host=127.0.0.1 port=${url.port}`, '[pgbouncer]', ...lines, ''].join('\n'));
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const child = spawn(PROGRAM, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const ended = once(child, 'exit');
  parts.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    await sleep(20);
  }
  url.port = String(port);
  const owned = parts.move();
  return { location: url.href, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const answer = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return answer;
}
