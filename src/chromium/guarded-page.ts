// One job's page: a context that shares nothing with other jobs, behind a proxy of its own, deaf to all that a page
// could ask its user for.
//
// Disposing takes the network from it and asks nothing of the browser, which the page may have made slow: its context
// is closed by whoever hands out browsers, when the caller has been answered.

import type { Browser, CDPSession, HTTPRequest, HTTPResponse, Page } from 'puppeteer-core';
import { AppError } from '#errors';
import type { Guard } from '#net/guard.ts';
import { notAllowed } from '#net/outbound-url.ts';
import { type Exhausted, JobProxy, type JobProxyOptions } from '#net/proxy.ts';

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

/** What Chromium says of a main document that it did not show. */
const NETWORK_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/ERR_CERT|ERR_SSL|ERR_BAD_SSL/, 'The certificate of the page is not valid.'],
  [/ERR_TOO_MANY_REDIRECTS/, 'The page redirects too often.'],
  [/ERR_ABORTED/, 'The page is a download, or empty.'],
  [/ERR_(EMPTY_RESPONSE|CONNECTION|TUNNEL|TIMED_OUT|NETWORK)/, 'The server of the page did not answer.'],
];

/** What Chromium itself will not go to: files behind a redirect, other schemes, ports of other protocols. */
const REFUSED_BY_CHROMIUM =
  /ERR_(UNSAFE_REDIRECT|INVALID_REDIRECT|UNSAFE_PORT|DISALLOWED_URL_SCHEME|UNKNOWN_URL_SCHEME|INVALID_URL|BLOCKED_BY_\w+)/;

export class GuardedPage implements AsyncDisposable {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly #guard: Guard;
  readonly #proxy: JobProxy;
  #parts: AsyncDisposableStack | null = null;
  /** The URL that the main frame went to last, and what was answered. */
  #document: { readonly url: string; readonly status: number | null } | null = null;
  /** Files that the page asked for and did not get, but documents and what a script asks for. */
  readonly #failed = new Set<string>();
  /** Why the main document is one that may not be shown. */
  #refusal: AppError | null = null;

  static async open(browser: Browser, guard: Guard, options: GuardedPageOptions): Promise<GuardedPage> {
    await using parts = new AsyncDisposableStack();
    const proxy = parts.use(await JobProxy.open(guard, options));
    const context = await browser.createBrowserContext({
      proxyServer: proxy.url,
      // A context forgets the browser's own list: without this one the loopback would be reached directly.
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    });
    const control = await browser.target().createCDPSession();
    parts.defer(() => void control.detach().catch(() => {}));
    const page = await context.newPage();
    await standAlone(control, context.id, page);
    const cdp = await page.createCDPSession();
    const guarded = new GuardedPage(guard, proxy, page, cdp);
    const { width, height, scale } = options.viewport;
    await Promise.all([
      // By the session that takes the pictures: another one's would be undone by them.
      cdp.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false }),
      ...(options.scripts ? [] : [page.setJavaScriptEnabled(false)]),
    ]);
    guarded.#parts = parts.move();
    return guarded;
  }

  private constructor(guard: Guard, proxy: JobProxy, page: Page, cdp: CDPSession) {
    this.#guard = guard;
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

  /** The status that the main document came with; null when it did not come. */
  get status(): number | null {
    return this.#document?.status ?? null;
  }

  /** The addresses of images, style sheets and fonts that could not be loaded. */
  failedFiles(): readonly string[] {
    return [...this.#failed];
  }

  /** What of the job's budget was used up, or null. */
  get exhausted(): Exhausted | null {
    return this.#proxy.exhausted;
  }

  /**
   * Goes to a URL that passed the guard's rules for text.
   *
   * @param timeout ms until `waitUntil` must have come about
   * @throws AppError `url_not_allowed` when the document, or what it redirects to, is denied or cannot be resolved;
   *   `invalid_request` when it does not come, or not in time
   */
  async goto(url: string, waitUntil: PageEvent, timeout: number): Promise<void> {
    this.#guard.check(url);
    try {
      await this.page.goto(url, { waitUntil, timeout });
    } catch (error) {
      this.check();
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
   * Whether the document that the page shows may be shown: a page may have gone on by itself.
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
    // With a status it was shown; of those only the proxy's own are none of the page.
    const failure = status === null || status === 403 || status === 502 ? this.#proxy.failureOf(target) : null;
    if (failure === 'denied') throw notAllowed(`the page went to ${target.host}`);
    if (failure === 'unreachable') throw new AppError('invalid_request', 'The server of the page did not answer.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts?.disposeAsync();
  }

  #miss(request: HTTPRequest): void {
    if (!/^(image|stylesheet|font)$/.test(request.resourceType()) || this.#failed.size >= 50) return;
    this.#failed.add(request.url());
  }

  #see(response: HTTPResponse): void {
    const request = response.request();
    if (response.status() >= 400) this.#miss(request);
    if (!request.isNavigationRequest() || request.frame() !== this.page.mainFrame()) return;
    const { location } = response.headers();
    this.#document = { url: response.url(), status: response.status() };
    if (response.status() < 300 || response.status() > 399 || location === undefined) return;
    // Chromium would go to some of what the guard's rules for text refuse, such as a URL with a password.
    try {
      this.#guard.check(URL.parse(location, response.url())?.href ?? '');
    } catch (error) {
      if (error instanceof AppError) this.#refusal ??= error;
    }
  }
}

export const PAGE_EVENTS = ['load', 'domcontentloaded', 'networkidle0', 'networkidle2'] as const;
export type PageEvent = (typeof PAGE_EVENTS)[number];

function notReady(event: string, cause: Error): AppError {
  const message = `The page did not reach "${event}" in time; wait for less (waitUntil) or longer (timeout).`;
  return new AppError('invalid_request', message, { cause });
}

/**
 * Denies cameras, places, notifications and all the rest to every origin, and closes every window but `page`.
 *
 * Through the browser, not through a popup's own page: to attach to one whose script shows a dialog is to wait for it.
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
