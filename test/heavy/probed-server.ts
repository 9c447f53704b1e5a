// Runs the server as a process that reports, over IPC, the longest turn of its answering thread and its peak memory:
// `node probed-server.ts` with the server's own environment.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createLog } from '#observability/log.ts';
import { openServices } from '#server/services.ts';
import { startServer } from '#server/start-server.ts';
import { SERVER_FLAGS, withSettings } from '../../bin/node-settings.mjs';
import { boundHeaps, loadConfig, widenThreadPool } from '../../src/config.ts';

/** Measured since the last probe. */
export interface Probe {
  /** The longest turn of the answering thread's event loop, ms of the thread's processor time. */
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
  const [said] = (await once(child, 'message')) as [Pick<ProbedServer, 'url' | 'keys' | 'secret'>];
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

async function main(): Promise<void> {
  widenThreadPool();
  boundHeaps();
  process.on('disconnect', () => process.exit(0));
  let [longestTurn, peak] = [0, 0];
  let turn = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage();
    longestTurn = Math.max(longestTurn, (user + system - turn.user - turn.system) / 1e3);
    turn = { user, system };
  }, 1);
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss() / 1e6);
  }, 20);
  let all = process.cpuUsage();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(all);
    process.send?.({ longestTurn, peak, cpu: (user + system) / 1e3 } satisfies Probe);
    [longestTurn, peak] = [0, process.memoryUsage.rss() / 1e6];
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
  process.send?.({ url: server.url, keys: [mine.key, other.key], secret });
}

if (import.meta.main) await main();
