// The page of one job: in a context that shares nothing with other jobs, behind a proxy of its own, with all permission
// requests denied.
//
// Disposing cuts off its network and asks nothing of the browser, which the page may have slowed down. Its context is
// closed later by `Browsers`, after the caller has been answered.

import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession, HTTPRequest, HTTPResponse, Page } from 'puppeteer-core';
import { resultWithin } from '#base/concurrency/deadline.ts';
import { AppError } from '#base/errors.ts';
import type { Guard } from '#server/net/guard.ts';
import { notAllowed } from '#server/net/outbound-url.ts';
import { type Exhausted, JobProxy, type JobProxyOptions } from '#server/net/proxy.ts';
import type { HtmlDocument } from './html-document.ts';

interface Viewport {
  /** CSS px. */
  readonly width: number;
  readonly height: number;
  /** Device px per CSS px. */
  readonly scale: number;
}

export interface GuardedPageOptions extends Omit<JobProxyOptions, 'budget'> {
  readonly viewport: Viewport;
  /** Whether the page's own scripts run. */
  readonly scripts: boolean;
}

/** Chromium's network errors of a main document, by pattern, with the message for the caller. */
const NETWORK_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/ERR_CERT|ERR_SSL|ERR_BAD_SSL/, 'The certificate of the page is not valid.'],
  [/ERR_TOO_MANY_REDIRECTS/, 'The page redirects too often.'],
  [/ERR_ABORTED/, 'The page is a download, or empty.'],
  [/ERR_(EMPTY_RESPONSE|CONNECTION|TUNNEL|TIMED_OUT|NETWORK)/, 'The server of the page did not answer.'],
];

/** Units of a markup that are sent in one message. */
const PIECE = 256 * 1024;

/** ms within which Chromium reports the response that it went no further from, which may come after the failure. */
const REPORTED_LATE = 500;

/** What Chromium itself refuses to load: files behind a redirect, other schemes, ports of other protocols. */
const REFUSED_BY_CHROMIUM =
  /ERR_(UNSAFE_REDIRECT|INVALID_REDIRECT|UNSAFE_PORT|DISALLOWED_URL_SCHEME|UNKNOWN_URL_SCHEME|INVALID_URL|BLOCKED_BY_\w+)/;

export class GuardedPage implements AsyncDisposable {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly #guard: Guard;
  readonly #proxy: JobProxy;
  readonly #isUnwanted: (host: string) => boolean;
  #parts: AsyncDisposableStack | null = null;
  /** The last URL of the main frame, and its response status. */
  #document: { readonly url: string; readonly status: number | null } | null = null;
  /** Resolves with the first response to a navigation of the main frame. */
  readonly #responded = Promise.withResolvers<void>();
  /** Files that failed to load, except documents and requests by scripts. */
  readonly #failed = new Set<string>();
  /** Why the main document may not be shown. */
  #refusal: AppError | null = null;

