// The browsers that pages are drawn by: one Chromium a job at a time, kept warm, replaced when it is worn or broken.
//
// Jobs never share a browser process, so that what a page does to its browser is done to nobody else: a job that runs
// out of time or memory, or crashes, ends with its browser, and the next one gets a fresh one. Callers are answered at
// once; what a job leaves behind is cleared away after that, and there are never more browsers than jobs at a time.

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'puppeteer-core';
import { AppError } from '#errors';
import type { FontFolders } from '#images/fontconfig.ts';
import { type ChromiumChoice, findChromium, noChromium } from './find-chromium.ts';
import { type Confinement, confinements, launchChromium, type RunningChromium } from './launch.ts';
import { memoryOf } from './process-tree.ts';

export interface BrowserLimits {
  /** Bytes that a job may make its browser hold. */
  readonly jobMemory: number;
  /** Jobs after which a browser is replaced. */
  readonly jobs: number;
  /** Bytes that a browser may hold when it has nothing to do. */
  readonly idleMemory: number;
  /** ms without a job after which a browser is closed. */
  readonly idleTime: number;
}

const DEFAULT_LIMITS: BrowserLimits = {
  jobMemory: 1024 ** 3,
  jobs: 100,
  idleMemory: 1024 ** 3,
  idleTime: 60_000,
};
/** ms between two looks at a job's memory. */
const WATCH_INTERVAL = 250;
/** ms in which what a job opened must be closed, if its browser is to have another. */
const CLEARING_TIME = 500;
/** ms that finding out how Chromium starts may take. */
const TRIAL_TIME = 60_000;

export interface BrowsersOptions extends ChromiumChoice {
  readonly limits?: Partial<BrowserLimits>;
  /** Fonts beside the system's. */
  readonly fonts?: FontFolders;
  /** Told once when Chromium has to run less confined than it should. */
  readonly onWarning?: (message: string) => void;
}

/** A browser and how many jobs it has had. */
interface Warm {
  readonly chromium: RunningChromium;
  jobs: number;
  idle: NodeJS.Timeout | null;
}

export class Browsers implements AsyncDisposable {
  readonly #options: BrowsersOptions;
  readonly #limits: BrowserLimits;
  readonly #warm: Warm[] = [];
  readonly #all = new Set<RunningChromium>();
  /** What is done to browsers between jobs: each is on its way to the next one, or to its end. */
  readonly #between = new Set<Promise<void>>();
  /** How many jobs wait for those. */
  #waiting = 0;
  #confinement: Promise<Confinement> | null = null;
  #closed = false;

  constructor(options: BrowsersOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /**
   * Runs `job` in a browser of its own. When the browser or the page breaks, the job is run once more in a fresh one.
   *
   * Contexts that the job opens are closed when it is over. How many jobs run at the same time is for the caller to
   * bound.
   *
   * @param deadline ms for all of it; whatever then still runs is ended with its browser
   * @throws AppError `invalid_request` when time or memory run out or the page crashes twice, `overloaded` when no
   *   browser is ready in time, `render_failed` when there is no Chromium or it breaks twice; whatever `job` throws
   */
  async run<T>(deadline: number, job: (browser: Browser) => Promise<T>): Promise<T> {
    const ends = performance.now() + deadline;
    let failure: AppError | null = null;
    for (let attempt = 1; ; attempt += 1) {
      const warm = await this.#take(ends).catch((error) => {
        // When there is no time for a second attempt, the first one's end is what there is to say.
        throw failure ?? error;
      });
      warm.jobs += 1;
      try {
        return await this.#supervised(warm.chromium, ends, job);
      } catch (error) {
        if (!warm.chromium.hasEnded()) throw error;
        // What a browser holds of earlier jobs is no fault of this one's.
        const isOwnFault = error instanceof OutOfTime || (error instanceof OutOfMemory && warm.jobs === 1);
        failure = failureOf(error);
        if (isOwnFault || attempt === 2 || this.#closed) throw failure;
      } finally {
        this.#doBetween(this.#putBack(warm));
      }
    }
  }

