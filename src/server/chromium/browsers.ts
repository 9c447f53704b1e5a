// Manages the browsers that draw pages: one job per Chromium at a time. Browsers are kept warm, and replaced when they
// are worn or broken.
//
// Jobs never share a browser process, so a page can only harm its own browser. A job that runs out of time or memory,
// or crashes, ends with its browser, and the next job gets a fresh one. Callers are answered at once; clean-up follows,
// and there are never more browsers than concurrent jobs.

import type { Browser } from 'puppeteer-core';
import { endsWithin, resultWithin } from '#base/concurrency/deadline.ts';
import { overloaded } from '#base/concurrency/gate.ts';
import { AppError } from '#base/errors.ts';
import type { FontFolders } from '#draw/images/fontconfig.ts';
import { makeNssDatabase, type NssDatabase } from './authorities.ts';
import { type ChromiumChoice, findChromium, noChromium } from './find-chromium.ts';
import { type Confinement, confinements, launchChromium, type RunningChromium } from './launch.ts';
import { memoryOf, waitedForProcessor } from './process-tree.ts';
import { type ReadableFolders, readableFolders } from './readable-fonts.ts';

export interface BrowserLimits {
  /** Memory limit of a browser during a job, bytes. */
  readonly jobMemory: number;
  /** Number of jobs after which a browser is replaced. */
  readonly jobs: number;
  /** Memory limit of an idle browser, bytes. */
  readonly idleMemory: number;
  /** Time without a job after which a browser is closed, ms. */
  readonly idleTime: number;
}

const DEFAULT_LIMITS: BrowserLimits = {
  jobMemory: 1024 ** 3,
  jobs: 100,
  idleMemory: 1024 ** 3,
  idleTime: 60_000,
};
/** Interval of memory checks during a job, ms. */
const WATCH_INTERVAL = 250;
/** From which part of a job's time on, spent in waiting for its browser or a processor, it is late because of others. */
const LACKED = 1 / 3;
/** An error so many ms before the end of a job's time is that of being late. */
const NEAR_END = 1_500;
/** Time limit for closing what a job opened, ms; after that its browser is not reused. */
const CLEARING_TIME = 500;
/** Time limit for finding out how Chromium starts, ms. */
const TRIAL_TIME = 60_000;

export interface BrowsersOptions extends ChromiumChoice {
  readonly limits?: Partial<BrowserLimits>;
  /** Fonts in addition to the system's. */
  readonly fonts?: FontFolders;
  /** A file of authorities that pages may be signed by, beside Chromium's own; null or absent = none. */
  readonly extraAuthorities?: string | null;
  /** Called when Chromium runs with less confinement than it should, once, and when somebody else has killed it. */
  readonly onWarning?: (message: string) => void;
  /** How a Chromium is started; absent = `launchChromium`. */
  readonly launch?: typeof launchChromium;
}

/** The time of a job, ms of `performance.now()`. */
interface Times {
  readonly begun: number;
  readonly ends: number;
  /** How much of it went into taking and starting browsers, ms. */
  taking: number;
}

/** A warm browser and the number of its jobs. */
interface Warm {
  readonly chromium: RunningChromium;
  jobs: number;
  idle: NodeJS.Timeout | null;
  /** `waitedForProcessor`, when its last job had ended. */
  waited: number;
}

export class Browsers implements AsyncDisposable {
  readonly #options: BrowsersOptions;
  readonly #limits: BrowserLimits;
  readonly #start: typeof launchChromium;
  readonly #warm: Warm[] = [];
  readonly #all = new Set<RunningChromium>();
  /** Work on browsers between jobs: each browser becomes ready for the next job, or is ended. */
  readonly #between = new Set<Promise<void>>();
  /** Number of jobs that wait for that work. */
  #waiting = 0;
  #confinement: Promise<Confinement> | null = null;
  #readable: Promise<ReadableFolders> | null = null;
  #authorities: Promise<NssDatabase | null> | null = null;
  #closed = false;

