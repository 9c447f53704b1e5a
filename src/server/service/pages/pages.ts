// Draws pages with Chromium for the services. Limits how many are drawn at a time; the rest wait in a bounded queue.

import { Gate } from '#base/concurrency/gate.ts';
import type { HtmlPage } from '#core/resolve/resolve-html.ts';
import type { FontFolders } from '#draw/images/fontconfig.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import { Browsers } from '#server/chromium/browsers.ts';
import { type Captured, type CaptureOptions, capturePage, type Supplied } from '#server/chromium/capture-page.ts';
import { drawHtml, type HtmlDrawing } from '#server/chromium/draw-html.ts';
import type { ChromiumChoice } from '#server/chromium/find-chromium.ts';
import type { PageFiles } from '#server/chromium/html-document.ts';
import { sweepProfiles } from '#server/chromium/profiles.ts';
import type { Guard } from '#server/net/guard.ts';
import { UrlNotAllowed } from '#server/net/outbound-url.ts';
import { type OutsideOptions, outboundGuard } from './outbound-guard.ts';

export interface PagesOptions {
  readonly browsers: Browsers;
  /** Admits as many pages at a time as there may be browsers. */
  readonly gate: Gate;
  readonly guard: Guard;
  /** Called with the reason when a page's connection was refused. */
  readonly onDenied: (reason: unknown) => void;
}

/** The configuration of pages. */
export interface PagesConfig extends OutsideOptions, ChromiumChoice {
  /** Pages drawn at the same time, and pages that may wait. */
  readonly browsers: number;
  readonly pageQueue: number;
}

export interface PagesReports {
  /** Font folders of the catalogue, so that pages see the same fonts. */
  readonly fonts?: FontFolders;
  readonly onWarning?: (message: string) => void;
  readonly onDenied?: (reason: unknown) => void;
  /** Called with the time that a page waited for its turn, ms. */
  readonly onAdmitted?: (waited: number) => void;
}

/**
 * Additional pages for accounts that draw none. Two, because an account's jobs and its other requests take turns
 * separately: with both it may hold one of these, and the other remains.
 */
const SPARE = 2;

/** Opens pages with browsers of their own, which are started when first needed and ended on disposal. */
export function openPages(
  config: PagesConfig,
  { fonts, onWarning, onDenied = () => {}, onAdmitted = () => {} }: PagesReports = {},
): OpenPages {
  // Not awaited: profiles left by a killed server disturb nobody.
  void sweepProfiles();
  const browsers = new Browsers({ ...config, ...(fonts ? { fonts } : {}), ...(onWarning ? { onWarning } : {}) });
  const gate = new Gate({ concurrency: config.browsers, waiting: config.pageQueue, spare: SPARE, onAdmitted });
  const pages = new Pages({ browsers, gate, guard: outboundGuard(config), onDenied });
  return { pages, gate, [Symbol.asyncDispose]: () => browsers[Symbol.asyncDispose]() };
}

export interface OpenPages extends AsyncDisposable {
  readonly pages: Pages;
  /** The gate at which pages wait for their turn. */
  readonly gate: Gate;
}

/** How long a page may wait for its turn, ms. */
const PATIENCE = 30_000;
/** Maximum time for the page of a template, ms. */
const HTML_TIMEOUT = 20_000;
/** Extra time for the browser to end by itself after a page's own timeout, ms. */
const GRACE = 500;

/**
 * As `Pages.check`, but the refusal says why, as far as the text of the address tells it. What its name resolves to is
 * not told, so that callers cannot probe the network that Platen runs in.
 *
 * @throws AppError `url_not_allowed`
 */
export function checkAddress(pages: Pick<PageDrawing, 'check'>, url: string): void {
  try {
    pages.check(url);
  } catch (error) {
    throw error instanceof UrlNotAllowed ? error.explained() : error;
  }
}

/** The interface of `Pages`, whichever server draws them. */
export type PageDrawing = Pick<Pages, 'check' | 'drawHtml' | 'capture'>;

export class Pages {
  readonly #options: PagesOptions;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** Checks a URL without using the network. @throws AppError `url_not_allowed` */
  check(url: string): void {
    this.#options.guard.check(url);
  }

  /**
   * @param fairnessKey key of the round-robin queue in which the page waits
   * @throws AppError `overloaded`; what `drawHtml`, `Browsers.run` and `withClassesForBrowser` throw
   */
  async drawHtml(
    page: HtmlPage,
    output: Output,
    options: ExportOptions,
    files: PageFiles,
    fairnessKey = '',
  ): Promise<HtmlDrawing> {
    const { browsers, gate, guard, onDenied } = this.#options;
    const styled = page.template.tailwind ? await withClasses(page) : page;
    const { bytes, diagnostics } = await gate.pass(
      AbortSignal.timeout(PATIENCE),
      () =>
        browsers.run(HTML_TIMEOUT + GRACE, (browser) =>
          drawHtml(browser, guard, styled, output, options, HTML_TIMEOUT, files, onDenied),
        ),
      fairnessKey,
    );
    return { bytes, diagnostics: [...page.diagnostics, ...diagnostics] };
  }

  /**
   * @param fairnessKey as for `drawHtml`
   * @param supplied for a page whose markup is given
   * @throws AppError `url_not_allowed` before a browser is requested; `overloaded`; what `capturePage` and
   *   `Browsers.run` throw
   */
  async capture(options: CaptureOptions, fairnessKey = '', supplied: Supplied | null = null): Promise<Captured> {
    const { browsers, gate, guard, onDenied } = this.#options;
    if (options.url !== null) await guard.admit(options.url);
    return gate.pass(
      AbortSignal.timeout(PATIENCE),
      () =>
        browsers.run(options.timeout + GRACE, (browser) => capturePage(browser, guard, options, onDenied, supplied)),
      fairnessKey,
    );
  }
}

/** Loaded on first use: few pages have utility classes. */
async function withClasses(page: HtmlPage): Promise<HtmlPage> {
  const { withClassesForBrowser } = await import('#draw/html/tailwind/page-classes.ts');
  return withClassesForBrowser(page);
}
