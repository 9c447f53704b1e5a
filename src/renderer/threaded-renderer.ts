// Runs the renderer on a worker thread, so that the server goes on answering whatever a template needs.
//
// If a job does not end after an abort, takes all of the thread's memory, or traps in WebAssembly, its thread ends. A new
// thread replaces it, and the other jobs of the old one are rendered again.

import type { Worker } from 'node:worker_threads';
import { NEVER } from '#concurrency/deadline.ts';
import { limiter } from '#concurrency/limiter.ts';
import { YOUNG } from '#concurrency/young-generation.ts';
import { AppError } from '#errors';
import { MAX_DECODE_BYTES } from '#images/limits.ts';
import { MemoryBudget, type SharedMemory } from '#images/memory-budget.ts';
import type {
  Drawing,
  DrawingJob,
  InspectedFile,
  MeasuredLayout,
  Renderer,
  RendererStatus,
  Subject,
  Supplies,
} from './renderer.ts';
import { startThread } from './start-thread.ts';
import type { SupplyHandlers, ThreadHandlers, ThreadOptions } from './thread-messages.ts';
import { ThreadRpc } from './thread-rpc.ts';

/** The heap limit of the thread, MB: three times what the largest templates were seen to need. */
const HEAP = 1024;
const DEFAULT_GRACE = 5_000;

/** How long the thread may take to clean up when it is no longer needed, ms. */
const FAREWELL = 2_000;

/** A thread ended before it answered. */
class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

export class ThreadedRenderer implements Renderer {
  readonly #options: ThreadOptions;
  readonly #onWarning: (message: string, error: unknown) => void;
  readonly #memory: SharedMemory;
  #thread: RendererThread | null = null;
  #isDisposed = false;
  /** Jobs whose thread ended are retried one at a time, since any of them may have been the cause. */
  readonly #again = limiter(1);

  /**
   * @param onWarning called with the reason when a thread has to be replaced
   * @param memory for large files, if several renderers share it
   */
  constructor(
    options: ThreadOptions,
    onWarning: (message: string, error: unknown) => void = () => {},
    memory: SharedMemory = new MemoryBudget(MAX_DECODE_BYTES),
  ) {
    this.#options = options;
    this.#onWarning = onWarning;
    this.#memory = memory;
    this.#standing();
  }

  draw(job: DrawingJob, supplies: Supplies, signal: AbortSignal): Promise<Drawing> {
    return this.#run(signal, (thread) => thread.draw(job, supplies, signal));
  }

  measure(subject: Subject, supplies: Supplies, signal: AbortSignal): Promise<MeasuredLayout> {
    return this.#run(signal, (thread) => thread.measure(subject, supplies, signal));
  }

  /** Decoding limits its time and memory; if another job ends the thread, it is done once more. */
  inspect(file: Uint8Array): Promise<InspectedFile> {
    return this.#run(NEVER, ({ calls }) => calls.call('inspect', file));
  }

  warmUp(): Promise<void> {
    return this.#standing().calls.call('warmUp', null);
  }

  status(): Promise<RendererStatus> {
    return this.#standing().calls.call('status', null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#thread?.leave();
  }

  async #run<T>(signal: AbortSignal, work: (thread: RendererThread) => Promise<T>): Promise<T> {
    try {
      return await work(this.#standing());
    } catch (error) {
      if (!(error instanceof ThreadEnded) || this.#isDisposed) throw error;
      if (signal.aborted) throw stopped('too long', error);
    }
    return this.#again(async () => {
      try {
        return await work(this.#standing());
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error;
        // A trap is a bug, about which the caller can do nothing.
        if (isTrap(error.cause)) throw error;
        throw stopped(signal.aborted ? 'too long' : 'too much memory', error);
      }
    });
  }

  #standing(): RendererThread {
    this.#thread ??= new RendererThread(this.#options, this.#memory, (error) => {
      this.#thread = null;
      this.#onWarning('the drawing thread has ended and is replaced', error);
    });
    return this.#thread;
  }
}

const stopped = (what: 'too long' | 'too much memory', cause: unknown) =>
  new AppError('render_failed', `The render took ${what} and was stopped.`, { cause });

/** By its name, as an error from another thread has another class. */
const isTrap = (cause: unknown) => (cause as { name?: unknown } | null)?.name === 'RuntimeError';

