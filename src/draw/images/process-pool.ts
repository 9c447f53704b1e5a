// Runs untrusted work in child processes, one task at a time each, which are killed when they exceed their time or
// memory limit. Hostile work can thus affect only its own process.
//
// A few processes are kept warm. Each is replaced after many tasks, or when its memory has grown.

import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { processorTimeOfProcess, whenLate } from '#base/concurrency/fair-deadline.ts';
import { overloaded } from '#base/concurrency/gate.ts';
import { endFirst } from '#base/concurrency/oom-score.ts';
import { AppError } from '#base/errors.ts';

export interface ProcessOptions {
  /** The module that a process runs: it answers each message with one message. */
  readonly entry: string;
  /** The complete environment: the server's own, with its secrets, is not passed on. */
  readonly env: () => NodeJS.ProcessEnv;
  /** Most bytes of an idle process; one that uses more is replaced. */
  readonly resting?: number;
}

/** Limits of one task. */
export interface WorkLimits {
  /** ms; on a busy machine more */
  readonly time: number;
  /** Most bytes of its process; checked on Linux only. */
  readonly memory: number;
}

/** A process was killed because its task exceeded a limit. */
export class WorkStopped extends Error {
  override readonly name = 'WorkStopped';
  readonly tookTooMuch: keyof WorkLimits;

  constructor(tookTooMuch: WorkStopped['tookTooMuch']) {
    super(`The work took too much ${tookTooMuch}.`);
    this.tookTooMuch = tookTooMuch;
  }
}

/** A process exited by itself, or the system killed it. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
  readonly signal: NodeJS.Signals | null;

  constructor(signal: NodeJS.Signals | null) {
    // Our own kills are WorkStopped. The sentence is that of Chromium's in the log.
    const killed = 'The process of a picture was killed from outside, as the system does when memory runs out.';
    super(signal === 'SIGKILL' ? killed : `The process ended${signal ? ` by ${signal}` : ''}.`);
    this.signal = signal;
  }
}

/** For work that the system killed, which it does to the largest process when it runs out of memory. */
export const noMemory = (what: string, cause: ProcessEnded): AppError =>
  new AppError('overloaded', `The server has no memory to decode the ${what} at the moment; try again later.`, {
    cause,
    retryAfter: 5,
  });

/** ms between two checks of a process's memory. */
const WATCH_INTERVAL = 20;
/** Tasks after which a process is replaced. */
const MAX_PIECES = 500;
const DEFAULT_RESTING = 256 * 1024 * 1024;
/** ms without work after which a process is killed. */
const IDLE = 60_000;

/** `Task` and `Answer` are transferred by structured clone. */
export class ProcessPool<Task extends object, Answer> {
  readonly #options: ProcessOptions;
  readonly #resting: KillableProcess[] = [];

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  /**
   * Runs a task in a process. The caller limits how many run at a time.
   *
   * @throws WorkStopped, ProcessEnded when the process exits by itself, AppError `overloaded` when others had
   *   the processor
   */
  async run(task: Task, limits: WorkLimits): Promise<Answer> {
    const process = this.#takeResting() ?? new KillableProcess(this.#options);
    try {
      return (await process.run(task, limits)) as Answer;
    } finally {
      if (await process.isFit()) this.#resting.push(process);
      else process.end();
    }
  }

  /** Ends idle processes, so that new ones start with the current environment. */
  endResting(): void {
    for (const process of this.#resting.splice(0)) process.end();
  }

  #takeResting(): KillableProcess | null {
    for (let process = this.#resting.pop(); process; process = this.#resting.pop()) {
      if (!process.hasEnded) return process;
    }
    return null;
  }
}

class KillableProcess {
  readonly #child: ChildProcess;
  readonly #resting: number;
  /** Fails the task under way. Not a promise of the end: that would keep every answer until the process ends. */
  #fail: ((error: ProcessEnded) => void) | null = null;
  #pieces = 0;
  #idle: NodeJS.Timeout | undefined;
  hasEnded = false;

  constructor({ entry, env, resting = DEFAULT_RESTING }: ProcessOptions) {
    this.#resting = resting;
    // Loaded on first use: most pictures are drawn without a process.
    const { fork } = process.getBuiltinModule('node:child_process');
    this.#child = fork(entry, [], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=256'],
      env: env(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    endFirst(this.#child.pid);
    const end = (signal: NodeJS.Signals | null) => {
      this.hasEnded = true;
      this.#fail?.(new ProcessEnded(signal));
    };
    this.#child.once('exit', (_, signal) => end(signal)).once('error', () => end(null));
    this.#rest();
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.#idle);
    this.#child.kill('SIGKILL');
  }

  async run(task: object, { time, memory }: WorkLimits): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const stop = (reason: WorkStopped | AppError) => {
      reject(reason);
      this.end();
    };
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
    const before = processorTimeOfProcess(this.#child.pid);
    const used = async () => (await processorTimeOfProcess(this.#child.pid)) - (await before);
    const done = whenLate(time, used, (isItsOwn) => stop(isItsOwn ? new WorkStopped('time') : overloaded()));
    const watch = setInterval(async () => {
      // The task may have ended in the meantime, and the next one begun.
      if ((await this.#memory()) > memory && this.#fail === reject) stop(new WorkStopped('memory'));
    }, WATCH_INTERVAL);
    this.#fail = reject;
    this.#child.once('message', resolve);
    this.#child.send(task, (error) => error && reject(error));
    try {
      return await promise;
    } finally {
      done();
      clearInterval(watch);
      this.#child.off('message', resolve);
      this.#fail = null;
      this.#pieces += 1;
      this.#rest();
    }
  }

  /** Whether it may run another task. */
  async isFit(): Promise<boolean> {
    return !this.hasEnded && this.#pieces < MAX_PIECES && (await this.#memory()) < this.#resting;
  }

  /** Its private memory, bytes; 0 where the system does not report it (all but Linux). */
  async #memory(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'latin1').catch(() => '');
    return Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }

  /** Lets the parent exit while the process is idle, and ends the process after a while. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => this.end(), IDLE).unref();
  }
}