  /** How Chromium is confined, found by starting one: for `platen doctor`. @throws AppError or Error when none starts */
  async confinement(): Promise<Confinement> {
    await this.#putBack(await this.#take(performance.now() + TRIAL_TIME));
    return this.#confined();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { idle } of this.#warm.splice(0)) clearTimeout(idle ?? undefined);
    await Promise.all([...this.#all].map((chromium) => chromium.close()));
    await Promise.all(this.#between);
    this.#all.clear();
  }

  /** Runs a job until it is done, its page or browser is gone, or it has had all the time or memory that it may have. */
  async #supervised<T>(chromium: RunningChromium, ends: number, job: (browser: Browser) => Promise<T>): Promise<T> {
    const stopped = Promise.withResolvers<never>();
    const stop = (reason: AppError) => {
      stopped.reject(reason);
      void chromium.kill();
    };
    const timer = setTimeout(() => stop(new OutOfTime()), Math.max(1, ends - performance.now()));
    const watch = setInterval(async () => {
      if ((await memoryOf(chromium.pid)) > this.#limits.jobMemory) stop(new OutOfMemory());
    }, WATCH_INTERVAL);
    const listening = chromium.onPageCrash(() => stop(new PageCrashed()));
    void chromium.ended.then(() => stopped.reject(new Error('the browser ended')));
    const working = job(chromium.browser);
    working.catch(() => {});
    stopped.promise.catch(() => {});
    try {
      return await Promise.race([working, stopped.promise]);
    } catch (error) {
      // A call to a browser that died fails before the end of its process is seen.
      if (!chromium.browser.connected) await Promise.race([chromium.ended, pause(1_000)]);
      throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      listening[Symbol.dispose]();
    }
  }

  /** A browser that nobody else has: one at rest, one that soon will be, or a fresh one. */
  async #take(ends: number): Promise<Warm> {
    for (;;) {
      if (this.#closed) throw new AppError('overloaded', 'The server is stopping.', { retryAfter: 5 });
      const warm = this.#warm.pop();
      if (warm !== undefined) {
        clearTimeout(warm.idle ?? undefined);
        if (!warm.chromium.hasEnded()) return warm;
        this.#all.delete(warm.chromium);
      } else if (this.#waiting < this.#between.size) {
        this.#waiting += 1;
        await before(ends, Promise.race(this.#between)).finally(() => {
          this.#waiting -= 1;
        });
      } else {
        return this.#fresh(ends);
      }
    }
  }

  async #fresh(ends: number): Promise<Warm> {
    const starting = this.#launch().then((chromium) => ({ chromium, jobs: 0, idle: null }));
    try {
      return await before(ends, starting);
    } catch (error) {
      // Too late for this job, it is the next one's.
      this.#doBetween(starting.then((warm) => this.#putBack(warm)));
      throw error;
    }
  }

  #doBetween(work: Promise<void>): void {
    const done: Promise<void> = work
      .catch(() => {})
      .finally(() => {
        this.#between.delete(done);
      });
    this.#between.add(done);
  }

  /** Makes a browser ready for its next job, or ends it. */
  async #putBack(warm: Warm): Promise<void> {
    const { chromium } = warm;
    if (chromium.hasEnded() || !(await isCleared(chromium.browser))) {
      await chromium.kill();
      this.#all.delete(chromium);
      return;
    }
    const isWorn = warm.jobs >= this.#limits.jobs || (await memoryOf(chromium.pid)) > this.#limits.idleMemory;
    if (isWorn || this.#closed) return this.#retire(chromium);
    warm.idle = setTimeout(() => {
      this.#warm.splice(this.#warm.indexOf(warm), 1);
      this.#doBetween(this.#retire(chromium));
    }, this.#limits.idleTime).unref();
    this.#warm.push(warm);
  }

  async #retire(chromium: RunningChromium): Promise<void> {
    await chromium.close();
    this.#all.delete(chromium);
  }

  async #launch(): Promise<RunningChromium> {
    const found = findChromium(this.#options);
    if (found === null) throw noChromium();
    const confinement = await this.#confined();
    try {
      const chromium = await launchChromium(found, confinement, this.#options.fonts);
      this.#all.add(chromium);
      return chromium;
    } catch (cause) {
      throw new AppError('render_failed', 'Chromium could not be started on this server.', { cause });
    }
  }

  /** The best confinement that Chromium starts under; found once. */
  #confined(): Promise<Confinement> {
    this.#confinement ??= this.#tryConfinements().catch((error) => {
      this.#confinement = null;
      throw error;
    });
    return this.#confinement;
  }

  async #tryConfinements(): Promise<Confinement> {
    const found = findChromium(this.#options);
    if (found === null) throw noChromium();
    let failure: unknown;
    for (const confinement of await confinements()) {
      try {
        await (await launchChromium(found, confinement)).close();
        const weakness = weaknessOf(confinement);
        if (weakness !== null) this.#options.onWarning?.(weakness);
        return confinement;
      } catch (error) {
        failure = error;
      }
    }
    throw new AppError('render_failed', 'Chromium could not be started on this server.', { cause: failure });
  }
}

/** What is wrong with how Chromium is confined; null when nothing is. */
export function weaknessOf({ sandbox, user }: Confinement): string | null {
  if (sandbox) return null;
  const who = user === null && process.getuid?.() === 0 ? ', as root' : '';
  return `Chromium runs without its sandbox${who}: this system lets unprivileged users make no user namespaces.`;
}

/** Ends of a job that were not its own. */
class OutOfTime extends AppError {
  constructor() {
    super('invalid_request', 'The page was not done in time.');
  }
}
class OutOfMemory extends AppError {
  constructor() {
    super('invalid_request', 'The page takes more memory than it may.');
  }
}
class PageCrashed extends AppError {
  constructor() {
    super('invalid_request', 'The page crashed while it was drawn.');
  }
}

/** What a caller is told of a browser that is no more. */
function failureOf(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('render_failed', 'The browser broke while it drew the page; please try again.', { cause });
}

/** What `work` gives. @throws AppError `overloaded` when it gives nothing by then; what `work` throws */
async function before<T>(ends: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const message = 'No browser was ready in time; try again in a few seconds.';
  const timer = setTimeout(
    () => late.reject(new AppError('overloaded', message, { retryAfter: 5 })),
    Math.max(1, ends - performance.now()),
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Closes all contexts that a job opened; false when that cannot be done in time. */
async function isCleared(browser: Browser): Promise<boolean> {
  const own = browser.defaultBrowserContext();
  const closing = browser.browserContexts().flatMap((context) => (context === own ? [] : [context.close()]));
  const closed = Promise.all(closing).then(
    () => true,
    () => false,
  );
  return Promise.race([closed, pause(CLEARING_TIME, false, { ref: false })]);
}