  constructor(options: BrowsersOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#start = options.launch ?? launchChromium;
  }

  /**
   * Runs `job` in a browser of its own. If the browser or the page breaks, runs it once more in a fresh browser.
   *
   * Contexts that the job opened are closed after it. The caller limits the number of concurrent jobs.
   *
   * @param deadline ms for everything; whatever still runs then is ended with its browser
   * @throws AppError `invalid_request` when time or memory run out or the page crashes twice, `overloaded` when no
   *   browser is ready in time, or waiting for one or for a processor took a third of it, `render_failed` when there is no Chromium or it breaks twice; whatever `job` throws
   */
  async run<T>(deadline: number, job: (browser: Browser) => Promise<T>): Promise<T> {
    const begun = performance.now();
    const times: Times = { begun, ends: begun + deadline, taking: 0 };
    let failure: AppError | null = null;
    for (let attempt = 1; ; attempt += 1) {
      const asked = performance.now();
      const warm = await this.#take(times.ends).catch((error) => {
        // Without time for a second attempt, the error of the first one is reported.
        throw failure ?? error;
      });
      times.taking += performance.now() - asked;
      warm.jobs += 1;
      try {
        return await this.#supervised(warm, times, job);
      } catch (error) {
        if (!warm.chromium.hasEnded()) throw error;
        // Memory that is left over from a browser's earlier jobs is not this job's fault.
        const isOwnFault = error instanceof OutOfTime || (error instanceof OutOfMemory && warm.jobs === 1);
        failure = failureOf(error);
        const isOver = isOwnFault || failure.code === 'overloaded';
        if (isOver || attempt === 2 || this.#closed) throw failure;
      } finally {
        this.#doBetween(this.#putBack(warm));
      }
    }
  }

  /**
   * Starts a browser to find out how Chromium is confined, for `platen doctor`. @throws AppError or Error when none
   * starts
   */
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
    await (await this.#readable)?.[Symbol.asyncDispose]();
  }

  /** Runs a job until it ends, its page or browser is gone, or it exceeds its limit of time or memory. */
  async #supervised<T>(
    { chromium, waited }: Warm,
    { begun, ends, taking }: Times,
    job: (browser: Browser) => Promise<T>,
  ): Promise<T> {
    const lackedProcessor = async () =>
      taking + (await waitedForProcessor(chromium.pid)) - waited > LACKED * (performance.now() - begun);
    const stopped = Promise.withResolvers<never>();
    const stop = (reason: AppError) => {
      stopped.reject(reason);
      void chromium.kill();
    };
    const timer = setTimeout(async () => stop((await lackedProcessor()) ? overloaded() : new OutOfTime()), until(ends));
    const watch = setInterval(async () => {
      if ((await memoryOf(chromium.pid)) > this.#limits.jobMemory) stop(new OutOfMemory());
    }, WATCH_INTERVAL);
    const listening = chromium.onPageCrash(() => stop(new PageCrashed()));
    const watching = chromium.onEnd(() => stopped.reject(new Error('the browser ended')));
    const working = job(chromium.browser);
    working.catch(() => {});
    stopped.promise.catch(() => {});
    try {
      return await Promise.race([working, stopped.promise]);
    } catch (error) {
      // A call to a dead browser fails before the end of its process is noticed.
      if (!chromium.browser.connected) await endsWithin(1_000, chromium.ended);
      // Whatever the page waited for in vain: on a busy machine that is nobody's fault.
      const isLate = error instanceof AppError && error.code === 'invalid_request' && until(ends) < NEAR_END;
      if (isLate && !(error instanceof OutOfTime) && (await lackedProcessor())) throw overloaded(error);
      throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      listening[Symbol.dispose]();
      watching[Symbol.dispose]();
    }
  }

  /** An exclusive browser: an idle one, one that will soon be idle, or a fresh one. */
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
        await resultWithin(until(ends), Promise.race(this.#between), noBrowser).finally(() => {
          this.#waiting -= 1;
        });
      } else {
        return this.#fresh(ends);
      }
    }
  }

  async #fresh(ends: number): Promise<Warm> {
    const starting = this.#launch().then(async (chromium): Promise<Warm> => {
      return { chromium, jobs: 0, idle: null, waited: await waitedForProcessor(chromium.pid) };
    });
    try {
      return await resultWithin(until(ends), starting, noBrowser);
    } catch (error) {
      // A browser that starts too late for this job is kept for the next one.
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

  /** Prepares a browser for its next job, or ends it. */
  async #putBack(warm: Warm): Promise<void> {
    const { chromium } = warm;
    if (chromium.hasEnded() || !(await isCleared(chromium.browser))) {
      await chromium.kill();
      this.#all.delete(chromium);
      return;
    }
    const isWorn = warm.jobs >= this.#limits.jobs || (await memoryOf(chromium.pid)) > this.#limits.idleMemory;
    if (isWorn || this.#closed) return this.#retire(chromium);
    warm.waited = await waitedForProcessor(chromium.pid);
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
      const chromium = await this.#start(
        found,
        confinement,
        await this.#fontsFor(confinement),
        await this.#trusted(),
        (what) =>
          this.#options.onWarning?.(`${what} was killed from outside, as the system does when memory runs out.`),
      );
      this.#all.add(chromium);
      return chromium;
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError('render_failed', 'Chromium could not be started on this server.', { cause });
    }
  }

  /** The fonts, from folders that Chromium's user may read. */
  async #fontsFor({ user }: Confinement): Promise<FontFolders | undefined> {
    const { fonts, onWarning } = this.#options;
    if (!fonts || user === null) return fonts;
    this.#readable ??= readableFolders(fonts.folders, user).catch((error: Error) => {
      onWarning?.(`Chromium cannot read some of the fonts, so pages may show others: ${error.message}.`);
      return { folders: fonts.folders, [Symbol.asyncDispose]: async () => {} };
    });
    return { ...fonts, folders: (await this.#readable).folders };
  }

  /** The company's own authorities; made once. */
  #trusted(): Promise<NssDatabase | null> {
    const { extraAuthorities = null, programFolders, onWarning } = this.#options;
    if (extraAuthorities === null) return Promise.resolve(null);
    this.#authorities ??= makeNssDatabase(extraAuthorities, programFolders).catch((error: Error) => {
      onWarning?.(error.message);
      return null;
    });
    return this.#authorities;
  }

  /** The strongest confinement with which Chromium starts; determined once. */
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
        await (await this.#start(found, confinement)).close();
        const weakness = weaknessOf(confinement);
        if (weakness !== null) this.#options.onWarning?.(weakness);
        return confinement;
      } catch (error) {
        // A busy machine is no reason to confine it less.
        if (error instanceof AppError) throw error;
        failure = error;
      }
    }
    throw new AppError('render_failed', 'Chromium could not be started on this server.', { cause: failure });
  }
}

/** The weakness of Chromium's confinement; null when there is none. */
export function weaknessOf({ sandbox, user }: Confinement): string | null {
  if (sandbox) return null;
  const who = user === null && process.getuid?.() === 0 ? ', as root' : '';
  return `Chromium runs without its sandbox${who}: this system lets unprivileged users make no user namespaces.`;
}

/** Errors that end a job from outside. */
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

/** The caller's error when the browser has ended. */
function failureOf(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('render_failed', 'The browser broke while it drew the page; please try again.', { cause });
}

/** ms until a time of `performance.now()`. */
const until = (ends: number) => Math.max(1, ends - performance.now());

const noBrowser = () =>
  new AppError('overloaded', 'No browser was ready in time; try again in a few seconds.', { retryAfter: 5 });

/** Closes all contexts that a job opened; false when that takes too long. */
async function isCleared(browser: Browser): Promise<boolean> {
  const own = browser.defaultBrowserContext();
  const closing = browser.browserContexts().flatMap((context) => (context === own ? [] : [context.close()]));
  return endsWithin(CLEARING_TIME, Promise.all(closing)).catch(() => false);
}
