// Runs the renderer on a worker thread, so that the server goes on answering whatever a template needs.
//
// If a job does not end after an abort, takes all of the thread's memory, keeps it from its messages for too long, or traps
// in WebAssembly, its thread ends. A new thread replaces it, and the jobs of the old one are rendered again, one by one.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { withDeadline } from '#base/concurrency/deadline.ts';
import { countThreadTime, whenLate } from '#base/concurrency/fair-deadline.ts';
import { overloaded } from '#base/concurrency/gate.ts';
import { limiter } from '#base/concurrency/limiter.ts';
import { YOUNG } from '#base/concurrency/young-generation.ts';
import type { AppError } from '#base/errors.ts';
import { STAGES } from '#base/trace.ts';
import { MAX_DECODE_BYTES } from '#draw/images/limits.ts';
import { MemoryBudget, type SharedMemory } from '#draw/images/memory-budget.ts';
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
import type { AtWork, SupplyHandlers, ThreadHandlers, ThreadOptions } from './thread-messages.ts';
import { ThreadRpc } from './thread-rpc.ts';
import { tooMuchToRender } from './too-much-to-render.ts';

/** The heap limit of the thread, MB: three times what the largest templates were seen to need. */
const HEAP = 1024;
const DEFAULT_GRACE = 5_000;

/** How long the thread may take to clean up when it is no longer needed, ms. */
const FAREWELL = 2_000;

/** How long the inspection of a file may take, ms. */
const INSPECTION = 30_000;
/** Between two looks whether a thread goes on, ms. */
const LOOK_INTERVAL = 1_000;
/** Bytes copied per turn. */
const COPIED = 2 ** 20;

/** A thread ended before it answered a job. */
class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
  /** The job's error for its caller, where the job ended the thread by itself; null for another's job. */
  readonly own: AppError | null;

  constructor(cause: unknown, own: AppError | null) {
    super('The drawing thread ended.', { cause });
    this.own = own;
  }
}

export class ThreadedRenderer implements Renderer {
  readonly #options: ThreadOptions;
  readonly #onWarning: (message: string, error: unknown) => void;
  readonly #memory: SharedMemory;
  #thread: RendererThread | null = null;
  #isDisposed = false;
  /** Jobs whose thread ended are retried one at a time, since any of them may have been the cause. */
  readonly #again = limiter(1);
  #retried = 0;
  #alone: RendererThread | null = null;

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

  inspect(file: Uint8Array): Promise<InspectedFile> {
    return withDeadline(INSPECTION, (signal) => this.#run(signal, (thread) => thread.inspect(file, signal)));
  }

  warmUp(): Promise<void> {
    return this.#standing().calls.call('warmUp', null);
  }

  status(): Promise<RendererStatus> {
    return this.#standing().calls.call('status', null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([this.#thread?.leave(), this.#alone?.leave()]);
  }

  async #run<T>(signal: AbortSignal, work: (thread: RendererThread) => Promise<T>): Promise<T> {
    try {
      return await work(this.#standing());
    } catch (error) {
      if (!(error instanceof ThreadEnded) || this.#isDisposed) throw error;
      if (signal.aborted) throw blamed(error, signal);
    }
    this.#retried += 1;
    try {
      return await this.#again(() => this.#runAlone(signal, work));
    } finally {
      this.#retried -= 1;
      const alone = this.#alone;
      if (this.#retried === 0) this.#alone = null;
      if (this.#retried === 0) void alone?.leave();
    }
  }

  /** On a thread without other jobs: then it is known what ends it, and new jobs do not end with it. */
  async #runAlone<T>(signal: AbortSignal, work: (thread: RendererThread) => Promise<T>): Promise<T> {
    this.#alone ??= this.#open(() => {
      this.#alone = null;
    });
    const alone = this.#alone;
    await alone.started();
    try {
      return await work(alone);
    } catch (error) {
      if (!(error instanceof ThreadEnded) || this.#isDisposed) throw error;
      throw blamed(error, signal);
    }
  }

  #standing(): RendererThread {
    this.#thread ??= this.#open(() => {
      this.#thread = null;
    });
    return this.#thread;
  }

  #open(onEnd: () => void): RendererThread {
    return new RendererThread(this.#options, this.#memory, (error) => {
      onEnd();
      this.#onWarning('the drawing thread has ended and is replaced', error);
    });
  }
}

/** The error for the caller of a job that is not done again. A trap is a bug, about which the caller can do nothing. */
function blamed(error: ThreadEnded, signal: AbortSignal): Error {
  if (isTrap(error.cause)) return error;
  return error.own ?? overloaded(signal.aborted ? signal.reason : error);
}

/** By its name, as an error from another thread has another class. */
/**
 * A copy to give to a thread, made over several turns. Not shared memory: V8 does not count it, so that a thread would
 * keep each file until something else makes it collect.
 */
async function ownCopy(file: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(file.length);
  for (let at = 0; at < file.length; at += COPIED) {
    if (at > 0) await nextTurn();
    copy.set(file.subarray(at, at + COPIED), at);
  }
  return copy;
}

const isTrap = (cause: unknown) => (cause as { name?: unknown } | null)?.name === 'RuntimeError';

