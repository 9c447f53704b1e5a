// Runs HAProxy as an operator's load balancer before servers on this machine: it checks /readyz, and never repeats a
// request that a server has been sent.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

/** The interval of health checks, and how many failures take a server out: within half a second of the signal. */
const CHECK = 'inter 200ms fall 2 rise 1';

/** The path of HAProxy; undefined if it is not installed. */
export const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
});

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

export async function startBalancer(folder: string, port: number, reportPort: number, servers: readonly number[]) {
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    [
      'defaults',
      '  mode http',
      '  timeout connect 5s',
      '  timeout client 60s',
      '  timeout server 60s',
      // A slow answer does not mean that the server is stopping.
      '  timeout check 5s',
      'frontend report',
      `  bind 127.0.0.1:${reportPort}`,
      '  stats enable',
      '  stats uri /',
      'frontend all',
      `  bind 127.0.0.1:${port}`,
      '  default_backend servers',
      'backend servers',
      '  balance roundrobin',
      '  option httpchk GET /readyz',
      '  retries 0',
      ...servers.map((to, index) => `  server s${index} 127.0.0.1:${to} check ${CHECK}`),
      '',
    ].join('\n'),
  );
  const child: ChildProcess = spawn(HAPROXY ?? '', ['-db', '-f', file], { stdio: 'ignore' });
  return {
    /** The servers' states as HAProxy sees them. */
    async states(): Promise<(string | undefined)[]> {
      const report = await (await fetch(`http://127.0.0.1:${reportPort}/;csv`)).text();
      const [head = [], ...rows] = report.split('\n').map((line) => line.split(','));
      const of = (row: readonly string[], name: string) => row[head.indexOf(name)];
      return rows.filter((row) => /^s\d$/.test(of(row, 'svname') ?? '')).map((row) => of(row, 'status'));
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
