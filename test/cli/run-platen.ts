// Runs the command line in its own process, on a given data folder.

import { spawn } from 'node:child_process';
import { commandLine, ENVIRONMENT } from '../command.ts';

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `platen …`. */
export const startPlaten = (data: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const [program, ...all] = commandLine(...args);
  return spawn(program, all, {
    env: { ...ENVIRONMENT, PLATEN_DATA: data, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
};

/** Runs `platen …` and waits for its end. @param input standard input */
export async function platen(
  data: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input = '',
): Promise<Run> {
  const child = startPlaten(data, args, env);
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  return { status: await promise, stdout, stderr };
}
