// Pages drawn by Chromium for the services: at most so many at a time, the rest waiting in a bounded queue.

import type { Browsers } from '#chromium/browsers.ts';
import { type Captured, type CaptureOptions, capturePage } from '#chromium/capture-page.ts';
import type { Guard } from '#net/guard.ts';
import type { Gate } from './gate.ts';

export interface PagesOptions {
  readonly browsers: Browsers;
  /** As many at a time as there may be browsers. */
  readonly gate: Gate;
  readonly guard: Guard;
  /** Told why connections of pages were refused. */
  readonly onDenied: (reason: unknown) => void;
}

/** How long a page may wait for its turn, ms. */
const PATIENCE = 30_000;
/** What the browser is given beyond a page's own time to come to an end by itself, ms. */
const GRACE = 500;

export class Pages {
  readonly #options: PagesOptions;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** What can be said of a URL without asking the network. @throws AppError `url_not_allowed` */
  check(url: string): void {
    this.#options.guard.check(url);
  }

  /** @throws AppError `overloaded`; what `capturePage` and `Browsers.run` throw */
  async capture(options: CaptureOptions): Promise<Captured> {
    const { browsers, gate, guard, onDenied } = this.#options;
    this.check(options.url);
    return gate.pass(AbortSignal.timeout(PATIENCE), () =>
      browsers.run(options.timeout + GRACE, (browser) => capturePage(browser, guard, options, onDenied)),
    );
  }
}