class RendererThread {
  readonly calls: ThreadRpc<ThreadHandlers>;
  readonly #worker: Worker;
  readonly #grace: number;
  readonly #supplies = new Map<number, Supplies>();
  readonly #memory: SharedMemory;
  /** Functions that end each loan of memory, by its number. */
  readonly #lent = new Map<number, () => void>();
  #loans = 0;
  readonly #onEnd: (error: unknown) => void;
  readonly #ended = Promise.withResolvers<void>();
  #jobs = 0;
  #isLeaving = false;
  #hasEnded = false;

  /** @param onEnd called when it ends without `leave` */
  constructor(options: ThreadOptions, memory: SharedMemory, onEnd: (error: unknown) => void) {
    this.#memory = memory;
    this.#onEnd = onEnd;
    this.#grace = options.grace ?? DEFAULT_GRACE;
    this.#worker = startThread(new URL('./renderer-thread.ts', import.meta.url), {
      workerData: options,
      resourceLimits: { maxOldGenerationSizeMb: HEAP, maxYoungGenerationSizeMb: YOUNG.drawing },
    });
    this.calls = new ThreadRpc<ThreadHandlers>(this.#worker, {
      takeMemory: (bytes) => this.#lend(bytes),
      giveMemory: async (lent) => this.#lent.get(lent)?.(),
      template: (job) => this.#suppliesOf(job).template(),
      fonts: (job) => this.#suppliesOf(job).fonts(),
      image: ({ job, source }, signal) => this.#suppliesOf(job).image(source, signal),
      upload: ({ job, id }, signal) => this.#suppliesOf(job).upload(id, signal),
    } satisfies SupplyHandlers);
    // The thread must not keep the process alive. This has an effect only after a listener was added.
    this.#worker.unref();
    let error: unknown = null;
    this.#worker.on('error', (thrown) => {
      error = thrown;
    });
    this.#worker.on('exit', () => this.#end(error));
  }

  draw(job: DrawingJob, supplies: Supplies, signal: AbortSignal): Promise<Drawing> {
    return this.#supplied(supplies, signal, (number) => this.calls.call('draw', { number, job }, signal));
  }

  measure(subject: Subject, supplies: Supplies, signal: AbortSignal): Promise<MeasuredLayout> {
    return this.#supplied(supplies, signal, (number) => this.calls.call('measure', { number, subject }, signal));
  }

  /** Resolves when the thread has ended and its temporary files and processes are gone. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    // A thread without calls has nothing to clean up, and may not even have started.
    if (this.calls.made === 0) await this.#worker.terminate();
    else this.calls.call('leave', null).catch(() => {});
    const timer = setTimeout(() => this.#kill(), FAREWELL);
    await this.#ended.promise;
    clearTimeout(timer);
  }

  /** Does not wait for the thread's exit, which comes only after its libraries' own threads have finished. */
  #kill(): void {
    void this.#worker.terminate();
    this.#end(null);
  }

  #end(error: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (!this.#isLeaving) this.#onEnd(error);
    this.calls.end(new ThreadEnded('The drawing thread ended.', { cause: error }));
    for (const giveBack of this.#lent.values()) giveBack();
    this.#ended.resolve();
  }

  /** Lends memory that the thread holds until it returns it or ends. */
  async #lend(bytes: number): Promise<number> {
    const loan = this.#loans++;
    const granted = Promise.withResolvers<number>();
    const held = () =>
      new Promise<void>((resolve) => {
        granted.resolve(loan);
        if (this.#hasEnded) resolve();
        else this.#lent.set(loan, resolve);
      });
    this.#memory
      .run(bytes, held)
      .finally(() => this.#lent.delete(loan))
      .catch(granted.reject);
    return granted.promise;
  }

  async #supplied<T>(supplies: Supplies, signal: AbortSignal, work: (number: number) => Promise<T>): Promise<T> {
    const number = this.#jobs++;
    this.#supplies.set(number, supplies);
    let timer: NodeJS.Timeout | undefined;
    const waitAWhile = () => {
      timer = setTimeout(() => this.#kill(), this.#grace);
    };
    signal.addEventListener('abort', waitAWhile, { once: true });
    if (signal.aborted) waitAWhile();
    try {
      return await work(number);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', waitAWhile);
      this.#supplies.delete(number);
    }
  }

  #suppliesOf(job: number): Supplies {
    const supplies = this.#supplies.get(job);
    if (!supplies) throw new Error(`Job ${job} is over.`);
    return supplies;
  }
}
