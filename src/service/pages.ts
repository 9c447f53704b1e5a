// Pages drawn by Chromium for the services: at most so many at a time, the rest waiting in a bounded queue.

import { Browsers } from '#chromium/browsers.ts';
import { type Captured, type CaptureOptions, capturePage } from '#chromium/capture-page.ts';
import { drawHtml, type HtmlDrawing, type PageFiles } from '#chromium/draw-html.ts';
import type { ChromiumChoice } from '#chromium/find-chromium.ts';
import { sweepProfiles } from '#chromium/profiles.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { FontFolders } from '#images/fontconfig.ts';
import type { Guard } from '#net/guard.ts';
import type { ExportOptions, Output } from '#output/formats.ts';
import { Gate } from '../gate.ts';
import { type OutsideOptions, outboundGuard } from './outbound-guard.ts';

export interface PagesOptions {
  readonly browsers: Browsers;
  /** As many at a time as there may be browsers. */
  readonly gate: Gate;
  readonly guard: Guard;
  /** Told why connections of pages were refused. */
  readonly onDenied: (reason: unknown) => void;
}

/** What of the configuration concerns pages. */
export interface PagesConfig extends OutsideOptions, ChromiumChoice {
  /** Pages that are drawn at the same time, and that may wait. */
  readonly browsers: number;
  readonly pageQueue: number;
}

export interface PagesReports {
  /** The catalogue's: pages see them too. */
  readonly fonts?: FontFolders;
  readonly onWarning?: (message: string) => void;
  readonly onDenied?: (reason: unknown) => void;
  /** Told how long a page waited for its turn, ms. */
  readonly onTurn?: (waited: number) => void;
}

/** Pages with browsers of their own, started when they are first needed; disposing ends them. */
export function openPages(
  config: PagesConfig,
  { fonts, onWarning, onDenied = () => {}, onTurn = () => {} }: PagesReports = {},
): OpenPages {
  // In its own time: what a killed server left is in nobody's way.
  void sweepProfiles();
  const browsers = new Browsers({ ...config, ...(fonts ? { fonts } : {}), ...(onWarning ? { onWarning } : {}) });
  const gate = new Gate({ concurrency: config.browsers, waiting: config.pageQueue, onTurn });
  const pages = new Pages({ browsers, gate, guard: outboundGuard(config), onDenied });
  return { pages, gate, [Symbol.asyncDispose]: () => browsers[Symbol.asyncDispose]() };
}

export interface OpenPages extends AsyncDisposable {
  readonly pages: Pages;
  /** Where pages wait for their turn. */
  readonly gate: Gate;
}

/** How long a page may wait for its turn, ms. */
const PATIENCE = 30_000;
/** What the page of a template may take, ms. */
const HTML_TIMEOUT = 20_000;
/** What the browser is given beyond a page's own time to come to an end by itself, ms. */
const GRACE = 500;

/** What is asked of pages, whoever draws them. */
export type PageDrawing = Pick<Pages, 'check' | 'drawHtml' | 'capture'>;

export class Pages {
  readonly #options: PagesOptions;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** What can be said of a URL without asking the network. @throws AppError `url_not_allowed` */
  check(url: string): void {
    this.#options.guard.check(url);
  }

  /**
   * @param turn whose turn it takes, where pages wait
   * @throws AppError `overloaded`; what `drawHtml` and `Browsers.run` throw
   */
  async drawHtml(
    page: HtmlPage,
    output: Output,
    options: ExportOptions,
    files: PageFiles,
    turn = '',
  ): Promise<HtmlDrawing> {
    const { browsers, gate, guard, onDenied } = this.#options;
    const { bytes, diagnostics } = await gate.pass(
      AbortSignal.timeout(PATIENCE),
      () =>
        browsers.run(HTML_TIMEOUT + GRACE, (browser) =>
          drawHtml(browser, guard, page, output, options, HTML_TIMEOUT, files, onDenied),
        ),
      turn,
    );
    return { bytes, diagnostics: [...page.diagnostics, ...diagnostics] };
  }

  /**
   * @param turn as for `drawHtml`
   * @throws AppError `url_not_allowed` before a browser is asked for; `overloaded`; what `capturePage` and `Browsers.run` throw
   */
  async capture(options: CaptureOptions, turn = ''): Promise<Captured> {
    const { browsers, gate, guard, onDenied } = this.#options;
    await guard.admit(options.url);
    return gate.pass(
      AbortSignal.timeout(PATIENCE),
      () => browsers.run(options.timeout + GRACE, (browser) => capturePage(browser, guard, options, onDenied)),
      turn,
    );
  }
}
