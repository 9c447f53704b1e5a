// Races renderers on workloads and outputs, all in one run, one render at a time, and reports medians.
//
// In each round all renderers draw the same new strings, in a new order, so that other load on the machine affects them
// all alike. Rounds before the first counted one are for warming up.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FLAGS } from '../bin/node-settings.mjs';
import type { Answer, Order } from './child.ts';
import type { Output } from './peers/peer.ts';
import { median, randomFrom, shuffled } from './statistics.ts';

export interface Race {
  readonly workloads: readonly string[];
  readonly outputs: readonly Output[];
  readonly renderers: readonly string[];
  /** Counted renders of each workload and output. */
  readonly rounds: number;
  readonly warmUp: number;
  readonly seed: number;
  /** A folder for one picture of each, or null. */
  readonly look: string | null;
  /** Receives the renderers that are left out, and why. */
  readonly warn: (line: string) => void;
  /** Receives progress messages. */
  readonly progress: (line: string) => void;
}

export interface Row {
  readonly workload: string;
  readonly output: Output;
  readonly renderer: string;
  /** Median wall time of one render. */
  readonly ms: number;
  /** Median CPU time of the renderer's own process; does not include a browser's processes. */
  readonly cpuMs: number;
  /** Median size of the file. */
  readonly bytes: number;
}

export async function run(race: Race): Promise<Row[]> {
  await using runners = await startRunners(race.renderers, race.warn);
  const random = randomFrom(race.seed);
  if (race.look !== null) mkdirSync(race.look, { recursive: true });

  const rows: Row[] = [];
  let i = 0;
  for (const workload of race.workloads) {
    for (const output of race.outputs) {
      const field = runners.all.filter((runner) => runner.outputs.includes(output));
      const times = new Map(
        field.map(({ renderer }) => [renderer, { ms: [] as number[], cpuMs: [] as number[], bytes: [] as number[] }]),
      );
      for (let round = -race.warmUp; round < race.rounds; round++) {
        i += 1;
        for (const runner of shuffled(field, random)) {
          const look =
            race.look !== null && round === -race.warmUp
              ? join(race.look, `${workload}.${runner.renderer}.${output}`)
              : null;
          const answer = await runner.ask({ workload, output, i, look });
          if (answer.kind !== 'rendered')
            throw new Error(`${runner.renderer} failed on ${workload}: ${reasonOf(answer)}`);
          if (round < 0) continue;
          times.get(runner.renderer)?.ms.push(answer.ms);
          times.get(runner.renderer)?.cpuMs.push(answer.cpuMs);
          times.get(runner.renderer)?.bytes.push(answer.bytes);
        }
      }
      for (const [renderer, { ms, cpuMs, bytes }] of times) {
        rows.push({
          workload,
          output,
          renderer,
          ms: Math.round(median(ms) * 100) / 100,
          cpuMs: Math.round(median(cpuMs) * 100) / 100,
          bytes: Math.round(median(bytes)),
        });
      }
      race.progress(`${workload} ${output}: done`);
    }
  }
  return rows;
}

export interface Runner extends AsyncDisposable {
  readonly renderer: string;
  readonly outputs: readonly Output[];
  ask(order: Order): Promise<Answer>;
}

export const reasonOf = (answer: Answer) => (answer.kind === 'failed' ? answer.reason : answer.kind);

/**
 * Starts each renderer in its own process; those that cannot start are left out. @throws Error when Platen cannot start
 */
export async function startRunners(
  renderers: readonly string[],
  warn: (line: string) => void,
): Promise<AsyncDisposable & { all: readonly Runner[] }> {
  await using started = new AsyncDisposableStack();
  const all: Runner[] = [];
  for (const renderer of renderers) {
    try {
      all.push(started.use(await startRunner(renderer)));
    } catch (error) {
      // A peer may be absent; without Platen there is nothing to compare.
      if (renderer === 'platen') throw error;
      warn(String(error instanceof Error ? error.message : error));
    }
  }
  const stack = started.move();
  return { all, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Starts a renderer in its own process. @throws Error when it cannot start */
export async function startRunner(renderer: string): Promise<Runner> {
  const child = fork(join(import.meta.dirname, 'child.ts'), [renderer], {
    // Those that Platen runs with, for every renderer.
    execArgv: FLAGS,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    if (child.connected) child.disconnect();
    await exit;
  };
  const first = await next(child);
  if (first.kind !== 'ready') {
    await stop();
    throw new Error(`${renderer} cannot start: ${reasonOf(first)}`);
  }
  return {
    renderer,
    outputs: first.outputs,
    ask(order) {
      child.send(order);
      return next(child);
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** The child's next message, or a failure when the child has exited. */
async function next(child: ChildProcess): Promise<Answer> {
  const gone = new AbortController();
  const exit = (code: number | null) => gone.abort(new Error(`its process ended with ${code}`));
  child.once('exit', exit);
  try {
    const [message] = (await once(child, 'message', { signal: gone.signal })) as [Answer];
    return message;
  } catch {
    return { kind: 'failed', reason: String(gone.signal.reason?.message) };
  } finally {
    child.off('exit', exit);
  }
}
