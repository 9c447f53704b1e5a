// Runs the server as a process that reports, over IPC, the longest turn of its answering thread and its peak memory:
// `node probed-server.ts` with the server's own environment.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createLog } from '#server/observability/log.ts';
import { openServices } from '#server/services.ts';
import { startServer } from '#server/start-server.ts';
import { SERVER_FLAGS, withSettings } from '../../bin/node-settings.mjs';
import { boundHeaps, loadConfig, widenThreadPool } from '../../src/server/config/config.ts';

/** Measured since the last probe. */
export interface Probe {
  /**
   * The longest turn of the answering thread's event loop, ms of the thread's processor time; without what new pages of
   * memory take longer here than elsewhere.
   */
  readonly longestTurn: number;
  /** The largest resident memory, MB. */
  readonly peak: number;
  /** Processor time of all threads, ms. */
  readonly cpu: number;
}

export interface ProbedServer extends AsyncDisposable {
  readonly url: string;
  /** API keys of two accounts. */
  readonly keys: readonly [string, string];
  readonly secret: string;
  /** The id of the first account, and the cookie of a member of it. */
  readonly studio: { readonly account: string; readonly cookie: string };
  readonly probe: () => Promise<Probe>;
  readonly hasEnded: () => boolean;
}

export async function startProbed(folder: string, env: NodeJS.ProcessEnv = {}): Promise<ProbedServer> {
  const child: ChildProcess = fork(import.meta.filename, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: SERVER_FLAGS,
    env: withSettings({ ...process.env, PLATEN_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', ...env }),
  });
  let hasEnded = false;
  child.on('exit', () => {
    hasEnded = true;
  });
  const [said] = (await once(child, 'message')) as [Pick<ProbedServer, 'url' | 'keys' | 'secret' | 'studio'>];
  return {
    ...said,
    hasEnded: () => hasEnded,
    async probe() {
      child.send('probe');
      const [probe] = (await once(child, 'message')) as [Probe];
      return probe;
    },
    async [Symbol.asyncDispose]() {
      if (hasEnded) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Processor time of the calling thread, ms. */
function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}

/** How many pages of memory the main thread was given so far; always 0 where the system does not tell. */
function newPages(): number {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1');
    // proc_pid_stat(5): field 10, counted from the end of the name, which is the second.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[7]);
  } catch {
    return 0;
  }
}

/** What a page takes on an ordinary machine, ms. */
const ORDINARY = 0.0005;
const PAGE = 4_096;
/** Turns below this are not looked at, ms. */
const MAY_BE_LONG = 2;

/**
 * What a new page of memory takes here beyond that, ms: on some virtual machines forty times as much, so that a copy of
 * eight megabytes takes 40 ms.
 */
function costOfPage(): number {
  const pages = 1_024;
  const before = newPages();
  const begun = worked();
  const memory = new Uint8Array(new SharedArrayBuffer(pages * PAGE));
  for (let at = 0; at < memory.length; at += PAGE) memory[at] = 1;
  const took = worked() - begun;
  const count = newPages() - before;
  return count < pages / 2 ? 0 : Math.max(0, took / count - ORDINARY);
}

async function main(): Promise<void> {
  widenThreadPool();
  boundHeaps();
  process.on('disconnect', () => process.exit(0));
  let peak = 0;
  let perPage = costOfPage();
  let [turn, pages] = [worked(), newPages()];
  /** Turns that may be the longest: ms, and new pages. */
  let turns: (readonly [number, number])[] = [];
  setInterval(() => {
    const [now, seen] = [worked(), newPages()];
    if (now - turn > MAY_BE_LONG) turns.push([now - turn, seen - pages]);
    [turn, pages] = [now, seen];
  }, 1);
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss() / 1e6);
  }, 20);
  let all = process.cpuUsage();
  process.on('message', () => {
    const [before, after] = [perPage, costOfPage()];
    const longestTurn = Math.max(0, ...turns.map(([ms, count]) => ms - (count * (before + after)) / 2));
    const { user, system } = process.cpuUsage(all);
    process.send?.({ longestTurn, peak, cpu: (user + system) / 1e3 } satisfies Probe);
    [perPage, turns, peak] = [after, [], process.memoryUsage.rss() / 1e6];
    [turn, pages] = [worked(), newPages()];
    all = process.cpuUsage();
  });
  const config = loadConfig(process.env);
  const server = await startServer(config, createLog('silent'));
  await server.warmUp();
  await using services = await openServices(config);
  const made = async () => {
    const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
    return { id, key: (await services.keys.create(id, 'live')).key };
  };
  const [mine, other] = [await made(), await made()];
  const { signing: secret } = await services.accounts.secrets(mine.id);
  const person = await services.people.create({ email: 'a@example.com', name: 'A', password: null });
  await services.members.add(mine.id, person.id, 'owner');
  const { token } = await services.sessions.begin(person.id, { address: '127.0.0.1', agent: 'test' });
  const studio = { account: mine.id, cookie: `__Host-platen=${token}` };
  process.send?.({ url: server.url, keys: [mine.key, other.key], secret, studio });
}

if (import.meta.main) await main();
