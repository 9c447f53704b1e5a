// Starts the server as a separate process, which a test can stop or kill.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { commandLine, ENVIRONMENT } from './command.ts';

export interface ServerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  readonly printed: string;
  /** What it has logged so far. */
  readonly problems: string;
  /** The server's own process id; it may be a child of the started process. */
  readonly pid: number;
}

/**
 * Starts the server and waits until its start-up output is complete.
 *
 * @param ownGroup whether the command gets a process group, to which a test can send signals
 */
export async function startProcess(
  data: string,
  env: NodeJS.ProcessEnv = {},
  command: readonly string[] = commandLine('serve'),
  ownGroup = false,
): Promise<ServerProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...ENVIRONMENT, PLATEN_DATA: data, PORT: '0', PLATEN_DRAIN_DELAY: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  });
  let printed = '';
  let problems = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  // The output is on two pipes, of which either may be read first.
  while (!problems.includes('"listening"') || !/listening on \S+/.test(printed)) {
    await Promise.race([once(child.stderr, 'data'), once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(problems);
  }
  return {
    child,
    url: /listening on (\S+)/.exec(printed)?.[1] ?? '',
    printed,
    get problems() {
      return problems;
    },
    pid: Number(/"pid":(\d+)/.exec(problems)?.[1]),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