  static async open(browser: Browser, guard: Guard, options: GuardedPageOptions): Promise<GuardedPage> {
    await using parts = new AsyncDisposableStack();
    const proxy = parts.use(await JobProxy.open(guard, options));
    const context = await browser.createBrowserContext({
      proxyServer: proxy.url,
      // A context ignores the browser's own list: without this one the loopback would be reached directly.
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    });
    const control = await browser.target().createCDPSession();
    parts.defer(() => void control.detach().catch(() => {}));
    const page = await context.newPage();
    await standAlone(control, context.id, page);
    const cdp = await page.createCDPSession();
    const guarded = new GuardedPage(guard, proxy, page, cdp, options.isUnwanted);
    const { width, height, scale } = options.viewport;
    await Promise.all([
      // Must use the session that takes the screenshots, which would undo the override of another session.
      cdp.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false }),
      ...(options.scripts ? [] : [page.setJavaScriptEnabled(false)]),
    ]);
    guarded.#parts = parts.move();
    return guarded;
  }

  private constructor(
    guard: Guard,
    proxy: JobProxy,
    page: Page,
    cdp: CDPSession,
    isUnwanted: JobProxyOptions['isUnwanted'],
  ) {
    this.#guard = guard;
    this.#isUnwanted = isUnwanted ?? (() => false);
    this.#proxy = proxy;
    this.page = page;
    this.cdp = cdp;
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
    page.on('response', (response) => this.#see(response));
    page.on('requestfailed', (request) => this.#miss(request));
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        this.#document = { url: request.url(), status: null };
      }
    });
  }

  /** The main document's status; null when it did not load. */
  get status(): number | null {
    return this.#document?.status ?? null;
  }

  /** The URLs of images, style sheets and fonts that could not be loaded, without those of unwanted hosts. */
  failedFiles(): readonly string[] {
    return [...this.#failed];
  }

  /** Which part of the job's budget was used up, or null. */
  get exhausted(): Exhausted | null {
    return this.#proxy.exhausted;
  }

  /**
   * Navigates to a URL, after checking it with the guard's rules for URL text.
   *
   * @param timeout ms until `waitUntil` must have happened
   * @throws AppError `url_not_allowed` when the document, or a redirect of it, is denied or cannot be resolved;
   *   `invalid_request` when it does not load, or not in time
   */
  async goto(url: string, waitUntil: PageEvent, timeout: number): Promise<void> {
    this.#guard.check(url);
    try {
      await this.page.goto(url, { waitUntil, timeout });
    } catch (error) {
      const aborted = /ERR_ABORTED/.test(String(error));
      if (aborted) await Promise.race([this.#responded.promise, setTimeout(REPORTED_LATE)]);
      this.check();
      // A download and an empty answer have a status; a redirect to another scheme is not always reported.
      if (aborted && this.status === null) throw notAllowed('aborted by Chromium before a response', error);
      if (!(error instanceof Error)) throw error;
      if (error.name === 'TimeoutError') throw notReady(waitUntil, error);
      if (REFUSED_BY_CHROMIUM.test(error.message)) throw notAllowed('refused by Chromium', error);
      const known = NETWORK_ERRORS.find(([pattern]) => pattern.test(error.message));
      if (known) throw new AppError('invalid_request', known[1], { cause: error });
      if (/net::ERR_/.test(error.message)) {
        throw new AppError('invalid_request', 'The page could not be loaded.', { cause: error });
      }
      throw error;
    }
    this.check();
  }

  /**
   * Shows a document on about:blank, where files and Chromium's own pages cannot be reached.
   *
   * @throws AppError `invalid_request` when it does not load in time
   */
  async show([head, markup]: HtmlDocument, waitUntil: PageEvent, timeout: number): Promise<void> {
    const ends = performance.now() + timeout;
    try {
      const event = waitUntil === 'domcontentloaded' ? waitUntil : 'load';
      if (head.length + markup.length > PIECE) {
        await resultWithin(timeout, this.#write(head, markup, event), () => notReady(waitUntil));
      } else await this.page.setContent(head + markup, { waitUntil: event, timeout });
      if (!/^networkidle/.test(waitUntil)) return;
      const left = Math.max(1, ends - performance.now());
      await this.page.waitForNetworkIdle({ concurrency: waitUntil === 'networkidle2' ? 2 : 0, timeout: left });
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') throw notReady(waitUntil, error);
      throw error;
    }
  }

  /**
   * Checks that the present document may be shown, since a page may have navigated by itself.
   *
   * @throws AppError as `goto` does
   */
  check(): void {
    if (this.#refusal) throw this.#refusal;
    if (this.#document === null) return;
    const { url, status } = this.#document;
    const target = URL.parse(url);
    if (target === null || !/^https?:$/.test(target.protocol)) return;
    this.#guard.check(url);
    // A document with a status was loaded; only 403 and 502 may be the proxy's own answers.
    const failure = status === null || status === 403 || status === 502 ? this.#proxy.failureOf(target) : null;
    if (failure === 'denied') throw notAllowed(`the page went to ${target.host}`);
    if (failure === 'unreachable') throw new AppError('invalid_request', 'The server of the page did not answer.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts?.disposeAsync();
  }

  /** Shows a long markup, which is handed over in pieces: one message of megabytes would hold this thread. */
  async #write(head: string, markup: string, event: 'load' | 'domcontentloaded'): Promise<void> {
    const { promise: happened, resolve } = Promise.withResolvers<void>();
    const pieces = await this.page.evaluateHandle((first): string[] => [first], head);
    for (let at = 0; at < markup.length; ) {
      // Not between two halves of a character.
      const end = at + PIECE + ((markup.codePointAt(at + PIECE - 1) ?? 0) > 0xffff ? 1 : 0);
      await pieces.evaluate((all, piece) => void all.push(piece), markup.slice(at, end));
      at = end;
    }
    this.page.once(event, () => resolve());
    await pieces.evaluate((all) => {
      document.open();
      document.write(all.join(''));
      document.close();
    });
    await happened;
  }

  #miss(request: HTTPRequest): void {
    if (!/^(image|stylesheet|font)$/.test(request.resourceType()) || this.#failed.size >= 50) return;
    if (!this.#isUnwanted(URL.parse(request.url())?.hostname ?? '')) this.#failed.add(request.url());
  }

  #see(response: HTTPResponse): void {
    const request = response.request();
    if (response.status() >= 400) this.#miss(request);
    if (!request.isNavigationRequest() || request.frame() !== this.page.mainFrame()) return;
    const { location } = response.headers();
    this.#document = { url: response.url(), status: response.status() };
    if (response.status() >= 300 && response.status() <= 399 && location !== undefined) {
      // Chromium would follow some redirects that the guard's rules for URL text refuse, such as a URL with a password.
      try {
        this.#guard.check(URL.parse(location, response.url())?.href ?? '');
      } catch (error) {
        if (error instanceof AppError) this.#refusal ??= error;
      }
    }
    this.#responded.resolve();
  }
}

export const PAGE_EVENTS = ['load', 'domcontentloaded', 'networkidle0', 'networkidle2'] as const;
export type PageEvent = (typeof PAGE_EVENTS)[number];

function notReady(event: string, cause?: Error): AppError {
  const message = `The page did not reach "${event}" in time; wait for less (waitUntil) or longer (timeout).`;
  return new AppError('invalid_request', message, { cause });
}

/**
 * Denies every permission (camera, location, notifications and so on) to all origins, and closes every window but
 * `page`.
 *
 * Windows are closed through the browser: attaching to a popup's page would block while its script shows a dialog.
 */
async function standAlone(control: CDPSession, browserContextId: string | undefined, page: Page): Promise<void> {
  const context = browserContextId === undefined ? {} : { browserContextId };
  const session = await page.createCDPSession();
  const { targetInfo: own } = await session.send('Target.getTargetInfo');
  await session.detach();
  control.on('Target.targetCreated', ({ targetInfo: { targetId, type, browserContextId: of } }) => {
    if (type !== 'page' || targetId === own.targetId || of !== own.browserContextId) return;
    control.send('Target.closeTarget', { targetId }).catch(() => {});
  });
  await control.send('Browser.grantPermissions', { permissions: [], ...context });
  await control.send('Target.setDiscoverTargets', { discover: true });
}
