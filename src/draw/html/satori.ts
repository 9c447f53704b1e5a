// Lays out a page with satori on a worker thread, which is terminated when it takes too long. Tailwind's style sheets are
// written on the same thread.
//
// One page at a time. The thread is kept warm with the fonts that it was sent, and replaced when they take too much
// memory.

import { Worker } from 'node:worker_threads';
import { NEVER } from '#base/concurrency/deadline.ts';
import { countThreadTime, whenLate } from '#base/concurrency/fair-deadline.ts';
import { Gate, overloaded } from '#base/concurrency/gate.ts';
import { YOUNG } from '#base/concurrency/young-generation.ts';
import { AppError } from '#base/errors.ts';
import type { Rect } from '#core/geometry.ts';

/** A React element as plain data. */
export interface SatoriElement {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

export interface SatoriFont {
  /** Identifies the file: equal keys mean equal bytes. */
  readonly key: string;
  /** Absent if it was sent before. */
  readonly file?: Uint8Array;
  readonly name: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
}

export interface SatoriJob {
  readonly tree: SatoriElement;
  readonly width: number;
  readonly height: number;
  readonly fonts: readonly SatoriFont[];
}

/** Utility classes whose style sheet is wanted. */
export interface TailwindJob {
  readonly classes: readonly string[];
  /** `@theme` blocks. */
  readonly theme: string;
}

export interface SatoriLink extends Rect {
  readonly href: string;
}

/** A text of the page with the box of its element. */
export interface SatoriText extends Rect {
  readonly words: string;
}

export interface SatoriDrawing {
  /** With letters as `<text>`. */
  readonly svg: string;
  readonly links: readonly SatoriLink[];
  readonly texts: readonly SatoriText[];
}

/** `problem`: satori's message about what it does not support. */
export type SatoriResult = SatoriDrawing | { readonly problem: string };
export type TailwindResult = { readonly css: string } | { readonly problem: string };

/** ms for one page, not counting its time in the queue. */
const DEADLINE = 4_000;
/** Bytes of fonts after which a thread is replaced. */
const MAX_FONTS = 96 * 1024 * 1024;
const MAX_HEAP_MB = 512;
/** ms without a page after which the thread is terminated. */
const IDLE = 60_000;
/** Most waiting pages. */
const MAX_WAITING = 64;

class SatoriThread {
  readonly #worker = new Worker(new URL('./satori-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG.drawing },
  });
  readonly #sent = new Set<string>();
  #bytes = 0;
  hasEnded = false;

  constructor() {
    this.#worker.unref();
    this.#worker.on('exit', () => {
      this.hasEnded = true;
    });
    // Errors are otherwise unhandled; `draw` has its own listener.
    this.#worker.on('error', () => {});
  }

  get isFull(): boolean {
    return this.#bytes > MAX_FONTS;
  }

  end(): void {
    this.hasEnded = true;
    void this.#worker.terminate();
  }

  /** @throws AppError when it takes too long or too much memory */
  async draw(job: SatoriJob): Promise<SatoriResult> {
    const fonts = job.fonts.map(({ file, ...font }) => (this.#sent.has(font.key) || !file ? font : { ...font, file }));
    for (const { key, file } of job.fonts) {
      if (!this.#sent.has(key)) this.#bytes += file?.byteLength ?? 0;
      this.#sent.add(key);
    }
    return this.run<SatoriResult>({ ...job, fonts });
  }

  /** @throws as `draw` */
  async run<Result>(job: SatoriJob | TailwindJob): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const onEnd = (cause?: unknown) =>
      reject(new AppError('invalid_request', 'The page takes more memory than it may.', { cause }));
    const done = whenLate(DEADLINE, countThreadTime(this.#worker), (isItsOwn) => {
      const tooLong = () => new AppError('invalid_request', `The page was not laid out in ${DEADLINE / 1000} s.`);
      reject(isItsOwn ? tooLong() : overloaded());
      this.end();
    });
    this.#worker.once('message', resolve).once('exit', onEnd).once('error', onEnd);
    this.#worker.ref();
    this.#worker.postMessage(job);
    try {
      return await promise;
    } finally {
      done();
      this.#worker.off('message', resolve).off('exit', onEnd).off('error', onEnd);
      this.#worker.unref();
    }
  }
}

const gate = new Gate({ concurrency: 1, waiting: MAX_WAITING });
let kept: SatoriThread | null = null;
let idle: NodeJS.Timeout | undefined;

/**
 * @throws AppError `invalid_request` when the page takes too long or too much memory, `overloaded` when too many wait
 */
export function drawWithSatori(job: SatoriJob): Promise<SatoriResult> {
  return onThread((thread) => thread.draw(job));
}

/**
 * The style sheet of `compileClasses`.
 *
 * @throws as `drawWithSatori`
 */
export function compileOnThread(job: TailwindJob): Promise<TailwindResult> {
  return onThread((thread) => thread.run(job));
}

function onThread<Result>(work: (thread: SatoriThread) => Promise<Result>): Promise<Result> {
  return gate.pass(NEVER, async () => {
    clearTimeout(idle);
    if (kept?.hasEnded || kept?.isFull) {
      kept.end();
      kept = null;
    }
    kept ??= new SatoriThread();
    try {
      return await work(kept);
    } finally {
      idle = setTimeout(() => {
        kept?.end();
        kept = null;
      }, IDLE).unref();
    }
  });
}
