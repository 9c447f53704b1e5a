// The browsers that pages are drawn by: one Chromium a job at a time, kept warm, replaced when it is worn or broken.
//
// Jobs never share a browser process, so that what a page does to its browser is done to nobody else: a job that runs
// out of time or memory ends with its browser, and the next one gets a fresh one.

import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import type { Browser } from 'puppeteer-core';
import { AppError } from '#errors';
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

export interface BrowsersOptions extends ChromiumChoice {
  readonly limits?: Partial<BrowserLimits>;
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
  #confinement: Promise<Confinement> | null = null;
  #closed = false;

  constructor(options: BrowsersOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  /**
   * Runs `job` in a browser of its own. When the browser breaks, the job is run once more in a fresh one.
   *
   * How many run at the same time is for the caller to bound.
   *
   * @param deadline ms for all of it; whatever then still runs is ended with its browser
   * @throws AppError `invalid_request` when time or memory run out, `render_failed` when there is no Chromium or it
   *   breaks twice; whatever `job` throws
   */
  async run<T>(deadline: number, job: (browser: Browser) => Promise<T>): Promise<T> {
    const ends = performance.now() + deadline;
    for (let attempt = 1; ; attempt += 1) {
      const warm = await this.#take();
      try {
        const result = await this.#supervised(warm.chromium, Math.max(1, ends - performance.now()), job);
        await this.#giveBack(warm);
        return result;
      } catch (error) {
        if (!warm.chromium.hasEnded()) {
          await this.#giveBack(warm);
          throw error;
        }
        this.#all.delete(warm.chromium);
        if (error instanceof Stopped) throw new AppError('invalid_request', error.message, { cause: error });
        if (attempt === 2 || this.#closed) {
          throw new AppError('render_failed', 'The browser broke while it drew the page; please try again.', {
            cause: error,
          });
        }
      }
    }
  }

  /** How Chromium is confined, found by starting one: for `platen doctor`. @throws AppError or Error when none starts */
  async confinement(): Promise<Confinement> {
    await this.#giveBack(await this.#take());
    return this.#confined();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const { idle } of this.#warm.splice(0)) clearTimeout(idle ?? undefined);
    await Promise.all([...this.#all].map((chromium) => chromium.close()));
    this.#all.clear();
  }

  /** Runs a job until it is done, its browser is gone, or it has had all the time or memory that it may have. */
  async #supervised<T>(chromium: RunningChromium, deadline: number, job: (browser: Browser) => Promise<T>): Promise<T> {
    const stop: { reason: string | null } = { reason: null };
    const end = (reason: string) => {
      stop.reason ??= reason;
      void chromium.kill();
    };
    const timer = setTimeout(() => end(outOfTime(deadline)), deadline);
    const watch = setInterval(async () => {
      if ((await memoryOf(chromium.pid)) > this.#limits.jobMemory) end('The page takes more memory than it may.');
    }, WATCH_INTERVAL);
    const gone = chromium.ended.then(() => Promise.reject(new Error('the browser ended')));
    const working = job(chromium.browser);
    working.catch(() => {});
    gone.catch(() => {});
    try {
      return await Promise.race([working, gone]);
    } catch (error) {
      if (stop.reason !== null) {
        await chromium.kill();
        throw new Stopped(stop.reason);
      }
      // A call to a browser that died fails before the end of its process is seen.
      if (!chromium.browser.connected) await Promise.race([chromium.ended, setTimeoutAsync(1_000)]);
      throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
    }
  }

  async #take(): Promise<Warm> {
    for (let warm = this.#warm.pop(); warm; warm = this.#warm.pop()) {
      clearTimeout(warm.idle ?? undefined);
      if (!warm.chromium.hasEnded()) return warm;
      this.#all.delete(warm.chromium);
    }
    if (this.#closed) throw new AppError('overloaded', 'The server is stopping.', { retryAfter: 5 });
    return { chromium: await this.#launch(), jobs: 0, idle: null };
  }

  async #giveBack(warm: Warm): Promise<void> {
    const { chromium } = warm;
    warm.jobs += 1;
    const isWorn = warm.jobs >= this.#limits.jobs || (await memoryOf(chromium.pid)) > this.#limits.idleMemory;
    if (isWorn || this.#closed || chromium.hasEnded()) return this.#retire(chromium);
    warm.idle = setTimeout(() => {
      this.#warm.splice(this.#warm.indexOf(warm), 1);
      void this.#retire(chromium);
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
      const chromium = await launchChromium(found, confinement);
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

/** The end of a job that was not its own. */
class Stopped extends Error {}

const outOfTime = (ms: number) => `The page was not done in ${+(ms / 1000).toFixed(1)} s.`;
