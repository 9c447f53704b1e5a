// Processes that do what may take too long or too much, one piece of work each at a time: killed when it does, so that
// what hostile work does to its process is done to nothing else.
//
// A few are kept warm, and each is replaced after much work, or when it has grown.

import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';

export interface ProcessOptions {
  /** The file that a process runs: it answers each message with one. */
  readonly entry: string;
  /** All of the environment: what a server has there, secrets too, is no business of theirs. */
  readonly env: () => NodeJS.ProcessEnv;
  /** What a process may hold when it rests, bytes; one that holds more is replaced. */
  readonly resting?: number;
}

/** What a piece of work may take. */
export interface WorkLimits {
  /** ms */
  readonly time: number;
  /** What its process may hold, bytes; looked at on Linux alone. */
  readonly memory: number;
  /** Whoever asks wants it no longer. */
  readonly signal?: AbortSignal | undefined;
}

/** A process was killed for what its work took. */
export class WorkStopped extends Error {
  override readonly name = 'WorkStopped';
  readonly tookTooMuch: keyof Pick<WorkLimits, 'time' | 'memory'>;

  constructor(tookTooMuch: WorkStopped['tookTooMuch']) {
    super(`The work took too much ${tookTooMuch}.`);
    this.tookTooMuch = tookTooMuch;
  }
}

/** A process ended by itself, or was ended by the system. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
  readonly signal: NodeJS.Signals | null;

  constructor(signal: NodeJS.Signals | null) {
    super(`The process ended${signal ? ` by ${signal}` : ''}.`);
    this.signal = signal;
  }
}

/** ms between two looks at a process's memory. */
const WATCH_INTERVAL = 20;
/** Pieces of work after which a process is replaced. */
const MAX_PIECES = 500;
const DEFAULT_RESTING = 256 * 1024 * 1024;
/** ms without work after which a process is ended. */
const IDLE = 60_000;

/** `Task` and `Answer` are structured clones. */
export class KillableProcesses<Task extends object, Answer> {
  readonly #options: ProcessOptions;
  readonly #resting: KillableProcess[] = [];

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  /**
   * Has a process do a piece of work. How many at a time is for the caller to bound.
   *
   * @throws WorkStopped, the signal's reason, or ProcessEnded when the process ends by itself
   */
  async run(task: Task, limits: WorkLimits): Promise<Answer> {
    limits.signal?.throwIfAborted();
    const process = this.#takeResting() ?? new KillableProcess(this.#options);
    try {
      return (await process.run(task, limits)) as Answer;
    } finally {
      if (await process.isFit()) this.#resting.push(process);
      else process.end();
    }
  }

  /** Those that start from now on have the environment as it is then. */
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
  readonly #ended: Promise<NodeJS.Signals | null>;
  #pieces = 0;
  #idle: NodeJS.Timeout | undefined;
  hasEnded = false;

  constructor({ entry, env, resting = DEFAULT_RESTING }: ProcessOptions) {
    this.#resting = resting;
    this.#child = fork(entry, [], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=256'],
      env: env(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#ended = new Promise((resolve) => {
      const end = (signal: NodeJS.Signals | null) => {
        this.hasEnded = true;
        resolve(signal);
      };
      this.#child.once('exit', (_, signal) => end(signal)).once('error', () => end(null));
    });
    this.#rest();
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.#idle);
    this.#child.kill('SIGKILL');
  }

  async run(task: object, { time, memory, signal }: WorkLimits): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const stop = (reason: unknown) => {
      reject(reason);
      this.end();
    };
    const giveUp = () => stop(signal?.reason);
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
    const deadline = setTimeout(() => stop(new WorkStopped('time')), time);
    const watch = setInterval(async () => {
      if ((await this.#memory()) > memory) stop(new WorkStopped('memory'));
    }, WATCH_INTERVAL);
    signal?.addEventListener('abort', giveUp, { once: true });
    void this.#ended.then((signal) => reject(new ProcessEnded(signal)));
    this.#child.once('message', resolve);
    this.#child.send(task, (error) => error && reject(error));
    try {
      return await promise;
    } finally {
      clearTimeout(deadline);
      clearInterval(watch);
      signal?.removeEventListener('abort', giveUp);
      this.#child.off('message', resolve);
      this.#pieces += 1;
      this.#rest();
    }
  }

  /** Whether it may do another piece. */
  async isFit(): Promise<boolean> {
    return !this.hasEnded && this.#pieces < MAX_PIECES && (await this.#memory()) < this.#resting;
  }

  /** What it holds for itself, bytes; 0 where the system does not tell (all but Linux). */
  async #memory(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'latin1').catch(() => '');
    return Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }

  /** It keeps nobody else from ending, and ends after a while. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => this.end(), IDLE).unref();
  }
}