/** What the thread draws or measures; `of` is null for a file. */
interface Job {
  readonly supplies: Supplies | null;
  readonly of: Subject | null;
}

class RendererThread {
  readonly calls: ThreadRpc<ThreadHandlers>;
  readonly #worker: Worker;
  readonly #grace: number;
  readonly #mostTurn: number | null;
  /** Under way, by number. */
  readonly #jobs = new Map<number, Job>();
  readonly #atWork: AtWork = new Int32Array(new SharedArrayBuffer(8)).fill(-1);
  readonly #memory: SharedMemory;
  /** Functions that end each loan of memory, by its number. */
  readonly #lent = new Map<number, () => void>();
  #loans = 0;
  readonly #onEnd: (error: unknown) => void;
  readonly #ended = Promise.withResolvers<void>();
  #numbers = 0;
  #started: Promise<void> | null = null;
  #isWatched = false;
  /** The job that ended the thread, and what it took too much of. */
  #blame: { readonly job: Job; readonly what: 'time' | 'memory' } | null = null;
  #isLeaving = false;
  #hasEnded = false;

  /** @param onEnd called when it ends without `leave` */
  constructor(options: ThreadOptions, memory: SharedMemory, onEnd: (error: unknown) => void) {
    this.#memory = memory;
    this.#onEnd = onEnd;
    this.#grace = options.grace ?? DEFAULT_GRACE;
    this.#mostTurn = options.mostTurn ?? null;
    this.#worker = startThread(new URL('./renderer-thread.ts', import.meta.url), {
      workerData: { ...options, atWork: this.#atWork },
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
    this.#worker.on('exit', () => {
      if (!isTrap(error)) this.#blameFor('memory');
      this.#end(error);
    });
  }

  draw(job: DrawingJob, supplies: Supplies, signal: AbortSignal): Promise<Drawing> {
    return this.#do({ supplies, of: job }, signal, (number) => this.calls.call('draw', { number, job }, signal));
  }

  measure(subject: Subject, supplies: Supplies, signal: AbortSignal): Promise<MeasuredLayout> {
    return this.#do({ supplies, of: subject }, signal, (number) =>
      this.calls.call('measure', { number, subject }, signal),
    );
  }

  inspect(file: Uint8Array, signal: AbortSignal): Promise<InspectedFile> {
    return this.#do({ supplies: null, of: null }, signal, async (number) => {
      const copy = await ownCopy(file);
      return this.calls.call('inspect', { number, file: copy }, signal, [copy.buffer]);
    });
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
    this.calls.end(new ThreadEnded(error, null));
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

  async #do<T>(job: Job, signal: AbortSignal, work: (number: number) => Promise<T>): Promise<T> {
    const number = this.#numbers++;
    this.#jobs.set(number, job);
    void this.#watch();
    let done = () => {};
    const waitAWhile = () => {
      done = this.#whenLate(this.#grace, (isItsOwn) => this.#stop(isItsOwn));
    };
    signal.addEventListener('abort', waitAWhile, { once: true });
    if (signal.aborted) waitAWhile();
    try {
      return await work(number);
    } catch (error) {
      if (!(error instanceof ThreadEnded) || this.#blame?.job !== job) throw error;
      const stage = job.of ? (STAGES[this.#atWork[1] ?? -1] ?? null) : 'inspect';
      throw new ThreadEnded(error.cause, tooMuchToRender(this.#blame.what, stage, job.of ?? {}, error));
    } finally {
      done();
      signal.removeEventListener('abort', waitAWhile);
      this.#jobs.delete(number);
    }
  }

  /** Resolves when it has started, or ended. */
  started(): Promise<void> {
    this.#started ??= this.#answer();
    return this.#started;
  }

  async #answer(): Promise<void> {
    await this.calls.call('status', null).catch(() => {});
  }

  /** Ends the thread when one turn of its event loop takes too long, while it has jobs. */
  async #watch(): Promise<void> {
    if (this.#mostTurn === null || this.#isWatched) return;
    this.#isWatched = true;
    await this.started();
    while (this.#jobs.size > 0 && !this.#hasEnded) {
      const done = this.#whenLate(this.#mostTurn, (isItsOwn) => this.#stop(isItsOwn), Number.POSITIVE_INFINITY);
      await this.#answer();
      done();
      await sleep(LOOK_INTERVAL, undefined, { ref: false });
    }
    this.#isWatched = false;
  }

  #whenLate(ms: number, late: (isItsOwn: boolean) => void, atLast?: number): () => void {
    return whenLate(ms, countThreadTime(this.#worker), late, atLast);
  }

  #stop(isItsOwn: boolean): void {
    if (isItsOwn) this.#blameFor('time');
    this.#kill();
  }

  #blameFor(what: 'time' | 'memory'): void {
    const [only] = this.#jobs.values();
    const job = this.#jobs.size === 1 ? only : this.#jobs.get(this.#atWork[0] ?? -1);
    if (job) this.#blame ??= { job, what };
  }

  #suppliesOf(number: number): Supplies {
    const supplies = this.#jobs.get(number)?.supplies;
    if (!supplies) throw new Error(`Job ${number} is over.`);
    return supplies;
  }
}
