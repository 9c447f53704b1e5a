// Runs the command line in its own process, on a given data folder.

import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `platen …`. */
export const startPlaten = (data: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...args], {
    env: { PATH: process.env.PATH, PLATEN_DATA: data, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

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
